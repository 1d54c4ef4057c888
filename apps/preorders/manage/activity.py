"""The activity log of an order, newest first.

It is assembled from existing records: audit rows, the ledger, emails, notes, and payment
operations.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.db.models import prefetch_related_objects

from apps.billing.models import Discrepancy, PaymentHistory
from apps.common import formats
from apps.offers.serving import ServiceChoice
from apps.preorders.documents.dispute_reasons import reason_label
from apps.preorders.emails.kinds import email_label
from apps.preorders.manage.reasons import actor_of, describe_code, why
from apps.preorders.models import Email, PaymentOperation, PreOrder, PreOrderTransition
from apps.preorders.models.states import (
    DisputeStatus,
    OperationKind,
    OperationStatus,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)


class Tone(StrEnum):
    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class ActivityEvent:
    """An entry of the log; `by` is the team member who did it, if any."""

    at: datetime
    text: str
    detail: str = ""
    tone: Tone = Tone.PLAIN
    by: str = ""


def load_activity(order: PreOrder) -> None:
    """Load the records that several parts of the order's page need, once."""
    prefetch_related_objects(
        [order], "emails", "payment_history", "disputes__transitions", "fraud_warnings"
    )


def activity_of(order: PreOrder) -> list[ActivityEvent]:
    """The order's activity, with one query per kind of record that `load_activity` didn't load."""
    events = [_begun(order), *_operations(order), *_transitions(order), *_ledger(order)]
    events += [*_emails(order), *_notes(order), *_returned_refunds(order), *_disputes(order)]
    # Entries with the same time keep their order, reversed: sorted() is stable.
    return sorted(reversed(events), key=lambda one: one.at, reverse=True)


def _begun(order: PreOrder) -> ActivityEvent:
    portions = formats.count(order.quantity, "portion")
    how = "by phone" if order.source == OrderSource.PHONE else "online"
    detail = f"{_format_amount(order, order.total_amount)} including tax. Checkout opened"
    return ActivityEvent(order.created_at, f"Ordered {how}: {portions}", detail)


def _format_amount(order: PreOrder, amount: Decimal) -> str:
    return formats.money(amount, order.offer.restaurant.currency)


# --- the audit log ------------------------------------------------------------------------------
def _transitions(order: PreOrder) -> Iterator[ActivityEvent]:
    for transition in order.transitions.order_by("at", "pk"):
        if transition.field in _CHANGED:
            yield ActivityEvent(
                transition.at, _CHANGED[transition.field](transition), by=actor_of(transition)
            )
            continue
        describers = _OF_PAYMENT if transition.field == "payment_status" else _OF_ORDER
        found = describers.get(transition.new)
        event = found(order, transition) if found else None
        if event:
            yield event


_Describer = Callable[[PreOrder, PreOrderTransition], ActivityEvent | None]


def _held(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    total = _format_amount(order, order.total_amount)
    deadline = formats.moment(order.offer.deadline, order.offer.restaurant.zone)
    text = f"Card held for {total}"
    return ActivityEvent(transition.at, text, f"Charged or released after {deadline}", Tone.GOOD)


def _asked_by_bank(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(transition.at, "The bank asked the guest to confirm the payment")


def _not_confirmed(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    text = "The guest didn't confirm the payment with their bank"
    return ActivityEvent(transition.at, text, why(transition), Tone.BAD)


def _declined(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    text = "The bank declined the charge"
    return ActivityEvent(transition.at, text, why(transition), Tone.BAD)


def _released(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(
        transition.at,
        "Hold released. The guest wasn't charged",
        why(transition),
        by=actor_of(transition),
    )


def _confirmed(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    if transition.old in (PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW):
        was = "picked up" if transition.old == PreOrderStatus.FULFILLED else "a no-show"
        return ActivityEvent(
            transition.at, f"Undone: no longer marked as {was}", by=actor_of(transition)
        )
    if order.serves_alternative:
        text = f"Confirmed: {order.served_name} will be served instead"
        return ActivityEvent(transition.at, text, why(transition), Tone.GOOD, actor_of(transition))
    return ActivityEvent(
        transition.at, "Confirmed: it's on", why(transition), Tone.GOOD, actor_of(transition)
    )


def _cancelled(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(
        transition.at, "Order canceled", why(transition), Tone.BAD, actor_of(transition)
    )


def _picked_up(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(transition.at, "Picked up", tone=Tone.GOOD, by=actor_of(transition))


def _not_picked_up(order: PreOrder, transition: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(transition.at, "No-show", tone=Tone.BAD, by=actor_of(transition))


# Charges and refunds come from the ledger, which has the amounts.
_OF_PAYMENT: dict[str, _Describer] = {
    PaymentStatus.REQUIRES_ACTION: _asked_by_bank,
    PaymentStatus.UNPAID: _not_confirmed,
    PaymentStatus.AUTHORIZED: _held,
    PaymentStatus.CAPTURE_FAILED: _declined,
    PaymentStatus.RELEASED: _released,
}
_OF_ORDER: dict[str, _Describer] = {
    PreOrderStatus.CONFIRMED: _confirmed,
    PreOrderStatus.CANCELLED: _cancelled,
    PreOrderStatus.FULFILLED: _picked_up,
    PreOrderStatus.NO_SHOW: _not_picked_up,
}


def _portions(transition: PreOrderTransition) -> str:
    return f"Portions changed from {transition.old} to {transition.new}"


def _slot(transition: PreOrderTransition) -> str:
    return (
        f"Pickup time changed from {transition.old or 'any time'} to {transition.new or 'any time'}"
    )


def _service_mode(transition: PreOrderTransition) -> str:
    return f"Changed to {ServiceChoice(transition.new).label.lower()}"


def _alternative(transition: PreOrderTransition) -> str:
    if transition.new == "serve":
        return "Chose the alternative dish if the minimum isn't met"
    return "Chose to release the hold if the minimum isn't met"


def _friends(transition: PreOrderTransition) -> str:
    if transition.new == "0":
        return "Opened the portions reserved for friends to everyone"
    return f"Reserved {formats.count(int(transition.new), 'portion')} for friends"


# Changes the guest made on the order page; the restaurant can replace the link too.
_CHANGED: dict[str, Callable[[PreOrderTransition], str]] = {
    "quantity": _portions,
    "slot": _slot,
    "service_mode": _service_mode,
    "note": lambda _: "Special requests changed",
    "email": lambda _: "Email address changed",
    "alternative": _alternative,
    "friends": _friends,
    "link": lambda _: "Link to the order replaced",
}


# --- the ledger -----------------------------------------------------------------------------------
def _ledger(order: PreOrder) -> Iterator[ActivityEvent]:
    for entry in sorted(order.payment_history.all(), key=lambda one: (one.processed_at, one.pk)):
        amount = _format_amount(order, entry.amount)
        if entry.transaction_type == PaymentHistory.Type.CAPTURE:
            yield ActivityEvent(entry.processed_at, f"Charged {amount}", tone=Tone.GOOD)
        elif entry.transaction_type == PaymentHistory.Type.REFUND:
            back = entry.platform_fee_amount + entry.processing_fee_amount
            detail = f"{_format_amount(order, back)} in fees returned to you" if back else ""
            yield ActivityEvent(
                entry.processed_at, f"Refunded {amount} to the guest's card", detail
            )
        elif entry.transaction_type == PaymentHistory.Type.REFUND_REPEATED:
            detail = "The dispute stopped the first refund. This one costs you nothing more"
            yield ActivityEvent(
                entry.processed_at, f"Refunded {amount} to the guest's card again", detail
            )
        elif entry.transaction_type == PaymentHistory.Type.TRANSFER_REVERSAL:
            back = entry.platform_fee_amount + entry.processing_fee_amount
            detail = f"{_format_amount(order, back)} in fees returned to you" if back else ""
            yield ActivityEvent(
                entry.processed_at, f"Deducted {amount} for the dispute", detail, Tone.BAD
            )
        elif entry.transaction_type == PaymentHistory.Type.TRANSFER_RETURN:
            yield ActivityEvent(
                entry.processed_at, f"Transferred {amount} to you again", tone=Tone.GOOD
            )


# --- emails ---------------------------------------------------------------------------------------
def _emails(order: PreOrder) -> Iterator[ActivityEvent]:
    for email in emails_of(order):
        yield _email(email)


def emails_of(order: PreOrder) -> list[Email]:
    """The order's emails, in the order they were sent or are due."""
    return sorted(order.emails.all(), key=lambda one: (one.sent_at or one.due_at, one.number))


def _email(email: Email) -> ActivityEvent:
    again = " again" if email.number > 1 and not email.action_url else ""
    label = email_label(email.kind)
    if email.sent_at:
        return ActivityEvent(email.sent_at, f"Emailed “{label}”{again}")
    if email.dropped_at:
        return ActivityEvent(email.dropped_at, f"Email “{label}” was no longer needed")
    detail = f"Email server: {email.error}" if email.error else ""
    tone = Tone.BAD if email.error else Tone.PLAIN
    return ActivityEvent(email.due_at, f"Email “{label}” is waiting to be sent", detail, tone)


# --- payment operations ---------------------------------------------------------------------------
def _operations(order: PreOrder) -> Iterator[ActivityEvent]:
    for operation in order.operations.order_by("created_at", "pk"):
        event = _operation(order, operation)
        if event:
            yield event


def _operation(order: PreOrder, operation: PaymentOperation) -> ActivityEvent | None:
    by = actor_of(operation)
    at = operation.created_at
    match OperationKind(operation.kind):
        case OperationKind.REFUND:
            amount = (
                _format_amount(order, operation.amount)
                if operation.amount
                else "the remaining amount"
            )
            if operation.state == OperationStatus.FAILED:
                done = operation.finished_at or at
                return ActivityEvent(
                    done, "Refund failed", describe_code(operation.error), Tone.BAD, by
                )
            detail = why(operation)
            if operation.state == OperationStatus.PENDING and operation.error == "pending":
                detail = f"{detail}. Stripe hasn't finished it yet".removeprefix(". ")
            return ActivityEvent(at, f"Refund requested: {amount}", detail, by=by)
        case OperationKind.AUTHORIZE:
            if operation.state != OperationStatus.FAILED:
                return None
            done = operation.finished_at or at
            return ActivityEvent(
                done, "The card couldn't be held", describe_code(operation.error), Tone.BAD
            )
        case OperationKind.RENEW if operation.quantity is not None:
            if operation.state == OperationStatus.FAILED:
                text = "The new hold couldn't be placed. The order is unchanged"
                return ActivityEvent(operation.finished_at or at, text)
            portions = formats.count(operation.quantity, "portion")
            return ActivityEvent(at, f"New hold requested for {portions}", by=by)
        case OperationKind.RENEW:
            text = "New hold requested, because the old one expires too early"
            return ActivityEvent(at, text)
        case OperationKind.ANSWER_DISPUTE | OperationKind.ACCEPT_DISPUTE:
            answered = operation.kind == OperationKind.ANSWER_DISPUTE
            what = "Dispute answered" if answered else "Dispute accepted"
            if operation.state == OperationStatus.FAILED:
                done = operation.finished_at or at
                return ActivityEvent(
                    done, "The bank took no answer", describe_code(operation.error), Tone.BAD, by
                )
            return ActivityEvent(at, what, by=by)
        case OperationKind.CAPTURE | OperationKind.RELEASE:
            if operation.state != OperationStatus.PENDING or not operation.error:
                return None
            what = "charge" if operation.kind == OperationKind.CAPTURE else "release"
            text = f"Retrying the {what}"
            return ActivityEvent(at, text, describe_code(operation.error), Tone.BAD)
    return None


# --- refunds that came back -----------------------------------------------------------------------
def _returned_refunds(order: PreOrder) -> Iterator[ActivityEvent]:
    if not order.returned_amount:
        return
    rows = Discrepancy.objects.filter(pre_order=order, kind=Discrepancy.Kind.REFUND_RETURNED)
    for row in rows.order_by("found_at", "pk"):
        text = "A refund didn't reach the guest. They don't have this money"
        yield ActivityEvent(row.found_at, text, row.description, Tone.BAD)


# --- disputes -------------------------------------------------------------------------------------
def _disputes(order: PreOrder) -> Iterator[ActivityEvent]:
    for dispute in order.disputes.all():
        for change in sorted(dispute.transitions.all(), key=lambda one: one.pk):
            text, tone = _OF_DISPUTE[change.new]
            detail = "" if change.old else reason_label(dispute.reason)
            yield ActivityEvent(change.at, text, detail, tone)
    for warning in order.fraud_warnings.all():
        text = "The card's bank warned that this charge may be fraud"
        yield ActivityEvent(warning.opened_at, text, tone=Tone.BAD)


_OF_DISPUTE: dict[str, tuple[str, Tone]] = {
    DisputeStatus.WARNING_NEEDS_RESPONSE: ("The guest's bank asked about the charge", Tone.BAD),
    DisputeStatus.WARNING_UNDER_REVIEW: ("The bank is reviewing your answer", Tone.PLAIN),
    DisputeStatus.WARNING_CLOSED: ("The bank closed its inquiry", Tone.GOOD),
    DisputeStatus.NEEDS_RESPONSE: (
        "The guest disputed the charge, and their bank took the money back",
        Tone.BAD,
    ),
    DisputeStatus.UNDER_REVIEW: ("The bank is reviewing your evidence", Tone.PLAIN),
    DisputeStatus.WON: ("The bank decided the dispute in your favor", Tone.GOOD),
    DisputeStatus.LOST: ("The dispute was lost. The guest keeps the money", Tone.BAD),
    DisputeStatus.PREVENTED: ("The dispute was prevented", Tone.PLAIN),
}


# --- notes ----------------------------------------------------------------------------------------
def _notes(order: PreOrder) -> Iterator[ActivityEvent]:
    for note in order.notes.order_by("at", "pk"):
        yield ActivityEvent(note.at, note.text, tone=Tone.NOTE, by=note.by)
