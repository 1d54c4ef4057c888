"""Changing the plan: up at once, down from the next month on (decision 121)."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail

from apps.activity.models import LoggedEvent
from apps.billing.cycles import open_cycles
from apps.billing.models import MonthlyBillingCycle
from apps.billing.services import next_share_rate
from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.restaurants.models import Restaurant, RestaurantTransition
from apps.restaurants.services import plans
from apps.restaurants.tasks import turn_months_task
from tests.conftest import NOON, Cast
from tests.factories import RestaurantFactory
from tests.offers.bodies import create_body
from tests.pages import props_of
from tests.threads import at_once

# NOON is in March 2027; New York's April begins at 4 AM UTC.
BEFORE_MIDNIGHT = datetime(2027, 4, 1, 3, 59, tzinfo=UTC)
MIDNIGHT = datetime(2027, 4, 1, 4, 0, tzinfo=UTC)
UPGRADE = "/api/restaurant/upgrade-tier"


def fresh(restaurant: Restaurant) -> Restaurant:
    with rls.acting_as(rls.PLATFORM):
        return Restaurant.objects.get(pk=restaurant.pk)


def events() -> list[str]:
    with rls.acting_as(rls.PLATFORM):
        return list(
            LoggedEvent.objects.filter(kind__startswith="plan")
            .order_by("pk")
            .values_list("kind", flat=True)
        )


@pytest.fixture
def branded(cast: Cast) -> Restaurant:
    """Luigi's, set up, on the Branded plan."""
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(
            subscription_tier="branded",
            tier_type="premium",
            revenue_share_percentage="5.00",
            onboarding_completed=True,
        )
    return fresh(cast.restaurant)


@pytest.mark.django_db
@pytest.mark.usefixtures("clock", "platform")
class TestChoosing:
    @pytest.fixture
    def choose(self, api: Any, cast: Cast) -> Any:
        client = api(cast.owner)

        def put(tier: str) -> Any:
            answer = client.put(UPGRADE, {"subscriptionTier": tier})
            assert answer.status_code == 200
            return answer.json()["restaurant"]

        return put

    def test_an_upgrade_counts_at_once(self, choose: Any, cast: Cast) -> None:
        answer = choose("branded")
        assert (answer["subscriptionTier"], answer["nextTier"], answer["nextTierFrom"]) == (
            "branded",
            "",
            None,
        )
        own = fresh(cast.restaurant)
        assert (own.tier_type, own.revenue_share_percentage) == ("premium", Decimal("5.00"))
        assert events() == ["plan_changed"]

    def test_a_downgrade_waits_for_the_next_month(self, choose: Any, branded: Restaurant) -> None:
        answer = choose("free")
        assert answer["subscriptionTier"] == "branded"
        assert (answer["nextTier"], answer["nextTierFrom"]) == ("free", "2027-04-01")
        own = fresh(branded)
        assert (own.subscription_tier, own.revenue_share_percentage) == ("branded", Decimal("5.00"))
        assert own.next_tier_from == date(2027, 4, 1)
        assert not RestaurantTransition.objects.exists()
        assert events() == ["plan_change_scheduled"]

    def test_choosing_a_lower_plan_twice_schedules_one_change(
        self, choose: Any, branded: Restaurant
    ) -> None:
        choose("free")
        choose("free")
        assert events() == ["plan_change_scheduled"]

    def test_the_present_plan_cancels_the_change(self, choose: Any, branded: Restaurant) -> None:
        choose("free")
        answer = choose("branded")
        assert (answer["subscriptionTier"], answer["nextTierFrom"]) == ("branded", None)
        assert plans.carry_out_plan_changes(now=MIDNIGHT) == 0
        assert fresh(branded).subscription_tier == "branded"
        assert events() == ["plan_change_scheduled", "plan_change_canceled"]

    def test_enterprise_includes_as_much_and_cancels_it_too(
        self, choose: Any, branded: Restaurant
    ) -> None:
        choose("free")
        assert choose("enterprise")["nextTier"] == ""
        assert events() == ["plan_change_scheduled", "plan_change_canceled", "plan_changed"]

    def test_during_the_setup_a_downgrade_counts_at_once(self, choose: Any, cast: Cast) -> None:
        choose("branded")
        assert choose("free")["subscriptionTier"] == "free"

    def test_a_change_that_is_due_comes_before_the_choice(
        self, choose: Any, branded: Restaurant, clock: Any
    ) -> None:
        choose("free")
        clock.set(MIDNIGHT)
        assert choose("branded")["subscriptionTier"] == "branded"
        assert events() == ["plan_change_scheduled", "plan_changed", "plan_changed"]

    def test_only_an_owner_chooses_the_plan(
        self, api: Any, cast: Cast, branded: Restaurant
    ) -> None:
        answer = api(cast.manager).put(UPGRADE, {"subscriptionTier": "free"})
        assert answer.status_code == 403
        assert fresh(branded).next_tier == ""


@pytest.mark.django_db
@pytest.mark.usefixtures("clock", "platform")
class TestCarryingOut:
    @pytest.fixture
    def leaving(self, branded: Restaurant, cast: Cast) -> Restaurant:
        return plans.choose_plan(restaurant=branded, tier="free", now=NOON, by="owner@luigis.test")

    def test_it_waits_for_midnight_where_the_restaurant_is_and_happens_once(
        self, leaving: Restaurant
    ) -> None:
        assert plans.carry_out_plan_changes(now=BEFORE_MIDNIGHT) == 0
        assert fresh(leaving).subscription_tier == "branded"
        assert plans.carry_out_plan_changes(now=MIDNIGHT) == 1
        assert plans.carry_out_plan_changes(now=MIDNIGHT + timedelta(hours=1)) == 0
        own = fresh(leaving)
        assert (own.subscription_tier, own.tier_type) == ("free", "basic")
        assert (own.next_tier, own.next_tier_from) == ("", None)
        assert own.revenue_share_percentage == Decimal("3.00")
        [change] = RestaurantTransition.objects.all()
        assert (change.old, change.new, change.actor) == ("branded", "free", "")
        assert events() == ["plan_change_scheduled", "plan_changed"]

    def test_the_hourly_task_carries_it_out_and_tells_the_owners(
        self, leaving: Restaurant, clock: Any, run_tasks: Any
    ) -> None:
        clock.set(MIDNIGHT)
        turn_months_task()
        run_tasks()
        assert fresh(leaving).subscription_tier == "free"
        [email] = mail.outbox
        assert email.to == ["owner@luigis.test"]
        assert email.subject == "Luigi's is on the Free plan now"
        assert "Platform fee: None on your first 10 specials each month, then 3% of" in email.body

    def test_another_restaurants_plan_stays(self, leaving: Restaurant, cast: Cast) -> None:
        other = RestaurantFactory(subscription_tier="branded", onboarding_completed=True)
        plans.carry_out_plan_changes(now=MIDNIGHT)
        assert fresh(other).subscription_tier == "branded"


@pytest.mark.django_db
@pytest.mark.usefixtures("clock", "platform")
class TestMoney:
    @pytest.fixture
    def publish(self, api: Any, cast: Cast) -> Any:
        client = api(cast.owner)

        def post(**changes: Any) -> Decimal:
            answer = client.post("/api/dishes/special-offers", create_body(**changes))
            assert answer.status_code == 201, answer.content
            return SpecialOffer.objects.get(pk=answer.json()["id"]).revenue_share_rate

        return post

    def test_a_published_special_keeps_its_rate_through_every_change(
        self, publish: Any, api: Any, cast: Cast, branded: Restaurant
    ) -> None:
        assert publish() == Decimal("5.00")
        plans.choose_plan(restaurant=branded, tier="free", now=NOON, by="x")
        plans.carry_out_plan_changes(now=MIDNIGHT)
        [offer] = SpecialOffer.objects.all()
        assert offer.revenue_share_rate == Decimal("5.00")
        plans.choose_plan(restaurant=branded, tier="branded", now=MIDNIGHT, by="x")
        offer.refresh_from_db()
        assert offer.revenue_share_rate == Decimal("5.00")

    def test_until_the_day_specials_carry_the_old_rate_and_from_its_first_minute_the_new(
        self, publish: Any, branded: Restaurant, clock: Any
    ) -> None:
        """Also while nothing has carried the change out yet."""
        plans.choose_plan(restaurant=branded, tier="free", now=NOON, by="x")
        dates = {"specialServeDate": "2027-04-03", "preorderExpiresAt": "2027-04-02T16:00:00Z"}
        clock.set(BEFORE_MIDNIGHT)
        assert publish(**dates) == Decimal("5.00")
        clock.set(MIDNIGHT)
        assert next_share_rate(fresh(branded), now=MIDNIGHT) == Decimal("0.00")
        assert publish(**dates) == Decimal("0.00")
        assert fresh(branded).subscription_tier == "branded"  # not carried out
        months = MonthlyBillingCycle.objects.order_by("month")
        assert [(row.month, row.subscription_tier) for row in months] == [
            (3, "branded"),
            (4, "free"),
        ]

    def test_a_month_that_opens_has_the_plan_of_its_first_day(self, branded: Restaurant) -> None:
        with rls.acting_as(rls.PLATFORM):
            Restaurant.objects.filter(pk=branded.pk).update(registration_status="complete")
        plans.choose_plan(restaurant=branded, tier="free", now=NOON, by="x")
        open_cycles(now=MIDNIGHT)
        cycle = MonthlyBillingCycle.objects.get(restaurant=branded)
        assert (cycle.month, cycle.subscription_tier) == (4, "free")
        assert cycle.revenue_share_rate == Decimal("3.00")

    def test_the_month_of_an_upgrade_has_the_plan_that_was_last_published_under(
        self, publish: Any, cast: Cast
    ) -> None:
        assert publish() == Decimal("0.00")
        plans.choose_plan(restaurant=cast.restaurant, tier="branded", now=NOON, by="x")
        assert publish() == Decimal("5.00")
        cycle = MonthlyBillingCycle.objects.get(restaurant=cast.restaurant)
        assert (cycle.subscription_tier, cycle.revenue_share_rate) == ("branded", Decimal("5.00"))
        assert (cycle.special_offers_count, cycle.revenue_share_active) == (2, True)


@pytest.mark.django_db
@pytest.mark.usefixtures("clock", "platform")
class TestPages:
    def test_both_plan_pages_say_what_a_downgrade_does_before_it_is_chosen(
        self, api: Any, cast: Cast, branded: Restaurant
    ) -> None:
        for page in ("/tier-selection", "/restaurant/tiers"):
            plan = props_of(api(cast.owner).get(page))["plan"]
            assert (plan["tier"], plan["name"], plan["next"]) == ("branded", "Branded", None)
            first, fee, published, *rest = plan["downgradeEffects"]
            assert first == (
                "On Thu, Apr 1, you'll change to the Free plan. Until then, everything stays as it "
                "is, and you can cancel the change."
            )
            assert fee == (
                "From then on, your first 10 specials of each month carry no platform fee, and "
                "later ones carry 3% of each order."
            )
            assert published == "Specials you publish before keep the fee they were published with."
            assert (
                "Sales analytics will close. Nothing is deleted, and they come back if you upgrade"
            ) in (" ".join(rest))

    def test_both_show_a_change_that_is_scheduled(
        self, api: Any, cast: Cast, branded: Restaurant
    ) -> None:
        plans.choose_plan(restaurant=branded, tier="free", now=NOON, by="x")
        for page in ("/tier-selection", "/restaurant/tiers"):
            plan = props_of(api(cast.owner).get(page))["plan"]
            assert plan["next"] == {"name": "Free", "day": "Thu, Apr 1"}

    def test_on_the_free_plan_nothing_is_lost(self, api: Any, cast: Cast) -> None:
        assert props_of(api(cast.owner).get("/tier-selection"))["plan"]["downgradeEffects"] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("clock")
def test_two_workers_carry_a_change_out_once() -> None:
    restaurant = RestaurantFactory(subscription_tier="branded", onboarding_completed=True)
    with rls.acting_as(rls.PLATFORM):
        plans.choose_plan(restaurant=restaurant, tier="free", now=NOON, by="x")

    def carry_out() -> int:
        with rls.acting_as(rls.PLATFORM):
            return plans.carry_out_plan_changes(now=MIDNIGHT)

    assert sorted(at_once(carry_out, carry_out)) == [0, 1]
    with rls.acting_as(rls.PLATFORM):
        assert RestaurantTransition.objects.count() == 1
