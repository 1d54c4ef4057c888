"""Fixtures: one local Stripe per run, reset before each test, and a webhook receiver."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import Receiver, client_for, close, open_account, session_params


@pytest.fixture(scope="session")
def running_stripe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStripe]:
    server = LocalStripe(tmp_path_factory.mktemp("stripe"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(running_stripe: LocalStripe) -> Iterator[LocalStripe]:
    """An empty server. After the test, every response must match the stripe library's types."""
    running_stripe.control(reset=True)
    yield running_stripe
    assert running_stripe.look(1)["contract_violations"] == []


@pytest.fixture
def api(server: LocalStripe) -> Iterator[stripe.StripeClient]:
    client = client_for(server)
    yield client
    close(client)


@pytest.fixture
def account(server: LocalStripe, api: stripe.StripeClient) -> str:
    """A connected account that can accept payments."""
    return open_account(server, api)


@pytest.fixture
def hold(server: LocalStripe, api: stripe.StripeClient, account: str) -> Callable[..., str]:
    """Creates a checkout, pays it with a card, and returns the intent's ID."""

    def make(number: str = "4242424242424242", **changes: Any) -> str:
        params: Any = session_params(account, **changes)
        session = api.v1.checkout.sessions.create(params)
        paid = server.pay(session.id, number=number)
        assert paid["error"] is None
        return str(paid["payment_intent"])

    return make


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    taken = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = taken.answers.pop(0) if taken.answers else 200
            taken.raw.append((body, self.headers["Stripe-Signature"]))
            if status == 200:
                taken.received.append(json.loads(body))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.send_header("Connection", "close")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            return None

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taken.url = f"http://127.0.0.1:{listening.server_port}/hook"
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    yield taken
    listening.shutdown()
    listening.server_close()
    thread.join()


@pytest.fixture
def endpoint(api: stripe.StripeClient, receiver: Receiver) -> Iterator[stripe.WebhookEndpoint]:
    """A webhook endpoint that sends all platform events to the receiver."""
    made = api.v1.webhook_endpoints.create({"url": receiver.url, "enabled_events": ["*"]})
    yield made
    api.v1.webhook_endpoints.delete(made.id)
