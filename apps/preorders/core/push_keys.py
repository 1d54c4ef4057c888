"""The key by which push services know us (VAPID, https://www.rfc-editor.org/rfc/rfc8292)."""

import base64
from functools import lru_cache

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02


def is_push_on() -> bool:
    return bool(settings.PUSH_PRIVATE_KEY)


def public_key() -> str:
    """What a browser needs to subscribe, in URL-safe Base64; empty while push is off."""
    return _public_key(settings.PUSH_PRIVATE_KEY) if is_push_on() else ""


@lru_cache(maxsize=4)
def _public_key(private_key: str) -> str:
    point = Vapid02.from_string(private_key).public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return unpadded(point)


def authorization(audience: str, *, expires: int) -> str:
    """The header that proves who sends. `audience` is the push service's origin; `expires` is in
    seconds since 1970, at most a day ahead."""
    claims = {"aud": audience, "exp": expires, "sub": settings.PUSH_CONTACT}
    header: str = Vapid02.from_string(settings.PUSH_PRIVATE_KEY).sign(claims)["Authorization"]
    return header


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_unpadded(text: str) -> bytes:
    """Raises ValueError for what isn't URL-safe Base64."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
