"""Full and partial refunds, with transfer reversals and application fee refunds.

``refund_outcomes`` decides whether and when they succeed.
"""

from ..cards import behavior
from ..errors import invalid_request, no_such
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import balances, countries, disputes, refund_outcomes, transfers
from .listing import listing, retrieval
from .payment_methods import number_of


@endpoint("POST", "/v1/refunds", "RefundCreateParams")
def create(call: Call, params: Json) -> Json:
    charge = _charge_to_refund(call, params)
    customer = call.store.get(charge["customer"]) if charge["customer"] else None
    is_deleted = customer is not None and customer.obj.get("deleted")
    if is_deleted and call.server.faults.does("deleted_customer_refuses_refunds"):
        raise no_such("customer", charge["customer"])
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
    _check_covered(call, charge, params, amount)
    method = call.get("payment_method", charge["payment_method"])
    later = behavior(number_of(call, method)).refunds_later
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
        status="pending",
    )
    call.private(refund).update(
        reverse_transfer=params.get("reverse_transfer"),
        refund_application_fee=params.get("refund_application_fee"),
    )
    refund_outcomes.begin(call, refund, later)
    refund_outcomes.recount(call, charge)
    if refund["status"] == "succeeded":
        call.emit("charge.refunded", charge)
    call.emit("refund.created", refund)
    disputes.after_refund(call, charge)
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


def _check_covered(call: Call, charge: Json, params: Json, amount: int) -> None:
    """Refuse, if ``refuse_uncovered`` of ``/_control`` says so, what a balance doesn't cover; what
    comes back from the connected account counts as the platform's."""
    if not call.server.faults.refuse_uncovered:
        return
    returned = 0
    if params.get("reverse_transfer"):
        platform = call.for_account(None)
        transfer, returned = transfers.part_of_transfer(call, charge, amount)
        if params.get("refund_application_fee"):
            fee = transfers.fee_of(platform, transfer, returned)
            returned -= countries.convert(fee, charge["currency"], transfer["currency"])
        transfers.check_destination(platform, transfer, returned)
    settled = balances.settlement_currency(call, charge)
    wanted = countries.convert(amount, charge["currency"], settled)
    if balances.available(call, settled) + returned < wanted:
        raise balances.insufficient()


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
