"""Finds and repairs webhook endpoints whose deliveries don't reach us.

Stripe disables an endpoint after days of failures. When someone rolls a secret in its dashboard,
the old one stays valid for up to a day, and each delivery is signed with both
(https://docs.stripe.com/webhooks#roll-endpoint-signing-secrets-periodically); after that we reject
everything, because Stripe shows the new secret to people only. Then the endpoint is replaced. What
it missed is found by the reconciler.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from djstripe.models import WebhookEndpoint, WebhookEventTrigger

from apps.billing import stripe_gateway as gateway

logger = logging.getLogger(__name__)

# How long a rejected delivery is remembered, and how far back Stripe's undelivered events are read.
MEMORY = timedelta(days=1)


def endpoint_url(uuid: UUID) -> str:
    """Where Stripe sends the events of one of our endpoints."""
    path = reverse("stripe-webhook", urlconf=settings.ROOT_URLCONF, args=[uuid])
    return f"{settings.STRIPE_WEBHOOK_BASE}{path}"


def known_urls() -> list[str]:
    """The URLs of the endpoints that we created."""
    return [endpoint_url(uuid) for uuid in _uuids()]


def note_rejection(uuid: UUID, *, now: datetime) -> None:
    """Remember that a delivery to this endpoint had a wrong signature."""
    cache.set(_key(uuid), now.isoformat(), int(MEMORY.total_seconds()))


def repair_endpoints(*, now: datetime) -> None:
    """Enable endpoints that Stripe disabled, replace outdated ones, and all if their secret is
    wrong.

    Does nothing before `connect_stripe` has created the first. Raises GatewayError if Stripe can't
    be reached.
    """
    if not WebhookEndpoint.objects.exclude(secret="").exists():
        return
    renew = _is_secret_wrong(now)
    if renew:
        logger.error("Stripe's webhooks have another secret than ours: replacing the endpoints")
    gateway.connect_webhooks(endpoint_url, renew=renew)
    if renew:
        cache.delete_many([_key(uuid) for uuid in _uuids()])


def _is_secret_wrong(now: datetime) -> bool:
    """Whether an endpoint's newest delivery was rejected, and Stripe says it wasn't delivered.

    Anybody who knows the URL can send what we reject, so Stripe is asked too.
    """
    for uuid in _uuids():
        noted: str | None = cache.get(_key(uuid))
        if noted is None:
            continue
        rejected = datetime.fromisoformat(noted)
        accepted = WebhookEventTrigger.objects.filter(
            webhook_endpoint__djstripe_uuid=uuid, valid=True, created__gte=rejected
        )
        if not accepted.exists():
            return gateway.has_undelivered_events(since=now - MEMORY)
    return False


def _uuids() -> list[UUID]:
    return list(WebhookEndpoint.objects.values_list("djstripe_uuid", flat=True))


def _key(uuid: UUID) -> str:
    return f"webhook-rejected:{uuid}"
