from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.nodeid import coerce_node_id
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from apps.accounts.services import issue_token
from tests.conftest import NOON
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory


def pytest_configure(config: pytest.Config) -> None:
    """Loaded for this folder only (pyproject.toml): it takes a second of every other start."""
    from schemathesis.pytest import plugin

    config.pluginmanager.register(plugin, "schemathesis_plugin")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Schemathesis gives the tests of all operations the same id, and a worker would run only one
    of them."""
    for item in items:
        if operation := getattr(item, "operation_label", None):
            item._id = coerce_node_id(f"{item.nodeid}[{operation}]")


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's database connection open, which a server would close after each
    request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def owners_headers(cast: Any, clock: Any, stripe: Any) -> dict[str, str]:
    """Request headers of the owner of a restaurant with data, on a plan that includes every
    page."""
    cast.restaurant.subscription_tier = "branded"
    cast.restaurant.save(update_fields=["subscription_tier"])
    SpecialOfferFactory(restaurant=cast.restaurant)
    PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant, max_preorders=9))
    DishFactory(restaurant=cast.restaurant)
    token = issue_token(user=cast.owner, now=NOON)
    return {"Authorization": f"Bearer {token}", "Host": "localhost"}
