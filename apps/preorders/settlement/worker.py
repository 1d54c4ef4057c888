"""Executes payment operations: one call to Stripe at a time, safe to repeat (design §3).

A worker claims the row with a lease and holds no lock and no transaction while it talks to Stripe.
It reads the intent before it acts, uses an idempotency key derived from the row, and passes the
result to `sync_intent`, which also finishes the row. So a worker can die between any two lines: the
next one finds the row after the lease and reads the intent again.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    CardUnusable,
    CheckoutState,
    Declined,
    IntentStatus,
    Refused,
    ServerError,
    Unreachable,
)
from apps.billing.models import Discrepancy
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.states import DECIDED
from apps.preorders.checkout.services import (
    CHECKOUT_LIFE,
    card_note,
    charge_note,
    charge_of,
    checkout_request,
)
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.links import order_url
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import with_requested_quantity
from apps.preorders.core.transitions import set_payment_status
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    ReasonCode,
)
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.authorization import authorize
from apps.preorders.settlement.batch_capture import record_or_batch
from apps.preorders.settlement.capture import is_cancelled_after_failure, ledger_ref
from apps.preorders.settlement.operations import (
    LINK_GRACE,
    claimed_by,
    finish,
    key_of,
    live_intent_besides,
)
from apps.preorders.settlement.payments import apply_payment_intent, end_released, sync_intent

logger = logging.getLogger(__name__)

# How long a worker owns an operation; its calls together take less.
LEASE = timedelta(seconds=90)
# The sweep assumes an operation's message is lost after this time. A thousand operations of one
# offer are in the queue for several seconds.
QUEUE_GRACE = timedelta(seconds=15)
PAY_LINK_TTL = timedelta(hours=24) - timedelta(minutes=1)  # Stripe's maximum for a session
MAX_RETRY_DELAY = timedelta(minutes=15)
ALARM_AFTER_ATTEMPTS = 8  # about eight minutes

# A refused capture says that the authorization is over. Any other refusal that is not the card's is
# about the account, its permissions or the request, and passes: https://docs.stripe.com/error-codes
AUTHORIZATION_IS_OVER = frozenset({"charge_expired_for_capture"})
# A refund that is refused with one of these never succeeds by waiting; a dispute that is won pays
# nobody back, so a refund must not follow it by itself: https://docs.stripe.com/error-codes
REFUSED_FOR_GOOD = frozenset(
    {"charge_already_refunded", "charge_disputed", "charge_not_refundable", "resource_missing"}
)
# Other refusals of a refund or of a second charge, such as for an insufficient balance or a
# restricted account, are waited out for so long.
PATIENCE = timedelta(hours=6)
# Stripe changed the object since we read it; the next attempt reads it again. No person is needed.
CHANGED_SINCE_READ = frozenset({"payment_intent_unexpected_state"})

# A declined capture voids its authorization. When this many captures of one offer were declined,
# and they are the larger part, the cause is hardly the cards: the rest waits …
PAUSE_AFTER_DECLINES = 5
# … for so long, so that a person can look before more authorizations are lost.
PAUSE = timedelta(hours=4)


def due_operations(*, now: datetime, limit: int = 500) -> list[int]:
    """Operations whose message was lost, whose worker died, or whose retry is due."""
    never_begun = Q(attempts=0, due_at__lte=now - QUEUE_GRACE)
    to_go_on = Q(attempts__gt=0, due_at__lte=now)
    return list(
        PaymentOperation.objects.filter(never_begun | to_go_on, state=OperationStatus.PENDING)
        .order_by("due_at")
        .values_list("pk", flat=True)[:limit]
    )


def read_operations(operation_ids: Sequence[int]) -> dict[int, PaymentOperation]:
    """Load a message's operations at once, by key, for `run_operation`.

    Only those of decided offers: their orders no longer change, so it's safe to read them early.
    """
    found = _with_order().filter(pk__in=operation_ids, pre_order__offer__status__in=DECIDED)
    return {operation.pk: operation for operation in found}


def run_operation(
    operation_id: int, *, now: datetime, read: PaymentOperation | None = None
) -> bool:
    """Execute the operation as far as possible now.

    `read`: an already loaded row, to save a query. Returns False if the operation is finished, not
    due, or claimed by another worker. Failures of Stripe are stored on the row and retried later;
    only a definite refusal changes the order.
    """
    operation = _claim(read or _with_order().get(pk=operation_id), now)
    if operation is None:
        return False
    try:
        _STEPS[OperationKind(operation.kind), OperationStage(operation.stage)](operation, now)
    except Unreachable as error:
        # The outcome is unknown: read the intent and retry with the same key.
        _alarm_failing(operation, "doesn't answer", now)
        _try_later(operation, now, error)
    except ServerError as error:
        # Stripe replays this failure for the key, so the retry needs a new one.
        _alarm_failing(operation, "answers with errors", now)
        _try_later(operation, now, error, new_key=True)
    except _Paused as error:
        description = f"Captures paused: too many of the offer are declined ({error.code})"
        raise_alarm(operation.pre_order, Discrepancy.Kind.PAUSED, description, now=now)
        _try_later(operation, now, error, new_key=True)
    except Refused as error:
        # The intent changed after we read it, or the refusal passes: read it again.
        if error.code not in CHANGED_SINCE_READ:
            _alarm_refused(operation, error, now)
        _try_later(operation, now, error, new_key=True)
    return True


class _Paused(Refused):
    """A declined capture whose authorization is not voided yet."""


def _alarm_refused(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    # Without Stripe's message, which names each request: the alarm is raised once. The log has it.
    description = f"Stripe refuses the {operation.kind}: {error.code}"
    raise_alarm(operation.pre_order, Discrepancy.Kind.REFUSED, description, now=now)


def _alarm_failing(operation: PaymentOperation, how: str, now: datetime) -> None:
    """Raise an alarm for an operation that fails for minutes: an outage, our key or its rights."""
    if operation.attempts >= ALARM_AFTER_ATTEMPTS:
        description = f"The {operation.kind} is delayed: Stripe {how}"
        raise_alarm(operation.pre_order, Discrepancy.Kind.REFUSED, description, now=now)


def _with_order() -> QuerySet[PaymentOperation]:
    # Filter by primary key only. With state and due_at in the condition, PostgreSQL scans all due
    # rows when a thousand were just inserted and its statistics are out of date.
    return PaymentOperation.objects.select_related("pre_order__offer__restaurant__connect_account")


def _claim(operation: PaymentOperation, now: datetime) -> PaymentOperation | None:
    """Take the lease if the row is unchanged since it was read; None if another worker has it.

    A conditional update decides between workers, so nobody waits for a lock.
    """
    if operation.state != OperationStatus.PENDING or operation.due_at > now:
        return None
    as_read = claimed_by(operation).filter(due_at=operation.due_at, epoch=operation.epoch)
    operation.attempts += 1
    operation.due_at = now + LEASE
    claimed = as_read.update(attempts=operation.attempts, due_at=operation.due_at)
    return operation if claimed else None


def _try_later(
    operation: PaymentOperation, now: datetime, error: Exception, *, new_key: bool = False
) -> None:
    logger.warning("%s: %s", operation, error)
    wait = min(MAX_RETRY_DELAY, timedelta(seconds=2 ** min(operation.attempts, 12)))
    code = error.code if isinstance(error, Refused) else ""
    claimed_by(operation).update(
        due_at=now + wait,
        error=(code or str(error))[:255],
        epoch=F("epoch") + 1 if new_key else F("epoch"),
    )


def _advance(operation: PaymentOperation, stage: OperationStage, now: datetime) -> None:
    """Continue with the next stage right away, in this worker."""
    if claimed_by(operation).update(stage=stage, due_at=now, reference="", epoch=F("epoch") + 1):
        run_operation(operation.pk, now=now)


# --- capture --------------------------------------------------------------------------------------
def _capture(operation: PaymentOperation, now: datetime) -> None:
    order = operation.pre_order
    if reason := _reason_to_call_off(order, now):
        _call_off(operation, now, reason)
        return
    charge = charge_of(order)
    hold = gateway.retrieve_intent(order.payment_intent_id or "")
    declined = ""
    if hold.state is IntentStatus.HELD:
        try:
            hold = gateway.capture(
                hold.intent_id,
                amount=charge.amount,
                fee=charge.fee,
                key=key_of(operation, "capture"),
            )
        except Refused as error:
            hold = gateway.retrieve_intent(hold.intent_id)
            if hold.state is IntentStatus.HELD and not _is_the_cards(error):
                raise
            if hold.state is IntentStatus.HELD and _is_paused(operation, now):
                raise _Paused(error.code, str(error)) from error
            declined = error.code
    record_or_batch(hold, now=now, known=operation.pre_order)
    if hold.state is not IntentStatus.CAPTURED:
        _capture_failed(operation, declined or hold.reason, now)


def _is_the_cards(error: Refused) -> bool:
    """Whether a refused capture means that this authorization can't be captured any more."""
    return isinstance(error, Declined) or error.code in AUTHORIZATION_IS_OVER


def _is_paused(operation: PaymentOperation, now: datetime) -> bool:
    """Whether so many captures of the offer were declined that the next one waits for a person."""
    if now >= operation.created_at + PAUSE:
        return False
    orders = PreOrder.objects.filter(offer_id=operation.pre_order.offer_id)
    declined = orders.filter(payment_status=PaymentStatus.CAPTURE_FAILED).count()
    charged = orders.filter(payment_status=PaymentStatus.CAPTURED).count()
    return declined >= PAUSE_AFTER_DECLINES and declined >= charged


def _capture_failed(operation: PaymentOperation, reason: str, now: datetime) -> None:
    """Continue with one off-session retry; a failed capture never changes the offer's outcome."""
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status == PaymentStatus.AUTHORIZED:
            set_payment_status(order, PaymentStatus.CAPTURE_FAILED, now=now, cause=Cause(reason))
            recount(order.offer)
        claimed_by(operation).update(error=reason[:255])
    _advance(operation, OperationStage.RETRY, now)


def _retry_off_session(operation: PaymentOperation, now: datetime) -> None:
    """Charge the saved card again, after making sure the first hold can't be captured."""
    order = operation.pre_order
    if reason := _reason_to_call_off(order, now):
        _call_off(operation, now, reason)
        return
    if not _void(operation, now):
        return
    hold = live_intent_besides(order, IntentStatus.CAPTURED)
    if hold is None and order.payment_method_id:
        try:
            hold = gateway.charge_off_session(
                charge_of(order),
                customer_id=order.payment_customer_id,
                payment_method_id=order.payment_method_id,
                hold_only=False,
                key=key_of(operation, "retry"),
            )
        except Refused as error:
            is_the_cards = isinstance(error, (Declined, CardUnusable))
            if not is_the_cards and now < operation.created_at + PATIENCE:
                raise
            logger.info("order %s: the retry was refused (%s)", order.pk, error.code)
    if hold is not None and hold.state is IntentStatus.CAPTURED:
        sync_intent(hold, now=now, known=operation.pre_order)
    else:
        _advance(operation, OperationStage.PAY_LINK, now)


def _void(operation: PaymentOperation, now: datetime) -> bool:
    """Make sure the first hold can never be captured. False if it already was."""
    order = operation.pre_order
    hold = gateway.retrieve_intent(order.payment_intent_id or "")
    if hold.state is IntentStatus.CAPTURED:
        sync_intent(hold, now=now, known=operation.pre_order)
        return False
    if hold.state is IntentStatus.HELD:
        gateway.release(hold.intent_id, key=key_of(operation, "void"))
    # An open intent holds no money, and its page is gone, so only the guest could still pay it.
    with transaction.atomic():
        ledger.record_release(ledger_ref(order), hold.amount, now=now)
    return True


def _pay_link(operation: PaymentOperation, now: datetime) -> None:
    """Email the guest a payment link, valid for 24 hours but not longer than the serve date.

    Unused, that order alone is canceled.
    """
    ends = min(now + PAY_LINK_TTL, operation.pre_order.offer.serving_ends)
    reason = _reason_to_call_off(operation.pre_order, now)
    if not reason and not operation.reference and ends < now + CHECKOUT_LIFE:
        reason = ReasonCode.SERVE_DATE_OVER  # Stripe opens no page for such a short time
    if reason and not (operation.reference and reason == ReasonCode.SERVE_DATE_OVER):
        _call_off(operation, now, reason)
        return
    if not operation.reference:
        _send_link(operation, now, EmailKind.PAYMENT_NEEDED, ends)
        return
    checkout = gateway.expire_checkout(operation.reference)
    if checkout.state is CheckoutState.COMPLETE and checkout.intent_id:
        apply_payment_intent(checkout.intent_id, now=now)
        return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status == PaymentStatus.CAPTURE_FAILED:
            end_released(
                order,
                now=now,
                cause=Cause(ReasonCode.NOT_PAID_IN_TIME),
                email_kind=EmailKind.PAYMENT_LAPSED,
            )
            recount(order.offer)
        finish(operation, OperationStatus.FAILED, now, ReasonCode.NOT_PAID_IN_TIME)


def _reason_to_call_off(order: PreOrder, now: datetime) -> ReasonCode | None:
    """Why this order must not be charged any more; None if it still can be."""
    if is_cancelled_after_failure(order):
        return ReasonCode.MINIMUM_MISSED
    return ReasonCode.SERVE_DATE_OVER if now >= order.offer.serving_ends else None


def _call_off(operation: PaymentOperation, now: datetime, reason: ReasonCode) -> None:
    """Stop a capture: the offer failed after an early one (DECISIONS X12), or the day is over.

    Closes the payment link and releases the hold. A charge that already went through is refunded by
    `sync_intent`.
    """
    if operation.reference:
        checkout = gateway.expire_checkout(operation.reference)
        if checkout.state is CheckoutState.COMPLETE and checkout.intent_id:
            apply_payment_intent(checkout.intent_id, now=now)
            return
    if not _void(operation, now):
        return
    if charged := live_intent_besides(operation.pre_order, IntentStatus.CAPTURED):
        sync_intent(charged, now=now, known=operation.pre_order)
        return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        if order.payment_status in (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED):
            end_released(order, now=now, cause=Cause(reason))
            recount(order.offer)
        finish(operation, OperationStatus.FAILED, now, reason)


def _send_link(
    operation: PaymentOperation, now: datetime, email_kind: EmailKind | None, expires_at: datetime
) -> None:
    """Create a checkout page, and email its link unless the guest is waiting for it on screen."""
    order = with_requested_quantity(operation.pre_order, operation)
    paying = operation.kind == OperationKind.CAPTURE
    note = charge_note(order) if paying else card_note(order, now)
    checkout = gateway.create_checkout(
        checkout_request(
            order,
            expires_at=expires_at,
            hold_only=not paying,
            note=note,
            back=order_url(order),
        ),
        key=key_of(operation, "link"),
    )
    with transaction.atomic():
        locked = lock_order(order.pk)
        updated = claimed_by(operation).update(
            reference=checkout.session_id, due_at=checkout.expires_at + LINK_GRACE
        )
        if updated and email_kind:
            queue_email(locked, email_kind, now=now, action_url=checkout.url)
    if not updated:  # the operation was superseded meanwhile
        gateway.expire_checkout(checkout.session_id)


# --- release and refund ---------------------------------------------------------------------------
def _release(operation: PaymentOperation, now: datetime) -> None:
    hold = gateway.retrieve_intent(operation.pre_order.payment_intent_id or "")
    if hold.state not in (IntentStatus.DEAD, IntentStatus.CAPTURED):
        hold = gateway.release(hold.intent_id, key=key_of(operation, "release"))
    sync_intent(hold, now=now, known=operation.pre_order)


def _refund(operation: PaymentOperation, now: datetime) -> None:
    hold = gateway.retrieve_intent(operation.pre_order.payment_intent_id or "")
    up_to = hold.captured
    if operation.refund_up_to is not None:
        up_to = min(up_to, Money.of(operation.refund_up_to))
    if hold.refunded < up_to:
        # The key includes the amount refunded so far: if another refund comes first, this becomes
        # a different, smaller refund.
        try:
            hold = gateway.refund(
                hold.intent_id,
                amount=up_to - hold.refunded,
                with_fee=bool(hold.fee.cents),
                key=key_of(operation, f"refund-from-{hold.refunded.cents}"),
            )
        except Refused as error:
            hold = gateway.retrieve_intent(hold.intent_id)
            for_good = error.code in REFUSED_FOR_GOOD or now >= operation.created_at + PATIENCE
            if hold.refunded < up_to and for_good:
                sync_intent(hold, now=now, known=operation.pre_order)
                _refund_failed(operation, error, now)
                return
            if hold.refunded < up_to:
                raise
    sync_intent(hold, now=now, known=operation.pre_order)


def _refund_failed(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    """End a refund that Stripe refuses for good: the order is paid, as before it was requested.

    A person must look, because the guest was promised money, or is owed it after a failed offer.
    """
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        finish(operation, OperationStatus.FAILED, now, error.code)
        recount(order.offer)
        description = f"Stripe refused the refund for good: {error.code}"
        raise_alarm(order, Discrepancy.Kind.REFUND_FAILED, description, now=now)


# --- renewal of a hold that would expire too early (DECISIONS X12) --------------------------------
def _renew(operation: PaymentOperation, now: datetime) -> None:
    order = operation.pre_order
    current = gateway.retrieve_intent(order.payment_intent_id or "")
    if current.state is not IntentStatus.HELD:
        sync_intent(current, now=now, known=operation.pre_order)
        _give_up_renewal(operation, now, f"the hold is {current.state}")
        return
    charge = charge_of(with_requested_quantity(order, operation))
    hold = live_intent_besides(order, IntentStatus.HELD, at_least=charge.amount)
    if hold is None:
        try:
            hold = gateway.charge_off_session(
                charge,
                customer_id=order.payment_customer_id,
                payment_method_id=order.payment_method_id,
                hold_only=True,
                key=key_of(operation, "renew"),
            )
        except (Declined, CardUnusable) as error:
            logger.info("order %s: the renewal was declined (%s)", order.pk, error.code)
    if hold is not None and hold.state is IntentStatus.HELD:
        sync_intent(
            hold, now=now, known=operation.pre_order
        )  # replaces the old hold and advances the operation to CLEAN_UP
    else:
        _advance(operation, OperationStage.PAY_LINK, now)


def _renew_by_link(operation: PaymentOperation, now: datetime) -> None:
    order = operation.pre_order
    if not operation.reference:
        if operation.quantity is not None:
            # The guest is looking at the page and portions are reserved: no email, a short TTL.
            _send_link(operation, now, None, now + CHECKOUT_LIFE)
            return
        until = min(now + PAY_LINK_TTL, order.capture_before or now)
        _send_link(operation, now, EmailKind.RENEW_AUTHORIZATION, max(until, now + CHECKOUT_LIFE))
        return
    checkout = gateway.expire_checkout(operation.reference)
    if checkout.intent_id:
        apply_payment_intent(checkout.intent_id, now=now)
    _give_up_renewal(operation, now, "the guest did not renew")


def _give_up_renewal(operation: PaymentOperation, now: datetime, why: str) -> None:
    """End the renewal and free its portions; the order stays as it is."""
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        finish(operation, OperationStatus.FAILED, now, why)
        recount(order.offer)


def _clean_up(operation: PaymentOperation, now: datetime) -> None:
    """Release the replaced hold, whose intent id is in `reference`."""
    hold = gateway.retrieve_intent(operation.reference)
    if hold.state is IntentStatus.HELD:
        gateway.release(operation.reference, key=key_of(operation, "clean-up"))
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        replaced = replace(ledger_ref(order), payment_intent_id=operation.reference)
        ledger.record_release(replaced, hold.amount, now=now)
        finish(operation, OperationStatus.DONE, now, "")


_STEPS: dict[tuple[OperationKind, OperationStage], Callable[[PaymentOperation, datetime], None]] = {
    (OperationKind.AUTHORIZE, OperationStage.HOLD): authorize,
    (OperationKind.CAPTURE, OperationStage.HOLD): _capture,
    (OperationKind.CAPTURE, OperationStage.RETRY): _retry_off_session,
    (OperationKind.CAPTURE, OperationStage.PAY_LINK): _pay_link,
    (OperationKind.RELEASE, OperationStage.HOLD): _release,
    (OperationKind.REFUND, OperationStage.HOLD): _refund,
    (OperationKind.RENEW, OperationStage.HOLD): _renew,
    (OperationKind.RENEW, OperationStage.PAY_LINK): _renew_by_link,
    (OperationKind.RENEW, OperationStage.CLEAN_UP): _clean_up,
}
