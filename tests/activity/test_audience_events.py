"""What the log says about a restaurant's followers and the emails to them."""

import pytest

from apps.common import rls
from apps.marketing.models import Campaign
from apps.preorders.models import Subscriber

pytestmark = pytest.mark.django_db
PATH = "/restaurant/audience"
FORM = "application/x-www-form-urlencoded"
FILE = (
    "text=email%2Cconsent_date%2Cconsent_source%0Adana%40example.test%2C2026-05-02%2Cform%0A"
    "lee%40example.test%2C2026-05-02%2Cform&import=1&proof=yes"
)


def test_what_an_owner_does_with_followers_is_logged_and_names_nobody(
    api, cast, clock, events, special
):
    client = api(cast.owner)
    client.post(f"{PATH}/import", FILE, FORM)
    client.post(f"{PATH}/export", "", FORM)
    with rls.acting_as(rls.PLATFORM):
        follower = Subscriber.objects.get(email="lee@example.test")
    for _ in range(2):
        client.post(f"{PATH}/{follower.pk}/remove", "", FORM)
    client.post(f"{PATH}/emails/new", "do=send&segment=all", FORM)
    with rls.acting_as(rls.PLATFORM):
        campaign = Campaign.objects.get()
    for _ in range(2):
        client.post(f"{PATH}/emails/{campaign.pk}/stop", "", FORM)
    client.post(f"{PATH}/nudges", "", FORM)
    logged = events()
    assert [(each.kind, each.details) for each in logged] == [
        ("audience_imported", {"lines": 2, "new": 2}),
        ("audience_exported", {"followers": 2}),
        ("follower_removed", {}),
        ("campaign_scheduled", {"segment": "all", "recipients": 1}),
        ("campaign_canceled", {}),
        ("settings_changed", {"fields": ["nudges"]}),
    ]
    assert {(each.restaurant_id, each.actor_id) for each in logged} == {
        (cast.restaurant.pk, cast.owner.pk)
    }
