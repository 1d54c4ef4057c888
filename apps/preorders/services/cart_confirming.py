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
from apps.billing.gateway import BrowserIntent, GatewayError, HoldState, Refused
from apps.common.errors import Conflict, FieldError, Invalid, NotFound, Unavailable
from apps.preorders import handoff, settlement
from apps.preorders.line_standing import ASKS_FOR_DINER, LineOutcome, can_be_held, line_outcome
from apps.preorders.locks import lock_lines
from apps.preorders.models import Cart, OrderMail, PaymentOperation, PreOrder
from apps.preorders.services.cart import lines_of
from apps.preorders.services.cart_lines import ABANDONED, authorizations, close_line, take_up
from apps.preorders.services.checkout import OFFER_CLOSED, Customer, charge_of, give_up
from apps.preorders.services.payments import CHECKOUT_STATUSES, apply_payment_intent, record_hold
from apps.preorders.states import (
    CartState,
    LineState,
    MailKind,
    OperationState,
    PreOrderStatus,
)

logger = logging.getLogger(__name__)

# Seconds after which a confirmation leaves the lines that remain to a worker: people wait for it.
LONG_ENOUGH = 8
# How long a confirmation waits for a worker that holds the cards already, in seconds.
WITH_A_WORKER = (0.2, 0.4, 0.8, 1.2)

NO_CART = gettext_lazy("We could not find this checkout. It may have ended.")
NO_ANSWER = gettext_lazy(
    "We could not reach the card processor. Nothing is lost: try again in a moment."
)
WORKING = gettext_lazy("Your bank is being asked at this moment. Try again in a moment.")
NO_CARD_YET = gettext_lazy("Give a card for your cart first.")
HELD_ALREADY = gettext_lazy("Your card is held for this order already. There is nothing to do.")


@dataclass(frozen=True, slots=True)
class CartOutcome:
    cart: Cart
    state: CartState
    lines: list[LineOutcome]


@dataclass(frozen=True, slots=True)
class Retry:
    """What the browser confirms for one line. With `saved_card` the card is known and only the
    bank's question is left; otherwise another card has to be given."""

    client_secret: str
    saved_card: bool


def confirm_cart(*, cart_id: UUID, customer: Customer | None, now: datetime) -> CartOutcome:
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
            _carry_out(take_up(cart.pk, now=now), now)
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
        raise Unavailable(str(NO_ANSWER)) from error
    return outcome_of(cart, declined)


def cart_outcome(*, cart_id: UUID, now: datetime) -> CartOutcome:
    """How the cart stands; as far as we have heard, when the processor cannot be read. Raises
    NotFound."""
    cart = _cart(cart_id)
    declined: Collection[str] = ()
    try:
        declined = _hear_of_intents(cart, now)
    except GatewayError as error:
        logger.warning("%s cannot be read: %s", cart, error)
    return outcome_of(cart, declined)


def retry_line(*, cart_id: UUID, order_id: UUID, now: datetime) -> Retry:
    """The intent by which the diner holds one line's sum themselves, after a card was declined or
    when its bank wants them.

    Raises NotFound; Conflict when there is nothing to try, or not any more; Unavailable.
    """
    cart = _cart(cart_id)
    line = next((each for each in lines_of(cart) if each.pk == order_id), None)
    if line is None:
        raise NotFound(str(NO_CART))
    _check_can_retry(line, now)
    refused = authorizations(cart).filter(pre_order=line).first()
    if cart.setup_intent_id and refused is None:
        raise Conflict(str(NO_CARD_YET))
    if refused is not None and refused.state == OperationState.PENDING:
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
        close_line(line, now=now)
    outcome = outcome_of(cart)
    return None if outcome.state is CartState.ENDED else outcome


# --- confirming -----------------------------------------------------------------------------------
def _cart(cart_id: UUID) -> Cart:
    cart = Cart.objects.filter(pk=cart_id).first()
    if cart is None:
        raise NotFound(str(NO_CART))
    return cart


def _note_customer(cart: Cart, customer: Customer | None) -> None:
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
        if monotonic() - begun > LONG_ENOUGH:
            handoff.run_operations(operations[position:])
            break
        settlement.run_operation(operation_id, now=now)
    for pause in WITH_A_WORKER:
        pending = PaymentOperation.objects.filter(
            pk__in=operations, state=OperationState.PENDING, error=""
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
        hold = gateway.retrieve_hold(str(intent_id))
        record_hold(hold, now=now)
        if hold.state is HoldState.OPEN and hold.reason:
            declined.add(hold.intent_id)
    return frozenset(declined)


# --- how it stands --------------------------------------------------------------------------------
def outcome_of(cart: Cart, declined: Collection[str] = ()) -> CartOutcome:
    """`declined`: intents whose last card the bank has just refused the browser."""
    refusals = {each.pre_order_id: each for each in authorizations(cart)}
    lines = [
        line_outcome(
            order, refusals.get(order.pk), was_declined=order.payment_intent_id in declined
        )
        for order in lines_of(cart)
    ]
    states = {line.state for line in lines}
    if states == {LineState.HELD}:
        whole = CartState.HELD
    elif LineState.HELD in states:
        whole = CartState.PARTLY
    elif states == {LineState.ENDED}:
        whole = CartState.ENDED
    else:
        whole = CartState.OPEN
    return CartOutcome(cart, whole, lines)


# --- trying one line again ------------------------------------------------------------------------
def _check_can_retry(line: PreOrder, now: datetime) -> None:
    if line.payment_status not in CHECKOUT_STATUSES and line.status != PreOrderStatus.CANCELLED:
        raise Conflict(str(HELD_ALREADY))
    if not can_be_held(line, now):
        if not line.customer_name:
            raise Conflict(str(NO_CARD_YET))
        raise Conflict(OFFER_CLOSED)


def _retry(cart: Cart, line: PreOrder, refused: PaymentOperation | None, now: datetime) -> Retry:
    intent_id = line.payment_intent_id
    if intent_id:
        hold = gateway.retrieve_hold(intent_id)
        if hold.state is HoldState.NEEDS_ACTION:
            return Retry(gateway.client_secret(intent_id), saved_card=True)
        if hold.state is HoldState.OPEN:
            return _reopened(cart, intent_id, refused)
        apply_payment_intent(intent_id, now=now)
        if hold.state is not HoldState.DEAD:
            raise Conflict(str(HELD_ALREADY))
        raise Conflict(OFFER_CLOSED)
    # It was refused without an intent; the browser gets one of its own.
    intent = gateway.create_intent(
        charge_of(line), customer_id=cart.payment_customer_id, key=f"cart-intent:{line.pk}"
    )
    return Retry(_kept(line, intent).client_secret, saved_card=False)


def _reopened(cart: Cart, intent_id: str, refused: PaymentOperation | None) -> Retry:
    """One that the bank only wants its diner for keeps the saved card."""
    asks = refused is not None and refused.reason == ASKS_FOR_DINER
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
        lines = lock_lines(cart.pk)
        being_held = set(
            authorizations(cart)
            .filter(state=OperationState.PENDING)
            .values_list("pre_order_id", flat=True)
        )
        for line in lines:
            if line.pk not in being_held and give_up(line.pk, now=now, reason=ABANDONED):
                line.cart = cart
                given_up.append(line)
        # Who turned back knows.
        OrderMail.objects.filter(
            pre_order__in=given_up, kind=MailKind.DECLINED, sent_at=None
        ).update(dropped_at=now)
    return given_up
