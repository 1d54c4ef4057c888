"""Commands of the customer and their bank: paying, expiry, refunds."""

from dataclasses import asdict
from typing import Any

from ..cards import CardInput
from ..pages.confirming import confirm_with_card
from ..resources import checkout, intent_capture, refund_outcomes
from ..server import Call
from ..store import Json
from .reading import BadCommand, account_of, one_of, only


def pay(call: Call, given: Any) -> Any:
    known = ("session", "intent", "number", "authenticate", "email", "name")
    given = only(given, "pay", known)
    number = given.get("number", "4242424242424242")
    answer = one_of(given.get("authenticate", "ok"), "pay.authenticate", ("ok", "fail", "leave"))
    if given.get("intent"):
        # Without a number, the intent's current payment method is used.
        saved = CardInput(number) if number else None
        return _pay_intent(call, str(given["intent"]), saved, answer)
    card = CardInput(str(number))
    session = _session(call, str(given.get("session")))
    acting = call.for_account(account_of(call, session["id"]))
    email = given.get("email") or session["customer_email"] or "guest@example.com"
    return checkout.pay(acting, session, card, answer, email, given.get("name", "Demo Guest"))


def _session(call: Call, session_id: str) -> Json:
    row = call.store.get(session_id)
    if row is None or row.kind != "checkout.session":
        raise BadCommand(f"pay: there is no checkout session {session_id!r}.")
    return row.obj


def _pay_intent(call: Call, intent_id: str, card: CardInput | None, answer: str) -> Any:
    """Confirm an intent as the browser does with a client secret and a card."""
    acting = call.for_account(account_of(call, intent_id))
    return confirm_with_card(acting, intent_id, card, answer)


def declare_dead(call: Call, given: Any) -> Any:
    acting = call.for_account(account_of(call, str(given)))
    intent = acting.get("payment_intent", str(given))
    if intent["status"] != "requires_capture":
        raise BadCommand(
            f"declare_dead: {given} has no authorization; its status is {intent['status']}."
        )
    intent_capture.expire(acting, intent)
    return intent["id"]


def card_limit(call: Call, given: Any) -> Any:
    """Set how much fits on a card, ``{"number": …, "limit": 6000}``; null removes the limit."""
    given = only(given, "card_limit", ("number", "limit"))
    number, limit = str(given.get("number")), given.get("limit")
    if limit is None:
        call.server.card_limits.pop(number, None)
    else:
        call.server.card_limits[number] = int(limit)
    return call.server.card_limits.get(number)


def fail_refund(call: Call, given: Any) -> Any:
    """Fail a refund: its ID, or ``{"refund": …, "reason": a failure_reason}``."""
    if not isinstance(given, dict):
        given = {"refund": given}
    given = only(given, "fail_refund", ("refund", "reason"))
    reason = one_of(
        given.get("reason", "lost_or_stolen_card"), "fail_refund.reason", refund_outcomes.FAILURES
    )
    refund = str(given.get("refund"))
    acting = call.for_account(account_of(call, refund))
    return refund_outcomes.fail(acting, refund, reason)["id"]


def keep_pending(call: Call, given: Any) -> Any:
    acting = call.for_account(account_of(call, str(given)))
    acting.schedule(acting.get("refund", str(given)), None)
    return given


def refuse_uncovered(call: Call, given: Any) -> Any:
    call.server.faults.refuse_uncovered = bool(given)
    return call.server.faults.refuse_uncovered


def refund_counting(call: Call, given: Any) -> Any:
    given = only(given, "refund_counting", ("pending", "failed"))
    counting = call.server.faults.refund_counting
    counting.pending = bool(given.get("pending", counting.pending))
    counting.failed = bool(given.get("failed", counting.failed))
    return asdict(counting)
