"""Registers our webhook endpoints with Stripe."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import stripe
from django.conf import settings
from djstripe.models import WebhookEndpoint

from apps.billing.stripe_gateway.client import our_errors

# The events we act on. There are two endpoints, because Stripe sends the events of connected
# accounts to a Connect endpoint only.
OWN_EVENTS = [
    # https://docs.stripe.com/disputes/API and https://docs.stripe.com/api/events/types
    "charge.dispute.closed",
    "charge.dispute.created",
    "charge.dispute.funds_reinstated",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.updated",
    "checkout.session.completed",
    "checkout.session.expired",
    # https://docs.stripe.com/billing/subscriptions/webhooks
    "customer.subscription.created",
    "customer.subscription.deleted",
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_action_required",
    "invoice.payment_failed",
    "payment_intent.amount_capturable_updated",
    "payment_intent.canceled",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "radar.early_fraud_warning.created",
    "radar.early_fraud_warning.updated",
    "refund.created",
    # A refund can be pending and fail weeks later: https://docs.stripe.com/refunds#failed-refunds
    "refund.failed",
    "refund.updated",
    "setup_intent.setup_failed",
    "setup_intent.succeeded",
]
CONNECT_EVENTS = [
    # The bank account or card that payouts go to: https://docs.stripe.com/api/events/types
    "account.external_account.created",
    "account.external_account.deleted",
    "account.external_account.updated",
    "account.updated",
    # One that was paid can still fail: https://docs.stripe.com/api/payouts/object
    "payout.canceled",
    "payout.failed",
    "payout.paid",
]


def connect_webhooks(url_for: Callable[[UUID], str], *, renew: bool = False) -> list[str]:
    """Make sure Stripe sends us our events and dj-stripe knows each endpoint's secret.

    Stripe reveals a secret only when an endpoint is created, so an endpoint whose secret we have
    stays and any other of ours is replaced, with `renew` all of them. One that Stripe disabled
    after failed deliveries is enabled again. An endpoint's API version cannot be changed, so one
    with another version is replaced: https://docs.stripe.com/api/webhook_endpoints/update

    Returns the URLs: platform events, then Connect.
    """
    with our_errors():
        known = {
            endpoint.id: endpoint
            for endpoint in stripe.WebhookEndpoint.list(limit=100).auto_paging_iter()
        }
        unchanged = {}
        for row in WebhookEndpoint.objects.all():
            endpoint = known.get(row.id)
            events = tuple(endpoint.enabled_events) if endpoint else ()
            if endpoint and endpoint.url == url_for(row.djstripe_uuid):
                if not renew and row.secret and _is_current(endpoint) and events not in unchanged:
                    if endpoint.status != "enabled":
                        stripe.WebhookEndpoint.modify(endpoint.id, disabled=False)
                    unchanged[events] = endpoint.url
                    continue
                # Next to its replacement it would send events twice.
                stripe.WebhookEndpoint.delete(row.id)
            row.delete()
        return [
            unchanged.get(tuple(events)) or _new_endpoint(url_for, events, connect=connect)
            for events, connect in ((OWN_EVENTS, False), (CONNECT_EVENTS, True))
        ]


def has_undelivered_events(*, since: datetime) -> bool:
    """Whether Stripe has events of ours since then that no endpoint has accepted."""
    with our_errors():
        page = stripe.Event.list(
            types=OWN_EVENTS,
            created={"gte": int(since.timestamp())},
            delivery_success=False,
            limit=1,
        )
        return bool(page.data)


def _is_current(endpoint: stripe.WebhookEndpoint) -> bool:
    return endpoint.api_version == settings.STRIPE_API_VERSION and endpoint.enabled_events in (
        OWN_EVENTS,
        CONNECT_EVENTS,
    )


def _new_endpoint(url_for: Callable[[UUID], str], events: list[str], *, connect: bool) -> str:
    uuid = uuid4()
    wanted: Any = {
        "url": url_for(uuid),
        "enabled_events": events,
        "api_version": settings.STRIPE_API_VERSION,
        "metadata": {"djstripe_uuid": str(uuid)},
    }
    created = stripe.WebhookEndpoint.create(**wanted, connect=connect)
    row = WebhookEndpoint.sync_from_stripe_data(created.to_dict())
    # Stripe reveals the secret once, and dj-stripe's sync doesn't store it.
    WebhookEndpoint.objects.filter(pk=row.pk).update(secret=created.secret or "")
    return url_for(uuid)
