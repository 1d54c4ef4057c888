"""Ending an order that never got a card."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from apps.common.transitions import Cause
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.selectors import released_first
from apps.preorders.core.transitions import set_order_status
from apps.preorders.core.waitlist import return_to_waitlist
from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind, PreOrderStatus, ReasonCode


def was_opened(order: PreOrder) -> bool:
    """Whether the guest could ever enter a card: on a page, or for an intent to confirm."""
    by_cart = order.cart.setup_intent_id if order.cart else None
    return bool(order.checkout_session_id or order.payment_intent_id or by_cart)


def end_checkout(order: PreOrder, *, now: datetime, cause: Cause) -> None:
    """End an order without a card; the caller holds its lock. A guest who had a hold and let it go
    for a new one (decision 50) is told."""
    if released_first(order):
        queue_email(order, EmailKind.RELEASED, now=now)
        cause = Cause(ReasonCode.NOT_REPLACED)
    set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=cause)


def give_up(order_id: UUID, *, now: datetime, cause: Cause, unopened: bool = False) -> bool:
    """End an order that is still in checkout and free its portions. False when it is past checkout
    or, with `unopened`, when the guest could enter a card meanwhile."""
    with transaction.atomic():
        order = lock_order(order_id)
        if unopened and was_opened(order):
            return False
        if not PreOrder.objects.filter(pk=order_id).in_checkout().exists():
            return False
        end_checkout(order, now=now, cause=cause)
        return_to_waitlist(order, now=now)
        recount(order.offer, now=now)
    return True
