"""What the steps of every PaymentOperation share: its keys, its lease, its end."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentSnapshot, IntentStatus
from apps.common.money import Money
from apps.preorders.core.quantities import covers
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus

NO_CHANGE = Money(0)
LINK_GRACE = timedelta(seconds=30)  # from a pay page's end until it is asked what came of it


def key_of(operation: PaymentOperation, act: str) -> str:
    """The idempotency key of one act; another epoch has another."""
    return f"{operation.key}:{act}:{operation.epoch}"


def claimed_by(operation: PaymentOperation) -> QuerySet[PaymentOperation]:
    """The row, as long as it is as this worker claimed it: nobody finished it, took it over after
    the lease, or moved it to another stage."""
    return PaymentOperation.objects.filter(
        pk=operation.pk,
        state=OperationStatus.PENDING,
        stage=operation.stage,
        attempts=operation.attempts,
    )


def pending_pay_link(order: PreOrder, kind: OperationKind) -> PaymentOperation | None:
    """What the order's diner was written to about: a charge that was declined, or a hold to be
    renewed, which only goes on when they give a card."""
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
    """Until when the page can be used that the operation waits for."""
    return operation.due_at - LINK_GRACE


def finish(operation: PaymentOperation, state: OperationStatus, now: datetime, why: str) -> None:
    claimed_by(operation).update(state=state, finished_at=now, error=why[:255])


def live_intent_besides(
    order: PreOrder, state: IntentStatus, *, at_least: Money = NO_CHANGE
) -> IntentSnapshot | None:
    """A charge or hold of this order that an earlier try made and could not tell us of."""
    customer_id = order.payment_customer_id
    if not customer_id:
        return None
    return live_intent(order, state, customer_id=customer_id, at_least=at_least)


def live_intent(
    order: PreOrder, state: IntentStatus, *, customer_id: str, at_least: Money = NO_CHANGE
) -> IntentSnapshot | None:
    """The same among the intents of a customer; the order's own intent is not meant."""
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
