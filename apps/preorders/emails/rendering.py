"""Emails to guests about their orders: one template per kind, rendered as plain text and HTML.

A template has the subject on its first line, the headline on the second, then paragraphs separated
by blank lines. Every email says what happened to the card.
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
from apps.offers.presentation import Special
from apps.offers.seats import SeatsDrawing, draw_seats
from apps.offers.states import OfferStatus
from apps.preorders.checkout.terms import terms_of
from apps.preorders.core.access import Purpose, access_url
from apps.preorders.core.cart_items import (
    AUTHENTICATION_REQUIRED,
    authorization_for,
    can_be_authorized,
    finish_until,
    reservation_sentence,
)
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.links import order_url, reorder_url
from apps.preorders.core.pricing import price_of, price_order
from apps.preorders.core.selectors import ended_too_late, released_first, slot_label, was_sold_out
from apps.preorders.documents.calendar import calendar_part
from apps.preorders.documents.qr import order_qr_png
from apps.preorders.emails.preferences import TOPIC_OF_KIND, Topic, preferences_url
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus
from apps.restaurants.hosts import absolute_url

SEATS_IN_A_ROW = 12  # what fits a phone's width
ACCENT, HERB = "#b4380a", "#2c6a3b"

# The button's text, for kinds whose button leads somewhere other than the order's page.
ACTIONS = {
    EmailKind.PAYMENT_NEEDED: _lazy("Pay now"),
    EmailKind.RENEW_AUTHORIZATION: _lazy("Renew hold"),
    EmailKind.PAY_LINK: _lazy("Add a card"),
    EmailKind.DECLINED: _lazy("Finish your order"),
}
SEE_ORDER = _lazy("See your order")
SEE_SPECIALS = _lazy("See other specials")
CANCEL_ORDER = _lazy("Cancel your order")
FINISH_ORDER = _lazy("Finish your order")
ORDER_AGAIN = _lazy("Order it again")
HEAR_OF_IT = _lazy("See your order and email preferences")
TO_SPECIALS = frozenset({EmailKind.RELEASED, EmailKind.PAYMENT_LAPSED, EmailKind.CANCELLED})
WITH_SEATS = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CHARGED_EARLY,
        EmailKind.CONFIRMED,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.UNFINISHED,
        EmailKind.REJOIN,
    }
)
# Kinds that say what happens to the card of an order, or of one still to be placed.
WITH_TERMS = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CHARGED_EARLY,
        EmailKind.DISH_CHANGED,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.UNFINISHED,
        EmailKind.REJOIN,
    }
)
# The button cancels the order, for free.
WITH_A_WAY_OUT = frozenset({EmailKind.EXTENDED, EmailKind.DISH_CHANGED})
# Kinds that update the guest's calendar: with the day, or by removing it.
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
# The button opens the special's form, filled in: there is no order yet, or it has ended.
TO_THE_FORM = {EmailKind.UNFINISHED: FINISH_ORDER, EmailKind.REJOIN: ORDER_AGAIN}
QR_WIDTH = 148  # pixels in the email


def render_order_email(email: Email) -> EmailMultiAlternatives:
    """The email, in the language the guest ordered in.

    Its Message-ID derives from the row, so a second attempt sends the same message.
    """
    with translation.override(email.order.language):
        return _message(email)


def _message(email: Email) -> EmailMultiAlternatives:
    order = email.order
    restaurant = order.offer.restaurant
    words = order_email_text(email)
    stop = _way_out(email)
    layout: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": order_email_action(email),
        "more": _more_of(email),
        "facts": order_email_facts(email),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _reason(email),
        "stop": stop,
    }
    if email.kind in WITH_SEATS and not order.serves_alternative:
        layout["seats"] = _seats(email.offer or order.offer)
        layout["seats_sentence"] = layout["seats"]["sentence"]
    if email.kind == EmailKind.PICK_UP:
        layout["code"] = order.code
        layout["qr"], layout["qr_width"] = _qr_name(email), QR_WIDTH
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("emails/layout.txt", layout),
        from_email=sender_of(restaurant.name),
        to=[formataddr((one_line(order.customer_name), order.customer_email))],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{email.pk}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
            **(_list_headers(stop) if stop else {}),
        },
    )
    message.attach_alternative(render_to_string("emails/layout.html", layout), "text/html")
    if email.kind == EmailKind.PICK_UP:
        message.attach(_qr_part(email))
    if _belongs_in_a_calendar(email):
        message.attach(calendar_part(order))
    return message


def _belongs_in_a_calendar(email: Email) -> bool:
    """Only an order whose card was held was ever added to a calendar."""
    return email.kind in WITH_CALENDAR and email.order.authorized_at is not None


def _way_out(email: Email) -> EmailAction | None:
    """The unsubscribe link; None for an email that cannot be turned off."""
    topic = TOPIC_OF_KIND.get(EmailKind(email.kind))
    if topic is None:
        return None
    order = email.order
    url = preferences_url(
        restaurant=order.offer.restaurant,
        address=order.customer_email,
        topic=topic,
        now=clock.now(),
    )
    says = _("Unsubscribe from news") if topic == Topic.NEWS else _("Turn off reminders")
    return EmailAction(says, url)


def _list_headers(stop: EmailAction) -> dict[str, str]:
    """Headers from which email clients show their own unsubscribe button (RFC 2369, RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop.url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _reason(email: Email) -> str:
    order = email.order
    names = {
        "code": order.code,
        "dish": one_line(order.sold.name),
        "restaurant": one_line(order.offer.restaurant.name),
    }
    match email.kind:
        case EmailKind.UNFINISHED:
            says = _("You're getting this because you started an order at %(restaurant)s.")
        case EmailKind.REJOIN:
            says = _(
                "You're getting this because you ordered %(dish)s and asked for news from "
                "%(restaurant)s."
            )
        case _other:
            says = _("You're getting this because of your order %(code)s at %(restaurant)s.")
    return says % names


def _qr_name(email: Email) -> str:
    return f"qr.{email.pk}@{settings.ROOT_DOMAIN}"


def _qr_part(email: Email) -> MIMEImage:
    """The QR code shown in the HTML; also attached, so that it can be printed."""
    part = MIMEImage(order_qr_png(email.order), "png")
    part.add_header("Content-ID", f"<{_qr_name(email)}>")
    file_name = f"order-{email.order.code}.png"
    part.add_header("Content-Disposition", "inline", filename=file_name)
    return part


def order_email_text(email: Email) -> EmailText:
    """Subject, headline and paragraphs from the email's template."""
    order = email.order
    offer, restaurant = email.offer or order.offer, order.offer.restaurant
    currency = restaurant.currency
    today = clock.now().astimezone(restaurant.zone).date()
    refunded = email.amount or order.refunded_amount or order.total_amount
    if email.kind == EmailKind.REFUND_RETURNED:
        refunded = email.amount or order.returned_amount or order.total_amount
    facts = {
        "order": order,
        "dish": order.served_name,
        "special": order.sold.name,
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
        "charged": order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED),
        "refunded": formats.money(refunded, currency),
        "left": formats.money(order.total_amount - order.refunded_amount, currency),
        "pay_until": formats.moment(order.checkout_expires_at, restaurant.zone),
    }
    if email.kind == EmailKind.RELEASED and ended_too_late(order, order.operations.all()):
        facts["outcome"] = "late"
    elif email.kind == EmailKind.RELEASED and was_sold_out(order):
        facts["outcome"] = "sold_out"
    elif email.kind == EmailKind.RELEASED and released_first(order):
        facts["outcome"] = "not_replaced"
    if email.kind == EmailKind.DECLINED:
        facts |= _facts_of_decline(order)
    if email.kind == EmailKind.DISH_CHANGED:
        facts["changes"] = changes_since_ordered(order)
    if email.kind in WITH_TERMS:
        facts["terms"] = _terms(email)
    if email.offer:
        facts["total"] = formats.money(price_order(email.offer, order.quantity).total, currency)
    return filled_in(f"preorders/emails/{_template_of(email)}.txt", facts)


def _terms(email: Email) -> str:
    order, now = email.order, clock.now()
    if email.kind in TO_THE_FORM:
        return Special(email.offer or order.offer, now).card_terms
    return terms_of(order, now)


def _facts_of_decline(order: PreOrder) -> dict[str, Any]:
    """What the guest can still do, at the time of sending, about a card that was not held."""
    now = clock.now()
    authorization = authorization_for(order)
    return {
        "asked": authorization is not None and authorization.reason_code == AUTHENTICATION_REQUIRED,
        "can_finish": _can_finish(order),
        "is_open": _is_open(order.offer, now),
        "reservation": reservation_sentence(order),
        "finish_until": formats.moment(finish_until(order), order.offer.restaurant.zone),
    }


def _can_finish(order: PreOrder) -> bool:
    now = clock.now()
    return can_be_authorized(order, now) and now < finish_until(order)


def _is_open(offer: SpecialOffer, now: datetime) -> bool:
    return offer.status == OfferStatus.ACTIVE and now < offer.deadline


def _template_of(email: Email) -> str:
    instead = email.kind == EmailKind.CONFIRMED and email.order.serves_alternative
    return "alternative" if instead else email.kind


def order_email_action(email: Email) -> EmailAction:
    """The email's button: the link it was queued with, else the order's page or the specials."""
    order = email.order
    restaurant = order.offer.restaurant
    if email.action_url:
        return EmailAction(str(ACTIONS.get(EmailKind(email.kind), SEE_ORDER)), email.action_url)
    if email.kind in TO_THE_FORM:
        url = reorder_url(order, email.offer or order.offer, now=clock.now())
        return EmailAction(str(TO_THE_FORM[EmailKind(email.kind)]), url)
    if email.kind == EmailKind.DECLINED:
        return _after_decline(order)
    if email.kind in WITH_A_WAY_OUT:
        return EmailAction(str(CANCEL_ORDER), order_url(order, then="?open=cancel#cancel"))
    if email.kind in TO_SPECIALS:
        return EmailAction(str(SEE_SPECIALS), absolute_url("/specials", restaurant=restaurant))
    return EmailAction(str(SEE_ORDER), order_url(order))


def _after_decline(order: PreOrder) -> EmailAction:
    if _can_finish(order):
        url = access_url(order, Purpose.CHANGE, now=clock.now(), then="/card")
        return EmailAction(str(ACTIONS[EmailKind.DECLINED]), url)
    if _is_open(order.offer, clock.now()):
        return EmailAction(str(ORDER_AGAIN), reorder_url(order, order.offer, now=clock.now()))
    return EmailAction(
        str(SEE_SPECIALS), absolute_url("/specials", restaurant=order.offer.restaurant)
    )


def _more_of(email: Email) -> EmailAction | None:
    """A link to the order's page, where there is an order and the button leads elsewhere."""
    order = email.order
    elsewhere = email.action_url or email.kind in TO_SPECIALS or email.kind == EmailKind.DECLINED
    if email.kind in TO_THE_FORM or not elsewhere:
        return None
    is_offered_again = email.kind == EmailKind.RELEASED and order.offer.status == OfferStatus.FAILED
    return EmailAction(str(HEAR_OF_IT if is_offered_again else SEE_ORDER), order_url(order))


def order_email_facts(email: Email) -> list[tuple[str, str]]:
    """The table under the text: the order, or the special to be ordered."""
    order = email.order
    offer, restaurant = email.offer or order.offer, order.offer.restaurant
    is_order = email.kind not in TO_THE_FORM
    price = price_of(order) if is_order else price_order(offer, order.quantity)
    total, tax = (formats.money(sum_, restaurant.currency) for sum_ in (price.total, price.tax))
    sums = {"total": total, "tax": tax}
    facts = [
        (_("Dish"), order.served_name if is_order else offer.name),
        (_("Portions"), str(order.quantity)),
        (_("Total"), _("%(total)s (%(tax)s tax included)") % sums),
        (_("Served on"), formats.day(offer.serve_date)),
        (_("Pickup time"), slot_label(order) if is_order else ""),
        (_("Deadline"), formats.moment(offer.deadline, restaurant.zone)),
        (_("Where"), restaurant.address),
        (_("Order code"), order.code if is_order else ""),
    ]
    return [(label, one_line(value)) for label, value in facts if value]


def _seats(offer: SpecialOffer) -> dict[str, Any]:
    """The seats as rows of table cells, which every email client can draw."""
    ordered, minimum = offer.ordered_portions, offer.min_preorders
    drawing = draw_seats(ordered, minimum, offer.max_preorders)
    is_on = ordered >= minimum or offer.status == OfferStatus.SUCCEEDED
    return {
        "percent": round(drawing.fill) if drawing.is_bar else None,
        "rows": _rows(drawing),
        "herb": is_on,
        "colour": HERB if is_on else ACCENT,
        "sentence": ngettext(
            "It's on: %(ordered)s portion ordered", "It's on: %(ordered)s portions ordered", ordered
        )
        % {"ordered": ordered}
        if is_on
        else ngettext(
            "%(ordered)s of %(minimum)s portion ordered so far",
            "%(ordered)s of %(minimum)s portions ordered so far",
            minimum,
        )
        % {"ordered": ordered, "minimum": minimum},
    }


def _rows(drawing: SeatsDrawing) -> list[list[dict[str, bool]]]:
    """`SEATS_IN_A_ROW` seats per row; the tick mark stands between seats and takes no place."""
    rows: list[list[dict[str, bool]]] = []
    for index, place in enumerate(drawing.places):
        if index % SEATS_IN_A_ROW == 0:
            rows.append([])
        rows[-1].append({"filled": place.filled, "extra": place.extra})
        if index + 1 == drawing.tick_after:
            rows[-1].append({"tick": True})
    return rows


def sender_of(restaurant_name: str) -> str:
    """The restaurant's name with the platform's address: only its own domain may send."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    names = {"restaurant": one_line(restaurant_name), "platform": PLATFORM_NAME}
    return formataddr((_("%(restaurant)s via %(platform)s") % names, address))
