"""Encryption of secrets that the database holds: authenticator apps and recovery codes.

The keys serve nothing else. The first of `ENCRYPTION_KEYS` encrypts, all decrypt; after
`rotate_keys` has encrypted everything again with the first, the others can be removed.
"""

import base64
import hashlib
from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction

# Where allauth stores encrypted texts in an authenticator's data; the last key holds a list of
# them.
ENCRYPTED_TEXTS = ("secret", "seed")
ENCRYPTED_LIST = "migrated_codes"


class Undecryptable(Exception):
    """None of the keys fits."""


def _keys() -> MultiFernet:
    digests = (hashlib.sha256(key.encode()).digest() for key in settings.ENCRYPTION_KEYS)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def encrypt(text: str) -> str:
    """The text, encrypted with the first key."""
    return str(_keys().encrypt(text.encode()), "ascii")


def decrypt(encrypted: str) -> str:
    """The text, decrypted with whichever key fits. Raises Undecryptable."""
    try:
        return str(_keys().decrypt(encrypted.encode()), "utf-8")
    except InvalidToken:
        raise Undecryptable from None


def rotate(*, dry_run: bool = False) -> tuple[int, int]:
    """Encrypt every secret again with the first key.

    Returns how many authenticators were rotated, and how many none of the keys fits: those stay as
    they are. Safe to repeat, and while people sign in: each row is changed under its lock.
    """
    rotated = unreadable = 0
    for pk in Authenticator.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            row = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if row is None:
                continue
            try:
                data = _rotated(row.data)
            except InvalidToken:
                unreadable += 1
                continue
            if data != row.data:
                rotated += 1
                if not dry_run:
                    row.data = data
                    row.save(update_fields=["data"])
    return rotated, unreadable


def _rotated(data: dict[str, Any]) -> dict[str, Any]:
    rotated = dict(data)
    keys = _keys()

    def rotated_text(text: str) -> str:
        return str(keys.rotate(text.encode()), "ascii")

    for name in ENCRYPTED_TEXTS:
        if name in data:
            rotated[name] = rotated_text(data[name])
    if data.get(ENCRYPTED_LIST):
        rotated[ENCRYPTED_LIST] = [rotated_text(text) for text in data[ENCRYPTED_LIST]]
    return rotated
