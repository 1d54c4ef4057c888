"""Everything real: PostgreSQL with committed rows, Stripe over HTTP, webhooks over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest
import stripe as stripe_api
from django.core.management import call_command

from apps.billing.stripe_gateway.transport import Transport
from tests.faults.killing import MortalWorkers
from tests.preorders.world import World


@pytest.fixture
def world(transactional_db: None, stripe: Any, clock: Any, run_tasks: Any, platform: None) -> World:
    """What it writes is committed, so that other processes and the web server see it."""
    for endpoint in stripe_api.WebhookEndpoint.list(limit=100):
        stripe_api.WebhookEndpoint.delete(endpoint.id)
    return World(stripe, clock, run_tasks)


@pytest.fixture
def webhooks(world: World, settings: Any, request: pytest.FixtureRequest) -> None:
    """Stripe's webhooks arrive at our own view on a running web server."""
    # Requested here because it loads the middleware, which needs the test's folders.
    settings.STRIPE_WEBHOOK_BASE = request.getfixturevalue("live_server").url
    call_command("connect_stripe", verbosity=0)


@pytest.fixture
def impatient(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls give up after a second and are repeated at once, so that timeouts cost little."""
    transport = Transport(timeout=1, sleep=lambda seconds: None)
    monkeypatch.setattr(stripe_api, "default_http_client", transport)
    yield
    transport.close()


@pytest.fixture(scope="session")
def mortal_process(django_db_setup: None, stripe_process: Any) -> Iterator[MortalWorkers]:
    workers = MortalWorkers(stripe_process.address)
    yield workers
    workers.stop()


@pytest.fixture
def mortals(world: World, mortal_process: MortalWorkers) -> MortalWorkers:
    return mortal_process
