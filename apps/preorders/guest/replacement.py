"""Letting a hold go before the new one is placed, for a card without room for both (decision 50).

A renewed or larger hold is placed before the old one is released, so its guest never loses a good
hold. A card with too little room declines that. Then the guest, who is on the page, can turn it
around: the order goes back to checkout, where its portions stay reserved but don't count, the old
hold is released, and a new card page opens. If no hold is placed there in time, the order ends and
the guest is told.

All is decided in one transaction, before anything is released, so that news of the old hold finds
an order that it no longer belongs to. A worker that dies in between leaves the release to the
sweep, and the page to the guest's next press.
"""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common.errors import Conflict
from apps.common.transitions import Cause
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, checkout_request, store_checkout
from apps.preorders.checkout.terms import card_note
from apps.preorders.core.links import order_url
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import (
    check_slot,
    make_requested_change,
    with_requested_change,
)
from apps.preorders.core.selectors import released_first
from apps.preorders.core.transitions import set_payment_status
from apps.preorders.guest.changes import new_authorization, why_not_the_money
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    GUEST,
    OperationStage,
    PaymentStatus,
    ReasonCode,
    ReservationStatus,
)
from apps.preorders.settlement.worker import run_operation

NOTHING_TO_REPLACE = gettext_lazy(
    "Your order doesn't need a new hold, so the one on your card stays."
)


def can_release_first(order: PreOrder) -> bool:
    """Whether the order has a hold and waits on a card page for a new one."""
    waiting = new_authorization(order)
    return (
        order.payment_status == PaymentStatus.AUTHORIZED
        and waiting is not None
        and waiting.stage == OperationStage.PAY_LINK
    )


def release_first(*, order: PreOrder, now: datetime) -> PreOrder:
    """Release the order's hold now and put the order back to checkout for the new one.

    `page_for_new_hold` is the card page. Safe to repeat. Raises Conflict after the deadline, if no
    new hold is awaited, or if the pickup time has no room anymore.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.payment_status in CHECKOUT_STATUSES and released_first(locked):
            return locked
        if refusal := why_not_the_money(locked, now=now):
            raise Conflict(refusal)
        waiting = new_authorization(locked)
        if waiting is None or waiting.stage != OperationStage.PAY_LINK:
            raise Conflict(str(NOTHING_TO_REPLACE))
        wanted = with_requested_change(locked, waiting)
        check_slot(locked, wanted.quantity, wanted.pickup_slot_id)
        page = waiting.reference
        # What is left of the renewal is its last stage: to release the hold it replaces.
        PaymentOperation.objects.filter(pk=waiting.pk).update(
            stage=OperationStage.CLEAN_UP,
            reference=locked.payment_intent_id or "",
            reason_code=ReasonCode.RELEASED_FIRST,
            epoch=waiting.epoch + 1,
            due_at=now,
        )
        make_requested_change(locked, waiting, now=now)
        set_payment_status(
            locked,
            PaymentStatus.UNPAID,
            now=now,
            cause=Cause(ReasonCode.RELEASED_FIRST, actor=GUEST),
            payment_intent_id=None,
            capture_before=None,
            cart=None,
            checkout_session_id=None,
            checkout_url="",
            checkout_expires_at=now + CHECKOUT_LIFE,
            reservation=ReservationStatus.RESERVED,
            reserved_until=None,  # as long as the checkout
        )
        recount(locked.offer, now=now)
    if page:
        # One that cannot be closed expires on its own; a hold placed there is as good as a new one.
        with suppress(GatewayError):
            gateway.expire_checkout(page)
    run_operation(waiting.pk, now=now)
    return PreOrder.objects.get(pk=order.pk)


def page_for_new_hold(order: PreOrder, *, now: datetime) -> str:
    """The card page of an order in checkout that let its hold go; opened if it has none yet.

    Empty once the order has ended. Raises GatewayError without an answer: nothing is lost then, and
    the next press tries again.
    """
    if order.checkout_url or not released_first(order):
        return order.checkout_url
    expires_at = now + CHECKOUT_LIFE
    request = checkout_request(
        order,
        expires_at=expires_at,
        hold_only=True,
        note=card_note(order, now),
        back=order_url(order),
    )
    # A second press in the same second gets the same page; a later one another, and the first
    # one's expires unused: a hold placed on each is found to be a stray.
    key = f"checkout:{order.pk}:{int(expires_at.timestamp())}"
    checkout = gateway.create_checkout(request, key=key)
    PreOrder.objects.filter(pk=order.pk).update(checkout_expires_at=expires_at)
    if not store_checkout(order, checkout, now):
        with suppress(GatewayError):
            gateway.expire_checkout(checkout.session_id)
        return ""
    return checkout.url
