"""Commands about events and their delivery."""

from typing import Any

from ..resources import webhook_endpoints
from ..server import Call
from .reading import BadCommand, one_of, only

_MODES = ("deliver", "hold", "drop")


def webhooks(call: Call, given: Any) -> Any:
    given = only(given, "webhooks", ("mode", "duplicate", "shuffle"))
    hub = call.server.hub
    if "mode" in given:
        hub.mode = one_of(given["mode"], "webhooks.mode", _MODES)
    hub.duplicate = int(given.get("duplicate", hub.duplicate))
    hub.shuffle = bool(given.get("shuffle", hub.shuffle))
    return hub.describe()


def flush(call: Call, given: Any) -> Any:
    return call.server.hub.flush(one_of(given, "flush", ("fifo", "reverse", "shuffle")))


def resend(call: Call, given: Any) -> Any:
    if not call.server.hub.resend(str(given)):
        raise BadCommand(f"resend: there is no event {given!r}.")
    return given


def roll_secret(call: Call, given: Any) -> Any:
    given = only(given, "roll_secret", ("endpoint", "valid_for"))
    valid_for = int(given.get("valid_for", 24 * 3600))
    return webhook_endpoints.roll_secret(call, str(given.get("endpoint")), valid_for)
