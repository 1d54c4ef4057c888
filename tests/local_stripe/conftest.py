"""A local Stripe for the run, emptied before each test, and a place that receives webhooks."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import stripe

from devtools.local_stripe.testing import LocalStripe

Order = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def running_stripe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStripe]:
    server = LocalStripe(tmp_path_factory.mktemp("stripe"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(running_stripe: LocalStripe) -> Iterator[LocalStripe]:
    """Empty at first; at the end every answer it gave must fit the library's types."""
    running_stripe.control(reset=True)
    yield running_stripe
    assert running_stripe.look()["contract_violations"] == []


def client_for(server: LocalStripe, key: str | None = None) -> stripe.StripeClient:
    return stripe.StripeClient(
        key or server.secret_key,
        base_addresses={"api": server.base_url},
        max_network_retries=0,
        http_client=stripe.RequestsClient(timeout=10),
    )


@pytest.fixture
def api(server: LocalStripe) -> Iterator[stripe.StripeClient]:
    client = client_for(server)
    yield client
    client._requestor._client.close()  # the library has no public way to close a client


@pytest.fixture
def account(server: LocalStripe, api: stripe.StripeClient) -> str:
    """A connected account that may take payments."""
    return open_account(server, api)


def open_account(server: LocalStripe, api: stripe.StripeClient) -> str:
    wanted = {"requested": True}
    made = api.v1.accounts.create(
        {
            "type": "express",
            "country": "US",
            "email": "owner@example.com",
            "business_profile": {"name": "Luigi's"},
            "capabilities": {"card_payments": wanted, "transfers": wanted},
        }
    )
    server.control(onboard=made.id)
    return made.id


def session_params(account: str | None = None, **changes: Any) -> dict[str, Any]:
    """A checkout that holds $20.00, for a connected account when one is given."""
    shared = (
        {
            "application_fee_amount": 150,
            "on_behalf_of": account,
            "transfer_data": {"destination": account},
        }
        if account
        else {}
    )
    return {
        "mode": "payment",
        "line_items": [
            {
                "price_data": {
                    "currency": "usd",
                    "unit_amount": 1000,
                    "product_data": {"name": "Lasagne"},
                },
                "quantity": 2,
            }
        ],
        "payment_intent_data": {
            "capture_method": "manual",
            "metadata": {"pre_order_id": "17"},
            **shared,
        },
        "customer_email": "diner@example.com",
        "success_url": "http://luigis.localhost:9/thanks?session={CHECKOUT_SESSION_ID}",
        "cancel_url": "http://luigis.localhost:9/specials/1",
        **changes,
    }


@pytest.fixture
def hold(server: LocalStripe, api: stripe.StripeClient, account: str) -> Callable[..., str]:
    """Makes a checkout, pays it with a card, gives the id of the intent."""

    def make(number: str = "4242424242424242", **changes: Any) -> str:
        params: Any = session_params(account, **changes)
        session = api.v1.checkout.sessions.create(params)
        paid = server.pay(session.id, number=number)
        assert paid["error"] is None
        return str(paid["payment_intent"])

    return make


@dataclass
class Receiver:
    """Takes webhooks. ``answers`` are the next status codes; 200 when none is left."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    received: list[dict[str, Any]] = field(default_factory=list)
    raw: list[tuple[bytes, str]] = field(default_factory=list)

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.received]


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
    """The receiver, told of everything that happens at the platform."""
    made = api.v1.webhook_endpoints.create({"url": receiver.url, "enabled_events": ["*"]})
    yield made
    api.v1.webhook_endpoints.delete(made.id)
