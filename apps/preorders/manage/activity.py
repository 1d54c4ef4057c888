"""Everything that happened to an order, in plain words, the newest first.

Put together from what the program wrote down anyway: the audit trail, the books, the letters, the
notes and what was to be done with the money. Nothing here decides anything.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.db.models import prefetch_related_objects

from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.preorders.core.people import split_actor
from apps.preorders.documents.email_kinds import email_label
from apps.preorders.models import OrderEmail, PaymentOperation, PreOrder, PreOrderTransition
from apps.preorders.models.states import (
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
    """`by` is the person of the restaurant who did it, if one did."""

    at: datetime
    text: str
    detail: str = ""
    tone: Tone = Tone.PLAIN
    by: str = ""


def load_activity(order: PreOrder) -> None:
    """Bring the records that more than one part of the order's page shows, once."""
    prefetch_related_objects([order], "mails", "payment_history")


def activity_of(order: PreOrder) -> list[ActivityEvent]:
    """The order's whole story; one statement for each kind of record that `read_records` did not
    bring."""
    told = [_begun(order), *_operations(order), *_moves(order), *_books(order)]
    told += [*_letters(order), *_notes(order)]
    # What was written down in one moment stays in the order it was told in, turned round.
    return sorted(reversed(told), key=lambda one: one.at, reverse=True)


def _begun(order: PreOrder) -> ActivityEvent:
    portions = formats.count(order.quantity, "portion")
    how = "by phone" if order.source == OrderSource.PHONE else "online"
    detail = f"{_say(order, order.total_amount)} with tax; the checkout was opened"
    return ActivityEvent(order.created_at, f"Ordered {how}: {portions}", detail)


def _say(order: PreOrder, amount: Decimal) -> str:
    return formats.money(amount, order.offer.restaurant.currency)


# --- the audit trail ------------------------------------------------------------------------------
def _moves(order: PreOrder) -> Iterator[ActivityEvent]:
    for move in order.transitions.order_by("at", "pk"):
        if move.field in _CHANGED:
            yield ActivityEvent(move.at, _CHANGED[move.field](move), by=split_actor(move.reason)[1])
            continue
        tell = _OF_PAYMENT if move.field == "payment_status" else _OF_ORDER
        found = tell.get(move.new)
        told = found(order, move) if found else None
        if told:
            yield told


_Teller = Callable[[PreOrder, PreOrderTransition], ActivityEvent | None]


def _held(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    total = _say(order, order.total_amount)
    deadline = formats.moment(order.offer.deadline, order.offer.restaurant.zone)
    text = f"Card held: {total} until the deadline"
    return ActivityEvent(move.at, text, f"Decided after {deadline}", Tone.GOOD)


def _asked_by_bank(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(move.at, "The bank asks the guest to confirm the payment")


def _not_confirmed(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(
        move.at, "The bank's question was not answered", _why(move.reason), Tone.BAD
    )


def _declined(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    text = "The bank declined the charge. Nothing was charged"
    return ActivityEvent(move.at, text, _why(move.reason), Tone.BAD)


def _let_go(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    why, by = split_actor(move.reason)
    return ActivityEvent(move.at, "Hold released: the guest paid nothing", _why(why), by=by)


def _confirmed(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    why, by = split_actor(move.reason)
    if move.old in (PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW):
        was = "picked up" if move.old == PreOrderStatus.FULFILLED else "not picked up"
        return ActivityEvent(move.at, f"Taken back: it was marked {was}", by=by)
    if order.serves_alternative:
        dish = order.offer.alternative_dish
        text = f"Confirmed: {dish.name if dish else 'the alternative'} is served instead"
        return ActivityEvent(move.at, text, _why(why), Tone.GOOD, by)
    return ActivityEvent(move.at, "Confirmed: it is on", _why(why), Tone.GOOD, by)


def _cancelled(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    why, by = split_actor(move.reason)
    return ActivityEvent(move.at, "Order cancelled", _why(why), Tone.BAD, by)


def _picked_up(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(move.at, "Picked up", tone=Tone.GOOD, by=split_actor(move.reason)[1])


def _not_picked_up(order: PreOrder, move: PreOrderTransition) -> ActivityEvent:
    return ActivityEvent(move.at, "Not picked up", tone=Tone.BAD, by=split_actor(move.reason)[1])


# A charge and what was given back of it are told from the books, which know the amounts.
_OF_PAYMENT: dict[str, _Teller] = {
    PaymentStatus.REQUIRES_ACTION: _asked_by_bank,
    PaymentStatus.UNPAID: _not_confirmed,
    PaymentStatus.AUTHORIZED: _held,
    PaymentStatus.CAPTURE_FAILED: _declined,
    PaymentStatus.RELEASED: _let_go,
}
_OF_ORDER: dict[str, _Teller] = {
    PreOrderStatus.CONFIRMED: _confirmed,
    PreOrderStatus.CANCELLED: _cancelled,
    PreOrderStatus.FULFILLED: _picked_up,
    PreOrderStatus.NO_SHOW: _not_picked_up,
}


def _portions(move: PreOrderTransition) -> str:
    return f"Portions changed from {move.old} to {move.new}"


def _slot(move: PreOrderTransition) -> str:
    return f"Pick-up moved from {move.old or 'any time'} to {move.new or 'any time'}"


def _alternative(move: PreOrderTransition) -> str:
    if move.new == "serve":
        return "Chose the alternative, should the minimum be missed"
    return "Chose to have the hold released, should the minimum be missed"


# What the diner changed on the order's own page.
_CHANGED: dict[str, Callable[[PreOrderTransition], str]] = {
    "quantity": _portions,
    "slot": _slot,
    "note": lambda _: "Note to the kitchen changed",
    "alternative": _alternative,
}


# --- the books ------------------------------------------------------------------------------------
def _books(order: PreOrder) -> Iterator[ActivityEvent]:
    for entry in sorted(order.payment_history.all(), key=lambda one: (one.processed_at, one.pk)):
        amount = _say(order, entry.amount)
        if entry.transaction_type == PaymentHistory.Type.CAPTURE:
            yield ActivityEvent(entry.processed_at, f"Charged {amount}", tone=Tone.GOOD)
        elif entry.transaction_type == PaymentHistory.Type.REFUND:
            back = entry.platform_fee_amount + entry.processing_fee_amount
            detail = f"{_say(order, back)} of fees came back to you with it" if back else ""
            yield ActivityEvent(
                entry.processed_at, f"Refunded {amount} to the guest's card", detail
            )


# --- letters --------------------------------------------------------------------------------------
def _letters(order: PreOrder) -> Iterator[ActivityEvent]:
    for letter in emails_of(order):
        yield _letter(letter)


def emails_of(order: PreOrder) -> list[OrderEmail]:
    """The order's letters as they were written."""
    return sorted(order.mails.all(), key=lambda one: (one.sent_at or one.due_at, one.number))


def _letter(letter: OrderEmail) -> ActivityEvent:
    again = " again" if letter.number > 1 and not letter.action_url else ""
    label = email_label(letter.kind)
    if letter.sent_at:
        return ActivityEvent(letter.sent_at, f"Mail “{label}” sent{again}")
    if letter.dropped_at:
        return ActivityEvent(letter.dropped_at, f"Mail “{label}” was not needed any more")
    detail = f"The mail server said: {letter.error}" if letter.error else ""
    tone = Tone.BAD if letter.error else Tone.PLAIN
    return ActivityEvent(letter.due_at, f"Mail “{label}” waits to be sent", detail, tone)


# --- what was to be done with the money -----------------------------------------------------------
def _operations(order: PreOrder) -> Iterator[ActivityEvent]:
    for operation in order.operations.order_by("created_at", "pk"):
        told = _operation(order, operation)
        if told:
            yield told


def _operation(order: PreOrder, operation: PaymentOperation) -> ActivityEvent | None:
    why, by = split_actor(operation.reason)
    at = operation.created_at
    match OperationKind(operation.kind):
        case OperationKind.REFUND:
            amount = _say(order, operation.amount) if operation.amount else "everything left"
            if operation.state == OperationStatus.FAILED:
                done = operation.finished_at or at
                return ActivityEvent(done, "Refund not done", _why(operation.error), Tone.BAD, by)
            return ActivityEvent(at, f"Refund asked for: {amount}", _why(why), by=by)
        case OperationKind.AUTHORIZE:
            if operation.state != OperationStatus.FAILED:
                return None
            done = operation.finished_at or at
            return ActivityEvent(done, "The card was not held", _why(operation.error), Tone.BAD)
        case OperationKind.RENEW if operation.quantity is not None:
            if operation.state == OperationStatus.FAILED:
                text = "The new hold was not placed; the order stays as it is"
                return ActivityEvent(operation.finished_at or at, text)
            portions = formats.count(operation.quantity, "portion")
            return ActivityEvent(at, f"A new hold was asked for: {portions}", by=by)
        case OperationKind.RENEW:
            text = "The hold would have ended too early: a new one was asked for"
            return ActivityEvent(at, text)
        case OperationKind.CAPTURE | OperationKind.RELEASE:
            if operation.state != OperationStatus.PENDING or not operation.error:
                return None
            act = "charge" if operation.kind == OperationKind.CAPTURE else "release"
            return ActivityEvent(
                at, f"The {act} is being tried again", _why(operation.error), Tone.BAD
            )
    return None


# --- notes ----------------------------------------------------------------------------------------
def _notes(order: PreOrder) -> Iterator[ActivityEvent]:
    for note in order.notes.order_by("at", "pk"):
        yield ActivityEvent(note.at, note.text, tone=Tone.NOTE, by=note.by)


_IN_WORDS = {
    "checkout was abandoned": "The guest left the checkout",
    "checkout was never opened": "The checkout page could not be opened",
    "the card processor did not answer": "The card processor did not answer",
    "checkout ended": "The checkout ended without a card",
    "the offer did not go ahead": "Not enough portions were booked",
    "the minimum was met": "Enough portions were booked",
    "payment failed": "The guest did not pay again in time",
    "the pay link was not used": "The link to pay was not used",
    "insufficient_funds": "The card has not enough money",
    "expired_card": "The card has expired",
    "card_declined": "The bank gave no reason",
    "generic_decline": "The bank gave no reason",
    "authentication_required": "The bank wants to ask the guest first",
    "abandoned": "The guest did not finish",
    "duplicate": "It had been replaced",
    "requested_by_customer": "",
    "automatic": "The hold had run out",
    "void_invoice": "",
}


def _why(reason: str) -> str:
    """A recorded reason as a sentence's beginning: known ones in our words, others as they are."""
    if reason in _IN_WORDS:
        return _IN_WORDS[reason]
    return reason[:1].upper() + reason[1:].replace("_", " ")


# --- the money, broken down -----------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class MoneySummary:
    """Fees and payout are what they are after what was given back; of an order
    nobody pays for they are nothing."""

    unit_price: Decimal
    subtotal: Decimal
    tax_rate: Decimal
    tax: Decimal
    total: Decimal
    refunded: Decimal
    revenue_share: Decimal
    processing_fee: Decimal
    payout: Decimal


NOTHING = Decimal("0.00")
_NOBODY_PAYS = frozenset({PaymentStatus.RELEASED})


def money_of(order: PreOrder) -> MoneySummary:
    """The price, and what of it reaches the restaurant: expected until the charge, booked then."""
    refunds = [
        entry
        for entry in order.payment_history.all()
        if entry.transaction_type == PaymentHistory.Type.REFUND
    ]
    refunded = sum((entry.amount for entry in refunds), NOTHING)
    share_back = sum((entry.platform_fee_amount for entry in refunds), NOTHING)
    processing_back = sum((entry.processing_fee_amount for entry in refunds), NOTHING)
    lost = order.payment_status in _NOBODY_PAYS or (
        order.status == PreOrderStatus.CANCELLED and not refunded
    )
    share = NOTHING if lost else order.revenue_share - share_back
    processing = NOTHING if lost else order.processing_fee - processing_back
    taken = NOTHING if lost else order.total_amount - refunded
    return MoneySummary(
        unit_price=order.unit_price,
        subtotal=order.subtotal,
        tax_rate=order.tax_rate,
        tax=order.tax,
        total=order.total_amount,
        refunded=refunded,
        revenue_share=share,
        processing_fee=processing,
        payout=taken - share - processing,
    )
