"""Commands about the whole server: its clock, and starting over."""

from typing import Any

from .. import expiry
from ..faults import Faults
from ..limits import Limits
from ..server import Call


def advance(call: Call, given: Any) -> Any:
    call.server.clock.advance(int(given))
    return expiry.run_due(call.server, call.base_url, call)


def now(call: Call, given: Any) -> Any:
    call.server.clock.set(int(given))
    return expiry.run_due(call.server, call.base_url, call)


def reset(call: Call, given: Any) -> Any:
    server = call.server
    server.hub.forget()
    server.store.forget(except_kind="webhook_endpoint")
    server.faults = Faults()
    server.card_limits.clear()
    server.limit(Limits())
    server.clock.reset()
    server.calls.clear()
    server.violations.clear()
    return True
