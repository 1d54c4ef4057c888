"""Delivering events: one endpoint at a time, safe to repeat, over days if it must be.

A worker leases the endpoint, not the single delivery, so an address that doesn't answer holds up
one thread at most, and events mostly arrive in order. It holds no lock and no transaction during
the request. If it dies after sending, the event is sent again with the same id, by which receivers
recognize it:
https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.accounts.encryption import Undecryptable, decrypt
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.background import after_commit
from apps.common.outbound import Answer, InvalidAddress, NotDelivered, post
from apps.common.standard_webhooks import signed_headers
from apps.integrations.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint

logger = logging.getLogger(__name__)

# The waits after each failed attempt: the specification's own example, 75 hours in all. If the
# tenth attempt fails, it is the last.
RETRY_DELAYS = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
)
JITTER = 0.2  # of a delay, more or less
LONGEST_WAIT = timedelta(days=1)  # the most that a `Retry-After` can ask for
# How long a worker owns an endpoint: its slice, and the request that it began last.
LEASE = timedelta(seconds=90)
SLICE_SECONDS = 20
# After failures in a row the whole endpoint rests, so that it doesn't keep a thread waiting.
LONGEST_REST = timedelta(minutes=5)
OFF_AFTER = timedelta(days=3)
GONE = 410
WITH_RETRY_AFTER = frozenset({429, 503})

Status = WebhookDelivery.Status


def due_endpoints(*, now: datetime, limit: int = 500) -> list[tuple[UUID, UUID]]:
    """Restaurant and id of the endpoints with something due. The caller acts as the platform."""
    due = WebhookDelivery.objects.filter(
        endpoint=OuterRef("pk"), status=Status.PENDING, due_at__lte=now
    )
    endpoints = WebhookEndpoint.objects.filter(
        Exists(due), status=WebhookEndpoint.Status.ON, not_before__lte=now
    )
    return list(endpoints.order_by("not_before").values_list("restaurant_id", "pk")[:limit])


def deliver_to(endpoint_id: UUID, *, clock: Callable[[], datetime]) -> int:
    """Send what is due to the endpoint, the longest due first, until something fails.

    Returns how many were delivered; 0 as well if another worker has the endpoint, or it rests.
    """
    endpoint = _lease(endpoint_id, clock())
    if endpoint is None:
        return 0
    leased_until = endpoint.not_before
    begun, delivered = monotonic(), 0
    is_working = True
    while is_working and monotonic() - begun < SLICE_SECONDS:
        delivery = _next(endpoint, clock())
        if delivery is None:
            break
        is_working = _attempt(delivery, clock)
        delivered += is_working
    leased = WebhookEndpoint.objects.filter(pk=endpoint.pk, not_before=leased_until)
    failures = leased.values_list("failures", flat=True).first() or 0
    rest = timedelta() if is_working else _rest(failures)
    leased.update(not_before=clock() + rest)
    return delivered


def _rest(failures: int) -> timedelta:
    return min(LONGEST_REST, timedelta(seconds=2 ** min(failures, 12)))


def _lease(endpoint_id: UUID, now: datetime) -> WebhookEndpoint | None:
    with transaction.atomic():
        endpoint = (
            WebhookEndpoint.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(pk=endpoint_id, status=WebhookEndpoint.Status.ON, not_before__lte=now)
            .first()
        )
        if endpoint is not None:
            endpoint.not_before = now + LEASE
            endpoint.save(update_fields=["not_before"])
        return endpoint


def _next(endpoint: WebhookEndpoint, now: datetime) -> WebhookDelivery | None:
    # The endpoint is read again each time: its secret, its address, and whether it is on.
    return (
        WebhookDelivery.objects.select_related("endpoint", "event")
        .filter(endpoint=endpoint, status=Status.PENDING, due_at__lte=now)
        .filter(endpoint__status=WebhookEndpoint.Status.ON)
        .order_by("due_at", "pk")
        .first()
    )


def _attempt(delivery: WebhookDelivery, clock: Callable[[], datetime]) -> bool:
    """Send once and record the result; returns whether it was delivered."""
    endpoint, event = delivery.endpoint, delivery.event
    now, begun = clock(), monotonic()
    answer: Answer | None = None
    error = ""
    try:
        body = event.body.encode()
        headers = signed_headers(
            body, message_id=str(event.pk), signing_secrets=secrets_of(endpoint, now=now), now=now
        )
        answer = post(endpoint.url, body=body, headers=headers)
    except NotDelivered as failure:
        error = failure.code
    except InvalidAddress:
        error = "not_public"
    except Undecryptable:  # until the owner creates a new secret, or the missing key is back
        error = "no_secret"
    milliseconds = int((monotonic() - begun) * 1000)
    done = answer is not None and answer.is_success
    with transaction.atomic():
        # Locked, because turning the endpoint off marks what is pending as failed.
        locked = WebhookEndpoint.objects.select_for_update().filter(pk=endpoint.pk).first()
        if locked is None:
            return False  # deleted meanwhile, with its log
        WebhookAttempt.objects.create(
            restaurant_id=delivery.restaurant_id,
            delivery=delivery,
            at=now,
            milliseconds=milliseconds,
            response_code=answer.status if answer else None,
            response_body=answer.body if answer else "",
            error=error,
        )
        _record(locked, delivery, done=done, answer=answer, now=now)
    if not done:
        what = answer.status if answer else error
        logger.warning("webhook %s was not delivered: %s", delivery.pk, what)
    return done


def _record(
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    *,
    done: bool,
    answer: Answer | None,
    now: datetime,
) -> None:
    """Record the result of an attempt. The caller has locked the endpoint."""
    row = WebhookDelivery.objects.filter(pk=delivery.pk)
    attempts = delivery.attempts + 1
    if done:  # even if the endpoint was turned off meanwhile
        row.update(status=Status.DELIVERED, attempts=attempts)
        endpoint.failures, endpoint.failing_since = 0, None
        endpoint.save(update_fields=["failures", "failing_since"])
        return
    is_last = attempts > len(RETRY_DELAYS)
    row.filter(status=Status.PENDING).update(
        status=Status.FAILED if is_last else Status.PENDING,
        attempts=attempts,
        due_at=now if is_last else now + wait_after(attempts, answer, now=now),
    )
    endpoint.failures += 1
    endpoint.failing_since = endpoint.failing_since or now
    endpoint.save(update_fields=["failures", "failing_since"])
    if answer is not None and answer.status == GONE:
        turn_off(endpoint, WebhookEndpoint.OffReason.GONE, now=now)
    elif now - endpoint.failing_since >= OFF_AFTER:
        turn_off(endpoint, WebhookEndpoint.OffReason.FAILING, now=now)


def wait_after(attempts: int, answer: Answer | None, *, now: datetime) -> timedelta:
    """How long to wait after this many failed attempts, at least as long as `Retry-After` says."""
    delay = RETRY_DELAYS[attempts - 1] * random.uniform(1 - JITTER, 1 + JITTER)
    if answer is not None and answer.status in WITH_RETRY_AFTER:
        delay = max(delay, min(LONGEST_WAIT, _asked_wait(answer.retry_after, now)))
    return delay


def _asked_wait(header: str, now: datetime) -> timedelta:
    """https://www.rfc-editor.org/rfc/rfc9110#field.retry-after: seconds, or a date."""
    if header.isdecimal():
        return timedelta(seconds=min(int(header), int(LONGEST_WAIT.total_seconds())))
    try:
        moment = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return timedelta()
    return moment - now if moment.tzinfo else timedelta()


def turn_off(
    endpoint: WebhookEndpoint, reason: WebhookEndpoint.OffReason, *, now: datetime
) -> None:
    """Stop sending to the endpoint. Pending events are marked as failed and can be sent again
    later.

    Owners are emailed unless one of them did it. The caller holds the endpoint's lock.
    """
    if not endpoint.is_on:
        return
    endpoint.status, endpoint.off_reason = WebhookEndpoint.Status.OFF, reason
    endpoint.save(update_fields=["status", "off_reason"])
    endpoint.deliveries.filter(status=Status.PENDING).update(status=Status.FAILED)
    about = ("webhook", endpoint.pk)
    record(
        Kind.WEBHOOK_TURNED_OFF,
        restaurant=endpoint.restaurant_id,
        about=about,
        change=str(reason.value),
        now=now,
    )
    if reason != WebhookEndpoint.OffReason.OWNER:
        after_commit(
            current_app.tasks["integrations.send_turned_off"],
            str(endpoint.restaurant_id),
            str(endpoint.pk),
        )


def secrets_of(endpoint: WebhookEndpoint, *, now: datetime) -> list[str]:
    """The secrets that sign the endpoint's events now: its own and, for a while, the previous
    one."""
    encrypted = [endpoint.secret]
    if endpoint.previous_secret and endpoint.previous_until and now < endpoint.previous_until:
        encrypted.append(endpoint.previous_secret)
    return [decrypt(each) for each in encrypted]
