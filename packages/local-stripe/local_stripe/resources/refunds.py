"""Full and partial refunds, with transfer reversals and application fee refunds."""

from ..errors import invalid_request
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from .balances import book
from .listing import listing, retrieval


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
        status="succeeded",
    )
    booked = book(call, "refund", refund["id"], -amount, 0, charge["currency"])
    call.update(refund, balance_transaction=booked["id"])
    if params.get("reverse_transfer"):
        reversal = _reverse_transfer(call, charge, refund, amount)
        call.update(refund, transfer_reversal=reversal["id"])
    refunded = charge["amount_refunded"] + amount
    if params.get("refund_application_fee"):
        _refund_fee(call, charge, refunded)
    call.update(charge, amount_refunded=refunded, refunded=refunded == charge["amount_captured"])
    call.emit("charge.refunded", charge)
    call.emit("refund.created", refund)
    return refund


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


def _share(part: int, whole: int, of: int) -> int:
    """Return ``of`` × ``part`` / ``whole``, in cents, rounded half up."""
    return (2 * of * part + whole) // (2 * whole)


def _reverse_transfer(call: Call, charge: Json, refund: Json, amount: int) -> Json:
    platform = call.for_account(None)
    transfer = platform.get("transfer", charge["transfer"])
    left = transfer["amount"] - transfer["amount_reversed"]
    share = min(left, _share(amount, charge["amount_captured"], transfer["amount"]))
    reversal = platform.new(
        "transfer_reversal",
        amount=share,
        currency=transfer["currency"],
        metadata={},
        source_refund=refund["id"],
        transfer=transfer["id"],
    )
    reversed_in_all = transfer["amount_reversed"] + share
    platform.update(
        transfer,
        amount_reversed=reversed_in_all,
        reversed=reversed_in_all == transfer["amount"],
        reversals=list_object(
            transfer["reversals"]["url"], [dict(reversal), *transfer["reversals"]["data"]]
        ),
    )
    given_back = book(
        platform, "transfer_refund", reversal["id"], share, 0, transfer["currency"], at_once=True
    )
    platform.update(reversal, balance_transaction=given_back["id"])
    # It can leave the connected account's balance negative: unlike a transfer of its own, a
    # destination charge's can be reversed up to its amount, whatever the balance.
    # https://docs.stripe.com/api/transfer_reversals
    at_destination = call.for_account(transfer["destination"])
    received = transfer["destination_payment"]
    book(at_destination, "payment_refund", received, -share, 0, transfer["currency"])
    platform.emit("transfer.reversed", transfer)
    return reversal


def _refund_fee(call: Call, charge: Json, refunded: int) -> None:
    """Refund the fee in proportion to everything refunded so far, so partial refunds add up to the
    whole fee. Stripe documents the proportion but not the rounding."""
    platform = call.for_account(None)
    fee = platform.get("application_fee", charge["application_fee"])
    left = fee["amount"] - fee["amount_refunded"]
    in_all = _share(refunded, charge["amount_captured"], fee["amount"])
    share = min(left, in_all - fee["amount_refunded"])
    if share <= 0:
        return
    fee_refund = platform.new(
        "fee_refund", amount=share, currency=fee["currency"], fee=fee["id"], metadata={}
    )
    booked = book(platform, "application_fee_refund", fee_refund["id"], -share, 0, fee["currency"])
    platform.update(fee_refund, balance_transaction=booked["id"])
    at_destination = call.for_account(fee["account"])
    received = fee["charge"]
    book(at_destination, "payment_refund", received, share, 0, fee["currency"], at_once=True)
    refunded = fee["amount_refunded"] + share
    platform.update(
        fee,
        amount_refunded=refunded,
        refunded=refunded == fee["amount"],
        refunds=list_object(fee["refunds"]["url"], [dict(fee_refund), *fee["refunds"]["data"]]),
    )
    platform.emit("application_fee.refunded", fee)


def fail(call: Call, refund_id: str) -> Json:
    """The customer's bank returns a refund. The money is in the platform's balance again; a
    reversed transfer stays reversed. Whether the charge's ``amount_refunded`` goes down is not
    documented; here it does."""
    refund = call.get("refund", refund_id)
    if refund["status"] == "failed":
        return refund
    charge = call.get("charge", refund["charge"])
    returned = book(call, "refund_failure", refund["id"], refund["amount"], 0, refund["currency"])
    call.update(
        refund,
        status="failed",
        failure_reason="lost_or_stolen_card",
        failure_balance_transaction=returned["id"],
    )
    call.update(
        charge, amount_refunded=charge["amount_refunded"] - refund["amount"], refunded=False
    )
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
