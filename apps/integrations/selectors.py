"""Reading webhook endpoints and what was sent to them."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Max, Prefetch, Q

from apps.common.cursors import cursor_after, moment_and_key
from apps.common.errors import NotFound
from apps.integrations.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from apps.integrations.services import UNKNOWN
from apps.restaurants.models import Restaurant

PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """One page of the log, newest first; `next_cursor` is the place of the one after it."""

    deliveries: list[WebhookDelivery]
    next_cursor: str | None


def endpoints_of(restaurant: Restaurant) -> list[WebhookEndpoint]:
    """Its endpoints, oldest first, with `waiting`, `failed` and `last_delivered_at`."""
    delivered = Q(deliveries__status=WebhookDelivery.Status.DELIVERED)
    return list(
        WebhookEndpoint.objects.filter(restaurant=restaurant)
        .annotate(
            waiting=Count("deliveries", filter=Q(deliveries__status="pending")),
            failed=Count("deliveries", filter=Q(deliveries__status="failed")),
            last_delivered_at=Max("deliveries__created_at", filter=delivered),
        )
        .order_by("created_at", "pk")
    )


def endpoint_of(restaurant: Restaurant, endpoint_id: UUID) -> WebhookEndpoint:
    """One endpoint, with `waiting` and `failed`. Raises NotFound."""
    found = next((each for each in endpoints_of(restaurant) if each.pk == endpoint_id), None)
    if found is None:
        raise NotFound(UNKNOWN)
    return found


def deliveries_of(
    endpoint: WebhookEndpoint, *, failed_only: bool = False, cursor: str | None = None
) -> DeliveryPage:
    """What was sent to the endpoint, with the log of attempts. Raises InvalidCursor."""
    attempts = WebhookAttempt.objects.order_by("-at", "-pk")
    rows = (
        WebhookDelivery.objects.filter(endpoint=endpoint)
        .select_related("event")
        .prefetch_related(Prefetch("log", queryset=attempts))
    )
    if failed_only:
        rows = rows.filter(status=WebhookDelivery.Status.FAILED)
    if before := moment_and_key(cursor, int):
        moment, key = before
        rows = rows.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    found = list(rows.order_by("-created_at", "-pk")[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    last = shown[-1] if len(found) > PAGE_SIZE else None
    return DeliveryPage(shown, cursor_after(last.created_at, last.pk) if last else None)
