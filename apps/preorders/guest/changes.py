"""What a diner changes about an order before its deadline, on the order's own page (decision 26).

Every change is made under the offer's lock, so the deadline's closing sees it whole or not at all.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CheckoutState, GatewayError
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.offers.pickup_slots import choose_slot
from apps.offers.states import UNDECIDED, OfferStatus
from apps.preorders.checkout.services import check_portions
from apps.preorders.core.cart_items import can_be_authorized
from apps.preorders.core.links import cart_return_url
from apps.preorders.core.locks import lock_order
from apps.preorders.core.people import with_actor
from apps.preorders.core.portions import recount
from apps.preorders.core.pricing import price_of_portions
from apps.preorders.core.quantities import GUEST, authorized_amount, set_quantity
from apps.preorders.documents.pickup import slot_label
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.expiry import EXPIRY_MARGIN
from apps.preorders.settlement.payments import GRACE
from apps.preorders.settlement.worker import run_operation

logger = logging.getLogger(__name__)

DEADLINE_PASSED = gettext_lazy(
    "The deadline has passed, so this order can no longer be changed here."
)
CARD_CHARGED = gettext_lazy(
    "Your card was charged already, so the portions can no longer be changed here. "
    "Ask the restaurant."
)
NO_CARD_YET = gettext_lazy(
    "Your card is not held yet. Finish the checkout first, or cancel this order and order again."
)
HAS_ENDED = gettext_lazy("This order has ended, so there is nothing to change.")
IS_SETTLED = gettext_lazy(
    "This order is being settled at this moment, so it can no longer be changed."
)
RENEWING = gettext_lazy(
    "The hold on your card is being renewed. Finish that first, then change the portions."
)
ONE_MOMENT = gettext_lazy("Your last change is still being finished. Try again in a moment.")
NEW_PRICE = gettext_lazy(
    "The price of this special has changed since you ordered. "
    "Keep this order as it is and order the other portions anew."
)
NOT_EXPIRING = gettext_lazy(
    "Your bank's hold lasts until the special is decided. There is nothing to renew."
)


# A hold on the saved card ends sooner than one the diner confirms, some after less than five days.
UNREQUESTED_AUTHORIZATION = timedelta(days=4, hours=12)


# --- what may be changed --------------------------------------------------------------------------
def why_fixed(order: PreOrder, *, now: datetime) -> str:
    """Why nothing about the order can be changed any more; nothing while it can."""
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
    """Why what the card is held for cannot be changed; nothing while it can."""
    if fixed := why_fixed(order, now=now):
        return fixed
    if order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.CAPTURE_FAILED):
        return str(CARD_CHARGED)
    if order.payment_status != PaymentStatus.AUTHORIZED:
        return str(NO_CARD_YET)
    settling = PaymentOperation.objects.filter(pre_order=order, kind__in=SETTLEMENT_KINDS)
    return str(IS_SETTLED) if settling.exists() else ""


def ends_too_early(order: PreOrder) -> bool:
    """Whether the hold ends before its offer can be settled (DECISIONS X12)."""
    return (
        order.payment_status == PaymentStatus.AUTHORIZED
        and order.offer.status in UNDECIDED
        and order.capture_before is not None
        and order.capture_before < order.offer.deadline + GRACE + EXPIRY_MARGIN
    )


# --- portions -------------------------------------------------------------------------------------
def change_quantity(*, order: PreOrder, quantity: int, now: datetime) -> PreOrder:
    """The order is to be for `quantity` portions, at the price it was begun with.

    What the present hold covers is done at once; the charge is then a part of it. More than that
    needs a larger hold in its place: the saved card is asked before this returns, and where its
    bank wants the diner, a page to give a card on is opened, which `page_to_finish` names. Until
    the larger hold is in place the order stays as it is and the added portions are reserved.
    Asking twice is the same as asking once.

    Raises Conflict once the deadline has passed or there is no room, Invalid for a number that may
    not be, saying the most that can be had.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if refusal := why_not_the_money(locked, now=now):
            raise Conflict(refusal)
        if quantity < 1:
            message = _("Choose at least 1 portion. To have none, cancel the order.")
            raise Invalid.because([FieldError("quantity", message)])
        waiting = _renewal(locked)
        if waiting is not None and waiting.quantity is None:
            raise Conflict(str(RENEWING))
        operation = waiting if waiting is not None and waiting.quantity == quantity else None
        dropped = waiting if operation is None else None
        if dropped is not None:
            _drop(dropped, now)
        if operation is None and quantity != locked.quantity:
            operation = _begin_change(locked, quantity, now)
        recount(locked.offer)
    if dropped is not None and dropped.reference:
        # A page that cannot be closed ends by itself; a hold placed there is given back.
        with suppress(GatewayError):
            gateway.expire_checkout(dropped.reference)
    if operation is not None:
        run_operation(operation.pk, now=now)
    return PreOrder.objects.get(pk=order.pk)


def _begin_change(order: PreOrder, quantity: int, now: datetime) -> PaymentOperation | None:
    """Change it, or write down that a larger hold is needed first."""
    more = quantity - order.quantity
    if more > 0:
        _check_capacity(order, quantity, more)
    if price_of_portions(order, quantity).total <= authorized_amount(order):
        set_quantity(order, quantity, now=now)
        return None
    return _request_authorization(order, quantity, now)


def _check_capacity(order: PreOrder, quantity: int, more: int) -> None:
    offer = order.offer
    if quantity > offer.max_per_order:
        message = _("You can order up to %(most)d portions at once.") % {
            "most": offer.max_per_order
        }
        raise Invalid.because([FieldError("quantity", message)])
    if Money.of(offer.special_price) != Money.of(order.unit_price):
        raise Conflict(str(NEW_PRICE))
    check_portions(offer, more)
    if order.pickup_slot_id is not None:
        choose_slot(offer, order.pickup_slot_id, portions=more)


# --- the hold -------------------------------------------------------------------------------------
def renew_authorization(*, order: PreOrder, now: datetime) -> PreOrder:
    """Have a hold that ends too early placed anew now, with the diner looking on.

    Where the bank wants them, `page_to_finish` names the page. Raises Conflict when there is
    nothing to renew.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if refusal := why_not_the_money(locked, now=now):
            raise Conflict(refusal)
        if not ends_too_early(locked):
            raise Conflict(str(NOT_EXPIRING))
        operation = _renewal(locked) or _request_authorization(locked, locked.quantity, now)
    run_operation(operation.pk, now=now)
    return PreOrder.objects.get(pk=order.pk)


def _request_authorization(order: PreOrder, quantity: int, now: datetime) -> PaymentOperation:
    """Write down that a hold for so many portions is to take the present one's place.

    Not handed to a worker: the diner waits, so it is carried out by the caller. Should that fail
    half way, the sweep goes on with it.
    """
    if _cleaning_up(order):
        raise Conflict(str(ONE_MOMENT))
    lives = now + UNREQUESTED_AUTHORIZATION > order.offer.deadline + GRACE + EXPIRY_MARGIN
    return PaymentOperation.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=OperationKind.RENEW,
        stage=OperationStage.HOLD if lives else OperationStage.PAY_LINK,
        quantity=quantity,
        reason=with_actor(GUEST),
        due_at=now,
        created_at=now,
    )


def page_to_finish(order: PreOrder, *, now: datetime) -> str:
    """Where the diner gives a card for what waits for one: the checkout, a larger or a new hold,
    a charge that was declined. Nothing when nothing waits, it is too late, or the page has ended.

    Asks the processor where the address is not known. Raises GatewayError when it does not answer.
    """
    if PreOrder.objects.in_checkout().filter(pk=order.pk).exists():
        if not order.cart_id:
            return order.checkout_url
        return cart_return_url(order) if can_be_authorized(order, now) else ""
    waiting = awaits_card(order)
    if waiting is None or not waiting.reference:
        return ""
    return gateway.retrieve_checkout(waiting.reference).url


def awaits_card(order: PreOrder) -> PaymentOperation | None:
    """What of the order's money can only go on when its diner gives a card."""
    return PaymentOperation.objects.filter(
        pre_order=order,
        state=OperationStatus.PENDING,
        stage=OperationStage.PAY_LINK,
    ).first()


def card_entered_for(waiting: PaymentOperation) -> str:
    """The intent that came of the page the operation waits for; nothing until a card was given.

    Raises GatewayError when the processor does not answer.
    """
    checkout = gateway.retrieve_checkout(waiting.reference)
    return checkout.intent_id or "" if checkout.state is CheckoutState.COMPLETE else ""


def _renewal(order: PreOrder) -> PaymentOperation | None:
    """A new hold that is asked for and not in place."""
    renewals = PaymentOperation.objects.filter(
        pre_order=order, kind=OperationKind.RENEW, state=OperationStatus.PENDING
    )
    return renewals.exclude(stage=OperationStage.CLEAN_UP).first()


def _cleaning_up(order: PreOrder) -> bool:
    """The hold before the present one is still being given back."""
    return PaymentOperation.objects.filter(
        pre_order=order,
        kind=OperationKind.RENEW,
        state=OperationStatus.PENDING,
        stage=OperationStage.CLEAN_UP,
    ).exists()


def _drop(operation: PaymentOperation, now: datetime) -> None:
    PaymentOperation.objects.filter(pk=operation.pk).update(
        state=OperationStatus.FAILED, finished_at=now, error="another number was asked for"
    )


# --- what costs nothing ---------------------------------------------------------------------------
@transaction.atomic
def change_note(*, order: PreOrder, note: str, now: datetime) -> PreOrder:
    """The diner's word to the kitchen. Raises Conflict once it is too late."""
    locked = _changeable(order, now)
    if note != locked.note:
        _keep(locked, "note", "", "changed", now, note=note)
    return locked


@transaction.atomic
def change_slot(*, order: PreOrder, slot_id: int | None, now: datetime) -> PreOrder:
    """Another pick-up time. Raises Invalid for one that is not the offer's, Conflict for a full one
    or once it is too late."""
    locked = _changeable(order, now)
    if slot_id == locked.pickup_slot_id:
        return locked
    chosen = choose_slot(locked.offer, slot_id, portions=locked.quantity)
    before = slot_label(locked)
    locked.pickup_slot = chosen
    _keep(locked, "slot", before, slot_label(locked), now, pickup_slot=chosen)
    return locked


@transaction.atomic
def choose_alternative(*, order: PreOrder, wanted: bool, now: datetime) -> PreOrder:
    """Whether the alternative will do should the minimum be missed; its price of today is what is
    agreed (DECISIONS X18). Raises Conflict once it is too late or when there is none."""
    locked = lock_order(order.pk)
    if refusal := why_not_the_money(locked, now=now):
        raise Conflict(refusal)
    dish = locked.offer.alternative_dish if locked.offer.has_alternative else None
    if dish is None:
        raise Conflict(_("This special has no alternative."))
    if wanted != (locked.alternative_price is not None):
        price = dish.price if wanted else None
        words = ("release", "serve") if wanted else ("serve", "release")
        _keep(locked, "alternative", *words, now, alternative_price=price)
    return locked


def _changeable(order: PreOrder, now: datetime) -> PreOrder:
    locked = lock_order(order.pk)
    if refusal := why_fixed(locked, now=now):
        raise Conflict(refusal)
    return locked


def _keep(
    order: PreOrder, field: str, old: str, new: str, now: datetime, **columns: object
) -> None:
    """Write the columns, and a line for the restaurant to read."""
    PreOrder.objects.filter(pk=order.pk).update(**columns)
    for name, value in columns.items():
        setattr(order, name, value)
    order.transitions.create(
        restaurant_id=order.restaurant_id,
        field=field,
        old=old[:20],
        new=new[:20],
        reason=with_actor(GUEST),
        at=now,
    )
