"""Disputes: chargebacks and inquiries, their evidence, and the money that moves.

Stripe debits the platform the disputed amount and a fee, also for destination charges, and leaves
the transfer alone: https://docs.stripe.com/disputes/connect. An inquiry moves no money.
"""

from ..cards import Afterwards, behavior
from ..errors import StripeError, invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from . import early_fraud_warnings, refund_outcomes
from .balances import book_settled
from .listing import listing, retrieval
from .payment_methods import number_of

_DAY = 86_400
# https://docs.stripe.com/disputes/responding: usually 7 to 21 days, depending on the network.
RESPONSE_TIME = 14 * _DAY
# https://docs.stripe.com/disputes/how-disputes-work: an inquiry that isn't escalated is closed.
INQUIRY_TIME = 120 * _DAY
FEE = 1500  # cents; Stripe's US list price
_CHANGES_OF_MIND = {("lost", "won"), ("warning_closed", "escalated")}
_NETWORK_CODES = {"fraudulent": "10.4", "product_not_received": "13.1"}
_TEXT_FIELDS = (
    "access_activity_log",
    "billing_address",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_tracking_number",
    "uncategorized_text",
)
_FILE_FIELDS = (
    "cancellation_policy",
    "customer_communication",
    "customer_signature",
    "duplicate_charge_documentation",
    "receipt",
    "refund_policy",
    "service_documentation",
    "shipping_documentation",
    "uncategorized_file",
)
_MAX_TEXT, _MAX_TEXT_IN_ALL = 20_000, 150_000
# What a test dispute's `uncategorized_text` decides: https://docs.stripe.com/testing#disputes
WINNING, LOSING, ESCALATING = "winning_evidence", "losing_evidence", "escalate_inquiry_evidence"
OPEN = ("needs_response", "under_review")
OPEN_INQUIRY = ("warning_needs_response", "warning_under_review")


def after_charge(call: Call, charge: Json) -> None:
    """What the test card's number causes once the charge succeeded."""
    if not charge["captured"]:
        return
    method = call.get("payment_method", charge["payment_method"])
    match behavior(number_of(call, method)).afterwards:
        case Afterwards.FRAUDULENT:
            open_dispute(call, charge, reason="fraudulent")
        case Afterwards.NOT_RECEIVED:
            open_dispute(call, charge, reason="product_not_received")
        case Afterwards.INQUIRY:
            open_dispute(call, charge, reason="general", inquiry=True)
        case Afterwards.WARNING:
            early_fraud_warnings.warn(call, charge)
        case Afterwards.MULTIPLE:
            half = charge["amount_captured"] // 2
            open_dispute(call, charge, reason="fraudulent", amount=half)
            rest = charge["amount_captured"] - half
            open_dispute(call, charge, reason="fraudulent", amount=rest)


def open_dispute(
    call: Call, charge: Json, *, reason: str, inquiry: bool = False, amount: int | None = None
) -> Json:
    """Dispute a captured charge, in whole unless ``amount`` is given."""
    if not charge["captured"]:
        raise invalid_request(f"Charge {charge['id']} is not captured, so nobody can dispute it.")
    card = charge["payment_method_details"]["card"]
    code = _NETWORK_CODES.get(reason)
    dispute = call.new(
        "dispute",
        amount=amount or charge["amount_captured"],
        balance_transactions=[],
        charge=charge["id"],
        currency=charge["currency"],
        enhanced_eligibility_types=[],
        evidence={**dict.fromkeys((*_TEXT_FIELDS, *_FILE_FIELDS)), "enhanced_evidence": {}},
        evidence_details={
            "due_by": call.now + RESPONSE_TIME,
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
        },
        is_charge_refundable=inquiry,
        metadata={},
        network_reason_code=code,
        payment_intent=charge["payment_intent"],
        payment_method_details={
            "type": "card",
            "card": {
                "brand": card["brand"],
                "case_type": "inquiry" if inquiry else "chargeback",
                "network": card["network"],
                "network_reason_code": code,
            },
        },
        reason=reason,
        status="warning_needs_response" if inquiry else "needs_response",
    )
    call.update(charge, disputed=True)
    call.schedule(dispute, call.now + (INQUIRY_TIME if inquiry else RESPONSE_TIME))
    early_fraud_warnings.end(call, charge["id"])
    call.emit("charge.dispute.created", dispute)
    if not inquiry:
        _withdraw(call, dispute)
    call.emit("charge.updated", charge)
    return dispute


def _withdraw(call: Call, dispute: Json) -> None:
    """Debit the disputed amount and the dispute fee, as one balance transaction.

    A refund that the bank didn't have by then fails.
    """
    refund_outcomes.fail_unsent(call, call.get("charge", dispute["charge"]))
    _move(call, dispute, -dispute["amount"], FEE, "dispute", "Chargeback withdrawal")
    call.emit("charge.dispute.funds_withdrawn", dispute)


def _reinstate(call: Call, dispute: Json, *, return_fee: bool) -> None:
    fee = -FEE if return_fee else 0
    _move(call, dispute, dispute["amount"], fee, "dispute_reversal", "Chargeback reversal")
    call.emit("charge.dispute.funds_reinstated", dispute)


def _move(call: Call, dispute: Json, amount: int, fee: int, category: str, what: str) -> None:
    charge = call.get("charge", dispute["charge"])
    moved = book_settled(call, "adjustment", dispute, amount, fee, charge)
    details = [{**each, "description": "Dispute fee"} for each in moved["fee_details"]]
    description = f"{what} for {dispute['charge']}"
    call.update(moved, reporting_category=category, description=description, fee_details=details)
    call.update(dispute, balance_transactions=[*dispute["balance_transactions"], dict(moved)])


def decide(call: Call, dispute: Json, outcome: str, *, return_fee: bool = False) -> None:
    """Decide an open dispute: ``won``, ``lost``, or ``prevented``, of an inquiry also ``closed`` or
    ``escalated``.
    A bank can also give in after it decided, so one that is lost can still be ``won``.

    A closed inquiry can be ``escalated``. Funds can be reinstated after a dispute is closed
    (https://docs.stripe.com/api/events/types); whether the status follows isn't documented.

    ``return_fee`` says whether winning returns the dispute fee. For disputes since June 2025 the
    fee for receiving one isn't returned; the testing page still speaks of "related fees".
    """
    is_inquiry = dispute["status"] in OPEN_INQUIRY
    changes_its_mind = (dispute["status"], outcome) in _CHANGES_OF_MIND
    if not is_inquiry and not changes_its_mind and dispute["status"] not in OPEN:
        raise invalid_request(f"Dispute {dispute['id']} is already {dispute['status']}.")
    if outcome == "escalated":
        if not is_inquiry and not changes_its_mind:
            raise invalid_request(f"Dispute {dispute['id']} is not an inquiry.")
        _escalate(call, dispute)
        return
    is_late = changes_its_mind and call.server.faults.does("late_win_keeps_status")
    if is_late:
        status = dispute["status"]
    elif outcome == "prevented":
        status = "prevented"
    elif is_inquiry:
        status = "lost" if outcome == "lost" else "warning_closed"
    else:
        status = "won" if outcome == "won" else "lost"
    # Prevented by giving the amount back, or before anything moved:
    # https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
    gave_back = status == "prevented" and bool(dispute["balance_transactions"])
    refundable = status != "lost" and not gave_back
    call.update(dispute, status=status, is_charge_refundable=refundable)
    call.schedule(dispute, None)
    if status == "won" or is_late:
        _reinstate(call, dispute, return_fee=return_fee)
    call.emit("charge.dispute.closed", dispute)


def _escalate(call: Call, dispute: Json) -> None:
    """Turn an inquiry into a chargeback, with a new time to respond."""
    if call.server.faults.does("escalation_opens_another"):
        call.update(dispute, status="warning_closed")
        call.schedule(dispute, None)
        call.emit("charge.dispute.closed", dispute)
        charge = call.get("charge", dispute["charge"])
        open_dispute(call, charge, reason=dispute["reason"], amount=dispute["amount"])
        return
    details = {
        **dispute["evidence_details"],
        "due_by": call.now + RESPONSE_TIME,
        "has_evidence": False,
        "submission_count": 0,
    }
    card = dispute["payment_method_details"]["card"]
    call.update(
        dispute,
        status="needs_response",
        is_charge_refundable=False,
        evidence_details=details,
        payment_method_details={"type": "card", "card": {**card, "case_type": "chargeback"}},
    )
    call.schedule(dispute, call.now + RESPONSE_TIME)
    call.emit("charge.dispute.updated", dispute)
    _withdraw(call, dispute)


def run_out(call: Call, dispute: Json) -> None:
    """End a dispute whose time is over: one that nobody answered is lost, an inquiry is closed."""
    decide(call, dispute, "closed" if dispute["status"] in OPEN_INQUIRY else "lost")


# --- refunds of a disputed charge ---------------------------------------------------------------


def check_refundable(call: Call, charge: Json) -> None:
    """Raise Stripe's error for a charge that the cardholder's bank has charged back."""
    if any(not each["is_charge_refundable"] for each in _disputes_of(call, charge)):
        raise StripeError(
            400,
            "invalid_request_error",
            f"Charge {charge['id']} has been charged back; cannot issue a refund.",
            code="charge_disputed",
            charge=charge["id"],
        )


def after_refund(call: Call, charge: Json) -> None:
    """A full refund resolves an inquiry and makes a fraud warning pointless."""
    if not charge["refunded"]:
        return
    early_fraud_warnings.end(call, charge["id"])
    for dispute in _disputes_of(call, charge):
        if dispute["status"] in OPEN_INQUIRY:
            decide(call, dispute, "closed")


def _disputes_of(call: Call, charge: Json) -> list[Json]:
    return [row.obj for row in call.store.all("dispute", call.account, charge=charge["id"])]


# --- endpoints ----------------------------------------------------------------------------------


@endpoint("POST", "/v1/disputes/{id}", "DisputeUpdateParams")
def update(call: Call, params: Json, id: str) -> Json:
    dispute = call.get("dispute", id)
    call.update(dispute, metadata=merge_metadata(dispute["metadata"], params.get("metadata")))
    evidence = params.get("evidence") or {}
    if not evidence and "submit" not in params:
        call.emit("charge.dispute.updated", dispute)
        return dispute
    open_ones = ["needs_response", "warning_needs_response"]
    if call.server.faults.does("evidence_again"):
        open_ones += ["under_review", "warning_under_review"]
    if dispute["status"] not in open_ones:
        raise invalid_request(f"This dispute is already {dispute['status']}.")
    _check_evidence(call, evidence)
    merged = {**dispute["evidence"], **evidence}
    details = {**dispute["evidence_details"], "has_evidence": True}
    call.update(dispute, evidence=merged, evidence_details=details)
    if params.get("submit", True):
        _submit(call, dispute)
    else:
        call.emit("charge.dispute.updated", dispute)
    return dispute


def _check_evidence(call: Call, evidence: Json) -> None:
    for name in _FILE_FIELDS:
        if evidence.get(name):
            call.get("file", evidence[name], f"evidence[{name}]")
    texts = {name: evidence.get(name) or "" for name in _TEXT_FIELDS}
    for name, text in texts.items():
        if len(text) > _MAX_TEXT:
            raise invalid_request(
                f"The evidence is too long: at most {_MAX_TEXT} characters.",
                param=f"evidence[{name}]",
            )
    if sum(map(len, texts.values())) > _MAX_TEXT_IN_ALL:
        raise invalid_request("The evidence is too long in all.", param="evidence")


def _submit(call: Call, dispute: Json) -> None:
    details = dispute["evidence_details"]
    is_inquiry = dispute["status"] in OPEN_INQUIRY
    call.update(
        dispute,
        status="warning_under_review" if is_inquiry else "under_review",
        evidence_details={**details, "submission_count": details["submission_count"] + 1},
    )
    if not is_inquiry:
        call.schedule(dispute, None)
    call.emit("charge.dispute.updated", dispute)
    text = dispute["evidence"]["uncategorized_text"]
    if text == WINNING:
        decide(call, dispute, "won")
    elif text == LOSING:
        decide(call, dispute, "lost")
    elif text == ESCALATING and is_inquiry:
        decide(call, dispute, "escalated")


@endpoint("POST", "/v1/disputes/{id}/close", "DisputeCloseParams")
def close(call: Call, params: Json, id: str) -> Json:
    dispute = call.get("dispute", id)
    if dispute["status"] not in (*OPEN, *OPEN_INQUIRY):
        raise invalid_request(f"This dispute is already {dispute['status']}.")
    decide(call, dispute, "lost")
    return dispute


endpoint("GET", "/v1/disputes", "DisputeListParams")(
    listing("dispute", "/v1/disputes", links=("charge", "payment_intent"))
)
endpoint("GET", "/v1/disputes/{id}", "DisputeRetrieveParams")(retrieval("dispute"))
