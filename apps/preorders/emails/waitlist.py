"""The letters to diners in line for a full special (decision 29)."""

from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import formats
from apps.common.emails import EmailAction, one_line, plain, render_email_text
from apps.preorders.core.links import waitlist_entry_url
from apps.preorders.emails.rendering import sender_of
from apps.preorders.models import WaitlistEmail


def render_waitlist_email(letter: WaitlistEmail) -> EmailMultiAlternatives:
    """The letter as a message, in the language the diner joined in. Its Message-ID derives from the
    row: sent again, it is the same. Every mail program can offer to leave the line (RFC 8058)."""
    with translation.override(letter.place.language):
        return _render(letter)


def _render(letter: WaitlistEmail) -> EmailMultiAlternatives:
    place = letter.place
    offer, restaurant = place.offer, place.offer.restaurant
    facts = {
        "place": place,
        "offer": offer,
        "restaurant": restaurant,
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "reserved_until": formats.moment(place.reserved_until, restaurant.zone)
        if place.reserved_until
        else "",
        "price": formats.money(offer.special_price, restaurant.currency),
    }
    words = render_email_text(f"preorders/emails/{letter.kind}.txt", facts)
    is_invited = letter.kind == WaitlistEmail.Kind.INVITED
    context: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": EmailAction(
            _("Order now") if is_invited else _("See your place, or leave the list"),
            waitlist_entry_url(place),
        ),
        "facts": [
            (_("Dish"), one_line(offer.name)),
            (_("Portions"), str(place.portions)),
            (_("Serve day"), formats.day(offer.serve_date)),
            (_("Deadline"), facts["deadline"]),
        ],
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _("You get this letter because you joined the waiting list of %(dish)s.")
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
            "List-Unsubscribe": f"<{waitlist_entry_url(place, then='/leave')}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
