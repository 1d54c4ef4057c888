"""Emails with links a guest asked for: to change an order, to their data, to all their orders.

Asking is open to anyone, so a link is only ever sent to the address that is already on file
(decision 55).
"""

from datetime import datetime
from email.utils import formataddr
from typing import Any
from uuid import UUID

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import clock, formats
from apps.common.emails import EmailAction, EmailText, one_line, render_email_text
from apps.offers.presentation import Special
from apps.offers.seats import is_on
from apps.offers.states import OfferStatus
from apps.preorders.core.access import LINK_LIFETIME, Purpose, data_url, guest_url
from apps.preorders.core.email_queue import queue_email, queue_waitlist_email
from apps.preorders.core.links import ORDER_LINK_LIFETIME
from apps.preorders.emails.actions import FINISH_ORDER, SEE_ORDER, can_be_changed
from apps.preorders.emails.dinner import guest_row
from apps.preorders.emails.rendering import message_from
from apps.preorders.emails.waitlist import entry_row
from apps.preorders.models import Email, PreOrder, WaitlistEntry
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    COUNTED_PAYMENTS,
    EmailKind,
    PreOrderStatus,
    WaitlistStatus,
)
from apps.restaurants.models import Restaurant

MAX_ORDERS = 20  # in one email, and
MAX_ENTRIES = 10
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
    """Email this address the links to its orders and waitlist entries at the restaurant. Does
    nothing without any."""
    with transaction.atomic():
        newest = (
            orders_to_list(restaurant, address, now=now)
            .select_for_update(of=("self",))
            .order_by("-created_at", "-pk")
            .first()
        )
        if newest is not None:
            queue_email(newest, EmailKind.MY_ORDERS, now=now, again=True)
            return
        entries = entries_to_list(restaurant, address, now=now)
        entry = entries.select_for_update(of=("self",)).order_by("joined_at", "pk").last()
        if entry is not None:
            queue_waitlist_email(entry, EmailKind.MY_ORDERS, now=now, again=True)


def restaurants_of(address: str, *, restaurant_id: UUID | None) -> QuerySet[Restaurant]:
    """The restaurants where this address ordered or joined a waitlist, or only the one named."""
    orders = PreOrder.objects.filter(customer_email__iexact=address)
    entries = WaitlistEntry.objects.filter(email=address.lower())
    if restaurant_id:
        orders = orders.filter(restaurant=restaurant_id)
        entries = entries.filter(restaurant=restaurant_id)
    return Restaurant.objects.filter(
        Q(pk__in=orders.values("restaurant")) | Q(pk__in=entries.values("restaurant"))
    )


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


def entries_to_list(
    restaurant: Restaurant, address: str, *, now: datetime
) -> QuerySet[WaitlistEntry]:
    """Where the address waits at the restaurant, or has portions reserved."""
    return WaitlistEntry.objects.filter(
        Q(state=WaitlistStatus.WAITING) | Q(state=WaitlistStatus.INVITED, reserved_until__gt=now),
        restaurant=restaurant,
        email=address.strip().lower(),
        offer__status=OfferStatus.ACTIVE,
        offer__deadline__gt=now,
    )


def render_link_email(email: Email) -> EmailMultiAlternatives:
    """The email, in the language the guest ordered in. Its links are valid from now on."""
    with translation.override((email.pre_order or email.entry).language):
        return _render(email, clock.now())


def _render(email: Email, now: datetime) -> EmailMultiAlternatives:
    kind = EmailKind(email.kind)
    if kind == EmailKind.MY_ORDERS:
        return _list(email, now)
    order = email.order
    restaurant = order.offer.restaurant
    facts = {
        "restaurant": restaurant.name,
        "code": order.code,
        "until": formats.moment(now + LINK_LIFETIME, restaurant.zone),
    }
    words = render_email_text(f"preorders/emails/{kind}.txt", facts)
    if kind == EmailKind.DATA_LINK:
        action = EmailAction(str(BUTTONS[kind]), data_url(order, now=now))
    else:
        is_to_change = kind == EmailKind.CHANGE_LINK and can_be_changed(order)
        then = "?open=change#change-order" if is_to_change else ""
        action = EmailAction(str(BUTTONS[kind]), guest_url(order, then=then))
    more = {
        "action": action,
        "about": guest_row(order) if kind in ABOUT_ONE else None,
        "facts": [(_("Email"), order.customer_email)] if kind == EmailKind.DATA_LINK else [],
    }
    return _message(email, restaurant, (order.customer_name, order.customer_email), words, more)


def _list(email: Email, now: datetime) -> EmailMultiAlternatives:
    """The orders of an address at the restaurant, and where it is on a waitlist."""
    if email.pre_order:
        restaurant = email.pre_order.offer.restaurant
        guest = (email.pre_order.customer_name, email.pre_order.customer_email)
    else:
        restaurant, guest = email.entry.offer.restaurant, (email.entry.name, email.entry.email)
    waiting = entries_to_list(restaurant, guest[1], now=now).select_related(
        "offer__restaurant", "offer__photo"
    )
    orders = _rows(restaurant, guest[1], now)
    entries = [entry_row(each) for each in waiting.order_by("joined_at", "pk")[:MAX_ENTRIES]]
    facts = {"restaurant": restaurant.name, "orders": orders, "entries": entries}
    words = render_email_text(f"preorders/emails/{EmailKind.MY_ORDERS}.txt", facts)
    return _message(email, restaurant, guest, words, {"orders": [*orders, *entries], "facts": []})


def _message(
    email: Email,
    restaurant: Restaurant,
    guest: tuple[str, str],
    words: EmailText,
    more: dict[str, Any],
) -> EmailMultiAlternatives:
    name, address = guest
    layout: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": _reason(EmailKind(email.kind)) % {"restaurant": one_line(restaurant.name)},
        **more,
    }
    to = formataddr((one_line(name), address))
    return message_from(restaurant, email, to=to, subject=words.subject, layout=layout, headers={})


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
    return [_row(order, now) for order in found[:MAX_ORDERS]]


def _row(order: PreOrder, now: datetime) -> dict[str, Any]:
    row = guest_row(order)
    is_unfinished = order.payment_status in CHECKOUT_STATUSES
    return {
        **row,
        "sum": _("%(sum)s, order %(code)s") % {"sum": row["sum"], "code": order.code},
        "terms": _("Not placed yet: no card is held.") if is_unfinished else _news(order, now),
        "button": str(FINISH_ORDER if is_unfinished else SEE_ORDER),
    }


def _news(order: PreOrder, now: datetime) -> str:
    """How it stands with the special of an order that counts; empty for one that has ended."""
    is_canceled = order.status == PreOrderStatus.CANCELLED
    if order.payment_status not in COUNTED_PAYMENTS or is_canceled or order.serves_alternative:
        return ""
    special = Special(order.offer, now)
    # How many are left for others doesn't matter to whoever ordered.
    return _("It's on") if special.is_open and is_on(special.offer) else special.sentence
