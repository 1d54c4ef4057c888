from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.common import rls
from apps.integrations import services
from apps.integrations.event_types import EventType
from apps.integrations.models import WebhookDelivery, WebhookEndpoint
from apps.restaurants.models import Restaurant
from tests.receiver import Receiver, listening

ALL_TYPES = list(EventType.values)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as found:
        yield found


@pytest.fixture
def endpoint_at(clock: Any) -> Callable[..., tuple[WebhookEndpoint, str]]:
    """`endpoint_at(restaurant, url)`: an endpoint for all types of events, and its secret."""

    def add(
        restaurant: Restaurant, url: str, types: list[str] | None = None
    ) -> tuple[WebhookEndpoint, str]:
        with rls.acting_as(restaurant):
            return services.add_endpoint(
                restaurant=restaurant,
                url=url,
                description="",
                event_types=ALL_TYPES if types is None else types,
                now=clock.now,
            )

    return add


def deliveries() -> list[WebhookDelivery]:
    """All deliveries, oldest first."""
    with rls.acting_as(rls.PLATFORM):
        return list(
            WebhookDelivery.objects.select_related("event", "endpoint").order_by("created_at", "pk")
        )
