"""Signatures of what we give out: links in emails, the cookies they lead to, opened forms.

SIGNING_KEYS serve nothing else: the first signs, all are accepted. So removing a leaked key ends
all its links, and in a routine rotation links work until they expire (decision 62). SECRET_KEY is
left to Django's and django-allauth's own: sessions, CSRF, and reset links.

A signer derives its own key from the purpose, so that what was signed for one isn't accepted for
another: https://docs.djangoproject.com/en/5.2/topics/signing/#using-the-salt-argument
"""

from typing import Any

from django.conf import settings
from django.core.signing import Signer, TimestampSigner
from django.utils.crypto import salted_hmac


def signer(purpose: str) -> Signer:
    """The signer of one purpose, with the keys that are configured now."""
    return Signer(salt=purpose, **_keys())


def timestamp_signer(purpose: str) -> TimestampSigner:
    """The signer of one purpose whose signatures contain their time."""
    return TimestampSigner(salt=purpose, **_keys())


def keyed_hash(purpose: str, text: str) -> str:
    """A hash, in hexadecimal, that tells nothing about the text to anyone without the key."""
    key = settings.SIGNING_KEYS[0]
    return salted_hmac(purpose, text, secret=key, algorithm="sha256").hexdigest()


def _keys() -> dict[str, Any]:
    current, *earlier = settings.SIGNING_KEYS
    return {"key": current, "fallback_keys": earlier, "sep": "."}
