"""What an owner can do with webhook endpoints: add, change, turn on and off, delete, send again."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.encryption import Undecryptable, decrypt, encrypt
from apps.accounts.rate_limits import Limit
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.outbound import InvalidAddress, checked_url
from apps.common.standard_webhooks import new_secret
from apps.integrations.delivery import turn_off
from apps.integrations.event_types import TEST_EVENT
from apps.integrations.models import WebhookDelivery, WebhookEndpoint, WebhookEvent
from apps.integrations.outbox import queue_endpoint, write_event
from apps.restaurants.models import Restaurant

MAX_ENDPOINTS = 5
# How long events are signed with the previous secret too.
SECRET_OVERLAP = timedelta(hours=24)
TESTS_PER_HOUR = Limit("webhook-tests", times=20, window=60 * 60)
REPLAYS_PER_HOUR = Limit("webhook-replays", times=20, window=60 * 60)
INVALID_URL = (
    "Enter the address of your program. It begins with https:// and has no password in it."
)
OWN_URL = "That's an address of Fully Booked. Enter the address of your own program."
TOO_MANY = f"A restaurant can have {MAX_ENDPOINTS} webhooks. Delete one first."
UNKNOWN = "We couldn't find that webhook. Reload the page."
UNKNOWN_DELIVERY = "We couldn't find that event. It may have been deleted after 30 days."
IS_OFF = "This webhook is off. Turn it on first."
NOTHING_FAILED = "No event has failed, so there's nothing to send again."


def check_url(url: str) -> None:
    """Raises Invalid, naming the field `url`. Where it leads is checked at each delivery."""
    try:
        host = str(checked_url(url).hostname).rstrip(".")
    except InvalidAddress:
        raise Invalid.because([FieldError("url", INVALID_URL)]) from None
    root = settings.ROOT_DOMAIN
    if not settings.OUTBOUND_TO_PRIVATE_ADDRESSES and (host == root or host.endswith(f".{root}")):
        raise Invalid.because([FieldError("url", OWN_URL)])


@transaction.atomic
def add_endpoint(
    *,
    restaurant: Restaurant,
    url: str,
    description: str,
    event_types: Sequence[str],
    now: datetime,
) -> tuple[WebhookEndpoint, str]:
    """Add an endpoint; returns it with its secret, which is never shown again.

    Raises Invalid, naming the field, and Conflict if the restaurant has `MAX_ENDPOINTS`.
    """
    check_url(url)
    # The lock makes two additions at once count each other.
    Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    if WebhookEndpoint.objects.filter(restaurant=restaurant).count() >= MAX_ENDPOINTS:
        raise Conflict(TOO_MANY)
    secret = new_secret()
    endpoint = WebhookEndpoint.objects.create(
        restaurant=restaurant,
        url=url,
        description=description,
        event_types=sorted(set(event_types)),
        secret=encrypt(secret),
        not_before=now,
        created_at=now,
    )
    about = ("webhook", endpoint.pk)
    record(Kind.WEBHOOK_ADDED, restaurant=restaurant, about=about, now=now)
    return endpoint, secret


@transaction.atomic
def change_endpoint(
    *,
    restaurant: Restaurant,
    endpoint_id: UUID,
    url: str,
    description: str,
    event_types: Sequence[str],
    now: datetime,
) -> WebhookEndpoint:
    """Change the endpoint's URL, description, and types of events. Raises Invalid and NotFound."""
    check_url(url)
    endpoint = lock_endpoint(restaurant, endpoint_id)
    columns = {"url": url, "description": description, "event_types": sorted(set(event_types))}
    changed = [name for name, value in columns.items() if getattr(endpoint, name) != value]
    for name, value in columns.items():
        setattr(endpoint, name, value)
    if changed:
        endpoint.save(update_fields=changed)
        about = ("webhook", endpoint.pk)
        record(Kind.WEBHOOK_CHANGED, restaurant=restaurant, about=about, fields=changed, now=now)
    return endpoint


@transaction.atomic
def rotate_secret(
    *, restaurant: Restaurant, endpoint_id: UUID, now: datetime
) -> tuple[WebhookEndpoint, str]:
    """Give the endpoint a new secret, shown once; for 24 hours events are signed with both.

    Raises NotFound.
    """
    endpoint = lock_endpoint(restaurant, endpoint_id)
    secret = new_secret()
    endpoint.previous_secret, endpoint.previous_until = endpoint.secret, now + SECRET_OVERLAP
    endpoint.secret = encrypt(secret)
    endpoint.save(update_fields=["secret", "previous_secret", "previous_until"])
    about = ("webhook", endpoint.pk)
    record(Kind.WEBHOOK_SECRET_ROTATED, restaurant=restaurant, about=about, now=now)
    return endpoint, secret


@transaction.atomic
def turn_on_endpoint(
    *, restaurant: Restaurant, endpoint_id: UUID, now: datetime
) -> WebhookEndpoint:
    """Send events to the endpoint again from now on. Raises NotFound."""
    endpoint = lock_endpoint(restaurant, endpoint_id)
    if not endpoint.is_on:
        endpoint.status, endpoint.off_reason = WebhookEndpoint.Status.ON, ""
        endpoint.failures, endpoint.failing_since, endpoint.not_before = 0, None, now
        endpoint.save(
            update_fields=["status", "off_reason", "failures", "failing_since", "not_before"]
        )
        about = ("webhook", endpoint.pk)
        record(Kind.WEBHOOK_TURNED_ON, restaurant=restaurant, about=about, now=now)
    return endpoint


@transaction.atomic
def turn_off_endpoint(
    *, restaurant: Restaurant, endpoint_id: UUID, now: datetime
) -> WebhookEndpoint:
    """Stop sending events to the endpoint. Raises NotFound."""
    endpoint = lock_endpoint(restaurant, endpoint_id)
    turn_off(endpoint, WebhookEndpoint.OffReason.OWNER, now=now)
    return endpoint


@transaction.atomic
def delete_endpoint(*, restaurant: Restaurant, endpoint_id: UUID, now: datetime) -> None:
    """Delete the endpoint with its log. Raises NotFound."""
    endpoint = lock_endpoint(restaurant, endpoint_id)
    about = ("webhook", endpoint.pk)
    endpoint.delete()
    record(Kind.WEBHOOK_DELETED, restaurant=restaurant, about=about, now=now)


@transaction.atomic
def send_test(*, restaurant: Restaurant, endpoint_id: UUID, now: datetime) -> None:
    """Send the endpoint an event about itself. Raises NotFound, Conflict, and TooManyAttempts."""
    endpoint = lock_endpoint(restaurant, endpoint_id)
    if not endpoint.is_on:
        raise Conflict(IS_OFF)
    TESTS_PER_HOUR.count(str(restaurant.pk))
    _wake(endpoint, now)
    write_event(restaurant.pk, TEST_EVENT, {"id": str(endpoint.pk)}, to=[endpoint], now=now)
    about = ("webhook", endpoint.pk)
    record(Kind.WEBHOOK_TESTED, restaurant=restaurant, about=about, now=now)


@transaction.atomic
def send_again(
    *, restaurant: Restaurant, endpoint_id: UUID, now: datetime, delivery_id: int | None = None
) -> int:
    """Send one event again, delivered or not, or without `delivery_id` all that failed.

    Returns how many. Raises NotFound, Conflict if the endpoint is off or nothing failed, and
    TooManyAttempts.
    """
    endpoint = lock_endpoint(restaurant, endpoint_id)
    if not endpoint.is_on:
        raise Conflict(IS_OFF)
    deliveries = WebhookDelivery.objects.filter(endpoint=endpoint)
    if delivery_id is None:
        chosen = deliveries.filter(status=WebhookDelivery.Status.FAILED)
    else:
        chosen = deliveries.filter(pk=delivery_id)
    REPLAYS_PER_HOUR.count(str(restaurant.pk))
    count = chosen.update(status=WebhookDelivery.Status.PENDING, attempts=0, due_at=now)
    if not count:
        raise Conflict(NOTHING_FAILED) if delivery_id is None else NotFound(UNKNOWN_DELIVERY)
    _wake(endpoint, now)
    about = ("webhook", endpoint.pk)
    record(Kind.WEBHOOK_SENT_AGAIN, restaurant=restaurant, about=about, count=count, now=now)
    queue_endpoint(restaurant.pk, endpoint.pk)
    return count


def _wake(endpoint: WebhookEndpoint, now: datetime) -> None:
    """End the endpoint's rest after a failure, because its owner has just repaired it. This can end
    a worker's lease as well; then two workers may send the same event twice."""
    if endpoint.failures and endpoint.not_before > now:
        endpoint.not_before = now
        endpoint.save(update_fields=["not_before"])


def lock_endpoint(restaurant: Restaurant, endpoint_id: UUID) -> WebhookEndpoint:
    """The restaurant's endpoint, locked until the transaction ends. Raises NotFound."""
    found = (
        WebhookEndpoint.objects.select_for_update()
        .filter(restaurant=restaurant, pk=endpoint_id)
        .first()
    )
    if found is None:
        raise NotFound(UNKNOWN)
    return found


def rotate_encryption(*, dry_run: bool = False) -> tuple[int, int]:
    """Encrypt every secret again with the first of ENCRYPTION_KEYS.

    Returns how many endpoints were encrypted again, and how many no key fits; those stay as they
    are. The caller acts as the platform.
    """
    rotated = unreadable = 0
    for pk in WebhookEndpoint.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            endpoint = WebhookEndpoint.objects.select_for_update().filter(pk=pk).first()
            if endpoint is None:
                continue
            try:
                plain = [
                    decrypt(each) if each else ""
                    for each in (endpoint.secret, endpoint.previous_secret)
                ]
            except Undecryptable:
                unreadable += 1
                continue
            rotated += 1
            if not dry_run:
                endpoint.secret, endpoint.previous_secret = (
                    encrypt(each) if each else "" for each in plain
                )
                endpoint.save(update_fields=["secret", "previous_secret"])
    return rotated, unreadable


def outdated_events(before: datetime) -> QuerySet[WebhookEvent]:
    """Events older than this; their last attempt was weeks ago."""
    return WebhookEvent.objects.filter(occurred_at__lt=before)
