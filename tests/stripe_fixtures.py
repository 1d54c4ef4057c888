"""Fixtures for tests about money, available in all folders (tests/conftest.py)."""

from collections.abc import Iterator
from typing import Any

import pytest
import stripe as stripe_api
from local_stripe.testing import LocalStripe

from tests.preorders.world import World


@pytest.fixture(scope="session")
def stripe_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStripe]:
    """One local Stripe per worker of the run: it takes a second to start."""
    server = LocalStripe(tmp_path_factory.mktemp("stripe")).start()
    yield server
    server.stop()


@pytest.fixture
def stripe(stripe_process: LocalStripe, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalStripe]:
    """An empty local Stripe, which the program uses. Every answer must match Stripe's types."""
    stripe_process.control(reset=True)
    monkeypatch.setattr(stripe_api, "api_base", stripe_process.address)
    yield stripe_process
    assert stripe_process.look(1)["contract_violations"] == []


@pytest.fixture
def world(stripe: LocalStripe, clock: Any, run_tasks: Any, platform: None, db: None) -> World:
    return World(stripe, clock, run_tasks)
