"""Changes a guest makes to an order before the deadline, on the order page (decision 26).

Every change is made under the offer's lock, so closing at the deadline sees all of it or nothing.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.hosted_checkout import Checkout, CheckoutState
from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.offers.locks import reread_restaurant
from apps.offers.models import PickupSlot
from apps.offers.states import UNDECIDED, OfferStatus
from apps.preorders.checkout.acceptance import check_portions, too_many_portions
from apps.preorders.core.cart_items import can_be_authorized
from apps.preorders.core.links import card_url
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.pricing import price_of_portions
from apps.preorders.core.quantities import (
    authorized_amount,
    check_slot,
    email_change,
    set_quantity,
    set_slot,
)
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    GUEST,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.expiry import SETTLEMENT_MARGIN
from apps.preorders.settlement.payments import apply_payment_intent
from apps.preorders.settlement.worker import run_operation
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

DEADLINE_PASSED = gettext_lazy("The deadline has passed, so you can't change this order anymore.")
CARD_CHARGED = gettext_lazy(
    "We already charged your card, so you can't change the portions. You can cancel this order, "
    "get a full refund, and order again."
)
PAYMENT_DUE = gettext_lazy(
    "Your payment didn't go through. Pay first, or cancel this order and order again."
)
NO_CARD_YET = gettext_lazy(
    "Your card isn't held yet. Finish the checkout first, or cancel this order and order again."
)
HAS_ENDED = gettext_lazy("This order has ended, so you can't change it.")
IS_SETTLED = gettext_lazy("We're finishing this order right now, so you can't change it anymore.")
RENEWING = gettext_lazy("Your hold is being renewed. Finish that first, then change the portions.")
CHANGED_MEANWHILE = gettext_lazy(
    "This order changed after you opened the page, so we didn't change anything. Check the "
    "portions, then choose again."
)
TIME_CHANGED_MEANWHILE = gettext_lazy(
    "The time of this order changed after you opened the page, so we didn't change anything. Check "
    "the time, then choose again."
)
ALREADY_CHANGED = gettext_lazy(
    "Your bank confirmed the change before you dropped it, so your order is for %(portions)s now. "
    "You can change the number again."
)
# Stored as the `error` of a change that its guest dropped.
DROPPED = "the guest kept the order as it was"
DROPPED_DESPITE_HOLD = "the guest kept the order as it was; the new hold is released"
ONE_MOMENT = gettext_lazy("We're still saving your last change. Try again in a moment.")
NEW_PRICE = gettext_lazy(
    "The price has changed since you ordered. "
    "Keep this order as it is and place a new one for the other portions."
)
NO_MORE_PORTIONS = gettext_lazy(
    "%(restaurant)s isn't taking orders right now, so you can't add portions."
)
NOT_EXPIRING = gettext_lazy(
    "Your bank's hold lasts past the deadline, so you don't need to renew it."
)
# A hold on a saved card ends sooner than one the guest confirms, some in under five days.
UNREQUESTED_AUTHORIZATION = timedelta(days=4, hours=12)


# --- what can be changed --------------------------------------------------------------------------
def why_fixed(order: PreOrder, *, now: datetime) -> str:
    """Why nothing about the order can be changed; empty while it can."""
    if order.status == PreOrderStatus.CANCELLED or order.payment_status in (
        PaymentStatus.RELEASED,
        PaymentStatus.REFUNDED,
    ):
        return str(HAS_ENDED)
    if order.offer.status != OfferStatus.ACTIVE or now >= order.offer.deadline:
        return str(DEADLINE_PASSED)
    if order.status != PreOrderStatus.PENDING:
        return str(IS_SETTLED)
    return ""


def why_not_the_money(order: PreOrder, *, now: datetime) -> str:
    """Why the amount of the hold cannot be changed; empty while it can."""
    if fixed := why_fixed(order, now=now):
        return fixed
    if order.payment_status == PaymentStatus.CAPTURED:
        return str(CARD_CHARGED)
    if order.payment_status == PaymentStatus.CAPTURE_FAILED:
        return str(PAYMENT_DUE)
    if order.payment_status != PaymentStatus.AUTHORIZED:
        return str(NO_CARD_YET)
    settling = any(each.kind in SETTLEMENT_KINDS for each in order.operations.all())
    return str(IS_SETTLED) if settling else ""


def why_not_the_alternative(order: PreOrder, *, now: datetime) -> str:
    """Why the choice of the alternative cannot be changed; empty while it can, also after an early
    charge (DECISIONS X12): the difference is refunded then."""
    if order.payment_status == PaymentStatus.CAPTURED:
        return why_fixed(order, now=now)
    return why_not_the_money(order, now=now)


def ends_too_early(order: PreOrder) -> bool:
    """Whether the hold ends before its offer can be settled (DECISIONS X12)."""
    return (
        order.payment_status == PaymentStatus.AUTHORIZED
        and order.offer.status in UNDECIDED
        and order.capture_before is not None
        and order.capture_before < order.offer.deadline + CHECKOUT_GRACE + SETTLEMENT_MARGIN
    )


# --- portions -------------------------------------------------------------------------------------
def change_quantity(
    *,
    order: PreOrder,
    quantity: int,
    slot_id: int | None = None,
    shown: int | None = None,
    shown_slot_id: int | None = None,
    now: datetime,
) -> PreOrder:
    """Change the order to `quantity` portions, at its original price, and to another pickup time if
    `slot_id` names one: both or neither. `shown` is how many the form showed: sent again after a
    later change, it changes nothing (decision 105). Nor does a form that names another time, if
    `shown_slot_id`, the one it showed, isn't the order's anymore.

    If the current hold covers the new total, this is done at once; the charge is then a part of the
    hold. Otherwise a larger hold replaces it: the saved card is tried before this returns, and if
    its bank wants the guest, a page for a card is opened, which `page_to_finish` returns. Until the
    larger hold is in place, the order stays as it is and the added portions are reserved. Safe to
    repeat.

    Raises Conflict after the deadline, when there is no room, or when the order isn't as `shown`;
    Invalid for an impossible number or a time that isn't the special's.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if refusal := why_not_the_money(locked, now=now):
            raise Conflict(refusal)
        if shown is not None and locked.quantity not in (shown, quantity):
            raise Conflict(str(CHANGED_MEANWHILE))
        if slot_id and shown_slot_id and locked.pickup_slot_id not in (shown_slot_id, slot_id):
            raise Conflict(str(TIME_CHANGED_MEANWHILE))
        if quantity < 1:
            message = _("Choose at least 1 portion, or cancel the order.")
            raise Invalid.because([FieldError("quantity", message)])
        waiting = new_authorization(locked)
        if waiting is not None and waiting.quantity is None:
            if quantity != locked.quantity:
                raise Conflict(str(RENEWING))
            waiting = None
        slot = slot_id or locked.pickup_slot_id
        operation = waiting if waiting and _is_for(waiting, locked, quantity, slot) else None
        dropped = waiting if operation is None else None
        if dropped is not None:
            _drop(dropped, now)
        if operation is None:
            operation = _begin_change(locked, quantity, slot, now)
        recount(locked.offer, now=now)
    if dropped is not None and dropped.reference:
        # A page that cannot be closed expires on its own; a hold placed there is released.
        with suppress(GatewayError):
            gateway.expire_checkout(dropped.reference)
    if operation is not None:
        run_operation(operation.pk, now=now)
    return PreOrder.objects.get(pk=order.pk)


def drop_change(*, order: PreOrder, shown: int | None = None, now: datetime) -> PreOrder:
    """Drop a change to more portions that waits for a card: the order stays as it is, and what was
    reserved for the change is free. `shown` is how many portions the form showed. Safe to repeat.

    The change is dropped first, so a hold that the bank places meanwhile is a stray and is
    released; `was_dropped_despite_hold` says so. Raises Conflict when the change is made already.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if shown is not None and locked.quantity != shown:
            number = formats.portions(locked.quantity)
            raise Conflict(ALREADY_CHANGED % {"portions": number})
        waiting = unfinished_change(locked)
        if waiting is not None:
            _drop(waiting, now, why=DROPPED)
            recount(locked.offer, now=now)
    if waiting is not None and waiting.reference:
        # Without an answer, the page expires on its own, and news of a hold placed there comes.
        with suppress(GatewayError):
            if intent_id := _card_entered_on(gateway.expire_checkout(waiting.reference)):
                PaymentOperation.objects.filter(pk=waiting.pk).update(error=DROPPED_DESPITE_HOLD)
                apply_payment_intent(intent_id, now=now)
    return PreOrder.objects.get(pk=order.pk)


def _begin_change(
    order: PreOrder, quantity: int, slot_id: int | None, now: datetime
) -> PaymentOperation | None:
    """Change it, or record that a larger hold is needed first."""
    more = quantity - order.quantity
    if more > 0:
        _check_capacity(order, quantity, more, now)
    slot = check_slot(order, quantity, slot_id)
    if not more or price_of_portions(order, quantity).total <= authorized_amount(order):
        is_moved = set_slot(order, slot, now=now)
        set_quantity(order, quantity, now=now)
        if is_moved and not more:
            email_change(order, now=now)
        return None
    return _request_authorization(order, quantity, now, slot=slot)


def _is_for(
    operation: PaymentOperation, order: PreOrder, quantity: int, slot_id: int | None
) -> bool:
    """Whether the operation makes just this change."""
    own = operation.pickup_slot_id or order.pickup_slot_id
    return (operation.quantity, own) == (quantity, slot_id)


def _check_capacity(order: PreOrder, quantity: int, more: int, now: datetime) -> None:
    offer = order.offer
    reread_restaurant(offer)
    if offer.restaurant.status != Restaurant.Status.ACTIVE:
        raise Conflict(NO_MORE_PORTIONS % {"restaurant": offer.restaurant.name})
    if quantity > offer.max_per_order:
        raise too_many_portions(offer)
    if Money.of(offer.special_price) != Money.of(order.unit_price):
        raise Conflict(str(NEW_PRICE))
    check_portions(offer, more, now, ordered=order.quantity)


# --- the hold -------------------------------------------------------------------------------------
def renew_authorization(*, order: PreOrder, now: datetime) -> PreOrder:
    """Replace a hold that ends too early now, while the guest is present.

    If the bank wants the guest to confirm, `page_to_finish` returns the page. Raises Conflict when
    there is nothing to renew.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if refusal := why_not_the_money(locked, now=now):
            raise Conflict(refusal)
        if not ends_too_early(locked):
            raise Conflict(str(NOT_EXPIRING))
        operation = new_authorization(locked)
        operation = operation or _request_authorization(locked, locked.quantity, now)
    run_operation(operation.pk, now=now)
    return PreOrder.objects.get(pk=order.pk)


def _request_authorization(
    order: PreOrder, quantity: int, now: datetime, slot: PickupSlot | None = None
) -> PaymentOperation:
    """Record that a hold for `quantity` portions, at the pickup time `slot`, is to replace the
    current one.

    The guest is waiting, so the caller carries it out instead of a worker. If that fails halfway,
    the sweep continues it.
    """
    if _cleaning_up(order):
        raise Conflict(str(ONE_MOMENT))
    lives = (
        now + UNREQUESTED_AUTHORIZATION > order.offer.deadline + CHECKOUT_GRACE + SETTLEMENT_MARGIN
    )
    return PaymentOperation.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=OperationKind.RENEW,
        stage=OperationStage.HOLD if lives else OperationStage.PAY_LINK,
        quantity=quantity,
        pickup_slot=None if slot == order.pickup_slot else slot,
        actor=GUEST,
        due_at=now,
        created_at=now,
    )


def page_to_finish(order: PreOrder, *, now: datetime) -> str:
    """The page where the guest enters a card: for the checkout, a larger or renewed hold, or a
    declined charge. Empty when nothing waits for one, it is too late, or the page has expired.

    Asks the payment provider for the address if needed; raises GatewayError without an answer.
    """
    if PreOrder.objects.in_checkout().filter(pk=order.pk).exists():
        is_over = order.cart_id and not can_be_authorized(order, now)
        return "" if is_over else card_url(order)
    waiting = awaits_card(order)
    if waiting is None or not waiting.reference:
        return ""
    return gateway.retrieve_checkout(waiting.reference).url


def awaits_card(order: PreOrder) -> PaymentOperation | None:
    """The order's operation that waits for the guest to enter a card."""
    waiting = [each for each in _pending(order) if each.stage == OperationStage.PAY_LINK]
    return waiting[0] if waiting else None


def card_entered_for(waiting: PaymentOperation) -> str:
    """The intent made on the page the operation waits for; empty until a card was entered.

    Raises GatewayError when the payment provider does not answer.
    """
    return _card_entered_on(gateway.retrieve_checkout(waiting.reference))


def _card_entered_on(checkout: Checkout) -> str:
    """The intent of a completed page. One whose bank still waits for the guest has an intent that
    holds nothing."""
    return checkout.intent_id or "" if checkout.state is CheckoutState.COMPLETE else ""


def new_authorization(order: PreOrder) -> PaymentOperation | None:
    """The pending operation for a new hold that is not in place yet."""
    renewals = [each for each in _pending(order) if each.kind == OperationKind.RENEW]
    new = [each for each in renewals if each.stage != OperationStage.CLEAN_UP]
    return new[0] if new else None


def _pending(order: PreOrder) -> list[PaymentOperation]:
    """The order's pending operations, oldest first; a page prefetches `operations`."""
    pending = [each for each in order.operations.all() if each.state == OperationStatus.PENDING]
    return sorted(pending, key=lambda each: each.pk)


def _cleaning_up(order: PreOrder) -> bool:
    """Whether the previous hold is still being released."""
    return PaymentOperation.objects.filter(
        pre_order=order,
        kind=OperationKind.RENEW,
        state=OperationStatus.PENDING,
        stage=OperationStage.CLEAN_UP,
    ).exists()


def unfinished_change(order: PreOrder) -> PaymentOperation | None:
    """The pending operation for a larger hold that waits for the guest to confirm."""
    waiting = new_authorization(order)
    if waiting is None or waiting.stage != OperationStage.PAY_LINK:
        return None
    return None if waiting.quantity in (None, order.quantity) else waiting


def was_dropped_despite_hold(order: PreOrder) -> bool:
    """Whether the bank had placed the larger hold when the guest dropped the last change."""
    renewals = [each for each in order.operations.all() if each.kind == OperationKind.RENEW]
    newest = max(renewals, key=lambda each: each.pk, default=None)
    return newest is not None and newest.error == DROPPED_DESPITE_HOLD


def _drop(
    operation: PaymentOperation, now: datetime, why: str = "another number was asked for"
) -> None:
    PaymentOperation.objects.filter(pk=operation.pk).update(
        state=OperationStatus.FAILED, finished_at=now, error=why
    )
