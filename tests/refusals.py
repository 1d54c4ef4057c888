"""Refusals of the API, without their codes."""

from typing import Any


def without_codes(body: dict[str, Any]) -> dict[str, Any]:
    """A refusal's body as people read it; `tests/contract` holds every refusal to its codes."""
    errors = [
        {name: value for name, value in error.items() if name != "code"} for error in body["errors"]
    ]
    return {name: value for name, value in body.items() if name != "code"} | {"errors": errors}
