"""How the demo's past offers ended: decided and settled by the product's services, backdated."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F

from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders import settlement
from apps.preorders.locks import lock_order
from apps.preorders.models import OfferLetter, OrderMail, PaymentOperation, PreOrder
from apps.preorders.services import closing
from apps.preorders.services.moves import move_order, order_refund
from apps.preorders.states import (
    MailKind,
    OperationState,
    PaymentStatus,
    PreOrderStatus,
)
from demo import processor
from demo.plan import PlannedOffer

DECIDED_AFTER = timedelta(seconds=3)
SETTLED_AFTER = timedelta(seconds=5)
REFUNDED_AFTER = timedelta(hours=20)
DINNER = time(20, 0)


def decide(offer: SpecialOffer, *, deadline: datetime) -> None:
    """Set the offer's real deadline and decide it in one transaction.

    A worker that runs meanwhile sees the offer either open or decided.
    """
    with transaction.atomic():
        SpecialOffer.objects.filter(pk=offer.pk).update(deadline=deadline)
        closing.close_offer(offer.pk, now=deadline + DECIDED_AFTER)


def settle(
    offer: SpecialOffer,
    plan: PlannedOffer,
    *,
    deadline: datetime,
    zone: ZoneInfo,
    now: datetime,
) -> None:
    """Run the operations the decision created, then what happened after it."""
    orders = list(PreOrder.objects.filter(offer=offer).order_by("created_at"))
    if plan.unpaid is not None:
        _let_fail(orders[plan.unpaid])
    _run_operations(offer, now=deadline + SETTLED_AFTER)
    if plan.refunded is not None:
        _refund(orders[plan.refunded], now=deadline + REFUNDED_AFTER)
    if plan.part_refunded is not None:
        index, dollars = plan.part_refunded
        _refund(orders[index], now=deadline + REFUNDED_AFTER, part=Money.of(dollars))
    offer.refresh_from_db()
    dinner = datetime.combine(offer.serve_date, DINNER, zone)
    if plan.handed_out and dinner < now:
        for index, order in enumerate(orders):
            _hand_out(order, came=index != plan.no_show, at=dinner)
    _note_letters_as_sent(offer)


def _run_operations(offer: SpecialOffer, *, now: datetime) -> None:
    pending = PaymentOperation.objects.filter(pre_order__offer=offer, state=OperationState.PENDING)
    for operation_id in pending.order_by("pk").values_list("pk", flat=True):
        settlement.run_operation(operation_id, now=now)


def _let_fail(order: PreOrder) -> None:
    """Make the charge of this order's card fail."""
    if order.payment_status == PaymentStatus.AUTHORIZED and order.payment_intent_id:
        processor.decline_capture(order.payment_intent_id)


def _refund(order: PreOrder, *, now: datetime, part: Money | None = None) -> None:
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.payment_status != PaymentStatus.CAPTURED:
            return
        operation = order_refund(locked, up_to=part, now=now)
    if operation:
        settlement.run_operation(operation.pk, now=now)


def _hand_out(order: PreOrder, *, came: bool, at: datetime) -> None:
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.status == PreOrderStatus.CONFIRMED:
            new = PreOrderStatus.FULFILLED if came else PreOrderStatus.NO_SHOW
            move_order(locked, new, now=at)


def _note_letters_as_sent(offer: SpecialOffer) -> None:
    """Emails of the past are not sent today, except payment links, which still work."""
    past = OrderMail.objects.filter(pre_order__offer=offer, sent_at=None)
    for letter in past.exclude(kind=MailKind.PAYMENT_NEEDED):
        OrderMail.objects.filter(pk=letter.pk).update(sent_at=letter.due_at)
    OfferLetter.objects.filter(offer=offer, sent_at=None).update(sent_at=F("due_at"))
