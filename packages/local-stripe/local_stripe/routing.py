"""The routing table: which function handles which endpoint of Stripe's API."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import contract
from .server import Call
from .store import Json

Handler = Callable[..., Json]


@dataclass(frozen=True)
class Endpoint:
    """``params`` names the stripe library's class for the request, which defines its parameters."""

    method: str
    path: str
    params: str
    handler: Handler

    def answer(self, call: Call, params: Json, ids: dict[str, str]) -> Json:
        return self.handler(call, params, **ids)

    @property
    def params_class(self) -> type:
        return contract.params_class(self.params)


_ENDPOINTS: dict[tuple[str, int], list[tuple[list[str], Endpoint]]] = {}


def endpoint(method: str, path: str, params: str) -> Callable[[Handler], Handler]:
    """Register a function for a path such as ``/v1/charges/{id}``."""

    def register(handler: Handler) -> Handler:
        parts = path.split("/")
        known = _ENDPOINTS.setdefault((method, len(parts)), [])
        known.append((parts, Endpoint(method, path, params, handler)))
        # Literal segments match before placeholders: /v1/accounts/… before /v1/{anything}/…
        known.sort(key=lambda entry: sum(part.startswith("{") for part in entry[0]))
        return handler

    return register


def match(method: str, path: str) -> tuple[Endpoint, dict[str, str]] | None:
    parts = path.split("/")
    for pattern, found in _ENDPOINTS.get((method, len(parts)), ()):
        ids: dict[str, Any] = {}
        for expected, part in zip(pattern, parts, strict=True):
            if expected.startswith("{"):
                ids[expected[1:-1]] = part
            elif expected != part:
                break
        else:
            return found, ids
    return None
