"""Helpers for the steps of a payment operation: idempotency keys, the lease, finishing."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.db.models import QuerySet

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentSnapshot, IntentStatus, Refused
from apps.common.money import Money
from apps.preorders.core.quantities import covers
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus

ZERO = Money(0)
PAY_LINK_TTL = timedelta(hours=24) - timedelta(minutes=1)  # Stripe's maximum for a session
# Refusals of a refund or of a second charge that may pass, such as for an insufficient balance or a
# restricted account, are waited out for this long.
PATIENCE = timedelta(hours=6)
LINK_GRACE = timedelta(seconds=30)  # how long after its expiry a checkout page is read


class TooManyDeclines(Refused):
    """A declined capture whose authorization is not voided yet, because the special pauses."""


def key_of(operation: PaymentOperation, step: str) -> str:
    """The idempotency key of one call; each epoch has its own."""
    return f"{operation.key}:{step}:{operation.epoch}"


def one_time_key(step: str) -> str:
    """An idempotency key for a call that is made after reading the intent and has no row.

    Stripe stores a 500 too and replays it for at least a day, so a constant key would never get
    through: https://docs.stripe.com/api/idempotent_requests. Only for calls that Stripe refuses
    the second time: a cancellation, or a refund of all that is left.
    """
    return f"{step}:{uuid4()}"


def claimed_by(operation: PaymentOperation) -> QuerySet[PaymentOperation]:
    """The row, if this worker still holds it: it isn't finished, wasn't claimed by another worker
    after the lease, and is in the same stage."""
    return PaymentOperation.objects.filter(
        pk=operation.pk,
        state=OperationStatus.PENDING,
        stage=operation.stage,
        attempts=operation.attempts,
    )


def pending_pay_link(order: PreOrder, kind: OperationKind) -> PaymentOperation | None:
    """The operation that waits for the guest to use an emailed link, after a declined charge or
    for a renewed hold; None if there is none."""
    return (
        order.operations.filter(
            kind=kind,
            state=OperationStatus.PENDING,
            stage=OperationStage.PAY_LINK,
            quantity=None,
        )
        .exclude(reference="")
        .first()
    )


def link_ends(operation: PaymentOperation) -> datetime:
    """When the checkout page expires that the operation is waiting for."""
    return operation.due_at - LINK_GRACE


def finish(operation: PaymentOperation, state: OperationStatus, now: datetime, why: str) -> None:
    """Finish the operation if this worker still holds it; `why` is stored as its error."""
    claimed_by(operation).update(state=state, finished_at=now, error=why[:255])


def live_intent_besides(
    order: PreOrder, state: IntentStatus, *, at_least: Money = ZERO
) -> IntentSnapshot | None:
    """A charge or hold of this order that an earlier attempt made without our knowing."""
    customer_id = order.payment_customer_id
    if not customer_id:
        return None
    return live_intent(order, state, customer_id=customer_id, at_least=at_least)


def live_intent(
    order: PreOrder, state: IntentStatus, *, customer_id: str, at_least: Money = ZERO
) -> IntentSnapshot | None:
    """Like `live_intent_besides`, for a given customer; never the order's own intent."""
    for hold in gateway.intents_of_customer(customer_id):
        if (
            hold.intent_id != order.payment_intent_id
            and hold.pre_order_id == str(order.pk)
            and hold.state is state
            and covers(hold, order, at_least)
            and not hold.refunded.cents
        ):
            return hold
    return None
