"""hCaptcha: a stand-in on this machine that answers as https://docs.hcaptcha.com documents.

The browser's side: `frontend/src/lib/bot-check.test.ts`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import parse_qs

import pytest

from apps.accounts import bot_check
from apps.accounts.bot_check import BotSuspected, FormProof, check_once, is_person
from tests.conftest import NOON

ROOT = Path(__file__).resolve().parents[2]
POLICY = """
import django, json
django.setup()
from django.conf import settings
directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
print(json.dumps({name: [str(each) for each in of] for name, of in directives.items()}))
"""
NEEDED = {"https://hcaptcha.com", "https://*.hcaptcha.com"}


class Siteverify:
    """Accepts the secret and a token as a form: each token once, and only for its site key."""

    def __init__(self) -> None:
        self.valid: set[str] = set()
        self.used: set[str] = set()
        self.asked: list[dict[str, str]] = []
        self.status = 200
        self.silent = False
        self.over = Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.headers["Content-Type"] == "application/x-www-form-urlencoded"
                sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if service.silent:
                    service.over.wait()
                    return
                answer = service.verify({key: value for key, [value] in parse_qs(sent).items()})
                self.send_response(service.status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/siteverify"
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def verify(self, sent: dict[str, str]) -> dict[str, object]:
        self.asked.append(sent)
        if sent.get("secret") != "secret":
            return {"success": False, "error-codes": ["invalid-input-secret"]}
        if sent.get("sitekey") != "site":
            return {"success": False, "error-codes": ["sitekey-secret-mismatch"]}
        token = sent.get("response", "")
        if token in self.used:
            return {"success": False, "error-codes": ["already-seen-response"]}
        if token not in self.valid:
            return {"success": False, "error-codes": ["invalid-input-response"]}
        self.used.add(token)
        return {"success": True, "challenge_ts": "2027-03-22T16:00:00Z", "hostname": "localhost"}

    def stop(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def hcaptcha(settings) -> Iterator[Siteverify]:
    running = Siteverify()
    settings.HCAPTCHA_SITE_KEY, settings.HCAPTCHA_SECRET_KEY = "site", "secret"
    settings.HCAPTCHA_VERIFY_URL = running.url
    running.valid = {"good", "other"}
    yield running
    running.stop()


def test_a_token_is_verified_with_the_secret_the_key_and_the_address(hcaptcha):
    assert is_person("good", address="192.0.2.1")
    assert hcaptcha.asked == [
        {"secret": "secret", "response": "good", "sitekey": "site", "remoteip": "192.0.2.1"}
    ]


def test_a_token_counts_once(hcaptcha):
    check_once(FormProof(token="good"), address="192.0.2.1", now=NOON)
    with pytest.raises(BotSuspected):
        check_once(FormProof(token="good"), address="192.0.2.1", now=NOON)
    check_once(FormProof(token="other"), address="192.0.2.1", now=NOON)


def test_an_invented_token_and_a_foreign_site_key_are_refused(hcaptcha, settings):
    assert not is_person("invented", address="192.0.2.1")
    settings.HCAPTCHA_SITE_KEY = "another-site"
    assert not is_person("good", address="192.0.2.1")


@pytest.mark.parametrize("trouble", ["500", "silence", "nobody listens"])
def test_nobody_passes_while_the_service_cannot_be_asked(hcaptcha, settings, monkeypatch, trouble):
    monkeypatch.setattr(bot_check, "HCAPTCHA_TIMEOUT_SECONDS", 0.2)
    if trouble == "500":
        hcaptcha.status = 500
    elif trouble == "silence":
        hcaptcha.silent = True
    else:
        settings.HCAPTCHA_VERIFY_URL = "http://127.0.0.1:9/siteverify"
    assert not is_person("good", address="192.0.2.1")


@pytest.mark.parametrize("key", ["site", ""])
def test_pages_can_load_the_widget_where_a_key_is_configured_and_only_there(key):
    """All four directives, with every subdomain:
    https://docs.hcaptcha.com/#content-security-policy-settings"""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", POLICY],
        env=os.environ
        | {"HCAPTCHA_SITE_KEY": key, "DJANGO_SETTINGS_MODULE": "config.settings.test"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    directives = json.loads(run.stdout)
    allowing = {name for name, sources in directives.items() if set(sources) >= NEEDED}
    expected = {"script-src", "frame-src", "style-src", "connect-src"} if key else set()
    assert allowing == expected
    assert "hcaptcha" in run.stdout or not key
