"""A client that starts, stops, and controls local Stripe from tests.

>>> stripe_server = LocalStripe(data_dir)
>>> stripe_server.start()
>>> stripe_server.control(capture_fault={"kind": "decline"})
>>> stripe_server.pay(session.id, number="4000000000000002")
>>> stripe_server.stop()
"""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# dj-stripe requires at least 24 characters after the prefix.
SECRET_KEY = "sk_test_localstripelocalstripelocal"
PUBLISHABLE_KEY = "pk_test_localstripelocalstripelocal"
_START_WITHIN = 60.0  # a busy machine takes its time
_STOP_WITHIN = 3.0


class ControlRefused(Exception):
    """``/_control`` refused a command; the message is its response."""


class LocalStripe:
    """One server process. ``data_dir`` holds its state, so a restart continues from it."""

    secret_key = SECRET_KEY
    publishable_key = PUBLISHABLE_KEY

    def __init__(
        self, data_dir: Path, port: int | None = None, *, options: Sequence[str] = ()
    ) -> None:
        """``options`` are passed on to the command line."""
        self.data_dir = data_dir
        self.options = options
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> "LocalStripe":
        """Start the server and wait until it responds. Raises with its output if it doesn't."""
        command = [sys.executable, "-m", "local_stripe"]
        options = ["--port", str(self.port), "--data", str(self.data_dir), *self.options]
        self.data_dir.mkdir(parents=True, exist_ok=True)
        log = self.data_dir / "output.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command + options, stdout=output, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + _START_WITHIN
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"Local Stripe did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.02)
        return self

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/_control/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    @property
    def address(self) -> str:
        """The server's URL by IP address, which needs no DNS lookup."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Ask the server to stop and wait until it has."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def kill(self) -> None:
        """Kill the server, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def control(self, **orders: Any) -> dict[str, Any]:
        """Send commands to ``/_control``; without any, return recent activity."""
        return self._control(json.dumps(orders).encode() if orders else None)

    def _control(self, body: bytes | None, query: str = "") -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self.address}/_control{query}",
            data=body,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                result: dict[str, Any] = json.load(answer)
                return result
        except urllib.error.HTTPError as refused:
            with refused:
                raise ControlRefused(json.load(refused)["error"]) from None

    def confirm(
        self, client_secret: str, number: str | None = "4242424242424242", **more: Any
    ) -> dict[str, Any]:
        """Confirm an intent as Stripe.js would, with a card or, if ``number`` is None, with the
        intent's payment method. ``authenticate`` works as in ``pay``."""
        intent = client_secret.split("_secret_")[0]
        done = self.control(pay={"intent": intent, "number": number, **more})
        result: dict[str, Any] = done["pay"]
        return result

    def look(self, how_many: int = 200) -> dict[str, Any]:
        """Return recent events, deliveries, requests, and every contract violation."""
        return self._control(None, f"?n={how_many}")

    def pay(self, session_id: str, number: str = "4242424242424242", **more: Any) -> dict[str, Any]:
        """Pay as a customer on the hosted page. ``authenticate``: "ok", "fail", or "leave"."""
        done = self.control(pay={"session": session_id, "number": number, **more})
        result: dict[str, Any] = done["pay"]
        return result

    def wait_delivered(self, within: float = 10.0) -> None:
        """Wait until no webhook delivery is pending."""
        deadline = time.monotonic() + within
        while self.control()["undelivered"]:
            if time.monotonic() > deadline:
                raise TimeoutError("Webhooks are still undelivered.")
            time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
