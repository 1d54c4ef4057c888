"""The letters to diners in line for a full special (decision 29)."""

from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import formats
from apps.common.letters import Action, one_line, plain, words_of
from apps.preorders.mails import sender_of
from apps.preorders.models import WaitingLetter
from apps.preorders.waiting_links import place_url


def render(letter: WaitingLetter) -> EmailMultiAlternatives:
    """The letter as a message, in the language the diner joined in. Its Message-ID derives from the
    row: sent again, it is the same. Every mail program can offer to leave the line (RFC 8058)."""
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
    }
    words = words_of(f"preorders/mail/{letter.kind}.txt", facts)
    is_invited = letter.kind == WaitingLetter.Kind.INVITED
    context: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": Action(
            _("Order now") if is_invited else _("See your place, or leave the list"),
            place_url(place),
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
            "List-Unsubscribe": f"<{place_url(place, then='/leave')}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
