"""Commands that make requests slow, refused, lost, or fail."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..faults import OTHER_WAYS, HoldFault, HttpFault, MoneyFault
from ..limits import DOCUMENTED, Limits
from ..server import Call
from .reading import one_of, only

_MONEY_FAULTS = ("decline", "lost_response", "500")
_HOLD_FAULTS = ("generic_decline", "insufficient_funds", "authentication_required")
_AFTER_RETRIES = ("cancel", "unpaid", "past_due")
_HTTP_FAULTS = ("500", "lost_response", "429", "lock_timeout", "timeout")


def money_fault(name: str) -> Callable[[Call, Any], Any]:
    def inject(call: Call, given: Any) -> Any:
        given = only(given, name, ("kind", "payment_intent", "times"))
        fault = MoneyFault(
            one_of(given.get("kind"), f"{name}.kind", _MONEY_FAULTS),
            given.get("payment_intent"),
            int(given.get("times", 1)),
        )
        faults = call.server.faults
        (faults.capture if name == "capture_fault" else faults.cancel).append(fault)
        return asdict(fault)

    return inject


def hold_fault(call: Call, given: Any) -> Any:
    given = only(given, "hold_fault", ("kind", "amount", "pre_order", "times"))
    fault = HoldFault(
        one_of(given.get("kind"), "hold_fault.kind", _HOLD_FAULTS),
        given.get("amount"),
        given.get("pre_order"),
        int(given.get("times", 1)),
    )
    call.server.faults.hold.append(fault)
    return asdict(fault)


def http_fault(call: Call, given: Any) -> Any:
    given = only(given, "http_fault", ("method", "path_prefix", "kind", "times"))
    fault = HttpFault(
        one_of(given.get("kind"), "http_fault.kind", _HTTP_FAULTS),
        given.get("method"),
        given.get("path_prefix", "/v1/"),
        int(given.get("times", 1)),
    )
    call.server.faults.http.append(fault)
    return asdict(fault)


def after_retries(call: Call, given: Any) -> Any:
    call.server.faults.after_retries = one_of(given, "after_retries", _AFTER_RETRIES)
    return given


def otherwise(call: Call, given: Any) -> Any:
    names = {one_of(name, "otherwise", tuple(OTHER_WAYS)) for name in given}
    call.server.faults.otherwise = names
    return sorted(call.server.faults.otherwise)


def inactive_domains(call: Call, given: Any) -> Any:
    call.server.faults.inactive_domains = {str(host) for host in given}
    return sorted(call.server.faults.inactive_domains)


def latency(call: Call, given: Any) -> Any:
    given = only(given, "latency", ("path_prefix", "seconds"))
    waits = call.server.faults.latency
    prefix, seconds = given.get("path_prefix", "/v1/"), float(given["seconds"])
    if seconds > 0:
        waits[prefix] = seconds
    else:
        waits.pop(prefix, None)
    return dict(waits)


def limits(call: Call, given: Any) -> Any:
    if isinstance(given, str):
        limits = DOCUMENTED[one_of(given, "limits", tuple(DOCUMENTED))]
    else:
        given = only(given, "limits", ("per_second", "per_endpoint"))
        limits = Limits(given.get("per_second"), given.get("per_endpoint"))
    call.server.limit(limits)
    return asdict(limits)
