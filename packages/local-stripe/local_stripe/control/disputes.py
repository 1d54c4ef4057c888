"""Commands of the cardholder's bank: disputes and early fraud warnings."""

from typing import Any

from ..resources import disputes, early_fraud_warnings
from ..server import Call
from ..store import Json
from .reading import BadCommand, account_of, one_of, only

_OUTCOMES = ("won", "lost", "closed", "escalated", "prevented")


def dispute(call: Call, given: Any) -> Any:
    given = only(given, "dispute", ("payment_intent", "reason", "inquiry", "amount"))
    acting, charge = _charge_of(call, "dispute", given)
    return disputes.open_dispute(
        acting,
        charge,
        reason=given.get("reason", "fraudulent"),
        inquiry=bool(given.get("inquiry", False)),
        amount=given.get("amount"),
    )["id"]


def decide_dispute(call: Call, given: Any) -> Any:
    given = only(given, "decide_dispute", ("dispute", "outcome", "return_fee"))
    outcome = one_of(given.get("outcome"), "decide_dispute.outcome", _OUTCOMES)
    acting = call.for_account(account_of(call, str(given.get("dispute"))))
    dispute = acting.get("dispute", given.get("dispute"))
    return_fee = bool(given.get("return_fee", False))
    disputes.decide(acting, dispute, outcome, return_fee=return_fee)
    return dispute["status"]


def warn_of_fraud(call: Call, given: Any) -> Any:
    given = only(given, "warn_of_fraud", ("payment_intent",))
    acting, charge = _charge_of(call, "warn_of_fraud", given)
    return early_fraud_warnings.warn(acting, charge)["id"]


def _charge_of(call: Call, name: str, given: Json) -> tuple[Call, Json]:
    acting = call.for_account(account_of(call, str(given.get("payment_intent"))))
    intent = acting.get("payment_intent", given.get("payment_intent"))
    if not intent["latest_charge"]:
        raise BadCommand(f"{name}: {intent['id']} has no charge.")
    return acting, acting.get("charge", intent["latest_charge"])
