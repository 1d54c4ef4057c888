"""Servers that the program connects to must prove who they are: no client accepts just any
certificate."""

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
import redis
import requests
import stripe
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.mail.backends.smtp import EmailBackend

from apps.billing.stripe_gateway.transport import Transport


def _write_certificate(path: Path) -> None:
    """A certificate that nobody vouches for, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[int]:
    """The port of a server that speaks TLS with such a certificate."""
    path = tmp_path / "stranger.pem"
    _write_certificate(path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(path)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with suppress(OSError), tls.wrap_socket(connection, server_side=True) as secured:
                    secured.recv(1)

    Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


def _ask_redis(port: int) -> None:
    redis.Redis.from_url(f"rediss://127.0.0.1:{port}/0").ping()


def _send_email(port: int) -> None:
    EmailBackend(host="127.0.0.1", port=port, use_ssl=True, use_tls=False).open()


def _ask_stripe(port: int) -> None:
    transport = Transport(timeout=5, sleep=lambda seconds: None)
    transport.request("GET", f"https://127.0.0.1:{port}/v1/balance", {})


def _ask_hcaptcha(port: int) -> None:
    requests.post(f"https://127.0.0.1:{port}/siteverify", data={}, timeout=5)


@pytest.mark.parametrize(
    ("connect", "refusal"),
    [
        (_ask_redis, redis.exceptions.ConnectionError),
        (_send_email, (ssl.SSLError, smtplib.SMTPException)),
        (_ask_stripe, stripe.APIConnectionError),
        (_ask_hcaptcha, requests.exceptions.SSLError),
    ],
)
def test_a_certificate_that_nobody_vouches_for_is_refused(
    stranger: int, connect: Callable[[int], None], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal, match=r"(?i)certificate|ssl"):
        connect(stranger)
