"""Correcting the email address of an order, for a guest who mistyped it (decision 175)."""

from datetime import datetime

from django.db import transaction

from apps.common.errors import Conflict
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.links import revoke_order_link
from apps.preorders.core.locks import lock_cart_items, lock_order
from apps.preorders.guest.changes import why_fixed
from apps.preorders.models import PreOrder
from apps.preorders.models.states import GUEST, EmailKind, PaymentStatus


@transaction.atomic
def change_email_address(*, order: PreOrder, address: str, now: datetime) -> list[PreOrder]:
    """Send the emails about this order, and about those of its cart with the same address, to
    `address` from now on, first the confirmation. Returns these orders.

    Links and accesses so far end, because the old address may be somebody else's. The same address
    again changes nothing. Raises Conflict when it is too late.
    """
    locked = lock_cart_items(order.cart_id) if order.cart_id else [lock_order(order.pk)]
    own = next(each for each in locked if each.pk == order.pk)
    if refusal := why_fixed(own, now=now):
        raise Conflict(refusal)
    old = own.customer_email
    if address == old:
        return [own]
    same = [each for each in locked if each.customer_email.lower() == old.lower()]
    PreOrder.objects.filter(pk__in=[each.pk for each in same]).update(customer_email=address)
    revoke_order_link(own, by=GUEST, now=now)
    for each in same:
        each.customer_email, each.link_revision = address, own.link_revision
        each.transitions.create(
            restaurant_id=each.restaurant_id, field="email", new="changed", actor=GUEST, at=now
        )
        if each.payment_status == PaymentStatus.AUTHORIZED:
            queue_email(each, EmailKind.RECEIVED, now=now, again=True)
    return same


def orders_with_address_of(order: PreOrder) -> list[PreOrder]:
    """The order, and those of its cart with the same address."""
    if order.cart_id is None:
        return [order]
    address = order.customer_email
    return list(PreOrder.objects.filter(cart=order.cart_id, customer_email__iexact=address))
