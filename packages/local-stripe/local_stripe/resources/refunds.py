"""Full and partial refunds, with transfer reversals and application fee refunds.

With most cards a refund succeeds at once. With the test cards for asynchronous refunds it is
pending at first, or fails after it succeeded: https://docs.stripe.com/testing#refunds
"""

from ..cards import AsyncRefund, behaviour
from ..errors import invalid_request
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import disputes, transfers
from .balances import book
from .listing import listing, retrieval
from .payment_methods import number_of

# Stripe says "some time later" of both: https://docs.stripe.com/testing#refunds
SETTLES_AFTER = 60  # seconds


@endpoint("POST", "/v1/refunds", "RefundCreateParams")
def create(call: Call, params: Json) -> Json:
    charge = _charge_to_refund(call, params)
    left = charge["amount_captured"] - charge["amount_refunded"]
    amount = params.get("amount", left)
    if not charge["captured"]:
        raise invalid_request(
            f"Charge {charge['id']} is not captured. Cancel its PaymentIntent to release the hold.",
            code="charge_not_refundable",
        )
    disputes.check_refundable(call, charge)
    if left <= 0:
        raise invalid_request(
            f"Charge {charge['id']} has already been refunded.", code="charge_already_refunded"
        )
    if not 0 < amount <= left:
        raise invalid_request(
            f"Refund amount (${amount / 100:.2f}) is greater than unrefunded amount on charge "
            f"(${left / 100:.2f})",
            param="amount",
        )
    if params.get("reverse_transfer") and not charge.get("transfer"):
        raise invalid_request(
            f"Cannot reverse transfer on charge {charge['id']} because it has no associated "
            "transfer.",
            param="reverse_transfer",
        )
    if params.get("refund_application_fee") and not charge["application_fee"]:
        raise invalid_request(
            f"Charge {charge['id']} has no application fee to refund.",
            param="refund_application_fee",
        )
    method = call.get("payment_method", charge["payment_method"])
    later = behaviour(number_of(call, method)).refunds_later
    is_pending = later is AsyncRefund.SUCCEEDS
    refund = call.new(
        "refund",
        amount=amount,
        charge=charge["id"],
        currency=charge["currency"],
        customer=charge["customer"],
        destination_details={
            "card": {
                "reference": random_text(14),
                "reference_status": "available",
                "reference_type": "acquirer_reference_number",
                "type": "refund",
            },
            "type": "card",
        },
        metadata=merge_metadata({}, params.get("metadata")),
        payment_intent=charge["payment_intent"],
        payment_method=charge["payment_method"],
        reason=params.get("reason"),
        status="pending" if is_pending else "succeeded",
    )
    if is_pending:
        call.update(refund, pending_reason="processing")
    else:
        _book(call, refund)
    if later is not None:
        call.schedule(refund, call.now + SETTLES_AFTER)
    if params.get("reverse_transfer"):
        reversal = _reverse_transfer(call, charge, refund, amount)
        call.update(refund, transfer_reversal=reversal["id"])
    if params.get("refund_application_fee"):
        in_all = sum(each["amount"] for each in _refunds_of(call, charge))
        transfers.refund_fee(call, charge["application_fee"], in_all, charge["amount_captured"])
    recount(call, charge)
    if refund["status"] == "succeeded":
        call.emit("charge.refunded", charge)
    call.emit("refund.created", refund)
    disputes.after_refund(call, charge)
    return refund


def _book(call: Call, refund: Json) -> None:
    booked = book(call, "refund", refund["id"], -refund["amount"], 0, refund["currency"])
    call.update(refund, balance_transaction=booked["id"])


def _refunds_of(call: Call, charge: Json) -> list[Json]:
    return [row.obj for row in call.store.all("refund", call.account, charge=charge["id"])]


def recount(call: Call, charge: Json) -> None:
    """Set the charge's ``amount_refunded``. Stripe doesn't document whether pending and failed
    refunds count there, so ``refund_counting`` of ``/_control`` chooses."""
    counting = call.server.faults.refund_counting
    counted = {"succeeded"}
    if counting.pending:
        counted |= {"pending"}
    if counting.failed:
        counted |= {"failed", "canceled"}
    amounts = [each["amount"] for each in _refunds_of(call, charge) if each["status"] in counted]
    refunded = min(sum(amounts), charge["amount_captured"])
    call.update(charge, amount_refunded=refunded, refunded=refunded == charge["amount_captured"])


def _charge_to_refund(call: Call, params: Json) -> Json:
    if params.get("charge"):
        return call.get("charge", params["charge"], "charge")
    if not params.get("payment_intent"):
        raise invalid_request(
            "One of the following params should be provided for this request: payment_intent or "
            "charge.",
            code="parameter_missing",
        )
    intent = call.get("payment_intent", params["payment_intent"], "payment_intent")
    if intent["status"] != "succeeded":
        raise invalid_request(
            f"This PaymentIntent ({intent['id']}) does not have a successful charge to refund.",
            code="payment_intent_unexpected_state",
            payment_intent=dict(intent),
        )
    return call.get("charge", intent["latest_charge"])


def _reverse_transfer(call: Call, charge: Json, refund: Json, amount: int) -> Json:
    transfer = call.for_account(None).get("transfer", charge["transfer"])
    left = transfer["amount"] - transfer["amount_reversed"]
    part = min(left, transfers.share(amount, charge["amount_captured"], transfer["amount"]))
    return transfers.reverse(call, transfer, part, refund=refund["id"], metadata={})


def settle(call: Call, refund: Json) -> None:
    """Do what the refund's card does some time after the refund."""
    call.schedule(refund, None)
    if refund["status"] == "pending":
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
        returned = book(
            call, "refund_failure", refund["id"], refund["amount"], 0, refund["currency"]
        )
        call.update(refund, failure_balance_transaction=returned["id"])
    call.update(refund, status="failed", failure_reason=reason, pending_reason=None)
    call.schedule(refund, None)
    recount(call, charge)
    call.emit("refund.updated", refund)
    call.emit("refund.failed", refund)
    return refund


@endpoint("POST", "/v1/refunds/{id}", "RefundModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    refund = call.get("refund", id)
    metadata = merge_metadata(refund["metadata"], params.get("metadata"))
    call.update(refund, metadata=metadata)
    call.emit("refund.updated", refund)
    return refund


endpoint("GET", "/v1/refunds", "RefundListParams")(
    listing("refund", "/v1/refunds", links=("charge", "payment_intent"))
)
endpoint("GET", "/v1/refunds/{id}", "RefundRetrieveParams")(retrieval("refund"))
