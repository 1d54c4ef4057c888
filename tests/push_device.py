"""A browser that gets push messages: its keys, and what it can read with them."""

import json
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from apps.preorders.core.push_keys import unpadded
from tests.receiver import Received

SECRET = b"0123456789abcdef"


class Device:
    """`url` is where its push service takes messages."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def subscription(self) -> dict[str, str]:
        """What a browser tells us when it subscribes: https://www.w3.org/TR/push-api/."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.url, "p256dh": unpadded(point), "auth": unpadded(SECRET)}

    def read(self, received: Received) -> dict[str, Any]:
        """Decrypt a message: https://www.rfc-editor.org/rfc/rfc8291."""
        plain = http_ece.decrypt(
            received.body, private_key=self.key, auth_secret=SECRET, version="aes128gcm"
        )
        message: dict[str, Any] = json.loads(plain)
        return message
