"""The letters to diners: one template per letter, its text and its HTML made from the same words.

A letter's template has the subject on its first line, the headline on the second, then paragraphs
separated by blank lines. Every letter says what happened to the card.
"""

from email.utils import formataddr, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from apps.common import formats
from apps.common.letters import PLATFORM_NAME, Action, Words, one_line, plain
from apps.common.letters import words_of as filled_in
from apps.offers.drawing import SeatsDrawing, draw_seats
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models import OrderMail, PreOrder
from apps.preorders.order_links import order_url
from apps.preorders.pickup import slot_label
from apps.preorders.pricing import price_alternative
from apps.preorders.states import MailKind
from apps.restaurants.hosts import absolute_url

SEATS_IN_A_ROW = 12  # what fits a phone's width
ACCENT, HERB = "#b4380a", "#2c6a3b"

# Where a button leads besides the order's own page, and what it says.
ACTIONS = {
    MailKind.PAYMENT_NEEDED: "Pay now",
    MailKind.RENEW_HOLD: "Renew the hold",
    MailKind.PAY_LINK: "Confirm your order",
}
SEE_ORDER = "See your order"
SEE_SPECIALS = "See other specials"
CANCEL_ORDER = "Cancel your order"
TO_SPECIALS = frozenset({MailKind.RELEASED, MailKind.PAYMENT_LAPSED, MailKind.CANCELLED})
WITH_SEATS = frozenset(
    {
        MailKind.RECEIVED,
        MailKind.CONFIRMED,
        MailKind.RENEW_HOLD,
        MailKind.PAY_LINK,
        MailKind.EXTENDED,
    }
)


def render(mail: OrderMail) -> EmailMultiAlternatives:
    """The letter as a message, in the language the diner ordered in.

    Its Message-ID derives from the row: sent again, it is the same.
    """
    with translation.override(mail.pre_order.language):
        return _message(mail)


def _message(mail: OrderMail) -> EmailMultiAlternatives:
    order = mail.pre_order
    offer, restaurant = order.offer, order.offer.restaurant
    words = words_of(mail)
    letter: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": action_of(mail),
        "facts": facts_of(order),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": f"You get this letter because of order {order.code} at {restaurant.name}.",
    }
    if mail.kind in WITH_SEATS and not order.serves_alternative:
        letter["seats"] = _seats(offer)
        letter["seats_sentence"] = letter["seats"]["sentence"]
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("mail/letter.txt", letter),
        from_email=sender_of(restaurant.name),
        to=[formataddr((one_line(order.customer_name), order.customer_email))],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{mail.pk}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(render_to_string("mail/letter.html", letter), "text/html")
    return message


def words_of(mail: OrderMail) -> Words:
    """Subject, headline and paragraphs from the letter's template."""
    order = mail.pre_order
    offer, restaurant = order.offer, order.offer.restaurant
    price = price_alternative(order)
    # Letters from before there were refunds in part name no amount.
    refunded = mail.amount or order.refunded_amount or order.total_amount
    facts = {
        "order": order,
        "dish": order.served_name,
        "offer": offer,
        "restaurant": restaurant,
        "code": order.code,
        "total": formats.money(order.total_amount),
        "portions": formats.count(order.quantity, "portion"),
        "minimum": formats.count(offer.min_preorders, "portion"),
        "serve_day": formats.day(offer.serve_date),
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "outcome": offer.status,
        "refunded": formats.money(refunded),
        "left": formats.money(order.total_amount - order.refunded_amount),
        "pay_until": formats.moment(order.checkout_expires_at, restaurant.zone),
    }
    if price and offer.alternative_dish:
        facts |= {"alternative": offer.alternative_dish.name, "alternative_total": str(price.total)}
    return filled_in(f"preorders/mail/{_template_of(mail)}.txt", facts)


def _template_of(mail: OrderMail) -> str:
    instead = mail.kind == MailKind.CONFIRMED and mail.pre_order.serves_alternative
    return "alternative" if instead else mail.kind


def action_of(mail: OrderMail) -> Action:
    """The link the letter is about: the one it was written with, else the order or the specials."""
    order = mail.pre_order
    restaurant = order.offer.restaurant
    if mail.action_url:
        return Action(ACTIONS.get(MailKind(mail.kind), SEE_ORDER), mail.action_url)
    if mail.kind == MailKind.EXTENDED:
        return Action(CANCEL_ORDER, order_url(order, then="?open=cancel#cancel"))
    if mail.kind in TO_SPECIALS:
        return Action(SEE_SPECIALS, absolute_url("/specials", restaurant=restaurant))
    return Action(SEE_ORDER, order_url(order))


def facts_of(order: PreOrder) -> list[tuple[str, str]]:
    """The order in a few lines, the same under every letter."""
    offer, restaurant = order.offer, order.offer.restaurant
    tax = f"{formats.money(order.tax)} tax included"
    facts = [
        ("Dish", order.served_name),
        ("Portions", str(order.quantity)),
        ("Total", f"{formats.money(order.total_amount)} ({tax})"),
        ("Serve day", formats.day(offer.serve_date)),
        ("Pick-up time", slot_label(order)),
        ("Deadline", formats.moment(offer.deadline, restaurant.zone)),
        ("Where", restaurant.address),
        ("Order code", order.code),
    ]
    return [(label, one_line(value)) for label, value in facts if value]


def _seats(offer: SpecialOffer) -> dict[str, Any]:
    """The seats as rows of table cells, which every mail program can draw."""
    booked, minimum = offer.booked_portions, offer.min_preorders
    drawing = draw_seats(booked, minimum, offer.max_preorders)
    is_on = booked >= minimum or offer.status == OfferStatus.SUCCEEDED
    return {
        "percent": round(drawing.fill) if drawing.is_bar else None,
        "rows": _rows(drawing),
        "herb": is_on,
        "colour": HERB if is_on else ACCENT,
        "sentence": f"It's on: {formats.count(booked, 'portion')} booked"
        if is_on
        else f"{booked} of {minimum} portions booked so far",
    }


def _rows(drawing: SeatsDrawing) -> list[list[dict[str, bool]]]:
    """So many places a row; the tick stands behind its place and takes none."""
    rows: list[list[dict[str, bool]]] = []
    for index, place in enumerate(drawing.places):
        if index % SEATS_IN_A_ROW == 0:
            rows.append([])
        rows[-1].append({"filled": place.filled, "extra": place.extra})
        if index + 1 == drawing.tick_after:
            rows[-1].append({"tick": True})
    return rows


def sender_of(restaurant_name: str) -> str:
    """The restaurant's name over the platform's address, which alone may send for its domain."""
    _, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return formataddr((f"{one_line(restaurant_name)} via {PLATFORM_NAME}", address))
