"""Emails to guests on the waitlist of a special (decision 29)."""

from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.letters import Action, one_line, plain, words_of
from apps.offers.presenting import Special
from apps.preorders.mails import sender_of
from apps.preorders.models import WaitingLetter
from apps.preorders.waiting_links import place_url


def render(letter: WaitingLetter) -> EmailMultiAlternatives:
    """The email, in the language the guest joined in.

    Its Message-ID derives from the row, so a second attempt sends the same message. Its headers let
    an email client offer to leave the waitlist (RFC 8058).
    """
    with translation.override(letter.place.language):
        return _render(letter)


def _render(letter: WaitingLetter) -> EmailMultiAlternatives:
    place = letter.place
    offer, restaurant = place.offer, place.offer.restaurant
    facts = {
        "place": place,
        "offer": offer,
        "restaurant": restaurant,
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "held_until": formats.moment(place.held_until, restaurant.zone) if place.held_until else "",
        "price": formats.money(offer.special_price, restaurant.currency),
        "terms": Special(offer, clock.now()).card_terms,
    }
    words = words_of(f"preorders/mail/{letter.kind}.txt", facts)
    is_invited = letter.kind == WaitingLetter.Kind.INVITED
    context: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": Action(
            _("Order now") if is_invited else _("See your place or leave the waitlist"),
            place_url(place),
        ),
        "facts": [
            (_("Dish"), one_line(offer.name)),
            (_("Portions"), str(place.portions)),
            (_("Day"), formats.day(offer.serve_date)),
            (_("Deadline"), facts["deadline"]),
        ],
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _("You're getting this because you joined the waitlist for %(dish)s.")
        % {"dish": one_line(offer.name)},
    }
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("mail/letter.txt", context),
        from_email=sender_of(restaurant.name),
        to=[formataddr((one_line(place.name), place.email))],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{letter.pk}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{place_url(place, then='/leave')}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
