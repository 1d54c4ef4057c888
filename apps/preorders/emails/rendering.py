"""The letters to diners: one template per letter, its text and its HTML made from the same words.

A letter's template has the subject on its first line, the headline on the second, then paragraphs
separated by blank lines. Every letter says what happened to the card.
"""

from datetime import datetime
from email.mime.image import MIMEImage
from email.utils import formataddr, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from apps.common import clock, formats
from apps.common.emails import PLATFORM_NAME, EmailAction, EmailText, one_line, plain
from apps.common.emails import render_email_text as filled_in
from apps.offers.models import SpecialOffer
from apps.offers.seats import SeatsDrawing, draw_seats
from apps.offers.states import OfferStatus
from apps.preorders.core.cart_items import (
    AUTHENTICATION_REQUIRED,
    authorization_for,
    can_be_authorized,
    finish_until,
)
from apps.preorders.core.links import order_url, reorder_url
from apps.preorders.core.pricing import price_alternative, price_of, price_order
from apps.preorders.documents.calendar import calendar_part
from apps.preorders.documents.pickup import slot_label
from apps.preorders.documents.qr import order_qr_png
from apps.preorders.emails.preferences import TOPIC_OF_KIND, Topic, preferences_url
from apps.preorders.models import OrderEmail, PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.hosts import absolute_url

SEATS_IN_A_ROW = 12  # what fits a phone's width
ACCENT, HERB = "#b4380a", "#2c6a3b"

# Where a button leads besides the order's own page, and what it says.
ACTIONS = {
    EmailKind.PAYMENT_NEEDED: _lazy("Pay now"),
    EmailKind.RENEW_AUTHORIZATION: _lazy("Renew the hold"),
    EmailKind.PAY_LINK: _lazy("Confirm your order"),
    EmailKind.DECLINED: _lazy("Finish your order"),
}
SEE_ORDER = _lazy("See your order")
SEE_SPECIALS = _lazy("See other specials")
CANCEL_ORDER = _lazy("Cancel your order")
FINISH_ORDER = _lazy("Finish your pre-order")
ORDER_AGAIN = _lazy("Pre-order it again")
HEAR_OF_IT = _lazy("See your order, or ask to hear when it is back")
TO_SPECIALS = frozenset({EmailKind.RELEASED, EmailKind.PAYMENT_LAPSED, EmailKind.CANCELLED})
WITH_SEATS = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CONFIRMED,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.UNFINISHED,
        EmailKind.REJOIN,
    }
)
# What the diner's calendar should know: the day, or that there is nothing to come for.
WITH_CALENDAR = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CONFIRMED,
        EmailKind.PICK_UP,
        EmailKind.RELEASED,
        EmailKind.PAYMENT_LAPSED,
        EmailKind.CANCELLED,
    }
)
# These lead to the special's form, filled in: there is no order yet, or no more.
TO_THE_FORM = {EmailKind.UNFINISHED: FINISH_ORDER, EmailKind.REJOIN: ORDER_AGAIN}
QR_WIDTH = 148  # pixels in the letter


def render_order_email(mail: OrderEmail) -> EmailMultiAlternatives:
    """The letter as a message, in the language the diner ordered in.

    Its Message-ID derives from the row: sent again, it is the same.
    """
    with translation.override(mail.pre_order.language):
        return _message(mail)


def _message(mail: OrderEmail) -> EmailMultiAlternatives:
    order = mail.pre_order
    restaurant = order.offer.restaurant
    words = order_email_text(mail)
    stop = _way_out(mail)
    letter: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": order_email_action(mail),
        "more": _more_of(mail),
        "facts": order_email_facts(mail),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _reason(mail),
        "stop": stop,
    }
    if mail.kind in WITH_SEATS and not order.serves_alternative:
        letter["seats"] = _seats(mail.about or order.offer)
        letter["seats_sentence"] = letter["seats"]["sentence"]
    if mail.kind == EmailKind.PICK_UP:
        letter["code"] = order.code
        letter["qr"], letter["qr_width"] = _qr_name(mail), QR_WIDTH
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("mail/letter.txt", letter),
        from_email=sender_of(restaurant.name),
        to=[formataddr((one_line(order.customer_name), order.customer_email))],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{mail.pk}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
            **(_list_headers(stop) if stop else {}),
        },
    )
    message.attach_alternative(render_to_string("mail/letter.html", letter), "text/html")
    if mail.kind == EmailKind.PICK_UP:
        message.attach(_qr_part(mail))
    if _belongs_in_a_calendar(mail):
        message.attach(calendar_part(order))
    return message


def _belongs_in_a_calendar(mail: OrderEmail) -> bool:
    """An order whose card was never held never was in a calendar either."""
    return mail.kind in WITH_CALENDAR and mail.pre_order.authorized_at is not None


def _way_out(mail: OrderEmail) -> EmailAction | None:
    """How to turn letters like this one off; None for one that always goes."""
    topic = TOPIC_OF_KIND.get(EmailKind(mail.kind))
    if topic is None:
        return None
    order = mail.pre_order
    url = preferences_url(
        restaurant=order.offer.restaurant,
        address=order.customer_email,
        topic=topic,
        now=clock.now(),
    )
    says = _("No more news") if topic == Topic.NEWS else _("No more reminders")
    return EmailAction(says, url)


def _list_headers(stop: EmailAction) -> dict[str, str]:
    """What mail programs make their own button of (RFC 2369, RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop.url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _reason(mail: OrderEmail) -> str:
    order = mail.pre_order
    names = {
        "code": order.code,
        "dish": one_line(order.offer.name),
        "restaurant": one_line(order.offer.restaurant.name),
    }
    match mail.kind:
        case EmailKind.UNFINISHED:
            says = _("You get this letter because you began a pre-order at %(restaurant)s.")
        case EmailKind.REJOIN:
            says = _(
                "You get this letter because you pre-ordered %(dish)s and asked for news from "
                "%(restaurant)s."
            )
        case _other:
            says = _("You get this letter because of order %(code)s at %(restaurant)s.")
    return says % names


def _qr_name(mail: OrderEmail) -> str:
    return f"qr.{mail.pk}@{settings.ROOT_DOMAIN}"


def _qr_part(mail: OrderEmail) -> MIMEImage:
    """The picture that the letter shows by its name; attached too, for who prints it."""
    part = MIMEImage(order_qr_png(mail.pre_order), "png")
    part.add_header("Content-ID", f"<{_qr_name(mail)}>")
    file_name = f"order-{mail.pre_order.code}.png"
    part.add_header("Content-Disposition", "inline", filename=file_name)
    return part


def order_email_text(mail: OrderEmail) -> EmailText:
    """Subject, headline and paragraphs from the letter's template."""
    order = mail.pre_order
    offer, restaurant = mail.about or order.offer, order.offer.restaurant
    currency = restaurant.currency
    price = price_alternative(order)
    today = clock.now().astimezone(restaurant.zone).date()
    # Letters from before there were refunds in part name no amount.
    refunded = mail.amount or order.refunded_amount or order.total_amount
    facts = {
        "order": order,
        "dish": order.served_name,
        "offer": offer,
        "restaurant": restaurant,
        "code": order.code,
        "total": formats.money(order.total_amount, currency),
        "slot": slot_label(order),
        "is_today": offer.serve_date <= today,
        "former_day": formats.day(order.offer.serve_date),
        "portions": formats.count(order.quantity, "portion"),
        "minimum": formats.count(offer.min_preorders, "portion"),
        "serve_day": formats.day(offer.serve_date),
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "outcome": offer.status,
        "refunded": formats.money(refunded, currency),
        "left": formats.money(order.total_amount - order.refunded_amount, currency),
        "pay_until": formats.moment(order.checkout_expires_at, restaurant.zone),
    }
    if mail.kind == EmailKind.DECLINED:
        facts |= _facts_of_decline(order)
    if mail.about:
        facts["total"] = formats.money(price_order(mail.about, order.quantity).total, currency)
    if price and offer.alternative_dish:
        facts["alternative"] = offer.alternative_dish.name
        facts["alternative_total"] = formats.money(price.total, currency)
    return filled_in(f"preorders/emails/{_template_of(mail)}.txt", facts)


def _facts_of_decline(order: PreOrder) -> dict[str, Any]:
    """What may still be done about a line whose card was not held, when the letter is sent."""
    now = clock.now()
    placing = authorization_for(order)
    return {
        "asked": placing is not None and placing.reason == AUTHENTICATION_REQUIRED,
        "can_finish": _can_finish(order),
        "is_open": _is_open(order.offer, now),
        "finish_until": formats.moment(finish_until(order), order.offer.restaurant.zone),
    }


def _can_finish(order: PreOrder) -> bool:
    now = clock.now()
    return can_be_authorized(order, now) and now < finish_until(order)


def _is_open(offer: SpecialOffer, now: datetime) -> bool:
    return offer.status == OfferStatus.ACTIVE and now < offer.deadline


def _template_of(mail: OrderEmail) -> str:
    instead = mail.kind == EmailKind.CONFIRMED and mail.pre_order.serves_alternative
    return "alternative" if instead else mail.kind


def order_email_action(mail: OrderEmail) -> EmailAction:
    """The link the letter is about: the one it was written with, else the order or the specials."""
    order = mail.pre_order
    restaurant = order.offer.restaurant
    if mail.action_url:
        return EmailAction(str(ACTIONS.get(EmailKind(mail.kind), SEE_ORDER)), mail.action_url)
    if mail.kind in TO_THE_FORM:
        url = reorder_url(order, mail.about or order.offer)
        return EmailAction(str(TO_THE_FORM[EmailKind(mail.kind)]), url)
    if mail.kind == EmailKind.DECLINED:
        return _after_decline(order)
    if mail.kind == EmailKind.EXTENDED:
        return EmailAction(str(CANCEL_ORDER), order_url(order, then="?open=cancel#cancel"))
    if mail.kind in TO_SPECIALS:
        return EmailAction(str(SEE_SPECIALS), absolute_url("/specials", restaurant=restaurant))
    return EmailAction(str(SEE_ORDER), order_url(order))


def _after_decline(order: PreOrder) -> EmailAction:
    if _can_finish(order):
        return EmailAction(str(ACTIONS[EmailKind.DECLINED]), order_url(order, then="/card"))
    if _is_open(order.offer, clock.now()):
        return EmailAction(str(ORDER_AGAIN), reorder_url(order, order.offer))
    return EmailAction(
        str(SEE_SPECIALS), absolute_url("/specials", restaurant=order.offer.restaurant)
    )


def _more_of(mail: OrderEmail) -> EmailAction | None:
    """The way to the order's page, where the button leads elsewhere and there is an order."""
    order = mail.pre_order
    elsewhere = mail.action_url or mail.kind in TO_SPECIALS or mail.kind == EmailKind.DECLINED
    if mail.kind in TO_THE_FORM or not elsewhere:
        return None
    comes_back = mail.kind == EmailKind.RELEASED and order.offer.status == OfferStatus.FAILED
    return EmailAction(str(HEAR_OF_IT if comes_back else SEE_ORDER), order_url(order))


def order_email_facts(mail: OrderEmail) -> list[tuple[str, str]]:
    """The order, or the special to be ordered, in a few lines."""
    order = mail.pre_order
    offer, restaurant = mail.about or order.offer, order.offer.restaurant
    is_order = mail.kind not in TO_THE_FORM
    price = price_of(order) if is_order else price_order(offer, order.quantity)
    total, tax = (formats.money(sum_, restaurant.currency) for sum_ in (price.total, price.tax))
    sums = {"total": total, "tax": tax}
    facts = [
        (_("Dish"), order.served_name if is_order else offer.name),
        (_("Portions"), str(order.quantity)),
        (_("Total"), _("%(total)s (%(tax)s tax included)") % sums),
        (_("Serve day"), formats.day(offer.serve_date)),
        (_("Pick-up time"), slot_label(order) if is_order else ""),
        (_("Deadline"), formats.moment(offer.deadline, restaurant.zone)),
        (_("Where"), restaurant.address),
        (_("Order code"), order.code if is_order else ""),
    ]
    return [(label, one_line(value)) for label, value in facts if value]


def _seats(offer: SpecialOffer) -> dict[str, Any]:
    """The seats as rows of table cells, which every mail program can draw."""
    booked, minimum = offer.ordered_portions, offer.min_preorders
    drawing = draw_seats(booked, minimum, offer.max_preorders)
    is_on = booked >= minimum or offer.status == OfferStatus.SUCCEEDED
    return {
        "percent": round(drawing.fill) if drawing.is_bar else None,
        "rows": _rows(drawing),
        "herb": is_on,
        "colour": HERB if is_on else ACCENT,
        "sentence": ngettext(
            "It's on: %(booked)s portion booked", "It's on: %(booked)s portions booked", booked
        )
        % {"booked": booked}
        if is_on
        else _("%(booked)s of %(minimum)s portions booked so far")
        % {"booked": booked, "minimum": minimum},
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
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    names = {"restaurant": one_line(restaurant_name), "platform": PLATFORM_NAME}
    return formataddr((_("%(restaurant)s via %(platform)s") % names, address))
