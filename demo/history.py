"""How the demo's past offers ended: decided and settled by the product's services, backdated."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F

from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.core.locks import lock_order
from apps.preorders.core.transitions import request_refund, set_order_status
from apps.preorders.guest.rating import can_rate, rate_order
from apps.preorders.models import Email, PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationStatus, PaymentStatus, PreOrderStatus
from apps.preorders.settlement import deadline as settlement_deadline
from apps.preorders.settlement import worker
from demo import processor
from demo.plan import PlannedOffer

DECIDED_AFTER = timedelta(seconds=3)
SETTLED_AFTER = timedelta(seconds=5)
REFUNDED_AFTER = timedelta(hours=20)
RATED_AFTER = timedelta(hours=16)
DINNER = time(20, 0)
PICKED_UP_AFTER = timedelta(minutes=40)


def decide(offer: SpecialOffer, *, deadline: datetime) -> None:
    """Set the offer's real deadline and decide it in one transaction.

    A worker that runs meanwhile sees the offer either open or decided.
    """
    with transaction.atomic():
        SpecialOffer.objects.filter(pk=offer.pk).update(deadline=deadline)
        settlement_deadline.close_offer(offer.pk, now=deadline + DECIDED_AFTER)


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
    begins = plan.served[0] if plan.served else DINNER
    came_at = datetime.combine(offer.serve_date, begins, zone) + PICKED_UP_AFTER
    if plan.picked_up and came_at < now:
        for index, order in enumerate(orders):
            _mark_picked_up(order, came=index != plan.no_show, at=came_at)
        for order, answer in zip(orders, plan.liked, strict=False):
            _rate(order, answer, now=came_at + RATED_AFTER)
    _mark_emails_sent(offer)


def _run_operations(offer: SpecialOffer, *, now: datetime) -> None:
    pending = PaymentOperation.objects.filter(pre_order__offer=offer, state=OperationStatus.PENDING)
    for operation_id in pending.order_by("pk").values_list("pk", flat=True):
        worker.run_operation(operation_id, now=now)


def _let_fail(order: PreOrder) -> None:
    """Make the charge of this order's card fail."""
    if order.payment_status == PaymentStatus.AUTHORIZED and order.payment_intent_id:
        processor.decline_capture(order.payment_intent_id)


def _refund(order: PreOrder, *, now: datetime, part: Money | None = None) -> None:
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.payment_status != PaymentStatus.CAPTURED:
            return
        operation = request_refund(locked, up_to=part, now=now)
    if operation:
        worker.run_operation(operation.pk, now=now)


def _mark_picked_up(order: PreOrder, *, came: bool, at: datetime) -> None:
    with transaction.atomic():
        locked = lock_order(order.pk)
        if locked.status == PreOrderStatus.CONFIRMED:
            new = PreOrderStatus.FULFILLED if came else PreOrderStatus.NO_SHOW
            set_order_status(locked, new, now=at)


def _rate(order: PreOrder, answer: bool | None, *, now: datetime) -> None:
    order.refresh_from_db()
    if answer is not None and order.rated_at is None and can_rate(order, now=now):
        rate_order(order=order, would_order_again=answer, now=now)


def date_first_order_notices(offer: SpecialOffer) -> None:
    """Owners heard of it when it came in, and not with all the orders since."""
    notices = Email.objects.filter(offer=offer, kind=EmailKind.FIRST_ORDER, sent_at=None)
    notices.update(sent_at=F("due_at"))


def _mark_emails_sent(offer: SpecialOffer) -> None:
    """Emails of the past are not sent today, except payment links, which still work."""
    past = Email.objects.filter(pre_order__offer=offer, sent_at=None)
    for email in past.exclude(kind=EmailKind.PAYMENT_NEEDED):
        Email.objects.filter(pk=email.pk).update(sent_at=email.due_at)
    Email.objects.filter(offer=offer, sent_at=None).update(sent_at=F("due_at"))
