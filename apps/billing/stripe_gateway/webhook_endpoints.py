"""Where Stripe sends its news, and which of it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import stripe
from djstripe.models import WebhookEndpoint

from apps.billing.stripe_gateway.client import our_errors

# The events we act on; everything else would only be mirrored for nothing. What happens at the
# restaurants' accounts Stripe sends to a Connect endpoint only, so there are two.
OWN_EVENTS = [
    "checkout.session.completed",
    "checkout.session.expired",
    "payment_intent.amount_capturable_updated",
    "payment_intent.canceled",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "refund.created",
    "setup_intent.succeeded",
]
CONNECT_EVENTS = ["account.updated"]


def connect_webhooks(url_for: Callable[[UUID], str]) -> list[str]:
    """Make sure Stripe sends us what we act on and dj-stripe knows each endpoint's secret.

    Stripe tells a secret only when an endpoint is made, so one it still knows and we still have is
    kept, and anything else of ours is replaced. Returns the addresses, our own events' first.
    """
    with our_errors():
        known = {
            endpoint.id: endpoint
            for endpoint in stripe.WebhookEndpoint.list(limit=100).auto_paging_iter()
        }
        kept = {}
        for row in WebhookEndpoint.objects.all():
            endpoint = known.get(row.id)
            events = tuple(endpoint.enabled_events) if endpoint else ()
            if endpoint and endpoint.url == url_for(row.djstripe_uuid):
                if row.secret and events in (tuple(OWN_EVENTS), tuple(CONNECT_EVENTS)):
                    kept[events] = endpoint.url
                    continue
                # One for other events than today's would tell us things twice.
                stripe.WebhookEndpoint.delete(row.id)
            row.delete()
        return [
            kept.get(tuple(events)) or _new_endpoint(url_for, events, connect=connect)
            for events, connect in ((OWN_EVENTS, False), (CONNECT_EVENTS, True))
        ]


def _new_endpoint(url_for: Callable[[UUID], str], events: list[str], *, connect: bool) -> str:
    uuid = uuid4()
    wanted: Any = {
        "url": url_for(uuid),
        "enabled_events": events,
        "metadata": {"djstripe_uuid": str(uuid)},
    }
    created = stripe.WebhookEndpoint.create(**wanted, connect=connect)
    row = WebhookEndpoint.sync_from_stripe_data(created.to_dict())
    # Stripe tells the secret once and dj-stripe does not keep it from a sync.
    WebhookEndpoint.objects.filter(pk=row.pk).update(secret=created.secret or "")
    return url_for(uuid)
