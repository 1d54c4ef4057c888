"""Webhook endpoints: version, secret, disabling."""

from collections.abc import Iterator

import pytest
import stripe
from django.conf import settings


@pytest.fixture
def endpoint(api) -> Iterator[stripe.WebhookEndpoint]:
    created = api.v1.webhook_endpoints.create(
        {
            "url": "https://example.com/conformance",
            "enabled_events": ["refund.failed"],
            "api_version": settings.STRIPE_API_VERSION,
        }
    )
    yield created
    api.v1.webhook_endpoints.delete(created.id)


def test_an_endpoint_keeps_the_version_it_was_created_with(api, endpoint):
    assert endpoint.api_version == settings.STRIPE_API_VERSION
    changed = api.v1.webhook_endpoints.update(endpoint.id, {"description": "changed"})
    assert changed.api_version == settings.STRIPE_API_VERSION


def test_a_secret_is_shown_when_the_endpoint_is_created_only(api, endpoint):
    assert (endpoint.secret or "").startswith("whsec_")
    assert "secret" not in api.v1.webhook_endpoints.retrieve(endpoint.id)


def test_an_endpoint_can_be_disabled_and_enabled(api, endpoint):
    disabled = api.v1.webhook_endpoints.update(endpoint.id, {"disabled": True})
    assert disabled.status == "disabled"
    assert api.v1.webhook_endpoints.update(endpoint.id, {"disabled": False}).status == "enabled"
