"""The one kind of refusal our own code raises on purpose."""

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field of a request; `field` is the name the client sent."""

    field: str
    message: str


class DomainError(Exception):
    """A rule of the product says no.

    `message` is a sentence for a person that says what to do. `status` is the HTTP status an entry
    point answers with; `extra` is added to the error body where the contract asks for more.
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
        self.message = str(message)  # in the language of whoever is refused
        super().__init__(self.message)
        self.fields = fields or []
        self.extra = extra or {}


class Invalid(DomainError):
    """The request does not say something we can act on."""

    @classmethod
    def because(cls, fields: list[FieldError]) -> "Invalid":
        """Every field's fault at once; the first one is the headline."""
        return cls(fields[0].message, fields=fields)


class Forbidden(DomainError):
    status = 403
    code = "forbidden"


class NotFound(DomainError):
    status = 404
    code = "not_found"


class Conflict(DomainError):
    """True when it was asked, but the world has moved on; nothing was written."""

    status = 409
    code = "conflict"


class Unavailable(DomainError):
    """Something outside us did not answer; asking again may help."""

    status = 503
    code = "unavailable"
