"""Confirming a cart after the browser confirmed its card, and abandoning one (DECISIONS X23)."""

import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic, sleep
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import BrowserIntent, GatewayError, IntentStatus, Refused
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, NotFound, Unavailable
from apps.common.transitions import Cause
from apps.preorders.cart.services import NO_CART, SOLD_OUT_MEANWHILE, cart_items_of
from apps.preorders.checkout.acceptance import (
    EMAIL_REQUIRED,
    NAME_REQUIRED,
    OFFER_CLOSED,
    check_phone,
)
from apps.preorders.checkout.endings import give_up
from apps.preorders.checkout.payment_page import charge_of
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core import jobs
from apps.preorders.core.cart_items import (
    AUTHENTICATION_REQUIRED,
    CartItemOutcome,
    can_be_authorized,
    cart_item_outcome,
)
from apps.preorders.core.locks import lock_cart_items, lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.reservations import reserve_again
from apps.preorders.models import Cart, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    CartItemStatus,
    CartStatus,
    EmailKind,
    OperationStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement import worker
from apps.preorders.settlement.cart_items import authorizations, authorize_items, close_cart_item
from apps.preorders.settlement.payments import apply_payment_intent, sync_intent

logger = logging.getLogger(__name__)

# Seconds after which a confirmation leaves the remaining items to a worker: a guest is waiting.
MAX_WAIT = 8
# Seconds a confirmation waits for a worker that already authorizes the items.
WORKER_GRACE = (0.2, 0.4, 0.8, 1.2)

NO_ANSWER = gettext_lazy(
    "We couldn't reach the payment provider. Your cart is safe. Try again in a moment."
)
WORKING = gettext_lazy("We're waiting for your bank. Try again in a moment.")
OTHER_GUEST = gettext_lazy(
    "This checkout was started with another name, email address, or phone number. To change them, "
    "go back to your cart and start again."
)
CARD_MISSING = gettext_lazy("Add a card for your cart first.")
ALREADY_AUTHORIZED = gettext_lazy(
    "You're already in with this order. You don't need to do anything."
)


@dataclass(frozen=True, slots=True)
class CartOutcome:
    cart: Cart
    state: CartStatus
    items: list[CartItemOutcome]


@dataclass(frozen=True, slots=True)
class Retry:
    """What the browser confirms for one item. With `saved_card`, only the bank's check is left;
    otherwise the guest enters another card."""

    client_secret: str
    saved_card: bool


def confirm_cart(*, cart_id: UUID, guest: GuestDetails | None, now: datetime) -> CartOutcome:
    """Hold each item's total once the browser confirmed the card. Safe to repeat.

    `guest` is the guest, unless the cart was started with one. Raises NotFound; Invalid naming
    the fields when no guest is known (nothing counts then, DECISIONS X24); Unavailable when the
    payment provider does not answer: a worker continues then.
    """
    cart = _cart(cart_id)
    _record_guest(cart, guest)
    try:
        if cart.setup_intent_id:
            _carry_out(authorize_items(cart.pk, now=now), now)
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
        raise Unavailable(str(NO_ANSWER)) from error
    return cart_outcome_of(cart, declined)


def cart_outcome(*, cart_id: UUID, now: datetime, fresh: bool) -> CartOutcome:
    """The cart's status; the last known one when the payment provider does not answer, or isn't
    asked because the status need not be `fresh`. Raises NotFound."""
    cart = _cart(cart_id)
    declined: Collection[str] = ()
    if not fresh:
        return cart_outcome_of(cart)
    try:
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
    return cart_outcome_of(cart, declined)


def retry_cart_item(*, cart_id: UUID, order_id: UUID, another_card: bool, now: datetime) -> Retry:
    """The intent with which the guest authorizes one item, after a card was declined or when the
    bank wants the guest to confirm. It is the item's only one, whatever card it is confirmed with.

    `another_card`: the guest can't or won't confirm the saved card. Raises NotFound; Conflict when
    there is nothing to retry, or no longer; Unavailable.
    """
    cart = _cart(cart_id)
    item = next((each for each in cart_items_of(cart) if each.pk == order_id), None)
    if item is None:
        raise NotFound(str(NO_CART))
    _check_can_retry(item, now)
    refused = authorizations(cart).filter(pre_order=item).first()
    if cart.setup_intent_id and refused is None:
        raise Conflict(str(CARD_MISSING))
    if refused is not None and refused.state == OperationStatus.PENDING:
        raise Conflict(str(WORKING))
    with transaction.atomic():
        locked = lock_order(item.pk)
        if not reserve_again(locked, now=now):
            raise Conflict(str(SOLD_OUT_MEANWHILE), code=ErrorCode.SOLD_OUT)
        recount(locked.offer, now=now)
    try:
        return _retry(cart, item, refused, another_card=another_card, now=now)
    except GatewayError as error:
        logger.warning("order %s cannot be tried again: %s", item.pk, error)
        raise Unavailable(str(NO_ANSWER)) from error


def abandon_cart(*, cart_id: UUID, now: datetime) -> CartOutcome | None:
    """The guest left the checkout: free the portions, and let no card be added for them.

    An item that is held, or being held right now, stays; the result is then the cart's status, else
    None. Raises NotFound, and Unavailable when the payment provider does not answer; nothing is
    freed then.
    """
    cart = _cart(cart_id)
    try:
        _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
        raise Unavailable(str(NO_ANSWER)) from error
    for item in _given_up(cart, now):
        close_cart_item(item, now=now)
    outcome = cart_outcome_of(cart)
    return None if outcome.state is CartStatus.ENDED else outcome


# --- confirming -----------------------------------------------------------------------------------
def _cart(cart_id: UUID) -> Cart:
    cart = Cart.objects.filter(pk=cart_id).first()
    if cart is None:
        raise NotFound(str(NO_CART))
    return cart


def _record_guest(cart: Cart, guest: GuestDetails | None) -> None:
    """Set the guest on the orders still in checkout; from here on they count.

    A guest once set stays: whoever knows a checkout's id can't make it another person's order.
    Raises Conflict for another guest.
    """
    waiting = PreOrder.objects.filter(cart=cart).in_checkout()
    if guest is not None:
        with transaction.atomic():
            # An update alone would lock the items in any order.
            for item in lock_cart_items(cart.pk):
                check_phone(item.restaurant, guest.phone, field="guest.phone")
                _check_same_guest(item, guest)
            waiting.update(
                customer_name=guest.name,
                customer_email=guest.email,
                customer_phone=guest.phone,
            )
    elif waiting.filter(customer_name="").exists():
        raise Invalid.because(
            [
                FieldError("guest.name", str(NAME_REQUIRED)),
                FieldError("guest.email", str(EMAIL_REQUIRED)),
            ]
        )


def _check_same_guest(item: PreOrder, guest: GuestDetails) -> None:
    known = GuestDetails(item.customer_name, item.customer_email.lower(), item.customer_phone)
    if item.customer_name and known != replace(guest, email=guest.email.lower()):
        raise Conflict(str(OTHER_GUEST))


def _carry_out(operations: Sequence[int], now: datetime) -> None:
    """Authorize now, as far as time allows, and wait briefly for what a worker is already doing."""
    begun = monotonic()
    for position, operation_id in enumerate(operations):
        if monotonic() - begun > MAX_WAIT:
            jobs.enqueue_operations(operations[position:])
            break
        worker.run_operation(operation_id, now=now)
    for pause in WORKER_GRACE:
        pending = PaymentOperation.objects.filter(
            pk__in=operations, state=OperationStatus.PENDING, error=""
        )
        if not pending.exists():
            return
        sleep(pause)


def _hear_of_intents(cart: Cart, now: datetime) -> frozenset[str]:
    """Sync the items that the browser confirms itself; returns the intents whose last card was
    declined."""
    waiting = PreOrder.objects.filter(cart=cart).in_checkout().exclude(payment_intent_id=None)
    declined = set()
    for intent_id in waiting.order_by("pk").values_list("payment_intent_id", flat=True):
        hold = gateway.retrieve_intent(str(intent_id))
        sync_intent(hold, now=now)
        if hold.state is IntentStatus.OPEN and hold.reason:
            declined.add(hold.intent_id)
    return frozenset(declined)


# --- status ---------------------------------------------------------------------------------------
def cart_outcome_of(cart: Cart, declined: Collection[str] = ()) -> CartOutcome:
    """`declined`: intents whose last card was just declined in the browser."""
    refusals = {each.pre_order_id: each for each in authorizations(cart)}
    items = [
        cart_item_outcome(
            order, refusals.get(order.pk), was_declined=order.payment_intent_id in declined
        )
        for order in cart_items_of(cart)
    ]
    states = {item.state for item in items}
    if states == {CartItemStatus.HELD}:
        whole = CartStatus.HELD
    elif CartItemStatus.HELD in states:
        whole = CartStatus.PARTLY
    elif states == {CartItemStatus.ENDED}:
        whole = CartStatus.ENDED
    else:
        whole = CartStatus.OPEN
    return CartOutcome(cart, whole, items)


# --- retrying one item ----------------------------------------------------------------------------
def _check_can_retry(item: PreOrder, now: datetime) -> None:
    if item.payment_status not in CHECKOUT_STATUSES and item.status != PreOrderStatus.CANCELLED:
        raise Conflict(str(ALREADY_AUTHORIZED), code=ErrorCode.ALREADY_ORDERED)
    if not can_be_authorized(item, now):
        if not item.customer_name and item.status != PreOrderStatus.CANCELLED:
            raise Conflict(str(CARD_MISSING))
        raise _closed(item)


def _closed(item: PreOrder) -> Conflict:
    """Why an item can't be retried anymore. One that was canceled may have been held before."""
    is_over = item.status == PreOrderStatus.CANCELLED
    message = cart_item_outcome(item, None).message if is_over else OFFER_CLOSED
    return Conflict(str(message), code=ErrorCode.ORDERS_CLOSED)


def _retry(
    cart: Cart,
    item: PreOrder,
    refused: PaymentOperation | None,
    *,
    another_card: bool,
    now: datetime,
) -> Retry:
    intent_id = item.payment_intent_id
    if intent_id:
        hold = gateway.retrieve_intent(intent_id)
        if hold.state is IntentStatus.NEEDS_ACTION:
            # Confirming it with another card ends the bank's check that is under way.
            return Retry(gateway.client_secret(intent_id), saved_card=not another_card)
        if hold.state is IntentStatus.OPEN:
            asks = refused is not None and refused.reason_code == AUTHENTICATION_REQUIRED
            return _reopened(cart, intent_id, with_saved_card=asks and not another_card)
        apply_payment_intent(intent_id, now=now)
        if hold.state is not IntentStatus.DEAD:
            raise Conflict(str(ALREADY_AUTHORIZED), code=ErrorCode.ALREADY_ORDERED)
        raise _closed(next(each for each in cart_items_of(cart) if each.pk == item.pk))
    # It was declined without an intent, so the browser gets a new one.
    intent = gateway.with_new_key_after_error(
        lambda key: gateway.create_intent(
            charge_of(item), customer_id=cart.payment_customer_id, key=key
        ),
        f"cart-intent:{item.pk}",
    )
    return Retry(_stored_intent(item, intent).client_secret, saved_card=False)


def _reopened(cart: Cart, intent_id: str, *, with_saved_card: bool) -> Retry:
    """The saved card is used again if its bank only wants the guest to confirm. A failed check
    leaves the intent without a card, so it is named again:
    https://docs.stripe.com/payments/paymentintents/lifecycle"""
    if with_saved_card:
        with suppress(Refused):  # the guest removed the card meanwhile
            saved = cart.payment_method_id
            intent = gateway.reopen_intent(intent_id, payment_method_id=saved)
            return Retry(intent.client_secret, saved_card=True)
    return Retry(gateway.reopen_intent(intent_id).client_secret, saved_card=False)


def _stored_intent(item: PreOrder, intent: BrowserIntent) -> BrowserIntent:
    """Save it; of two tabs that retry at once, the first one's intent counts in both."""
    waiting = PreOrder.objects.filter(pk=item.pk).in_checkout()
    if waiting.filter(payment_intent_id=None).update(payment_intent_id=intent.intent_id):
        return intent
    stored = waiting.values_list("payment_intent_id", flat=True).first()
    if not stored:
        raise Conflict(OFFER_CLOSED, code=ErrorCode.ORDERS_CLOSED)
    return BrowserIntent(stored, gateway.client_secret(stored))


# --- abandoning -----------------------------------------------------------------------------------
def _given_up(cart: Cart, now: datetime) -> list[PreOrder]:
    """End the orders that are not being authorized right now; returns them."""
    given_up = []
    with transaction.atomic():
        items = lock_cart_items(cart.pk)
        being_held = set(
            authorizations(cart)
            .filter(state=OperationStatus.PENDING)
            .values_list("pre_order_id", flat=True)
        )
        for item in items:
            if item.pk not in being_held and give_up(
                item.pk, now=now, cause=Cause(ReasonCode.CHECKOUT_ABANDONED)
            ):
                item.cart = cart
                given_up.append(item)
        # They left checkout themselves, so no email.
        Email.objects.filter(pre_order__in=given_up, kind=EmailKind.DECLINED, sent_at=None).update(
            dropped_at=now
        )
        # The one about what is held waited for the rest.
        waiting = Email.objects.filter(
            pre_order__in=items, kind=EmailKind.RECEIVED, attempts=0, sent_at=None, dropped_at=None
        )
        if waiting.update(due_at=now):
            jobs.enqueue_email(waiting.values_list("pk", flat=True)[0])
    return given_up
