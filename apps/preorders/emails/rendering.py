"""Emails to guests about their orders, rendered as plain text and HTML."""

from email.mime.image import MIMEImage
from email.utils import formataddr, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import clock
from apps.common.emails import PLATFORM_NAME, EmailAction, one_line, plain
from apps.preorders.documents.calendar import calendar_part
from apps.preorders.documents.qr import order_qr_png
from apps.preorders.emails.actions import (
    order_email_action,
    second_actions,
    shows_other_specials,
    unsubscribe_action,
)
from apps.preorders.emails.dinner import WITH_CODE, dinner_layout
from apps.preorders.emails.next_specials import NextSpecials, also_ordered
from apps.preorders.emails.seats_drawing import seats_layout
from apps.preorders.emails.sharing import Invitation, invitation, invitation_of_another
from apps.preorders.emails.texts import (
    is_short_of_minimum,
    order_email_facts,
    order_email_text,
    reason_for_email,
    why_cooked,
    why_not_cooked,
)
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.branding import brand_of, logo_address
from apps.restaurants.models import Restaurant

WITH_SEATS = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CHARGED_EARLY,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.UNFINISHED,
        EmailKind.REJOIN,
        EmailKind.FRIEND_JOINED,
        EmailKind.FRIEND_LEFT,
        EmailKind.FRIEND_CANCELED,
        EmailKind.FRIEND_MOVED,
    }
)
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
# Kinds whose button is an outline: their text says that the guest need not do anything.
NOTHING_TO_DO = frozenset({EmailKind.REFUNDED, EmailKind.DISPUTE_SETTLED})
# Kinds that a guest reads while a friend can still make the difference.
WITH_SHARING = frozenset({EmailKind.RECEIVED, EmailKind.CHARGED_EARLY, EmailKind.EXTENDED})
QR_WIDTH = 148  # pixels in the email; on the day it is the largest thing there
QR_WIDTH_ON_THE_DAY = 240


def render_order_email(
    email: Email, next_specials: NextSpecials | None = None
) -> EmailMultiAlternatives:
    """The email, in the language the guest ordered in. `next_specials` is what a worker who sends
    several has read already.

    Its Message-ID derives from the row, so a second attempt sends the same message.
    """
    with translation.override(email.order.language):
        return _message(email, next_specials or NextSpecials())


def _message(email: Email, next_specials: NextSpecials) -> EmailMultiAlternatives:
    order = email.order
    restaurant = order.offer.restaurant
    words = order_email_text(email)
    stop = unsubscribe_action(email)
    layout: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "preview": words.preview,
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "action": order_email_action(email),
        "is_quiet": email.kind in NOTHING_TO_DO,
        "links": second_actions(email),
        "facts": order_email_facts(email),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": reason_for_email(email),
        "stop": stop,
        **dinner_layout(email),
    }
    if email.kind == EmailKind.CONFIRMED and not order.serves_alternative:
        layout |= seats_layout(order.offer, sentence=why_cooked(order.offer), leads=True)
    elif email.kind in WITH_SEATS and not order.serves_alternative:
        offer = email.offer or order.offer
        layout |= seats_layout(offer, accent=brand_of(restaurant).accent_light)
        if share := _share(email):
            layout["share"] = share
    elif is_short_of_minimum(email):
        layout |= seats_layout(order.offer, sentence=why_not_cooked(order.offer), leads=True)
    if shows_other_specials(email):
        ordered = also_ordered(order)
        layout |= next_specials.layout(restaurant, without=[order.offer, *ordered])
    if email.kind in WITH_CODE:
        layout["code"] = order.code
        layout["qr"], layout["qr_width"] = _qr_name(email), QR_WIDTH
        if email.kind == EmailKind.PICK_UP:
            layout["qr_width"] = QR_WIDTH_ON_THE_DAY
    message = message_to_guest(
        email,
        order,
        subject=words.subject,
        layout=layout,
        headers=_list_headers(stop) if stop else {},
    )
    if email.kind in WITH_CODE:
        message.attach(_qr_part(email))
    if _belongs_in_a_calendar(email):
        message.attach(calendar_part(order))
    return message


def _share(email: Email) -> Invitation | None:
    if email.kind == EmailKind.FRIEND_LEFT:
        return invitation_of_another(email.order, now=clock.now())
    if email.kind in WITH_SHARING:
        return invitation(email.order, now=clock.now())
    return None


def message_to_guest(
    email: Email,
    order: PreOrder,
    *,
    subject: str,
    layout: dict[str, Any],
    headers: dict[str, str],
) -> EmailMultiAlternatives:
    """An email to the guest of an order, from its restaurant's name, as text and as HTML."""
    to = formataddr((one_line(order.customer_name), order.customer_email))
    return message_from(
        order.offer.restaurant, email, to=to, subject=subject, layout=layout, headers=headers
    )


def message_from(
    restaurant: Restaurant,
    email: Email,
    *,
    to: str,
    subject: str,
    layout: dict[str, Any],
    headers: dict[str, str],
) -> EmailMultiAlternatives:
    layout |= brand_in_email(restaurant)
    message = EmailMultiAlternatives(
        subject=subject,
        body=plain("emails/layout.txt", layout),
        from_email=sender_of(restaurant),
        to=[to],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{email.pk}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
            **headers,
        },
    )
    message.attach_alternative(render_to_string("emails/layout.html", layout), "text/html")
    return message


def _belongs_in_a_calendar(email: Email) -> bool:
    """Only an order whose card was held was ever added to a calendar."""
    return email.kind in WITH_CALENDAR and email.order.authorized_at is not None


def _list_headers(stop: EmailAction) -> dict[str, str]:
    """Headers from which email clients show their own unsubscribe button (RFC 2369, RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{stop.url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _qr_name(email: Email) -> str:
    return f"qr.{email.pk}@{settings.ROOT_DOMAIN}"


def _qr_part(email: Email) -> MIMEImage:
    """The QR code shown in the HTML; also attached, so that it can be printed."""
    part = MIMEImage(order_qr_png(email.order), "png")
    part.add_header("Content-ID", f"<{_qr_name(email)}>")
    file_name = f"order-{email.order.code}.png"
    part.add_header("Content-Disposition", "inline", filename=file_name)
    return part


def brand_in_email(restaurant: Restaurant) -> dict[str, Any]:
    """The restaurant's look, for the layout: colors, the logo's absolute URL, and the footer."""
    brand = brand_of(restaurant)
    return {
        "accent": brand.accent_light,
        "accent_dark": brand.accent_dark,
        "logo": logo_address(restaurant),
        "footer": one_line(brand.footer),
    }


def sender_of(restaurant: Restaurant) -> str:
    """The restaurant's name with the platform's address: only its own domain may send."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if brand_of(restaurant).hides_platform:
        return formataddr((one_line(restaurant.name), address))
    names = {"restaurant": one_line(restaurant.name), "platform": PLATFORM_NAME}
    return formataddr((_("%(restaurant)s via %(platform)s") % names, address))
