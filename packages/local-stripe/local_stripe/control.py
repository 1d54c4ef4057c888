"""``/_control``: inspect the server, move its clock, and inject faults.

GET returns recent activity. POST takes a JSON object; each key is a command, run in the order of
``_ORDERS``. Unknown keys are refused by name, so a typo in a test can't look like a fault that
never occurred.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from . import expiry
from .cards import CardInput
from .errors import StripeError
from .faults import Faults, HoldFault, HttpFault, MoneyFault
from .limits import DOCUMENTED, Limits, RateLimiter
from .pages.confirming import confirm_with_card
from .resources import (
    accounts,
    checkout,
    disputes,
    early_fraud_warnings,
    intent_capture,
    refunds,
    webhook_endpoints,
)
from .server import Call, Server
from .store import Json

_MONEY_FAULTS = ("decline", "lost_response", "500")
_HOLD_FAULTS = ("generic_decline", "insufficient_funds", "authentication_required")
_HTTP_FAULTS = ("500", "lost_response", "429", "lock_timeout", "timeout")
_OUTCOMES = ("won", "lost", "closed", "escalated")
_MODES = ("deliver", "hold", "drop")


class BadOrder(Exception):
    """A command that can't be run; the message says why."""


def _only(order: Any, name: str, known: tuple[str, ...]) -> Json:
    if not isinstance(order, dict):
        raise BadOrder(f"{name}: pass an object with the keys {', '.join(known)}.")
    unknown = sorted(order.keys() - set(known))
    if unknown:
        raise BadOrder(f"{name}: unknown keys {', '.join(unknown)}. Known: {', '.join(known)}.")
    return order


def _one_of(value: Any, name: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise BadOrder(f"{name}: {value!r} is not one of {', '.join(choices)}.")
    return str(value)


# --- orders ------------------------------------------------------------------------------------


def _advance(call: Call, order: Any) -> Any:
    call.server.clock.advance(int(order))
    return expiry.run_due(call.server, call.base_url, call)


def _now(call: Call, order: Any) -> Any:
    call.server.clock.set(int(order))
    return expiry.run_due(call.server, call.base_url, call)


def _money_fault(name: str) -> Callable[[Call, Any], Any]:
    def order_fault(call: Call, order: Any) -> Any:
        order = _only(order, name, ("kind", "payment_intent", "times"))
        fault = MoneyFault(
            _one_of(order.get("kind"), f"{name}.kind", _MONEY_FAULTS),
            order.get("payment_intent"),
            int(order.get("times", 1)),
        )
        faults = call.server.faults
        (faults.capture if name == "capture_fault" else faults.cancel).append(fault)
        return asdict(fault)

    return order_fault


def _hold_fault(call: Call, order: Any) -> Any:
    order = _only(order, "hold_fault", ("kind", "amount", "pre_order", "times"))
    fault = HoldFault(
        _one_of(order.get("kind"), "hold_fault.kind", _HOLD_FAULTS),
        order.get("amount"),
        order.get("pre_order"),
        int(order.get("times", 1)),
    )
    call.server.faults.hold.append(fault)
    return asdict(fault)


def _http_fault(call: Call, order: Any) -> Any:
    order = _only(order, "http_fault", ("method", "path_prefix", "kind", "times"))
    fault = HttpFault(
        _one_of(order.get("kind"), "http_fault.kind", _HTTP_FAULTS),
        order.get("method"),
        order.get("path_prefix", "/v1/"),
        int(order.get("times", 1)),
    )
    call.server.faults.http.append(fault)
    return asdict(fault)


def _latency(call: Call, order: Any) -> Any:
    order = _only(order, "latency", ("path_prefix", "seconds"))
    waits = call.server.faults.latency
    prefix, seconds = order.get("path_prefix", "/v1/"), float(order["seconds"])
    if seconds > 0:
        waits[prefix] = seconds
    else:
        waits.pop(prefix, None)
    return dict(waits)


def _limits(call: Call, order: Any) -> Any:
    if isinstance(order, str):
        limits = DOCUMENTED[_one_of(order, "limits", tuple(DOCUMENTED))]
    else:
        order = _only(order, "limits", ("per_second", "per_endpoint"))
        limits = Limits(order.get("per_second"), order.get("per_endpoint"))
    call.server.limiter = RateLimiter(limits)
    return asdict(limits)


def _webhooks(call: Call, order: Any) -> Any:
    order = _only(order, "webhooks", ("mode", "duplicate", "shuffle"))
    hub = call.server.hub
    if "mode" in order:
        hub.mode = _one_of(order["mode"], "webhooks.mode", _MODES)
    hub.duplicate = int(order.get("duplicate", hub.duplicate))
    hub.shuffle = bool(order.get("shuffle", hub.shuffle))
    return hub.describe()


def _flush(call: Call, order: Any) -> Any:
    return call.server.hub.flush(_one_of(order, "flush", ("fifo", "reverse", "shuffle")))


def _resend(call: Call, order: Any) -> Any:
    if not call.server.hub.resend(str(order)):
        raise BadOrder(f"resend: there is no event {order!r}.")
    return order


def _onboard(call: Call, order: Any) -> Any:
    return accounts.complete_onboarding(call, str(order))["id"]


def _pay(call: Call, order: Any) -> Any:
    known = ("session", "intent", "number", "authenticate", "email", "name")
    order = _only(order, "pay", known)
    number = order.get("number", "4242424242424242")
    answer = _one_of(order.get("authenticate", "ok"), "pay.authenticate", ("ok", "fail", "leave"))
    if order.get("intent"):
        # Without a number, the intent's current payment method is used.
        saved = CardInput(number) if number else None
        return _pay_intent(call, str(order["intent"]), saved, answer)
    card = CardInput(str(number))
    session = _session(call, str(order.get("session")))
    acting = call.for_account(_account_of(call, session["id"]))
    email = order.get("email") or session["customer_email"] or "guest@example.com"
    return checkout.pay(acting, session, card, answer, email, order.get("name", "Demo Guest"))


def _session(call: Call, session_id: str) -> Json:
    row = call.store.get(session_id)
    if row is None or row.kind != "checkout.session":
        raise BadOrder(f"pay: there is no checkout session {session_id!r}.")
    return row.obj


def _account_of(call: Call, object_id: str) -> str | None:
    row = call.store.get(object_id)
    return row.account if row else None


def _pay_intent(call: Call, intent_id: str, card: CardInput | None, answer: str) -> Any:
    """Confirm an intent as the browser does with a client secret and a card."""
    acting = call.for_account(_account_of(call, intent_id))
    return confirm_with_card(acting, intent_id, card, answer)


def _declare_dead(call: Call, order: Any) -> Any:
    acting = call.for_account(_account_of(call, str(order)))
    intent = acting.get("payment_intent", str(order))
    if intent["status"] != "requires_capture":
        raise BadOrder(
            f"declare_dead: {order} has no authorization; its status is {intent['status']}."
        )
    intent_capture.expire(acting, intent)
    return intent["id"]


def _fail_refund(call: Call, order: Any) -> Any:
    acting = call.for_account(_account_of(call, str(order)))
    return refunds.fail(acting, str(order))["id"]


def _card_limit(call: Call, order: Any) -> Any:
    """Set how much fits on a card, ``{"number": …, "limit": 6000}``; null removes the limit."""
    order = _only(order, "card_limit", ("number", "limit"))
    number, limit = str(order.get("number")), order.get("limit")
    if limit is None:
        call.server.card_limits.pop(number, None)
    else:
        call.server.card_limits[number] = int(limit)
    return call.server.card_limits.get(number)


def _keep_pending(call: Call, order: Any) -> Any:
    acting = call.for_account(_account_of(call, str(order)))
    acting.schedule(acting.get("refund", str(order)), None)
    return order


def _refund_counting(call: Call, order: Any) -> Any:
    order = _only(order, "refund_counting", ("pending", "failed"))
    counting = call.server.faults.refund_counting
    counting.pending = bool(order.get("pending", counting.pending))
    counting.failed = bool(order.get("failed", counting.failed))
    return asdict(counting)


def _roll_secret(call: Call, order: Any) -> Any:
    order = _only(order, "roll_secret", ("endpoint", "valid_for"))
    valid_for = int(order.get("valid_for", 24 * 3600))
    return webhook_endpoints.roll_secret(call, str(order.get("endpoint")), valid_for)


def _dispute(call: Call, order: Any) -> Any:
    order = _only(order, "dispute", ("payment_intent", "reason", "inquiry", "amount"))
    acting, charge = _charge_of(call, "dispute", order)
    return disputes.open_dispute(
        acting,
        charge,
        reason=order.get("reason", "fraudulent"),
        inquiry=bool(order.get("inquiry", False)),
        amount=order.get("amount"),
    )["id"]


def _decide_dispute(call: Call, order: Any) -> Any:
    order = _only(order, "decide_dispute", ("dispute", "outcome", "return_fee"))
    outcome = _one_of(order.get("outcome"), "decide_dispute.outcome", _OUTCOMES)
    acting = call.for_account(_account_of(call, str(order.get("dispute"))))
    dispute = acting.get("dispute", order.get("dispute"))
    return_fee = bool(order.get("return_fee", True))
    disputes.decide(acting, dispute, outcome, return_fee=return_fee)
    return dispute["status"]


def _warn_of_fraud(call: Call, order: Any) -> Any:
    order = _only(order, "warn_of_fraud", ("payment_intent",))
    acting, charge = _charge_of(call, "warn_of_fraud", order)
    return early_fraud_warnings.warn(acting, charge)["id"]


def _charge_of(call: Call, name: str, order: Json) -> tuple[Call, Json]:
    acting = call.for_account(_account_of(call, str(order.get("payment_intent"))))
    intent = acting.get("payment_intent", order.get("payment_intent"))
    if not intent["latest_charge"]:
        raise BadOrder(f"{name}: {intent['id']} has no charge.")
    return acting, acting.get("charge", intent["latest_charge"])


def _reset(call: Call, order: Any) -> Any:
    server = call.server
    server.hub.forget()
    server.store.forget(except_kind="webhook_endpoint")
    server.faults = Faults()
    server.card_limits.clear()
    server.limiter = RateLimiter()
    server.clock.reset()
    server.calls.clear()
    server.violations.clear()
    return True


_ORDERS: dict[str, Callable[[Call, Any], Any]] = {
    "reset": _reset,
    "webhooks": _webhooks,
    "latency": _latency,
    "limits": _limits,
    "capture_fault": _money_fault("capture_fault"),
    "cancel_fault": _money_fault("cancel_fault"),
    "hold_fault": _hold_fault,
    "http_fault": _http_fault,
    "card_limit": _card_limit,
    "refund_counting": _refund_counting,
    "roll_secret": _roll_secret,
    "onboard": _onboard,
    "pay": _pay,
    "declare_dead": _declare_dead,
    "fail_refund": _fail_refund,
    "keep_pending": _keep_pending,
    "dispute": _dispute,
    "decide_dispute": _decide_dispute,
    "warn_of_fraud": _warn_of_fraud,
    "now": _now,
    "advance": _advance,
    "flush": _flush,
    "resend": _resend,
}


# --- HTTP --------------------------------------------------------------------------------------


class Control:
    def __init__(self, server: Server) -> None:
        self.server = server

    async def handle(self, request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse(self.describe(int(request.query_params.get("n", 200))))
        if "origin" in request.headers:
            return _refuse("Web pages can't send commands.", 403)
        try:
            orders = json.loads(await request.body() or b"{}")
        except ValueError:
            return _refuse("Send a JSON object.")
        if not isinstance(orders, dict):
            return _refuse("Send a JSON object.")
        unknown = sorted(orders.keys() - _ORDERS.keys())
        if unknown:
            return _refuse(f"Unknown keys: {', '.join(unknown)}. Known: {', '.join(_ORDERS)}.")
        done: Json = {}
        base_url = str(request.base_url).rstrip("/")
        try:
            with self.server.work(base_url) as call:
                for name, carry_out in _ORDERS.items():
                    if name in orders:
                        done[name] = carry_out(call, orders[name])
        except BadOrder as refused:
            return _refuse(str(refused))
        except StripeError as refused:
            return _refuse(refused.message)
        except (TypeError, ValueError, KeyError) as wrong:
            return _refuse(f"A command has an invalid value: {wrong!r}.")
        return JSONResponse(done)

    def describe(self, how_many: int) -> Json:
        server = self.server
        events = server.store.db.execute(
            "SELECT id, type, subject FROM events ORDER BY seq DESC LIMIT ?", (how_many,)
        ).fetchall()
        attempts = list(server.hub.recent)[-how_many:]
        return {
            "clock": {"now": server.clock.now(), "skew": server.clock.skew},
            "webhooks": server.hub.describe(),
            "held": server.hub.held_count(),
            "undelivered": server.hub.open_count(),
            "deliveries": [asdict(attempt) for attempt in attempts],
            "events": [
                {"id": id_, "type": kind, "object": subject} for id_, kind, subject in events[::-1]
            ],
            "calls": dict(server.calls),
            "limits": asdict(server.limiter.limits),
            "rate_limited": server.limiter.refused,
            "contract_violations": list(server.violations),
        }


def _refuse(message: str, status: int = 400) -> JSONResponse:
    return JSONResponse({"error": message}, status)


async def health(request: Request) -> Response:
    return JSONResponse({"ok": True})
