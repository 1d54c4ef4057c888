"""The subscription as its owner sees it, and the way to the bills."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import stripe as stripe_api

from apps.restaurants.models import Restaurant
from tests.billing.subscriber import Subscriber

pytestmark = pytest.mark.usefixtures("world")

STATUS = "/api/subscriptions/status"
PORTAL = "/api/subscriptions/billing-portal"
NOTHING_TO_PAY = {
    "price": "",
    "endsAtPeriodEnd": False,
    "canCancel": False,
    "payBy": None,
    "isLapsed": False,
}


@pytest.fixture
def customer(cast: Any, world: Any) -> Any:
    """The restaurant as a customer of the platform's, on the branded tier."""
    made = stripe_api.Customer.create(email="owner@luigis.test")
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(
        payment_customer_id=made.id, subscription_tier="branded"
    )
    return made


def test_a_tier_counts_without_a_subscription(api: Any, cast: Any, world: Any) -> None:
    answer = api(cast.owner).get(STATUS)
    assert answer.status_code == 200
    assert answer.json() == {
        "tier": "free",
        "status": "active",
        "currentPeriodEnd": None,
        "hasStripeCustomer": False,
        **NOTHING_TO_PAY,
    }
    assert world.stripe.look()["calls"] == {}


def test_the_branded_plan_without_a_subscription_is_active_and_owes_nothing(
    api: Any, cast: Any, customer: Any
) -> None:
    assert api(cast.owner).get(STATUS).json() == {
        "tier": "branded",
        "status": "active",
        "currentPeriodEnd": None,
        "hasStripeCustomer": True,
        **NOTHING_TO_PAY,
    }


def test_a_subscription_is_shown_as_the_processor_has_it(
    api: Any, cast: Any, world: Any, settings: Any
) -> None:
    settings.BILLING_MODE = "subscription"
    subscriber = Subscriber(api, cast, world).subscribe()
    there = stripe_api.Subscription.retrieve(str(subscriber.row.subscription_id))
    shown = api(cast.owner).get(STATUS).json()
    assert (shown["status"], shown["hasStripeCustomer"]) == ("active", True)
    assert (shown["price"], shown["canCancel"]) == ("$29.00", True)
    ends = there["items"].data[0].current_period_end
    assert datetime.fromisoformat(shown["currentPeriodEnd"]) == datetime.fromtimestamp(ends, UTC)
    stripe_api.Subscription.cancel(there.id)
    assert api(cast.owner).get(STATUS).json()["status"] == "canceled"


def test_the_portal_shows_the_bills_and_leads_back_to_the_settings(
    api: Any, cast: Any, customer: Any
) -> None:
    answer = api(cast.owner).post(PORTAL)
    assert answer.status_code == 200
    page = httpx.get(answer.json()["portalUrl"])
    assert page.status_code == 200
    assert "owner@luigis.test" in page.text
    assert "/restaurant/settings?section=subscription" in page.text


def test_a_restaurant_without_bills_has_no_billing_portal(api: Any, cast: Any, world: Any) -> None:
    answer = api(cast.owner).post(PORTAL)
    assert answer.status_code == 409
    assert answer.json()["message"] == (
        "Your plan has no monthly fee, so there are no bills to manage."
    )
    assert world.stripe.look()["calls"] == {}


def test_a_processor_that_does_not_answer_is_said(
    api: Any, cast: Any, world: Any, settings: Any, monkeypatch: Any
) -> None:
    settings.BILLING_MODE = "subscription"
    Subscriber(api, cast, world).subscribe()
    monkeypatch.setattr(stripe_api, "api_base", "http://127.0.0.1:9")
    status, portal = api(cast.owner).get(STATUS), api(cast.owner).post(PORTAL)
    assert (status.status_code, status.json()["message"]) == (
        503,
        "Unable to load subscription status",
    )
    assert (portal.status_code, portal.json()["message"]) == (
        503,
        "Unable to open billing portal. Please try again.",
    )


def test_another_restaurants_bills_are_not_ones_own(api: Any, cast: Any, customer: Any) -> None:
    assert api(cast.outsider).get(STATUS).json()["hasStripeCustomer"] is False
    assert api(cast.outsider).post(PORTAL).status_code == 409
    assert api(cast.manager).get(STATUS).status_code == 403
