"""Which new passwords are refused, beyond short ones (decision 106)."""

import hashlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from apps.accounts.services.passwords import BREACHED, TOO_OBVIOUS, password_error

LEAKED = "harbor-lantern-52"


@pytest.mark.parametrize(
    "password",
    ["FullyBooked2026!", "restaurant1!", "my-restaurant-9", "kitchen-2027", "Specials#22"],
)
def test_a_password_of_our_own_words_is_refused(password):
    assert password_error(password) == TOO_OBVIOUS


@pytest.mark.parametrize(
    "password", ["basil-and-lemon-9", "kitchen-lantern-5", "fullybooked-basil"]
)
def test_a_password_with_another_word_in_it_is_accepted(password):
    assert password_error(password) is None


class BreachedPasswords:
    """A server on this machine that answers as Have I Been Pwned documents its range API."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.status = 200
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.asked.append((self.path, self.headers["Add-Padding"]))
                suffix = hashlib.sha1(LEAKED.encode()).hexdigest().upper()[5:]
                padding = hashlib.sha1(b"not leaked 77").hexdigest().upper()[5:]
                self.send_response(service.status)
                self.end_headers()
                self.wfile.write(f"{'0' * 35}:3\r\n{suffix}:41\r\n{padding}:0\r\n".encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/range"
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service(settings) -> Iterator[BreachedPasswords]:
    running = BreachedPasswords()
    settings.BREACHED_PASSWORDS_URL = running.url
    yield running
    running.stop()


def test_a_password_of_a_data_breach_is_refused(service):
    assert password_error(LEAKED) == BREACHED
    digest = hashlib.sha1(LEAKED.encode()).hexdigest().upper()
    assert service.asked == [(f"/range/{digest[:5]}", "true")]
    assert password_error("harbor-lantern-53") is None


def test_what_only_fills_the_answer_up_is_accepted(service):
    assert password_error("not leaked 77") is None


def test_a_password_can_be_set_while_the_service_fails(service, settings):
    service.status = 503
    assert password_error(LEAKED) is None
    settings.BREACHED_PASSWORDS_URL = "http://127.0.0.1:9/range"  # nobody listens
    assert password_error(LEAKED) is None


def test_nobody_is_asked_unless_it_is_configured(service, settings):
    settings.BREACHED_PASSWORDS_URL = ""
    assert password_error(LEAKED) is None
    assert service.asked == []
