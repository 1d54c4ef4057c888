"""What the conformance suite talks to: local Stripe, or a Stripe sandbox.

Tests get a `Target` and use its client. Where the two work differently, there is a method here, so
that a test reads the same for both.
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import pytest
import stripe
from django.conf import settings
from local_stripe.testing import LocalStripe

SANDBOX_KEY = os.environ.get("STRIPE_SANDBOX_SECRET_KEY", "")
SANDBOX_ACCOUNT = os.environ.get("STRIPE_SANDBOX_ACCOUNT", "")
# A sandbox settles asynchronous refunds and sends events within this time, as seen from outside:
# its documentation says "some time later".
SANDBOX_PATIENCE_SECONDS = 180


class Target(ABC):
    """A Stripe with its client, pinned to the API version that the product is written for."""

    def __init__(self, key: str, base_url: str) -> None:
        if not key.startswith(("sk_test_", "rk_test_")):
            raise ValueError("The conformance suite runs with a test key only.")
        self.api = stripe.StripeClient(
            key,
            base_addresses={"api": base_url},
            stripe_version=settings.STRIPE_API_VERSION,
            max_network_retries=0,
            http_client=stripe.RequestsClient(timeout=30),
        )

    @abstractmethod
    def connected_account(self) -> str:
        """An account that can receive transfers. Skips the test if there is none."""

    @abstractmethod
    def wait_for(self, seen: Callable[[], bool]) -> None:
        """Let time pass until `seen` is true. Raises AssertionError if it never is."""

    def close(self) -> None:
        http_client: Any = self.api._requestor._client
        http_client.close()


class Local(Target):
    """Local Stripe. `server` moves its clock and injects faults: for tests marked `local_only`."""

    def __init__(self, server: LocalStripe) -> None:
        super().__init__(server.secret_key, server.base_url)
        self.server = server

    def connected_account(self) -> str:
        account = self.api.v1.accounts.create(
            {
                "type": "express",
                "country": "US",
                "capabilities": {
                    "card_payments": {"requested": True},
                    "transfers": {"requested": True},
                },
                "settings": {"payouts": {"schedule": {"interval": "manual"}}},
            }
        )
        self.server.control(onboard=account.id)
        return account.id

    def wait_for(self, seen: Callable[[], bool]) -> None:
        for _ in range(30):
            if seen():
                return
            self.server.control(advance=60)
        raise AssertionError("it did not happen within half an hour")


class Sandbox(Target):
    """A Stripe sandbox. Its objects stay there; every test makes its own."""

    def __init__(self) -> None:
        super().__init__(SANDBOX_KEY, "https://api.stripe.com")

    def connected_account(self) -> str:
        if not SANDBOX_ACCOUNT:
            pytest.skip("STRIPE_SANDBOX_ACCOUNT is not set")
        return SANDBOX_ACCOUNT

    def wait_for(self, seen: Callable[[], bool]) -> None:
        give_up = time.monotonic() + SANDBOX_PATIENCE_SECONDS
        while not seen():
            if time.monotonic() > give_up:
                raise AssertionError(f"it did not happen within {SANDBOX_PATIENCE_SECONDS} s")
            time.sleep(3)
