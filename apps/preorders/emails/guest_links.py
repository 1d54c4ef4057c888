"""Emails with links a guest asked for: to change an order, to their data, to all their orders.

Asking is open to anyone, so a link is only ever sent to the address that is already on file
(decision 55).
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import clock, formats
from apps.common.emails import EmailAction, one_line, render_email_text
from apps.preorders.core.access import LINK_LIFETIME, Purpose, data_url, guest_url
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.links import ORDER_LINK_LIFETIME
from apps.preorders.emails.actions import can_be_changed
from apps.preorders.emails.dinner import guest_row
from apps.preorders.emails.rendering import message_to_guest
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import CHECKOUT_STATUSES, EmailKind, PreOrderStatus
from apps.restaurants.models import Restaurant

MAX_ORDERS = 20  # in one email
KINDS = {Purpose.CHANGE: EmailKind.CHANGE_LINK, Purpose.DATA: EmailKind.DATA_LINK}
BUTTONS = {
    EmailKind.CHANGE_LINK: gettext_lazy("Change or cancel"),
    EmailKind.DATA_LINK: gettext_lazy("Open your data"),
    EmailKind.NEW_LINK: gettext_lazy("Open your order"),
}

ABOUT_ONE = frozenset({EmailKind.CHANGE_LINK, EmailKind.NEW_LINK})


def email_access_link(order: PreOrder, purpose: Purpose, *, now: datetime) -> None:
    """Email the order's guest a link for this purpose. Does nothing without an email address."""
    with transaction.atomic():
        locked = PreOrder.objects.select_for_update(of=("self",)).get(pk=order.pk)
        queue_email(locked, KINDS[purpose], now=now, again=True)


def email_orders(*, restaurant: Restaurant, address: str, now: datetime) -> None:
    """Email this address the links to its orders at the restaurant. Does nothing without any."""
    with transaction.atomic():
        newest = (
            orders_to_list(restaurant, address, now=now)
            .select_for_update(of=("self",))
            .order_by("-created_at", "-pk")
            .first()
        )
        if newest is not None:
            queue_email(newest, EmailKind.MY_ORDERS, now=now, again=True)


def restaurants_of(address: str, *, restaurant_id: UUID | None) -> QuerySet[Restaurant]:
    """The restaurants where this address ordered, or only the one named."""
    orders = PreOrder.objects.filter(customer_email__iexact=address)
    if restaurant_id:
        orders = orders.filter(restaurant=restaurant_id)
    return Restaurant.objects.filter(pk__in=orders.values("restaurant"))


def orders_to_list(restaurant: Restaurant, address: str, *, now: datetime) -> PreOrderQuerySet:
    """The address's orders at the restaurant whose links work; not those that were never placed."""
    never_placed = PreOrder.objects.filter(
        status=PreOrderStatus.CANCELLED, payment_status__in=CHECKOUT_STATUSES
    )
    return PreOrder.objects.filter(
        restaurant=restaurant,
        customer_email__iexact=address.strip(),
        offer__serve_date__gte=now.date() - ORDER_LINK_LIFETIME,
    ).exclude(pk__in=never_placed)


def render_link_email(email: Email) -> EmailMultiAlternatives:
    """The email, in the language the guest ordered in. Its links are valid from now on."""
    with translation.override(email.order.language):
        return _render(email, clock.now())


def _render(email: Email, now: datetime) -> EmailMultiAlternatives:
    order = email.order
    restaurant = order.offer.restaurant
    kind = EmailKind(email.kind)
    facts = {
        "restaurant": restaurant.name,
        "code": order.code,
        "until": formats.moment(now + LINK_LIFETIME, restaurant.zone),
    }
    words = render_email_text(f"preorders/emails/{kind}.txt", facts)
    action, orders = None, []
    if kind == EmailKind.MY_ORDERS:
        orders = _rows(restaurant, order.customer_email, now)
    elif kind == EmailKind.DATA_LINK:
        action = EmailAction(str(BUTTONS[kind]), data_url(order, now=now))
    else:
        is_to_change = kind == EmailKind.CHANGE_LINK and can_be_changed(order)
        then = "?open=change#change-order" if is_to_change else ""
        action = EmailAction(str(BUTTONS[kind]), guest_url(order, then=then))
    layout: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "action": action,
        "about": guest_row(order) if kind in ABOUT_ONE else None,
        "orders": orders,
        "facts": [(_("Email"), order.customer_email)] if kind == EmailKind.DATA_LINK else [],
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _reason(kind) % {"restaurant": one_line(restaurant.name)},
    }
    return message_to_guest(email, order, subject=words.subject, layout=layout, headers={})


def _reason(kind: EmailKind) -> str:
    if kind == EmailKind.NEW_LINK:
        return _("You're getting this because you ordered at %(restaurant)s.")
    return _(
        "You're getting this because someone asked for it on the website of %(restaurant)s. "
        "If it wasn't you, ignore this email."
    )


def _rows(restaurant: Restaurant, address: str, now: datetime) -> list[dict[str, str]]:
    """The orders to come by their day, then the past ones, the latest day first."""
    orders = orders_to_list(restaurant, address, now=now).select_related(
        "offer__restaurant", "offer__alternative_dish", "sold__photo", "pickup_slot"
    )
    today = now.astimezone(restaurant.zone).date()
    to_come = orders.filter(offer__serve_date__gte=today)
    past = orders.filter(offer__serve_date__lt=today)
    found = [
        *to_come.order_by("offer__serve_date", "created_at", "pk")[:MAX_ORDERS],
        *past.order_by("-offer__serve_date", "-created_at", "-pk")[:MAX_ORDERS],
    ]
    return [_row(order) for order in found[:MAX_ORDERS]]


def _row(order: PreOrder) -> dict[str, Any]:
    return {
        **guest_row(order),
        "sum": _("%(portions)s, order %(code)s")
        % {"portions": formats.count(order.quantity, "portion"), "code": order.code},
    }
