"""Signed ids: tokens for links that work without an account."""

from dataclasses import dataclass
from uuid import UUID

from django.core.signing import BadSignature

from apps.common.request_log import note_forgery
from apps.common.signing import signer

MAX_TOKEN_LENGTH = 120  # longer ones are rejected unread; our tokens have 76 characters


@dataclass(frozen=True, slots=True)
class SignedIds:
    """Tokens for one kind of link; a token with another `purpose` isn't accepted."""

    purpose: str

    def token(self, key: UUID) -> str:
        """The token for this id, the last part of a link."""
        return signer(self.purpose).sign(key.hex)

    def key_of(self, token: str) -> UUID | None:
        """The id in a token; None if we didn't sign it."""
        try:
            return UUID(signed_text(self.purpose, token))
        except ValueError:
            return None


def signed_text(purpose: str, token: str) -> str:
    """The text in the token; empty for a token that we did not sign for this purpose, which is
    logged."""
    try:
        if len(token) <= MAX_TOKEN_LENGTH:
            return signer(purpose).unsign(token)
    except BadSignature:
        pass
    if token:
        note_forgery("link")
    return ""
