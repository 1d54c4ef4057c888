"""The outcome of a refund: sent at once, waiting, or failed.

With most cards a refund succeeds at once. With the test cards for asynchronous refunds it is
pending at first, or fails after it succeeded: https://docs.stripe.com/testing#refunds

A refund that the platform's available balance doesn't cover is pending until it does
(https://docs.stripe.com/refunds), and one that a dispute overtakes fails
(https://docs.stripe.com/api/refunds/object#refund_object-failure_reason).
"""

from ..cards import AsyncRefund
from ..server import Call
from ..store import Json
from . import countries, transfers
from .balances import available, book_settled, settlement_currency

# Stripe says "some time later" of both: https://docs.stripe.com/testing#refunds
SETTLES_AFTER = 60  # seconds
# How often a refund that waits for the platform's balance is looked at.
_LOOK_AGAIN_AFTER = 3600  # seconds
_NO_FUNDS = "insufficient_funds"
DISPUTED = "charge_for_pending_refund_disputed"
FAILURES = (
    "charge_for_pending_refund_disputed",
    "declined",
    "expired_or_canceled_card",
    "insufficient_funds",
    "lost_or_stolen_card",
    "merchant_request",
    "unknown",
)


def begin(call: Call, refund: Json, later: AsyncRefund | None) -> None:
    """Send the refund, unless its card or the platform's balance lets it wait."""
    if not call.server.faults.does("waiting_refund_keeps_transfer"):
        _take_back(call, refund)
    if later is AsyncRefund.SUCCEEDS:
        call.update(refund, pending_reason="processing")
    elif _is_covered(call, refund):
        call.update(refund, status="succeeded")
        _book(call, refund)
    else:
        call.update(refund, pending_reason=_NO_FUNDS)
        call.schedule(refund, call.now + _LOOK_AGAIN_AFTER)
        return
    if later is not None:
        call.schedule(refund, call.now + SETTLES_AFTER)


def _take_back(call: Call, refund: Json) -> None:
    """Reverse the transfer's share and refund the fee's, once, if the refund asks for them."""
    asked = call.private(refund)
    charge = call.get("charge", refund["charge"])
    if asked.pop("reverse_transfer", None):
        transfer, part = transfers.part_of_transfer(call, charge, refund["amount"])
        reversal = transfers.reverse(call, transfer, part, refund=refund["id"], metadata={})
        call.update(refund, transfer_reversal=reversal["id"])
    if asked.pop("refund_application_fee", None):
        in_all = sum(each["amount"] for each in refunds_of(call, charge))
        transfers.refund_fee(call, charge["application_fee"], in_all, charge["amount_captured"])


def _book(call: Call, refund: Json) -> None:
    _take_back(call, refund)
    charge = call.get("charge", refund["charge"])
    booked = book_settled(call, "refund", refund, -refund["amount"], 0, charge)
    call.update(refund, balance_transaction=booked["id"])


def _is_covered(call: Call, refund: Json) -> bool:
    settled = settlement_currency(call, call.get("charge", refund["charge"]))
    wanted = countries.convert(refund["amount"], refund["currency"], settled)
    return bool(available(call, settled) >= wanted)


def send_waiting(call: Call) -> None:
    """Send the refunds that waited for the balance, oldest first, as far as it goes."""
    for row in reversed(call.store.all("refund", call.account)):
        if row.obj["pending_reason"] == _NO_FUNDS and _is_covered(call, row.obj):
            call.schedule(row.obj, None)
            _succeed(call, row.obj)


def settle(call: Call, refund: Json) -> None:
    """Do what the refund's card does some time after the refund."""
    call.schedule(refund, None)
    if refund["pending_reason"] == _NO_FUNDS and not _is_covered(call, refund):
        call.schedule(refund, call.now + _LOOK_AGAIN_AFTER)
    elif refund["status"] == "pending":
        _succeed(call, refund)
    elif refund["status"] == "succeeded":
        fail(call, refund["id"], "expired_or_canceled_card")


def _succeed(call: Call, refund: Json) -> None:
    charge = call.get("charge", refund["charge"])
    call.update(refund, status="succeeded", pending_reason=None)
    _book(call, refund)
    recount(call, charge)
    call.emit("charge.refunded", charge)
    call.emit("refund.updated", refund)


def fail(call: Call, refund_id: str, reason: str = "lost_or_stolen_card") -> Json:
    """The customer's bank returns a refund, or a pending one can't be made. The money is in the
    platform's balance again, and a reversed transfer stays reversed
    (https://docs.stripe.com/connect/destination-charges#issue-refunds)."""
    refund = call.get("refund", refund_id)
    if refund["status"] == "failed":
        return refund
    charge = call.get("charge", refund["charge"])
    if refund["status"] == "succeeded":
        returned = book_settled(call, "refund_failure", refund, refund["amount"], 0, charge)
        call.update(refund, failure_balance_transaction=returned["id"])
    call.update(refund, status="failed", failure_reason=reason, pending_reason=None)
    call.schedule(refund, None)
    recount(call, charge)
    call.emit("refund.updated", refund)
    call.emit("refund.failed", refund)
    return refund


def fail_unsent(call: Call, charge: Json) -> None:
    """Fail the refunds that the cardholder's bank overtakes by taking the charge back."""
    for refund in refunds_of(call, charge):
        is_fresh = refund["created"] > call.now - SETTLES_AFTER
        if refund["status"] == "pending" or (refund["status"] == "succeeded" and is_fresh):
            fail(call, refund["id"], DISPUTED)


def recount(call: Call, charge: Json) -> None:
    """Set the charge's ``amount_refunded``. Stripe doesn't document whether pending and failed
    refunds count there, so ``refund_counting`` of ``/_control`` chooses."""
    counting = call.server.faults.refund_counting
    counted = {"succeeded"}
    if counting.pending:
        counted |= {"pending"}
    if counting.failed:
        counted |= {"failed", "canceled"}
    amounts = [each["amount"] for each in refunds_of(call, charge) if each["status"] in counted]
    refunded = min(sum(amounts), charge["amount_captured"])
    call.update(charge, amount_refunded=refunded, refunded=refunded == charge["amount_captured"])


def refunds_of(call: Call, charge: Json) -> list[Json]:
    return [row.obj for row in call.store.all("refund", call.account, charge=charge["id"])]
