"""Starts and drives a local Stripe from tests.

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
from pathlib import Path
from typing import Any

# dj-stripe accepts keys of at least 24 characters after the prefix only.
SECRET_KEY = "sk_test_localstripelocalstripelocal"
PUBLISHABLE_KEY = "pk_test_localstripelocalstripelocal"
_START_WITHIN = 20.0
_STOP_WITHIN = 3.0


class ControlRefused(Exception):
    """``/_control`` would not do what it was asked; the text is its answer."""


class LocalStripe:
    """One server process. ``data_dir`` keeps its state, so a second start goes on with it."""

    secret_key = SECRET_KEY
    publishable_key = PUBLISHABLE_KEY

    def __init__(self, data_dir: Path, port: int | None = None) -> None:
        self.data_dir = data_dir
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> "LocalStripe":
        """Returns when the server answers. Raises with its output when it does not."""
        command = [sys.executable, "-m", "local_stripe"]
        options = ["--port", str(self.port), "--data", str(self.data_dir)]
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
                raise RuntimeError(f"The local Stripe did not start:\n{log.read_text()[-2000:]}")
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
        """The server by its number, which needs no name look-up."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Asks the server to stop and waits until it has."""
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
        """Ends the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def control(self, **orders: Any) -> dict[str, Any]:
        """Gives orders to ``/_control``; without any, asks what happened lately."""
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
        """Does what Stripe.js would do with the secret and a card, or, without a number, with the
        card the intent has. ``authenticate`` as in ``pay``."""
        intent = client_secret.split("_secret_")[0]
        done = self.control(pay={"intent": intent, "number": number, **more})
        result: dict[str, Any] = done["pay"]
        return result

    def look(self, how_many: int = 200) -> dict[str, Any]:
        """The latest events, deliveries and calls, and every contract violation."""
        return self._control(None, f"?n={how_many}")

    def pay(self, session_id: str, number: str = "4242424242424242", **more: Any) -> dict[str, Any]:
        """Does what the hosted page would do. ``authenticate``: "ok", "fail" or "leave"."""
        done = self.control(pay={"session": session_id, "number": number, **more})
        result: dict[str, Any] = done["pay"]
        return result

    def wait_delivered(self, within: float = 10.0) -> None:
        """Waits until no webhook is on its way any more."""
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
