"""Webhook endpoints at Stripe: `connect_stripe` registers them and repairs what became of them."""

import pytest
import stripe as stripe_api
from django.conf import settings
from django.core.management import call_command
from djstripe.models import WebhookEndpoint

from apps.billing.stripe_gateway import CONNECT_EVENTS, OWN_EVENTS


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
