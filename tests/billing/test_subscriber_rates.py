"""What a subscriber reads: the rate they pay, on every page and in the API."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail

from apps.billing.services import billing_cycle, next_share_rate
from apps.restaurants.emails import send_plan_changed_email
from apps.restaurants.models import Restaurant
from tests.billing.subscriber import OFF_SESSION_DECLINED, Subscriber
from tests.caching import forget_everything
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("world")
PAGES = (
    "/restaurant/tiers",
    "/restaurant/settings",
    "/marketing-settings",
    "/tier-selection",
    "/restaurant",
)


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


@pytest.fixture
def subscriber(api: Any, cast: Any, world: Any) -> Subscriber:
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(onboarding_completed=True)
    return Subscriber(api, cast, world)


def read(subscriber: Subscriber, path: str) -> tuple[dict[str, Any], str]:
    """The props of a page, and all that it says."""
    page = subscriber.client.get(path)
    assert page.status_code == 200, path
    return props_of(page), text_of(page) + json.dumps(props_of(page), ensure_ascii=False)


def own_rates(subscriber: Subscriber) -> dict[str, str]:
    """The Branded plan's rate as each place says it."""
    forget_everything()
    fees = read(subscriber, "/restaurant/tiers")[0]["fees"]
    profile = subscriber.client.get("/api/restaurant/profile").json()
    _, branded = read(subscriber, "/tier-selection")[0]["tiers"]
    own = Restaurant.objects.get(pk=subscriber.restaurant.pk)
    return {
        "calculator": f"{Decimal(fees['brandedRate']) / 100:.2f}",
        "profile": profile["revenueSharePercentage"],
        "plans": branded["share"],
        "next special": f"{next_share_rate(own, now=subscriber.world.now):.2f}",
        "month": str(billing_cycle(restaurant=own, now=subscriber.world.now).revenue_share_rate),
    }


@pytest.mark.parametrize(("rate", "shown"), [("0.00", "0%"), ("2.00", "2%")])
def test_every_place_states_the_subscribers_rate(
    subscriber: Subscriber, settings: Any, rate: str, shown: str
) -> None:
    settings.SUBSCRIPTION_REVENUE_SHARE_RATE = Decimal(rate)
    subscriber.subscribe()
    subscriber.publish()
    assert set(own_rates(subscriber).values()) == {rate}
    for path in PAGES:
        assert "5%" not in read(subscriber, path)[1], path
    fees = read(subscriber, "/restaurant/tiers")[0]["fees"]
    assert (fees["freeRate"], fees["monthlyFee"]) == (300, "$29.00")
    price = read(subscriber, "/tier-selection")[0]["tiers"][1]["price"]
    assert price == (
        "Your monthly subscription. We take no share of your orders."
        if shown == "0%"
        else "Your monthly subscription. 2% of each order you're paid for."
    )
    mail.outbox.clear()
    send_plan_changed_email(subscriber.row.restaurant, to="owner@luigis.test")
    assert f"Platform fee: {shown} of each order\n" in str(mail.outbox[0].body)


def test_a_rate_above_the_plans_counts_for_nobody(subscriber: Subscriber, settings: Any) -> None:
    settings.SUBSCRIPTION_REVENUE_SHARE_RATE = Decimal("9.00")
    subscriber.subscribe()
    assert own_rates(subscriber)["next special"] == "5.00"


def test_a_lapsed_subscriber_reads_the_plans_rate_and_a_payer_the_subscribers(
    subscriber: Subscriber,
) -> None:
    subscriber.subscribe(OFF_SESSION_DECLINED)
    subscriber.later(days=31)
    subscriber.hear()
    assert own_rates(subscriber)["profile"] == "0.00"  # in the grace
    subscriber.world.later(days=15)
    subscriber.look_after()
    assert subscriber.row.is_lapsed
    rates = own_rates(subscriber)
    assert (rates["calculator"], rates["profile"], rates["plans"]) == ("5.00", "5.00", "5.00")
    assert read(subscriber, "/restaurant/tiers")[0]["fees"]["monthlyFee"] == ""
    subscriber.pay_bill()
    subscriber.hear()
    assert own_rates(subscriber)["profile"] == "0.00"


def test_an_ended_subscription_leaves_the_free_plans_rate(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    subscriber.client.post("/api/subscriptions/cancel", {})
    subscriber.later(days=31)
    subscriber.hear()
    own = Restaurant.objects.get(pk=subscriber.restaurant.pk)
    assert (own.subscription_tier, own.has_subscription) == ("free", False)
    assert own.revenue_share_percentage == Decimal("3.00")


def test_a_downgrade_says_that_the_subscription_ends(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    effects = read(subscriber, "/restaurant/tiers")[0]["plan"]["downgradeEffects"]
    assert "Your subscription ends with the month you've paid for and isn't renewed." in effects
