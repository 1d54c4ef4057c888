"""Webhook endpoints at Stripe: `connect_stripe` registers them, and repairs those that were
changed."""

import json
import time
from datetime import timedelta

import pytest
import stripe as stripe_api
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from djstripe.models import WebhookEndpoint, WebhookEventTrigger
from local_stripe.webhooks import signature

from apps.billing import deliveries, stripe_gateway, tasks
from apps.billing.stripe_gateway import CONNECT_EVENTS, OWN_EVENTS
from apps.common import clock


def at_stripe():
    return list(stripe_api.WebhookEndpoint.list(limit=100))


@pytest.fixture
def endpoints(world, settings):
    settings.STRIPE_WEBHOOK_BASE = "http://localhost:1"
    for endpoint in at_stripe():
        stripe_api.WebhookEndpoint.delete(endpoint.id)
    call_command("connect_stripe", verbosity=0)
    return at_stripe()


def test_stripe_sends_each_event_to_one_endpoint(endpoints):
    events = sorted(endpoint.enabled_events for endpoint in endpoints)
    assert events == sorted([OWN_EVENTS, CONNECT_EVENTS])


def test_a_release_leaves_current_endpoints_alone(endpoints):
    secrets = set(WebhookEndpoint.objects.values_list("secret", flat=True))
    call_command("connect_stripe", verbosity=0)
    assert {endpoint.id for endpoint in at_stripe()} == {endpoint.id for endpoint in endpoints}
    assert set(WebhookEndpoint.objects.values_list("secret", flat=True)) == secrets


def test_calls_and_endpoints_use_the_pinned_version(endpoints):
    assert {endpoint.api_version for endpoint in endpoints} == {settings.STRIPE_API_VERSION}
    assert stripe_api.api_version == settings.STRIPE_API_VERSION


def test_the_pinned_version_is_the_one_local_stripe_checks_against():
    """A newer stripe-python has other types: read the changelog, then move the pin."""
    from stripe._api_version import _ApiVersion

    assert _ApiVersion.CURRENT == settings.STRIPE_API_VERSION


def test_an_endpoint_with_another_version_is_replaced(endpoints):
    outdated = next(each for each in endpoints if list(each.enabled_events) == OWN_EVENTS)
    row = WebhookEndpoint.objects.get(id=outdated.id)
    stripe_api.WebhookEndpoint.delete(outdated.id)
    older = stripe_api.WebhookEndpoint.create(
        url=outdated.url, enabled_events=["*"], api_version="2024-06-20"
    )
    WebhookEndpoint.objects.filter(pk=row.pk).update(id=older.id)
    call_command("connect_stripe", verbosity=0)
    assert older.id not in {endpoint.id for endpoint in at_stripe()}
    assert {endpoint.api_version for endpoint in at_stripe()} == {settings.STRIPE_API_VERSION}
    assert len(at_stripe()) == 2


def test_an_endpoint_that_stripe_disabled_is_enabled_with_its_secret(endpoints):
    """Stripe disables an endpoint after days of failures and says so by email."""
    secrets = set(WebhookEndpoint.objects.values_list("secret", flat=True))
    stripe_api.WebhookEndpoint.modify(endpoints[0].id, disabled=True)
    call_command("connect_stripe", verbosity=0)
    assert {endpoint.status for endpoint in at_stripe()} == {"enabled"}
    assert {endpoint.id for endpoint in at_stripe()} == {endpoint.id for endpoint in endpoints}
    assert set(WebhookEndpoint.objects.values_list("secret", flat=True)) == secrets


def test_renewing_replaces_every_endpoint(endpoints):
    secrets = set(WebhookEndpoint.objects.values_list("secret", flat=True))
    call_command("connect_stripe", renew=True, verbosity=0)
    assert not {endpoint.id for endpoint in at_stripe()} & {endpoint.id for endpoint in endpoints}
    assert not set(WebhookEndpoint.objects.values_list("secret", flat=True)) & secrets
    assert len(at_stripe()) == 2


# --- secrets rolled in the dashboard --------------------------------------------------------------
def deliver(api, row, *secrets):
    body = json.dumps({"id": "evt_1", "object": "event", "livemode": False, "type": "other"})
    return (
        api()
        .generic(
            "POST",
            f"/stripe/webhook/{row.djstripe_uuid}",
            body,
            "application/json",
            headers={
                "Stripe-Signature": signature(secrets[0], body, int(time.time()), *secrets[1:])
            },
        )
        .status_code
    )


@pytest.fixture
def row(endpoints):
    return WebhookEndpoint.objects.get(
        id=next(each.id for each in endpoints if list(each.enabled_events) == OWN_EVENTS)
    )


def test_a_delivery_signed_with_two_secrets_is_accepted_with_either(api, row):
    assert deliver(api, row, "whsec_new", row.secret) == 200
    assert deliver(api, row, row.secret, "whsec_new") == 200


def undelivered(monkeypatch, value):
    monkeypatch.setattr(stripe_gateway, "has_undelivered_events", lambda since: value)


def ids():
    return {endpoint.id for endpoint in at_stripe()}


def test_endpoints_are_replaced_once_our_secret_is_no_longer_valid(world, api, row, monkeypatch):
    before = ids()
    undelivered(monkeypatch, True)
    assert deliver(api, row, "whsec_new") == 400
    tasks.repair_webhook_endpoints_task()
    assert not ids() & before
    assert len(ids()) == 2
    after = ids()
    tasks.repair_webhook_endpoints_task()
    assert ids() == after


def test_a_rejected_delivery_of_somebody_else_replaces_nothing(world, api, row, monkeypatch):
    before = ids()
    undelivered(monkeypatch, False)
    assert deliver(api, row, "whsec_guessed") == 400
    tasks.repair_webhook_endpoints_task()
    assert ids() == before


def test_a_rejection_before_an_accepted_delivery_replaces_nothing(world, api, row, monkeypatch):
    before = ids()
    undelivered(monkeypatch, True)
    with clock.stopped_at(timezone.now() - timedelta(minutes=1)):
        assert deliver(api, row, "whsec_guessed") == 400
    assert deliver(api, row, row.secret) == 200
    tasks.repair_webhook_endpoints_task()
    assert ids() == before


def test_disabled_endpoints_are_enabled_without_a_release(world, endpoints):
    stripe_api.WebhookEndpoint.modify(endpoints[0].id, disabled=True)
    tasks.repair_webhook_endpoints_task()
    assert {endpoint.status for endpoint in at_stripe()} == {"enabled"}


def test_stripe_is_asked_which_events_were_not_delivered(world):
    assert stripe_gateway.has_undelivered_events(since=world.now - timedelta(days=1)) is False


def test_nothing_is_created_before_the_first_release(world):
    WebhookEndpoint.objects.all().delete()
    before = ids()
    tasks.repair_webhook_endpoints_task()
    assert ids() == before


# --- deliveries that always fail ------------------------------------------------------------------
def test_deliveries_that_always_fail_do_not_hide_the_others(world, row, monkeypatch):
    monkeypatch.setattr(deliveries, "WEBHOOK_BATCH_SIZE", 2)
    later = timezone.now() + timedelta(minutes=5)

    def delivery(body):
        return WebhookEventTrigger.objects.create(
            remote_ip="127.0.0.1", headers={}, body=body, valid=True, webhook_endpoint=row
        )

    poisoned = [delivery("no json").pk for _ in range(3)]
    for pk in deliveries.waiting_webhooks(now=later):
        with pytest.raises(Exception, match="id"):
            deliveries.process_webhook(trigger_id=pk)
    good = delivery("{}").pk
    assert deliveries.waiting_webhooks(now=later) == [poisoned[2], good]
    failed = WebhookEventTrigger.objects.get(pk=poisoned[0])
    assert failed.exception == "KeyError"
    assert not failed.processed
