"""Publishing events: rows written in the transaction that causes them, sent by a worker later.

The apps above call `publish` where they record what happened. For a restaurant without an endpoint
this costs one query and writes nothing.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from celery import current_app

from apps.common import rls
from apps.common.background import after_commit
from apps.integrations.event_types import EventType
from apps.integrations.models import WebhookDelivery, WebhookEndpoint, WebhookEvent

# The version of the body's format. Within a version, fields are only added.
BODY_VERSION = 1


@dataclass(frozen=True, slots=True)
class NewEvent:
    """`data` has ids, codes, and amounts with their currency: nothing about a person."""

    type: EventType
    data: Mapping[str, object]


def publish(
    restaurant_id: UUID, events: Callable[[], Iterable[NewEvent]], *, now: datetime
) -> None:
    """Write the events for the restaurant's endpoints. `events` is called only if it has any.

    Call it in the transaction that makes the change.
    """
    with _acting_for(restaurant_id):
        listening = list(
            WebhookEndpoint.objects.filter(
                restaurant_id=restaurant_id, status=WebhookEndpoint.Status.ON
            )
        )
        if not listening:
            return
        for event in events():
            wanted_by = [each for each in listening if event.type in each.event_types]
            if wanted_by:
                write_event(restaurant_id, event.type, event.data, to=wanted_by, now=now)


def write_event(
    restaurant_id: UUID,
    event_type: str,
    data: Mapping[str, object],
    *,
    to: Iterable[WebhookEndpoint],
    now: datetime,
) -> None:
    """Write one event with a delivery to each of the endpoints, and queue them."""
    event = WebhookEvent(restaurant_id=restaurant_id, type=event_type, occurred_at=now)
    event.body = _body(event, data)
    event.save(force_insert=True)
    deliveries = [
        WebhookDelivery(
            restaurant_id=restaurant_id, endpoint=each, event=event, due_at=now, created_at=now
        )
        for each in to
    ]
    WebhookDelivery.objects.bulk_create(deliveries)
    for delivery in deliveries:
        queue_endpoint(restaurant_id, delivery.endpoint_id)


def queue_endpoint(restaurant_id: UUID, endpoint_id: UUID) -> None:
    """Have a worker send what is due to this endpoint, once the transaction commits."""
    after_commit(current_app.tasks["integrations.deliver"], str(restaurant_id), str(endpoint_id))


def _body(event: WebhookEvent, data: Mapping[str, Any]) -> str:
    at = event.occurred_at.astimezone(UTC).isoformat(timespec="milliseconds")
    whole = {
        "id": str(event.pk),
        "type": str(event.type),
        "version": BODY_VERSION,
        "timestamp": at.replace("+00:00", "Z"),
        "restaurantId": str(event.restaurant_id),
        "data": data,
    }
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False)


def _acting_for(restaurant_id: UUID) -> AbstractContextManager[None]:
    """Act as the restaurant, unless the caller can see its rows already."""
    if rls.acting() in (rls.PLATFORM, str(restaurant_id)):
        return nullcontext()
    return rls.acting_as(restaurant_id)
