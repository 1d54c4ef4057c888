"""Emails to guests on the waitlist of a special (decision 29)."""

from email.utils import formataddr
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.emails import EmailAction, one_line, render_email_text
from apps.offers.presentation import Special
from apps.offers.serving import serving_of
from apps.preorders.core.friends import greeting_name
from apps.preorders.core.links import waitlist_entry_url
from apps.preorders.core.pricing import price_order
from apps.preorders.core.selectors import cancellation_of_offer
from apps.preorders.core.waitlist import (
    guests_ahead,
    time_to_order,
    waitlist_sentence,
    who_is_ahead,
)
from apps.preorders.emails.actions import HEAR_OF_IT, SEE_SPECIALS
from apps.preorders.emails.dinner import photo_of_offer, sum_to_order, when_layout, where_layout
from apps.preorders.emails.next_specials import NextSpecials
from apps.preorders.emails.rendering import message_from
from apps.preorders.emails.texts import dish_facts
from apps.preorders.models import Email, WaitlistEntry
from apps.preorders.models.states import EmailKind, WaitlistStatus
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant


def render_waitlist_email(
    email: Email, next_specials: NextSpecials | None = None
) -> EmailMultiAlternatives:
    """The email, in the language the guest joined in. `next_specials` is what a worker who sends
    several has read already.

    Its Message-ID derives from the row, so a second attempt sends the same message. Its headers let
    an email client offer to leave the waitlist (RFC 8058).
    """
    with translation.override(email.entry.language):
        return _render(email, next_specials or NextSpecials())


def _render(email: Email, next_specials: NextSpecials) -> EmailMultiAlternatives:
    entry = email.entry
    offer, restaurant = entry.offer, entry.offer.restaurant
    canceled = cancellation_of_offer(offer)
    special = Special(offer, clock.now())
    left = special.portions_left or 0
    is_waiting = entry.state == WaitlistStatus.WAITING
    ahead = who_is_ahead(offer.pk, of=entry) if is_waiting else None
    facts = {
        "entry": entry,
        "guest": one_line(greeting_name(entry.name)),
        "is_change": email.number > 1,
        "portions": formats.portions(entry.portions),
        "sentence": waitlist_sentence(entry) if is_waiting else "",
        "ahead": guests_ahead(ahead) if ahead and ahead.guests else "",
        "offer": offer,
        "restaurant": restaurant,
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "reserved_until": formats.moment(entry.reserved_until, restaurant.zone)
        if entry.reserved_until
        else "",
        "price": formats.money(offer.special_price, restaurant.currency),
        "serve_day": formats.day(offer.serve_date),
        "why": one_line(canceled.reason),
        "speaker": canceled.speaker(restaurant),
        "terms": special.card_terms,
        "too_few": left if left < entry.portions else 0,
        "reserved_for": time_to_order(offer, special.now),
    }
    words = render_email_text(
        f"preorders/emails/{email.kind}.txt", facts, names=(offer.spoken_name, restaurant.name)
    )
    is_ended = email.kind == EmailKind.WAITLIST_ENDED
    action = EmailAction(_("See your place"), waitlist_entry_url(entry))
    if email.kind == EmailKind.WAITLIST_INVITED:
        total = formats.money(price_order(offer, entry.portions).total, restaurant.currency)
        action = EmailAction(f"{_('Order now')} · {total}", waitlist_entry_url(entry))
    context: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "preview": facts["terms"] if email.kind == EmailKind.WAITLIST_INVITED else "",
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "action": action,
        "about": _row(entry, ended=is_ended),
        "facts": [] if is_ended else dish_facts(special.dish),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _("You're getting this because you joined the waitlist for %(dish)s.")
        % {"dish": one_line(offer.spoken_name)},
    }
    if is_ended:
        context |= _ways_on(entry)
        context |= next_specials.layout(restaurant, without=[offer])
    else:
        context |= photo_of_offer(offer)
        context["stop"] = EmailAction(
            _("Leave the waitlist"), waitlist_entry_url(entry, then="#leave")
        )
    if email.kind == EmailKind.WAITLIST_JOINED and is_waiting:
        url = waitlist_entry_url(entry, then="#change")
        context["buttons"] = [EmailAction(_("Change or leave"), url)]
    return message_from(
        restaurant,
        email,
        to=formataddr((one_line(entry.name), entry.email)),
        subject=words.subject,
        layout=context,
        headers={
            "List-Unsubscribe": f"<{waitlist_entry_url(entry, then='/leave')}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def entry_row(entry: WaitlistEntry) -> dict[str, Any]:
    """The entry as one of several rows, with its state and the button to its page."""
    is_reserved = entry.state == WaitlistStatus.INVITED
    says = waitlist_sentence(entry) if not is_reserved else ""
    if entry.reserved_until and is_reserved:
        until = formats.moment(entry.reserved_until, entry.offer.restaurant.zone)
        says = _("Reserved for you until %(until)s. After that, it's the next person's turn.")
        says %= {"until": until}
    return {
        **_row(entry, ended=False),
        "terms": says,
        "button": _("Order now") if is_reserved else _("See your place"),
    }


def _ways_on(entry: WaitlistEntry) -> dict[str, Any]:
    """The buttons of an email to whom nothing opened up: none to the pages of a restaurant that is
    suspended."""
    restaurant = entry.offer.restaurant
    if restaurant.status != Restaurant.Status.ACTIVE:
        return {"action": None}
    specials = absolute_url("/specials", restaurant=restaurant)
    return {
        "action": EmailAction(str(HEAR_OF_IT), waitlist_entry_url(entry, then="#follow")),
        "links": [EmailAction(str(SEE_SPECIALS), specials)],
    }


def _row(entry: WaitlistEntry, *, ended: bool) -> dict[str, Any]:
    offer = entry.offer
    return {
        "name": one_line(offer.spoken_name),
        "photo": photo_of_offer(offer)["photo"],
        **when_layout(serving_of(offer)),
        "ended": _("Canceled") if ended else "",
        "sum": formats.portions(entry.portions) if ended else sum_to_order(offer, entry.portions),
        **({} if ended else where_layout(offer.restaurant)),
        "url": waitlist_entry_url(entry),
    }
