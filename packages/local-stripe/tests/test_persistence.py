"""State survives a stop, a crash, and a restart."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import Receiver, client_for, close, open_account, session_params


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LocalStripe]:
    server = LocalStripe(tmp_path / "stripe data")
    yield server.start()
    server.stop()


@pytest.fixture
def own_api(own_server: LocalStripe) -> Iterator[stripe.StripeClient]:
    client = client_for(own_server)
    yield client
    close(client)


def test_everything_answered_survives_a_crash(
    own_server: LocalStripe, own_api: stripe.StripeClient
) -> None:
    own_server.control(advance=5000)
    account = open_account(own_server, own_api)
    params: Any = session_params(account)
    session = own_api.v1.checkout.sessions.create(params, {"idempotency_key": "k1"})
    intent_id = own_server.pay(session.id)["payment_intent"]
    events = own_server.look()["events"]

    own_server.kill()
    own_server.start()

    assert own_server.look()["clock"]["skew"] == 5000
    assert own_server.look()["events"] == events
    assert own_api.v1.checkout.sessions.create(params, {"idempotency_key": "k1"}).id == session.id
    assert own_api.v1.payment_intents.capture(intent_id).status == "succeeded"


def test_a_webhook_not_yet_delivered_survives_a_crash(
    own_server: LocalStripe, own_api: stripe.StripeClient, receiver: Receiver
) -> None:
    receiver.answers = [503]
    own_api.v1.webhook_endpoints.create({"url": receiver.url, "enabled_events": ["*"]})
    own_api.v1.customers.create({})
    while not receiver.raw:
        time.sleep(0.01)
    own_server.kill()
    own_server.start()
    own_server.wait_delivered()
    assert receiver.types == ["customer.created"]


def test_local_stripe_stops_when_asked(own_server: LocalStripe) -> None:
    assert own_server._process is not None
    process = own_server._process
    process.terminate()
    # The exit code says that it was not killed: after how long is the machine's affair.
    assert process.wait(30) in {0, -signal.SIGTERM}
    own_server.stop()


def test_local_stripe_refuses_to_listen_beyond_loopback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "local_stripe", "--port", "1", "--host", "0.0.0.0"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2
    assert "loopback" in done.stderr
