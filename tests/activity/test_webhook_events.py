"""What the log says about a restaurant's webhooks."""

import pytest

from apps.common import rls
from apps.integrations.models import WebhookDelivery, WebhookEndpoint

pytestmark = pytest.mark.django_db
PATH = "/restaurant/webhooks"
FORM = "application/x-www-form-urlencoded"
FIELDS = "url=https%3A%2F%2Fexample.com%2Fhook&event_types=order.placed"


def test_what_an_owner_does_with_a_webhook_is_logged(api, cast, clock, events):
    client = api(cast.owner)
    assert client.post(PATH, FIELDS, FORM).status_code == 200
    with rls.acting_as(rls.PLATFORM):
        endpoint = WebhookEndpoint.objects.get()
    one = f"{PATH}/{endpoint.pk}"
    client.post(one, f"{FIELDS}&description=Till&event_types=order.canceled", FORM)
    client.post(one, f"{FIELDS}&description=Till&event_types=order.canceled", FORM)  # no change
    client.post(f"{one}/secret", "", FORM)
    client.post(f"{one}/test", "", FORM)
    with rls.acting_as(rls.PLATFORM):
        WebhookDelivery.objects.update(status="failed")
    client.post(f"{one}/send-again", "", FORM)
    for each in ("off", "off", "on", "on", "delete"):
        client.post(f"{one}/{each}", "", FORM)
    assert [(each.kind, each.details) for each in events()] == [
        ("webhook_added", {}),
        ("webhook_changed", {"fields": ["description", "event_types"]}),
        ("webhook_secret_rotated", {}),
        ("webhook_tested", {}),
        ("webhook_sent_again", {"count": 1}),
        ("webhook_turned_off", {"change": "owner"}),
        ("webhook_turned_on", {}),
        ("webhook_deleted", {}),
    ]
    assert {(each.restaurant_id, each.actor_id, each.object_id) for each in events()} == {
        (cast.restaurant.pk, cast.owner.pk, str(endpoint.pk))
    }
