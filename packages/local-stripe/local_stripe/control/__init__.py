"""``/_control``: inspect the server, move its clock, and inject faults.

GET returns recent activity. POST takes a JSON object; each key is a command, run in the order of
``_COMMANDS``. Unknown keys are refused by name, so a typo in a test can't look like a fault that
never occurred.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..errors import StripeError
from ..server import Call, Server
from ..store import Json
from . import accounts, disputes, faults, payments, state, webhooks
from .reading import BadCommand

_COMMANDS: dict[str, Callable[[Call, Any], Any]] = {
    "reset": state.reset,
    "webhooks": webhooks.webhooks,
    "latency": faults.latency,
    "limits": faults.limits,
    "capture_fault": faults.money_fault("capture_fault"),
    "cancel_fault": faults.money_fault("cancel_fault"),
    "hold_fault": faults.hold_fault,
    "http_fault": faults.http_fault,
    "after_retries": faults.after_retries,
    "inactive_domains": faults.inactive_domains,
    "otherwise": faults.otherwise,
    "card_limit": payments.card_limit,
    "refund_counting": payments.refund_counting,
    "refuse_uncovered": payments.refuse_uncovered,
    "roll_secret": webhooks.roll_secret,
    "onboard": accounts.onboard,
    "pay": payments.pay,
    "declare_dead": payments.declare_dead,
    "fail_refund": payments.fail_refund,
    "restrict": accounts.restrict,
    "change_bank": accounts.change_bank,
    "fail_payout": accounts.fail_payout,
    "platform_funds": accounts.platform_funds,
    "keep_pending": payments.keep_pending,
    "dispute": disputes.dispute,
    "decide_dispute": disputes.decide_dispute,
    "warn_of_fraud": disputes.warn_of_fraud,
    "now": state.now,
    "advance": state.advance,
    "flush": webhooks.flush,
    "resend": webhooks.resend,
}


class Control:
    def __init__(self, server: Server) -> None:
        self.server = server

    async def handle(self, request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse(self.describe(int(request.query_params.get("n", 200))))
        if "origin" in request.headers:
            return _refuse("Web pages can't send commands.", 403)
        try:
            commands = json.loads(await request.body() or b"{}")
        except ValueError:
            return _refuse("Send a JSON object.")
        if not isinstance(commands, dict):
            return _refuse("Send a JSON object.")
        unknown = sorted(commands.keys() - _COMMANDS.keys())
        if unknown:
            return _refuse(f"Unknown keys: {', '.join(unknown)}. Known: {', '.join(_COMMANDS)}.")
        done: Json = {}
        base_url = str(request.base_url).rstrip("/")
        try:
            with self.server.work(base_url) as call:
                for name, carry_out in _COMMANDS.items():
                    if name in commands:
                        done[name] = carry_out(call, commands[name])
        except BadCommand as refused:
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
