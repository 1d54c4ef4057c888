"""Payment issues: what needs a person, and what staff can do about it.

An issue is an open `Discrepancy`. Most close by themselves once Stripe accepts what was refused;
a person closes the others with a word about what they did.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import Discrepancy
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.transitions import ACTOR_LENGTH
from apps.preorders.core.locks import lock_order
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import (
    OperationKind,
    OperationStage,
    OperationStatus,
)
from apps.preorders.settlement import interventions, pauses
from apps.preorders.settlement.interventions import NOTHING_WAITS

# Kinds whose payments can be tried again, and those whose charge can be given up.
CAN_CONTINUE = (
    Discrepancy.Kind.REFUSED,
    Discrepancy.Kind.PAUSED,
    Discrepancy.Kind.REFUND_PENDING,
)
CAN_GIVE_UP = (Discrepancy.Kind.REFUSED, Discrepancy.Kind.PAUSED)
RESOLUTION_LENGTH = 255  # characters


def open_issues() -> QuerySet[Discrepancy]:
    """What needs a person, oldest first; act as the platform to see every restaurant's."""
    return (
        Discrepancy.objects.filter(resolved_at=None)
        .select_related("restaurant", "pre_order__offer")
        .order_by("found_at", "pk")
    )


@transaction.atomic
def resolve_issue(*, issue_id: int, resolution: str, by: str, now: datetime) -> Discrepancy:
    """Close an issue; `resolution` is what was done, such as how a returned refund was paid.

    Raises NotFound, Conflict if it is closed already, and Invalid without a resolution.
    """
    words = " ".join(resolution.split())
    if not words or len(words) > RESOLUTION_LENGTH:
        message = f"Describe what you did in at most {RESOLUTION_LENGTH} characters."
        raise Invalid.because([FieldError("resolution", message)])
    issue = _open_issue(issue_id)
    issue.resolved_at, issue.resolved_by, issue.resolution = now, by[:ACTOR_LENGTH], words
    issue.save(update_fields=["resolved_at", "resolved_by", "resolution"])
    _log(Kind.PAYMENT_ISSUE_CLOSED, issue, now)
    return issue


@transaction.atomic
def continue_payments(*, issue_id: int, by: str, now: datetime) -> int:
    """Try the order's waiting payments now; of a paused special, end the pause and try all its
    captures.

    Returns how many. Raises NotFound, and Conflict if none waits.
    """
    issue = _open_issue(issue_id)
    # One that waits for the guest to use a link would take it for expired.
    waiting = PaymentOperation.objects.filter(state=OperationStatus.PENDING).exclude(
        stage=OperationStage.PAY_LINK
    )
    if issue.kind == Discrepancy.Kind.PAUSED and issue.pre_order:
        offer = issue.pre_order.offer
        waiting = waiting.filter(kind=OperationKind.CAPTURE, pre_order__offer=offer)
        pauses.end_pause(target=pauses.target_of_offer(offer), by=by, now=now)
    else:
        waiting = waiting.filter(pre_order=issue.pre_order)
    count = interventions.try_again(waiting, by=by, now=now)
    _check_any(count)
    _log(Kind.CHARGES_CONTINUED, issue, now)
    return count


@transaction.atomic
def give_up_charge(*, issue_id: int, by: str, now: datetime) -> int:
    """Stop charging the order's card: a worker releases its hold and cancels the order.

    Raises NotFound, and Conflict if no charge waits.
    """
    issue = _open_issue(issue_id)
    if issue.pre_order_id is None:  # of the restaurant's account
        raise Conflict(NOTHING_WAITS)
    lock_order(issue.pre_order_id)
    waiting = PaymentOperation.objects.filter(
        pre_order=issue.pre_order, kind=OperationKind.CAPTURE, state=OperationStatus.PENDING
    )
    count = interventions.instruct_give_up(waiting, by=by, now=now)
    _check_any(count)
    _log(Kind.CHARGE_GIVEN_UP, issue, now)
    return count


def _log(kind: Kind, issue: Discrepancy, now: datetime) -> None:
    about = ("order", issue.pre_order_id) if issue.pre_order_id else ("issue", issue.pk)
    record(kind, restaurant=issue.restaurant_id, about=about, issue=issue.kind, now=now)


def _open_issue(issue_id: int) -> Discrepancy:
    issue = (
        Discrepancy.objects.select_related("pre_order__offer")
        .select_for_update(of=("self",))
        .filter(pk=issue_id)
        .first()
    )
    if issue is None:
        raise NotFound("We couldn't find that payment issue. Reload the list.")
    if issue.resolved_at is not None:
        raise Conflict("This payment issue is already closed. Reload the list.")
    return issue


def _check_any(count: int) -> None:
    if not count:
        raise Conflict(NOTHING_WAITS)
