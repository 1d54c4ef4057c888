"""The questions behind the alarms: each is one bounded read, as the platform.

A question returns a `Finding`: a figure, which its rule compares with a threshold, and what it is
about, in words for staff. Nothing personal is in a finding: emails and webhooks carry it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Min, Q
from djstripe.models import WebhookEventTrigger

from apps.admin_ops import health
from apps.admin_ops.models import Backup
from apps.billing.models import Discrepancy, ReconciliationProgress
from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED, OfferStatus
from apps.preorders.emails.outbox import MAX_ATTEMPTS
from apps.preorders.models import Dispute, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    CHECKOUT_GRACE,
    OperationKind,
    OperationStage,
    OperationStatus,
    PauseScope,
    PaymentStatus,
)
from apps.preorders.settlement import pauses

HOLDS_END_WITHIN = timedelta(hours=6)
DISPUTES_DUE_WITHIN = timedelta(hours=48)
# The next pass reads a difference again; one that is still there after two needs a person.
DIFFERENCES_AFTER = timedelta(minutes=15)
GIVEN_UP_SHOWN = timedelta(days=1)
WEBHOOKS_READ = timedelta(days=30)  # retention deletes older ones
COUNTED_AT_MOST = 1000  # more of anything is shown as this many


@dataclass(frozen=True, slots=True)
class Finding:
    """What a question found: a figure in its rule's unit, and in words what it is about."""

    figure: float
    detail: str = ""


def _age(oldest: datetime | None, now: datetime) -> float:
    """Seconds since then; 0 without a time, and for one in the future."""
    return max(0.0, (now - oldest).total_seconds()) if oldest else 0.0


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""


# --- settlement -----------------------------------------------------------------------------------
def settlement_lag(now: datetime) -> Finding:
    """Seconds since the deadline of the special that waits longest for its decision.

    A special whose checkouts are still open waits for them on purpose, for the time of grace; one
    that is paused waits for a person, and `settlement_pauses` tells of that.
    """
    waiting = SpecialOffer.objects.filter(status__in=sorted(UNDECIDED), deadline__lte=now).filter(
        Q(status=OfferStatus.ACTIVE) | Q(deadline__lte=now - CHECKOUT_GRACE)
    )
    paused = pauses.paused_offers(pauses.settlement_pauses(now=now), automatic=True)
    if paused is not None:
        waiting = waiting.exclude(paused)
    found = waiting.aggregate(
        oldest=Min("deadline", filter=Q(status=OfferStatus.ACTIVE)),
        closing=Min("deadline", filter=Q(status=OfferStatus.CLOSING)),
        count=Count("pk"),
    )
    closing = found["closing"] and found["closing"] + CHECKOUT_GRACE
    lag = max(_age(found["oldest"], now), _age(closing, now))
    return Finding(lag, _counted(found["count"], "special waits", "specials wait"))


def operations_lag(now: datetime) -> Finding:
    """Seconds by which the latest payment operation is overdue.

    A payment link waits on purpose, and so does what a pause holds back.
    """
    overdue = PaymentOperation.objects.filter(
        state=OperationStatus.PENDING, due_at__lte=now
    ).exclude(stage=OperationStage.PAY_LINK)
    paused = pauses.held_back(pauses.settlement_pauses(now=now))
    if paused is not None:
        overdue = overdue.exclude(paused)
    found = overdue.aggregate(oldest=Min("due_at"), count=Count("pk"))
    count = _counted(found["count"], "operation is overdue", "operations are overdue")
    return Finding(_age(found["oldest"], now), count)


def settlement_pauses(now: datetime) -> Finding:
    """Pauses of settlement by a person; the program's own are asked about as `captures_paused`."""
    by_people = [each for each in pauses.settlement_pauses(now=now) if each.started_by]
    scopes = sorted({str(PauseScope(each.scope).label) for each in by_people})
    return Finding(len(by_people), ", ".join(scopes))


def holds_ending(now: datetime) -> Finding:
    """Holds that end within six hours although they are still needed.

    That is, holds of specials that will be decided later, and holds whose charge was decided and
    isn't made yet.
    """
    ending = PreOrder.objects.filter(
        payment_status=PaymentStatus.AUTHORIZED,
        capture_before__gt=now,
        capture_before__lte=now + HOLDS_END_WITHIN,
    )
    undecided = Q(
        offer__status__in=sorted(UNDECIDED),
        capture_before__lt=F("offer__deadline") + CHECKOUT_GRACE,
    )
    uncaptured = Q(
        operations__kind=OperationKind.CAPTURE, operations__state=OperationStatus.PENDING
    )
    rows = ending.filter(undecided | uncaptured).values("pk").distinct()[:COUNTED_AT_MOST]
    count = rows.count()
    return Finding(count, _counted(count, "hold ends", "holds end"))


# --- payment issues -------------------------------------------------------------------------------
def _open(*kinds: Discrepancy.Kind) -> int:
    rows = Discrepancy.objects.filter(kind__in=kinds, resolved_at=None)
    return rows.values("pk")[:COUNTED_AT_MOST].count()


def captures_paused(now: datetime) -> Finding:
    """Open issues of captures that pause because too many cards of a special were declined."""
    count = _open(Discrepancy.Kind.PAUSED)
    return Finding(count, _counted(count, "order waits", "orders wait"))


def refusals(now: datetime) -> Finding:
    """Open issues of calls that Stripe refuses for a reason that isn't the card's."""
    count = _open(Discrepancy.Kind.REFUSED)
    return Finding(count, _counted(count, "payment is refused", "payments are refused"))


def differences(now: datetime) -> Finding:
    """Differences between Stripe's records and ours that reading again didn't resolve."""
    rows = Discrepancy.objects.filter(
        kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None, found_at__lte=now - DIFFERENCES_AFTER
    )
    count = rows.values("pk")[:COUNTED_AT_MOST].count()
    return Finding(count, _counted(count, "order differs", "orders differ"))


# Kinds that another question asks about.
_ASKED_APART = (
    Discrepancy.Kind.PAUSED,
    Discrepancy.Kind.REFUSED,
    Discrepancy.Kind.DIFFERENCE,
)


def payment_issues(now: datetime) -> Finding:
    """All other open payment issues."""
    kinds = [kind for kind in Discrepancy.Kind if kind not in _ASKED_APART]
    count = _open(*kinds)
    return Finding(count, _counted(count, "issue is open", "issues are open"))


def disputes_due(now: datetime) -> Finding:
    """Disputes whose answer is due within two days and wasn't given."""
    due = Dispute.objects.filter(
        status__in=sorted(AWAITING_ANSWER), due_by__gt=now, due_by__lte=now + DISPUTES_DUE_WITHIN
    )
    count = due.values("pk")[:COUNTED_AT_MOST].count()
    return Finding(count, _counted(count, "answer is due", "answers are due"))


def reconciliation_lag(now: datetime) -> Finding:
    """Seconds since Stripe's list of intents was last read to its end."""
    row = ReconciliationProgress.objects.filter(name="intents").first()
    finished = (row.finished_at or row.begun_at) if row else None
    if finished is None:
        return Finding(0)
    return Finding(
        _age(finished, now), f"The last complete pass ended {finished:%b %-d, %H:%M} UTC"
    )


# --- messages -------------------------------------------------------------------------------------
def webhook_lag(now: datetime) -> Finding:
    """Seconds since the arrival of Stripe's oldest delivery that isn't processed."""
    waiting = WebhookEventTrigger.objects.filter(
        valid=True, processed=False, created__gte=now - WEBHOOKS_READ, created__lte=now
    )
    found = waiting.aggregate(oldest=Min("created"), count=Count("pk"))
    return Finding(
        _age(found["oldest"], now), _counted(found["count"], "webhook waits", "webhooks wait")
    )


def email_lag(now: datetime) -> Finding:
    """Seconds by which the oldest email that still has to be sent, or tried again, is overdue."""
    waiting = Email.objects.filter(
        sent_at=None, dropped_at=None, due_at__lte=now, attempts__lt=MAX_ATTEMPTS
    )
    found = waiting.aggregate(oldest=Min("due_at"), count=Count("pk"))
    return Finding(
        _age(found["oldest"], now), _counted(found["count"], "email waits", "emails wait")
    )


def failing_emails(now: datetime) -> Finding:
    """Emails that failed three times or more; one that was given up counts for another day."""
    failing = Email.objects.filter(
        sent_at=None, dropped_at=None, attempts__gte=3, due_at__gt=now - GIVEN_UP_SHOWN
    )
    count = failing.values("pk")[:COUNTED_AT_MOST].count()
    return Finding(count, _counted(count, "email isn't sent", "emails aren't sent"))


# --- processes ------------------------------------------------------------------------------------
def scheduler_silence(now: datetime) -> Finding:
    """Seconds since the scheduler's last heartbeat."""
    return _silence([health.scheduler_heard(now=now)], "scheduler")


def worker_silence(now: datetime) -> Finding:
    """Seconds since the last sign of the worker that is silent longest."""
    heard = health.workers_heard(now=now)
    silent = sorted(name for name, seconds in heard.items() if seconds > health.SILENT_SECONDS)
    return _silence(list(heard.values()), ", ".join(silent))


def _silence(seconds: Sequence[float], who: str) -> Finding:
    longest = max(seconds, default=0.0)
    return Finding(longest, f"No heartbeat from:{who}" if longest > health.SILENT_SECONDS else "")


def backup_age(now: datetime) -> Finding:
    """Hours since the last backup that `manage.py backup` took."""
    last = Backup.objects.order_by("-taken_at").values_list("taken_at", flat=True).first()
    if last is None:
        return Finding(COUNTED_AT_MOST, "There is no backup")
    return Finding(_age(last, now) / 3600, f"The last one was taken {last:%b %-d, %H:%M} UTC")
