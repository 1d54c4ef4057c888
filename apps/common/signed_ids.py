"""Ids under our signature: the end of a link whose holder needs no account."""

from dataclasses import dataclass
from uuid import UUID

from django.core.signing import BadSignature, Signer

MAX_TOKEN_LENGTH = 120  # of what is looked at; ours have 76 characters


@dataclass(frozen=True, slots=True)
class SignedIds:
    """Links of one kind; one made for another kind (`salt`) is none of these."""

    salt: str
    sep: str = "."

    def token(self, key: UUID) -> str:
        """What a link ends in."""
        return self._signer().sign(key.hex)

    def key_of(self, token: str) -> UUID | None:
        """The id a link is for; None for one we did not make."""
        if len(token) > MAX_TOKEN_LENGTH:
            return None
        try:
            return UUID(self._signer().unsign(token))
        except (BadSignature, ValueError):
            return None

    def _signer(self) -> Signer:
        return Signer(sep=self.sep, salt=self.salt)
