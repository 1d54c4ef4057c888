"""Requests to addresses that others chose reach public addresses alone, and always end."""

import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from apps.common import outbound
from apps.common.outbound import InvalidAddress, NotDelivered, checked_url, is_public, post
from tests.receiver import listening


@pytest.fixture
def production(settings):
    settings.OUTBOUND_TO_PRIVATE_ADDRESSES = False


@contextmanager
def raw_server(answer):
    """A server on loopback whose one connection `answer(connection)` handles."""
    server = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve():
        connection, _ = server.accept()
        with connection, suppress(OSError):
            answer(connection)
        ended.set()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1], ended
    finally:
        server.close()
        thread.join(5)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "198.18.0.1", "192.0.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255"),
        *("::1", "::", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
        *("2001:db8::1", "2001::1"),
    ],
)
def test_an_address_that_not_everybody_reaches_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111"])
def test_an_address_on_the_internet_is_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.com", "http://example.com/", "ftp://example.com/", "file:///etc/passwd"),
        *("https://", "https:///path", "https://me:secret@example.com/", "https://me@example.com"),
        *("https://example.com/#here", "https://example.com:0/", "https://example.com:99999/"),
        *("https://[::1/", "https://example.com/a b", "https://example.com/\r\nHost: x"),
        *("https://exämple.com/", f"https://example.com/{'a' * 500}", "javascript:alert(1)"),
    ],
)
def test_a_url_that_is_not_plain_https_is_refused(production, url):
    with pytest.raises(InvalidAddress):
        checked_url(url)
    with pytest.raises(InvalidAddress):
        post(url, body=b"{}", headers={})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_this_machine_is_not_called_in_production(production, host):
    with listening() as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        with pytest.raises(NotDelivered) as refusal:
            post(f"https://{host}:{port}/", body=b"{}", headers={})
        assert refusal.value.code in ("not_public", "unresolved")
        assert receiver.received == []


def test_one_private_address_among_public_ones_is_enough_to_refuse(production, monkeypatch):
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))
        for address in ("93.184.215.14", "10.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kw: found)
    with pytest.raises(NotDelivered, match="not_public"):
        post("https://example.com/", body=b"{}", headers={})


def test_a_name_is_resolved_once_and_the_checked_address_is_called(production, monkeypatch):
    """A name that is public for the check and private a moment later (DNS rebinding)."""
    asked, connected = [], []
    public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))

    def resolve(*args, **_):
        asked.append(args)
        return [public] if len(asked) == 1 else [(*public[:4], ("127.0.0.1", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    def connect(self, address):
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(NotDelivered, match="connection"):
        post("https://example.com/", body=b"{}", headers={})
    assert (len(asked), connected) == (1, [("93.184.215.14", 443)])


def test_what_is_sent_arrives_with_its_headers_and_the_answer_is_read():
    with listening() as receiver:
        receiver.will_answer(202, "gut so ✓".encode())
        answer = post(receiver.url, body=b'{"a":1}', headers={"X-Test": "yes"})
        (received,) = receiver.received
    assert (answer.status, answer.body, answer.is_success) == (202, "gut so ✓", True)
    assert (received.path, received.body) == ("/hooks?source=fb", b'{"a":1}')
    assert received.headers["x-test"] == "yes"
    assert received.headers["host"] == receiver.url.split("/")[2]


def test_a_redirect_is_an_answer_and_is_not_followed():
    with listening() as receiver, listening() as elsewhere:
        receiver.will_answer(302, Location=elsewhere.url)
        answer = post(receiver.url, body=b"{}", headers={})
        assert (answer.status, answer.is_success) == (302, False)
        assert (len(receiver.received), elsewhere.received) == (1, [])


def test_of_a_long_answer_only_the_beginning_is_read():
    with listening() as receiver:
        receiver.will_answer(500, b"x\x00" * 500_000)
        answer = post(receiver.url, body=b"{}", headers={})
    assert answer.status == 500
    assert answer.body == "x\ufffd" * 500


def test_an_answer_that_trickles_ends_with_the_time_for_the_whole_request(monkeypatch):
    """Each byte comes in time; together they never end."""
    monkeypatch.setattr(outbound, "TOTAL_SECONDS", 0.5)

    def trickle(connection):
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-A: b\r\n")
            time.sleep(0.02)

    with raw_server(trickle) as (port, ended), pytest.raises(NotDelivered, match="timeout"):
        post(f"http://127.0.0.1:{port}/", body=b"{}", headers={})
    assert ended.wait(5)


def test_a_handshake_that_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(outbound, "TOTAL_SECONDS", 0.5)

    def silent(connection):
        while connection.recv(1000):
            pass

    with raw_server(silent) as (port, ended), pytest.raises(NotDelivered, match="timeout"):
        post(f"https://127.0.0.1:{port}/", body=b"{}", headers={})
    assert ended.wait(5)


def test_what_answers_something_else_than_http_is_not_delivered():
    with (
        raw_server(lambda connection: connection.sendall(b"220 smtp ready\r\n")) as (port, _),
        pytest.raises(NotDelivered, match=r"not_http|connection"),
    ):
        post(f"http://127.0.0.1:{port}/", body=b"{}", headers={})


def test_nobody_listening_and_an_unknown_name_are_not_delivered():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(NotDelivered, match="connection"):
        post(f"http://127.0.0.1:{port}/", body=b"{}", headers={})
    with pytest.raises(NotDelivered, match="unresolved"):
        post("http://does-not-exist.invalid/", body=b"{}", headers={})


def certificate(folder, name):
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


def over_tls(file):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def answer(connection):
        with suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
            secure.recv(1000)
            secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    return answer


def test_a_certificate_must_be_valid_and_of_that_name(tmp_path, monkeypatch):
    right, other = certificate(tmp_path, "localhost"), certificate(tmp_path, "other.test")
    monkeypatch.setattr(certifi, "where", lambda: str(right))
    with raw_server(over_tls(right)) as (port, _):
        assert post(f"https://localhost:{port}/", body=b"{}", headers={}).status == 204
    monkeypatch.setattr(certifi, "where", lambda: str(other))
    for shown in (right, other):  # not trusted; trusted, but another name's
        with raw_server(over_tls(shown)) as (port, _), pytest.raises(NotDelivered, match="tls"):
            post(f"https://localhost:{port}/", body=b"{}", headers={})
