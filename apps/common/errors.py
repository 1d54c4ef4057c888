"""Errors that the application raises on purpose, with a message for the person who caused them."""

from dataclasses import dataclass

from django.utils.functional import Promise

from apps.common.error_codes import ErrorCode, FieldErrorCode


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error in one field of a request; `field` is the name the client sent."""

    field: str
    message: str
    code: FieldErrorCode = FieldErrorCode.INVALID


class DomainError(Exception):
    """A business rule refused the request.

    `message` tells a person what happened and what to do, `code` tells a program; the code decides
    the HTTP status of the response. `extra` is added to the error body where the API contract needs
    more fields, `headers` to the response.
    """

    code = ErrorCode.INVALID
    retry_after: int | None = None  # seconds, where waiting helps

    def __init__(
        self,
        message: str | Promise,
        *,
        code: ErrorCode | None = None,
        fields: list[FieldError] | None = None,
        extra: dict[str, object] | None = None,
    ) -> None:
        self.message = str(message)  # translated now, while the request's language is active
        super().__init__(self.message)
        self.code = code or self.code
        self.fields = fields or []
        self.extra = extra or {}

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return self.code.status

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the response."""
        return {"Retry-After": str(self.retry_after)} if self.retry_after else {}


class Invalid(DomainError):
    """The request is incomplete or malformed."""

    @classmethod
    def because(cls, fields: list[FieldError]) -> "Invalid":
        """All field errors at once; the first one becomes the message."""
        return cls(fields[0].message, fields=fields)


class Forbidden(DomainError):
    code = ErrorCode.FORBIDDEN


class NotFound(DomainError):
    code = ErrorCode.NOT_FOUND


class Conflict(DomainError):
    """The request was valid, but the current state doesn't allow it. Nothing was written."""

    code = ErrorCode.CONFLICT


class Unavailable(DomainError):
    """An external service didn't respond; trying again may help."""

    code = ErrorCode.UNAVAILABLE
