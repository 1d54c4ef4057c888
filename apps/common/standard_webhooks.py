"""Signatures of the webhooks that we send, by the Standard Webhooks specification 1.0.0.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
A receiver verifies them with any of its libraries; ours is tested against the one for Python.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

SECRET_PREFIX = "whsec_"
SECRET_BYTES = 32  # the specification asks for 24 to 64


def new_secret() -> str:
    """A random signing secret, as a receiver configures it."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(
    body: bytes, *, message_id: str, signing_secrets: Sequence[str], now: datetime
) -> dict[str, str]:
    """The headers that go with `body`, signed with each of the secrets.

    `message_id` stays the same when a message is sent again, and has no period. `now` is the time
    of this attempt; receivers refuse one that is minutes old. Raises ValueError for a secret that
    is not one of `new_secret`.
    """
    if "." in message_id:
        raise ValueError("A message's id can't contain a period.")
    timestamp = str(int(now.timestamp()))
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    signatures = [f"v1,{_signature(secret, signed)}" for secret in signing_secrets]
    return {
        "Content-Type": "application/json",
        "Webhook-Id": message_id,
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": " ".join(signatures),
    }


def _signature(secret: str, signed: bytes) -> str:
    if not secret.startswith(SECRET_PREFIX):
        raise ValueError(f"A signing secret begins with {SECRET_PREFIX}.")
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
