"""Errors that the application raises on purpose, with a message for the person who caused them."""

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error in one field of a request; `field` is the name the client sent."""

    field: str
    message: str


class DomainError(Exception):
    """A business rule refused the request.

    `message` tells a person what happened and what to do. `status` is the HTTP status of the
    response; `extra` is added to the error body where the API contract needs more fields.
    """

    status = 400
    code = "invalid"
    retry_after: int | None = None  # seconds, where waiting helps

    def __init__(
        self,
        message: str | Promise,
        *,
        fields: list[FieldError] | None = None,
        extra: dict[str, object] | None = None,
    ) -> None:
        self.message = str(message)  # translated now, while the request's language is active
        super().__init__(self.message)
        self.fields = fields or []
        self.extra = extra or {}


class Invalid(DomainError):
    """The request is incomplete or malformed."""

    @classmethod
    def because(cls, fields: list[FieldError]) -> "Invalid":
        """All field errors at once; the first one becomes the message."""
        return cls(fields[0].message, fields=fields)


class Forbidden(DomainError):
    status = 403
    code = "forbidden"


class NotFound(DomainError):
    status = 404
    code = "not_found"


class Conflict(DomainError):
    """The request was valid, but the current state doesn't allow it. Nothing was written."""

    status = 409
    code = "conflict"


class Unavailable(DomainError):
    """An external service didn't respond; trying again may help."""

    status = 503
    code = "unavailable"
