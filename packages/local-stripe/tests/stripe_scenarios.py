"""Building blocks of the tests: clients, accounts, checkouts, and a webhook receiver."""

from dataclasses import dataclass, field
from typing import Any

import stripe
from local_stripe.testing import LocalStripe


def client_for(server: LocalStripe, key: str | None = None) -> stripe.StripeClient:
    return stripe.StripeClient(
        key or server.secret_key,
        base_addresses={"api": server.base_url},
        max_network_retries=0,
        http_client=stripe.RequestsClient(timeout=10),
    )


def close(client: stripe.StripeClient) -> None:
    """Close a client's connections; the library has no public way to."""
    http_client = client._requestor._client
    assert http_client is not None
    # The library's HTTP client has no annotations.
    http_client.close()  # type: ignore[no-untyped-call]


def open_account(server: LocalStripe, api: stripe.StripeClient) -> str:
    made = api.v1.accounts.create(
        {
            "type": "express",
            "country": "US",
            "email": "owner@example.com",
            "business_profile": {"name": "Luigi's"},
            "capabilities": {
                "card_payments": {"requested": True},
                "transfers": {"requested": True},
            },
        }
    )
    server.control(onboard=made.id)
    return made.id


def session_params(account: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return parameters of a $20.00 checkout with manual capture, optionally with Connect."""
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
        "customer_email": "guest@example.com",
        "success_url": "http://luigis.localhost:9/thanks?session={CHECKOUT_SESSION_ID}",
        "cancel_url": "http://luigis.localhost:9/specials/1",
        **changes,
    }


@dataclass
class Receiver:
    """Receives webhooks. ``answers`` are the next status codes; 200 once they run out."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    received: list[dict[str, Any]] = field(default_factory=list)
    raw: list[tuple[bytes, str]] = field(default_factory=list)

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.received]
