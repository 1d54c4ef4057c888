"""After the browser has confirmed a cart's card, and when its diner turns back (DECISIONS X23)."""

import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import monotonic, sleep
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import BrowserIntent, GatewayError, IntentStatus, Refused
from apps.common.errors import Conflict, FieldError, Invalid, NotFound, Unavailable
from apps.preorders.cart.services import cart_items_of
from apps.preorders.checkout.services import OFFER_CLOSED, GuestDetails, charge_of, give_up
from apps.preorders.core import jobs
from apps.preorders.core.cart_items import (
    AUTHENTICATION_REQUIRED,
    CartItemOutcome,
    can_be_authorized,
    cart_item_outcome,
)
from apps.preorders.core.locks import lock_cart_items
from apps.preorders.models import Cart, OrderEmail, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CartItemStatus,
    CartStatus,
    EmailKind,
    OperationStatus,
    PreOrderStatus,
)
from apps.preorders.settlement import worker
from apps.preorders.settlement.cart_items import (
    ABANDONED,
    authorizations,
    authorize_items,
    close_cart_item,
)
from apps.preorders.settlement.payments import CHECKOUT_PAYMENTS, apply_payment_intent, sync_intent

logger = logging.getLogger(__name__)

# Seconds after which a confirmation leaves the lines that remain to a worker: people wait for it.
MAX_WAIT = 8
# How long a confirmation waits for a worker that holds the cards already, in seconds.
WORKER_GRACE = (0.2, 0.4, 0.8, 1.2)

NO_CART = gettext_lazy("We could not find this checkout. It may have ended.")
NO_ANSWER = gettext_lazy(
    "We could not reach the card processor. Nothing is lost: try again in a moment."
)
WORKING = gettext_lazy("Your bank is being asked at this moment. Try again in a moment.")
CARD_MISSING = gettext_lazy("Give a card for your cart first.")
ALREADY_AUTHORIZED = gettext_lazy(
    "Your card is held for this order already. There is nothing to do."
)


@dataclass(frozen=True, slots=True)
class CartOutcome:
    cart: Cart
    state: CartStatus
    lines: list[CartItemOutcome]


@dataclass(frozen=True, slots=True)
class Retry:
    """What the browser confirms for one line. With `saved_card` the card is known and only the
    bank's question is left; otherwise another card has to be given."""

    client_secret: str
    saved_card: bool


def confirm_cart(*, cart_id: UUID, customer: GuestDetails | None, now: datetime) -> CartOutcome:
    """What the browser asks for once it has confirmed: hold what each line costs, tell how each
    came out. Safe to ask again at any time.

    `customer` is who orders, unless the cart was begun with it. Raises NotFound; Invalid naming the
    fields when nobody is known (nothing counts then, DECISIONS X24); Unavailable when the processor
    cannot be read, which a worker goes on with.
    """
    cart = _cart(cart_id)
    _note_customer(cart, customer)
    try:
        if cart.setup_intent_id:
            _carry_out(authorize_items(cart.pk, now=now), now)
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
        raise Unavailable(str(NO_ANSWER)) from error
    return cart_outcome_of(cart, declined)


def cart_outcome(*, cart_id: UUID, now: datetime) -> CartOutcome:
    """How the cart stands; as far as we have heard, when the processor cannot be read. Raises
    NotFound."""
    cart = _cart(cart_id)
    declined: Collection[str] = ()
    try:
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
    return cart_outcome_of(cart, declined)


def retry_cart_item(*, cart_id: UUID, order_id: UUID, now: datetime) -> Retry:
    """The intent by which the diner holds one line's sum themselves, after a card was declined or
    when its bank wants them.

    Raises NotFound; Conflict when there is nothing to try, or not any more; Unavailable.
    """
    cart = _cart(cart_id)
    line = next((each for each in cart_items_of(cart) if each.pk == order_id), None)
    if line is None:
        raise NotFound(str(NO_CART))
    _check_can_retry(line, now)
    refused = authorizations(cart).filter(pre_order=line).first()
    if cart.setup_intent_id and refused is None:
        raise Conflict(str(CARD_MISSING))
    if refused is not None and refused.state == OperationStatus.PENDING:
        raise Conflict(str(WORKING))
    try:
        return _retry(cart, line, refused, now)
    except GatewayError as error:
        logger.warning("order %s cannot be tried again: %s", line.pk, error)
        raise Unavailable(str(NO_ANSWER)) from error


def abandon_cart(*, cart_id: UUID, now: datetime) -> CartOutcome | None:
    """The diner went back: give the portions up and let nobody give a card for them any more.

    A line that is held, or is being held at this moment, stays; then the answer is how the cart
    stands, otherwise None. Raises NotFound, and Unavailable when the processor cannot be read
    (nothing is given up then).
    """
    cart = _cart(cart_id)
    try:
        _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
        raise Unavailable(str(NO_ANSWER)) from error
    for line in _given_up(cart, now):
        close_cart_item(line, now=now)
    outcome = cart_outcome_of(cart)
    return None if outcome.state is CartStatus.ENDED else outcome


# --- confirming -----------------------------------------------------------------------------------
def _cart(cart_id: UUID) -> Cart:
    cart = Cart.objects.filter(pk=cart_id).first()
    if cart is None:
        raise NotFound(str(NO_CART))
    return cart


def _note_customer(cart: Cart, customer: GuestDetails | None) -> None:
    """Whose the lines still in checkout are; from here on they count."""
    waiting = PreOrder.objects.filter(cart=cart).in_checkout()
    if customer is not None:
        waiting.update(
            customer_name=customer.name,
            customer_email=customer.email,
            customer_phone=customer.phone,
        )
    elif waiting.filter(customer_name="").exists():
        raise Invalid.because(
            [
                FieldError("customer.name", _("Name is required")),
                FieldError("customer.email", _("Valid email is required")),
                FieldError("customer.phone", _("Phone is required")),
            ]
        )


def _carry_out(operations: Sequence[int], now: datetime) -> None:
    """Hold the cards here and now, as far as there is time. What a worker has at this moment is
    waited for a little; it is told of later otherwise."""
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
    """What became of the lines the browser itself confirms; answers the intents whose last card
    was declined."""
    waiting = PreOrder.objects.filter(cart=cart).in_checkout().exclude(payment_intent_id=None)
    declined = set()
    for intent_id in waiting.order_by("pk").values_list("payment_intent_id", flat=True):
        hold = gateway.retrieve_intent(str(intent_id))
        sync_intent(hold, now=now)
        if hold.state is IntentStatus.OPEN and hold.reason:
            declined.add(hold.intent_id)
    return frozenset(declined)


# --- how it stands --------------------------------------------------------------------------------
def cart_outcome_of(cart: Cart, declined: Collection[str] = ()) -> CartOutcome:
    """`declined`: intents whose last card the bank has just refused the browser."""
    refusals = {each.pre_order_id: each for each in authorizations(cart)}
    lines = [
        cart_item_outcome(
            order, refusals.get(order.pk), was_declined=order.payment_intent_id in declined
        )
        for order in cart_items_of(cart)
    ]
    states = {line.state for line in lines}
    if states == {CartItemStatus.HELD}:
        whole = CartStatus.HELD
    elif CartItemStatus.HELD in states:
        whole = CartStatus.PARTLY
    elif states == {CartItemStatus.ENDED}:
        whole = CartStatus.ENDED
    else:
        whole = CartStatus.OPEN
    return CartOutcome(cart, whole, lines)


# --- trying one line again ------------------------------------------------------------------------
def _check_can_retry(line: PreOrder, now: datetime) -> None:
    if line.payment_status not in CHECKOUT_PAYMENTS and line.status != PreOrderStatus.CANCELLED:
        raise Conflict(str(ALREADY_AUTHORIZED))
    if not can_be_authorized(line, now):
        if not line.customer_name:
            raise Conflict(str(CARD_MISSING))
        raise Conflict(OFFER_CLOSED)


def _retry(cart: Cart, line: PreOrder, refused: PaymentOperation | None, now: datetime) -> Retry:
    intent_id = line.payment_intent_id
    if intent_id:
        hold = gateway.retrieve_intent(intent_id)
        if hold.state is IntentStatus.NEEDS_ACTION:
            return Retry(gateway.client_secret(intent_id), saved_card=True)
        if hold.state is IntentStatus.OPEN:
            return _reopened(cart, intent_id, refused)
        apply_payment_intent(intent_id, now=now)
        if hold.state is not IntentStatus.DEAD:
            raise Conflict(str(ALREADY_AUTHORIZED))
        raise Conflict(OFFER_CLOSED)
    # It was refused without an intent; the browser gets one of its own.
    intent = gateway.create_intent(
        charge_of(line), customer_id=cart.payment_customer_id, key=f"cart-intent:{line.pk}"
    )
    return Retry(_kept(line, intent).client_secret, saved_card=False)


def _reopened(cart: Cart, intent_id: str, refused: PaymentOperation | None) -> Retry:
    """One that the bank only wants its diner for keeps the saved card."""
    asks = refused is not None and refused.reason == AUTHENTICATION_REQUIRED
    if asks:
        with suppress(Refused):  # the diner has taken the card back meanwhile
            saved = cart.payment_method_id
            intent = gateway.reopen_intent(intent_id, payment_method_id=saved)
            return Retry(intent.client_secret, saved_card=True)
    return Retry(gateway.reopen_intent(intent_id).client_secret, saved_card=False)


def _kept(line: PreOrder, intent: BrowserIntent) -> BrowserIntent:
    waiting = PreOrder.objects.filter(pk=line.pk, payment_intent_id=None).in_checkout()
    if not waiting.update(payment_intent_id=intent.intent_id):
        raise Conflict(OFFER_CLOSED)
    return intent


# --- turning back ---------------------------------------------------------------------------------
def _given_up(cart: Cart, now: datetime) -> list[PreOrder]:
    """Give up the lines that nobody holds a card for at this moment; answers them."""
    given_up = []
    with transaction.atomic():
        lines = lock_cart_items(cart.pk)
        being_held = set(
            authorizations(cart)
            .filter(state=OperationStatus.PENDING)
            .values_list("pre_order_id", flat=True)
        )
        for line in lines:
            if line.pk not in being_held and give_up(line.pk, now=now, reason=ABANDONED):
                line.cart = cart
                given_up.append(line)
        # Who turned back knows.
        OrderEmail.objects.filter(
            pre_order__in=given_up, kind=EmailKind.DECLINED, sent_at=None
        ).update(dropped_at=now)
    return given_up
