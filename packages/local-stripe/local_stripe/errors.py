"""Errors in Stripe's format: ``{"error": {"type", "code", "message", …}}``."""

from typing import Any


class StripeError(Exception):
    """An error response. ``details`` become fields of the error object."""

    def __init__(self, status: int, kind: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"type": kind, "message": message, **details}}
        self.headers: dict[str, str] = {}

    @property
    def message(self) -> str:
        return str(self.body["error"]["message"])

    @property
    def summary(self) -> dict[str, Any]:
        """The error without the objects that Stripe embeds in it."""
        plain = ("type", "code", "decline_code", "message", "param")
        return {name: text for name, text in self.body["error"].items() if name in plain}

    @property
    def code(self) -> str | None:
        return self.body["error"].get("code")


class LostResponse(Exception):
    """The request succeeded and is committed, but the client never receives the response."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__("response lost on purpose")
        self.answer = answer


def invalid_request(message: str, **details: Any) -> StripeError:
    return StripeError(400, "invalid_request_error", message, **details)


def card_error(message: str, code: str, **details: Any) -> StripeError:
    return StripeError(402, "card_error", message, code=code, **details)


def server_error() -> StripeError:
    return StripeError(500, "api_error", "An unknown error occurred.")


def no_such(kind: str, object_id: str, param: str = "id") -> StripeError:
    name = kind.replace(".", " ")
    return StripeError(
        404,
        "invalid_request_error",
        f"No such {name}: '{object_id}'",
        code="resource_missing",
        param=param,
    )
