"""The rate of a publication, which depends on how many there were this month (DECISIONS X2, X8)."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import transaction

from apps.billing import services as billing
from apps.billing.models import MonthlyBillingCycle
from apps.common import clock as our_clock
from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.restaurants.models import Restaurant
from apps.restaurants.services import onboarding, plans
from apps.restaurants.tiers import month_of
from tests.factories import RestaurantFactory
from tests.offers.bodies import create_body
from tests.threads import at_once

PATH = "/api/dishes/special-offers"
MARCH = datetime(2027, 3, 1).date()  # noqa: DTZ001


def published_so_far(restaurant, count):
    Restaurant.objects.filter(pk=restaurant.pk).update(
        monthly_special_offers_count=count, last_special_offer_reset_date=MARCH
    )


def rates():
    return sorted(SpecialOffer.objects.values_list("revenue_share_rate", flat=True))


@pytest.mark.django_db
class TestByTheMonth:
    @pytest.fixture
    def publish(self, api, cast, clock, platform):
        client = api(cast.owner)

        def post(**changes):
            return client.post(PATH, create_body(**changes))

        return post

    def test_the_tenth_is_free_and_the_eleventh_is_not(self, publish, cast):
        published_so_far(cast.restaurant, 9)
        assert [publish().status_code for _ in range(2)] == [201, 201]
        assert rates() == [Decimal("0.00"), Decimal("3.00")]
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 11
        assert cast.restaurant.special_offers_limit_reached
        cycle = MonthlyBillingCycle.objects.get(restaurant=cast.restaurant)
        assert (cycle.special_offers_count, cycle.revenue_share_active) == (2, True)

    def test_a_limit_that_was_reached_ends_with_the_plan(self, publish, cast, clock):
        published_so_far(cast.restaurant, 9)
        publish()
        for tier, reached in (("branded", False), ("free", True)):
            plans.choose_plan(restaurant=cast.restaurant, tier=tier, now=clock.now, by="x")
            cast.restaurant.refresh_from_db()
            assert cast.restaurant.special_offers_limit_reached is reached
        assert cast.restaurant.monthly_special_offers_count == 10

    def test_a_limit_that_was_reached_ends_with_the_month_where_the_restaurant_is(
        self, publish, cast
    ):
        published_so_far(cast.restaurant, 9)
        publish()
        # 11:59 PM on March 31 in New York, then midnight.
        assert onboarding.turn_months(now=datetime(2027, 4, 1, 3, 59, tzinfo=UTC)) == 0
        assert onboarding.turn_months(now=datetime(2027, 4, 1, 4, 0, tzinfo=UTC)) == 1
        assert onboarding.turn_months(now=datetime(2027, 4, 1, 4, 1, tzinfo=UTC)) == 0
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 0
        assert cast.restaurant.special_offers_limit_reached is False
        assert cast.restaurant.last_special_offer_reset_date == datetime(2027, 4, 1).date()  # noqa: DTZ001

    def test_the_other_tiers_always_pay_theirs(self, publish, cast):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
        assert publish().status_code == 201
        assert rates() == [Decimal("5.00")]

    def test_the_eleventh_needs_a_complete_profile(self, publish, cast):
        published_so_far(cast.restaurant, 10)
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(profile_completed=False, city="")
        answer = publish()
        assert answer.status_code == 403
        assert "Missing: owner's name, city." in answer.json()["message"]
        assert rates() == []
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 10

    def test_a_refused_offer_does_not_count(self, publish, cast):
        assert publish(price="0").status_code == 400
        assert publish(preorderExpiresAt="2027-04-22T16:00:00Z").status_code == 400
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 0

    def test_a_deleted_offer_still_counts(self, publish, api, cast):
        offer_id = publish().json()["id"]
        assert api(cast.owner).delete(f"/api/specials/{offer_id}").status_code == 200
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 1

    def test_the_month_turns_at_midnight_in_the_restaurants_zone(self, publish, clock, cast):
        published_so_far(cast.restaurant, 10)
        dates = {"specialServeDate": "2027-04-02", "preorderExpiresAt": "2027-04-01T16:00:00Z"}
        clock.set(datetime(2027, 4, 1, 3, 59, tzinfo=UTC))  # 23:59 on March 31st in New York
        assert publish(**dates).status_code == 201
        clock.set(datetime(2027, 4, 1, 4, 0, tzinfo=UTC))
        assert publish(**dates).status_code == 201
        assert rates() == [Decimal("0.00"), Decimal("3.00")]
        months = MonthlyBillingCycle.objects.order_by("month")
        assert [(row.month, row.special_offers_count) for row in months] == [(3, 1), (4, 1)]
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.monthly_special_offers_count == 1

    def test_each_restaurant_has_its_own_count(self, publish, cast):
        published_so_far(cast.other, 10)
        assert publish().status_code == 201
        assert rates() == [Decimal("0.00")]


@pytest.mark.django_db
class TestEmails:
    def test_announcements_that_were_emailed_are_counted_by_the_month(self, cast, clock):
        def count():
            cast.restaurant.refresh_from_db()
            return cast.restaurant.monthly_emails_sent

        late = datetime(2027, 4, 1, 3, 59, tzinfo=UTC)  # March 31st in New York
        for _ in range(2):
            onboarding.count_email(cast.restaurant, now=late)
        assert count() == 2
        assert onboarding.turn_months(now=late) == 0
        assert onboarding.turn_months(now=datetime(2027, 4, 1, 4, 0, tzinfo=UTC)) == 1
        assert count() == 0
        onboarding.count_email(cast.restaurant, now=datetime(2027, 4, 1, 4, 1, tzinfo=UTC))
        assert count() == 1
        # Without the hourly task, the first use in a month begins again.
        onboarding.count_email(cast.restaurant, now=datetime(2027, 5, 2, tzinfo=UTC))
        assert count() == 1


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.fixture
    def restaurant(self, clock):
        restaurant = RestaurantFactory()
        published_so_far(restaurant, 9)
        return restaurant

    @staticmethod
    def publish_twice_at_once(restaurant):
        def publish():
            with rls.acting_as(restaurant), transaction.atomic():
                return billing.count_publication(restaurant_id=restaurant.pk, now=our_clock.now())

        return sorted(at_once(publish, publish))

    def test_two_at_once_are_the_tenth_and_the_eleventh(self, restaurant):
        assert self.publish_twice_at_once(restaurant) == [Decimal("0.00"), Decimal("3.00")]
        restaurant.refresh_from_db()
        assert restaurant.monthly_special_offers_count == 11

    def test_two_publications_would_both_be_the_tenth_without_the_lock(
        self, restaurant, monkeypatch
    ):
        """The control: it is the lock that keeps them apart."""
        from threading import Barrier

        both_have_read = Barrier(2)
        read = month_of

        def wait_for_the_other(day):
            both_have_read.wait(5)
            monkeypatch.setattr(billing, "month_of", read)
            return read(day)

        monkeypatch.setattr(
            type(Restaurant.objects.all()), "select_for_update", lambda queryset, **_: queryset
        )
        monkeypatch.setattr(billing, "month_of", wait_for_the_other)
        assert self.publish_twice_at_once(restaurant) == [Decimal("0.00"), Decimal("0.00")]
        restaurant.refresh_from_db()
        assert restaurant.monthly_special_offers_count == 10
