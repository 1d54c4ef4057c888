"""GET /api/analytics: how specials did in a period (decision 21)."""

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest

from apps.billing.models import PaymentHistory
from apps.offers.models import OfferViews, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models.states import OrderSource, PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory, save_crowd

pytestmark = pytest.mark.django_db
PATH = "/api/analytics"
TODAY = date(2027, 3, 22)
STATEMENTS = 12  # person, membership; 3 by day, 4 by offer, outcomes, guests of each period
Kind = PaymentHistory.Type


@pytest.fixture(autouse=True)
def _branded(cast, clock, platform):
    for restaurant in (cast.restaurant, cast.other):
        restaurant.subscription_tier = "branded"
        restaurant.save(update_fields=["subscription_tier"])


@pytest.fixture
def ask(api, cast):
    def ask(person=None, **query):
        query = {name.rstrip("_"): value for name, value in query.items()}
        answer = api(person or cast.owner).get(PATH, query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return ask


@pytest.fixture
def offer(cast):
    return SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")


def saw(offer, visits, *, days_ago=0):
    day = TODAY - timedelta(days=days_ago)
    OfferViews.objects.create(
        offer=offer, restaurant_id=offer.restaurant_id, day=day, visits=visits
    )


def record(order, kind, amount, *, at=NOON, **fields):
    PaymentHistory.objects.create(
        restaurant_id=order.restaurant_id, pre_order=order, offer_id=order.offer_id,
        transaction_type=kind, amount=Decimal(amount), processed_at=at,
        payment_intent_id=order.payment_intent_id, reference=f"{kind}{amount}", **fields,
    )  # fmt: skip


class TestFigures:
    def test_a_periods_figures_add_up_from_visits_orders_and_the_ledger(self, ask, cast, offer):
        saw(offer, 30)
        saw(offer, 10, days_ago=3)
        first = PreOrderFactory(offer=offer, quantity=3)
        PreOrderFactory(offer=offer, quantity=2, customer_email="DANA@example.test")
        PreOrderFactory(offer=offer, source=OrderSource.PHONE, customer_email="")
        PreOrderFactory(offer=offer, customer_email="left@example.test", in_checkout=True)
        record(first, Kind.AUTHORIZATION, "77.76")
        record(first, Kind.CAPTURE, "77.76", platform_fee_amount=Decimal("2.33"))
        record(first, Kind.FEE, "4.11")
        record(
            first, Kind.REFUND, "25.92",
            platform_fee_amount=Decimal("0.78"), processing_fee_amount=Decimal("1.37"),
        )  # fmt: skip
        totals = ask()["totals"]
        assert totals == {
            "figures": {
                "views": 40,
                "orders": 3,
                "portions": 6,
                "conversion": "5.0",
                "revenue": "51.84",
                "payout": "47.55",
            },
            "decidedOffers": 0,
            "successfulOffers": 0,
            "successRate": None,
            "guests": 1,
            "repeatGuests": 1,
            "repeatRate": "100.0",
        }

    def test_the_payout_is_the_ledgers(self, ask, api, cast, offer):
        order = PreOrderFactory(offer=offer)
        record(order, Kind.CAPTURE, "25.92", platform_fee_amount=Decimal("0.78"))
        record(order, Kind.FEE, "1.57")
        ledger = api(cast.owner).get("/api/ledger").json()["totals"]
        assert ask()["totals"]["figures"]["payout"] == ledger["payout"] == "23.57"

    def test_more_orders_than_counted_visits_are_no_conversion(self, ask, offer):
        saw(offer, 1)
        PreOrderFactory(offer=offer)
        assert ask()["totals"]["figures"]["conversion"] == "100.0"
        PreOrderFactory(offer=offer)
        assert ask()["totals"]["figures"]["conversion"] is None

    def test_a_restaurant_without_orders_has_empty_figures(self, ask):
        answer = ask()
        assert answer["totals"]["figures"]["conversion"] is None
        assert (answer["totals"]["repeatRate"], answer["offers"]) == (None, [])
        assert [step["figures"]["orders"] for step in answer["series"]] == [0] * 30

    def test_another_restaurants_figures_are_not_in_it(self, ask, cast, offer):
        theirs = SpecialOfferFactory(restaurant=cast.other, status=OfferStatus.SUCCEEDED)
        SpecialOffer.objects.filter(pk=theirs.pk).update(deadline=NOON - timedelta(days=1))
        saw(theirs, 7)
        record(PreOrderFactory(offer=theirs), Kind.CAPTURE, "25.92")
        mine = ask()
        assert (mine["totals"]["figures"]["views"], mine["totals"]["guests"]) == (0, 0)
        assert (mine["totals"]["decidedOffers"], mine["offers"]) == (0, [])
        assert ask(cast.outsider)["totals"]["figures"]["revenue"] == "25.92"

    def test_success_is_of_what_was_decided_in_the_period(self, ask, cast):
        for days_ago, status in (
            (1, OfferStatus.SUCCEEDED),
            (2, OfferStatus.SUCCEEDED),
            (3, OfferStatus.FAILED),
            (4, OfferStatus.DELETED),
            (35, OfferStatus.FAILED),
        ):
            deadline = NOON - timedelta(days=days_ago)
            SpecialOfferFactory(restaurant=cast.restaurant, status=status, deadline=deadline)
        answer = ask()
        assert (answer["totals"]["decidedOffers"], answer["totals"]["successRate"]) == (3, "66.7")
        assert (answer["before"]["decidedOffers"], answer["before"]["successRate"]) == (1, "0.0")

    def test_who_ordered_before_the_period_comes_again_in_it(self, ask, offer):
        PreOrderFactory(offer=offer, created_at=NOON - timedelta(days=200))
        PreOrderFactory(offer=offer)
        PreOrderFactory(offer=offer, customer_email="new@example.test")
        totals = ask()["totals"]
        assert (totals["guests"], totals["repeatGuests"]) == (2, 1)

    def test_no_guest_is_in_the_answer(self, ask, offer):
        order = PreOrderFactory(offer=offer)
        answer = ask()
        assert answer["totals"]["guests"] == 1
        for personal in (order.customer_name, order.customer_email, order.customer_phone):
            assert personal not in str(answer)


class TestPeriods:
    def test_days_are_the_restaurants(self, ask, cast, offer):
        late = datetime(2027, 3, 21, 23, 30, tzinfo=cast.restaurant.zone)
        PreOrderFactory(offer=offer, created_at=late)
        PreOrderFactory(offer=offer, created_at=late + timedelta(minutes=31))
        series = ask(from_="2027-03-21", to="2027-03-22")["series"]
        assert [(step["start"], step["figures"]["orders"]) for step in series] == [
            ("2027-03-21", 1),
            ("2027-03-22", 1),
        ]
        assert ask(from_="2027-03-22")["totals"]["figures"]["orders"] == 1

    def test_a_period_is_compared_with_as_many_days_before_it(self, ask, offer):
        saw(offer, 5)
        saw(offer, 8, days_ago=7)
        saw(offer, 100, days_ago=14)
        answer = ask(from_="2027-03-16")
        assert answer["period"] == {"first": "2027-03-16", "last": "2027-03-22"}
        assert answer["periodBefore"] == {"first": "2027-03-09", "last": "2027-03-15"}
        views = [answer[each]["figures"]["views"] for each in ("totals", "before")]
        assert views == [5, 8]

    def test_a_long_period_is_shown_by_the_week(self, ask, offer):
        saw(offer, 5)
        answer = ask(from_="2026-12-01")
        assert (answer["unit"], len(answer["series"])) == ("week", 16)
        assert answer["series"][-1] == {
            "start": "2027-03-16",
            "figures": {
                "views": 5, "orders": 0, "portions": 0, "conversion": "0.0",
                "revenue": "0.00", "payout": "0.00",
            },
        }  # fmt: skip
        assert sum(step["figures"]["views"] for step in answer["series"]) == 5

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("from=tomorrow", "Enter days as YYYY-MM-DD"),
            ("to=2027-02-30", "Enter days as YYYY-MM-DD"),
            ("from=2027-03-22&to=2027-03-21", "The first day can't be after the last"),
            ("from=2024-01-01", "Choose a period of at most two years"),
            ("to=9999-12-31", "Choose days between 2000 and a year from now"),
            ("to=0001-01-01", "Choose days between 2000 and a year from now"),
            ("offer=7", "Send the special's id"),
        ],
    )
    def test_a_period_that_is_none_is_refused(self, api, cast, query, sentence):
        answer = api(cast.owner).get(f"{PATH}?{query}")
        assert (answer.status_code, answer.json()["message"]) == (400, sentence)


class TestByOffer:
    def test_each_offer_that_was_seen_in_the_period_has_a_row(self, ask, cast, offer):
        other = SpecialOfferFactory(restaurant=cast.restaurant, name="Ragù")
        SpecialOfferFactory(restaurant=cast.restaurant, name="Nobody saw it")
        saw(offer, 4)
        saw(other, 10)
        record(PreOrderFactory(offer=other, quantity=2), Kind.CAPTURE, "51.84")
        answer = ask()
        rows = [
            (row["name"], row["figures"]["views"], row["figures"]["conversion"])
            for row in answer["offers"]
        ]
        assert rows == [("Ragù", 10, "10.0"), ("Osso buco", 4, "0.0")]
        assert answer["offersLeftOut"] == 0

    def test_the_figures_of_one_offer_are_its_own(self, ask, cast, offer):
        other = SpecialOfferFactory(restaurant=cast.restaurant, name="Ragù")
        saw(offer, 4)
        saw(other, 10)
        PreOrderFactory(offer=other)
        answer = ask(offer=offer.pk)
        assert answer["totals"]["figures"]["views"] == 4
        assert (answer["totals"]["figures"]["orders"], answer["totals"]["guests"]) == (0, 0)
        assert len(answer["offers"]) == 2

    def test_another_restaurants_offer_is_not_found(self, api, cast, offer):
        answer = api(cast.outsider).get(PATH, {"offer": offer.pk})
        assert answer.status_code == 404


class TestWho:
    @pytest.mark.parametrize("tier", ["branded", "enterprise"])
    def test_the_paid_tiers_have_it(self, ask, cast, tier):
        cast.restaurant.subscription_tier = tier
        cast.restaurant.save(update_fields=["subscription_tier"])
        assert ask()["unit"] == "day"

    def test_the_free_tier_is_told_what_to_do(self, api, cast):
        cast.restaurant.subscription_tier = "free"
        cast.restaurant.save(update_fields=["subscription_tier"])
        answer = api(cast.owner).get(PATH)
        assert answer.status_code == 403
        assert answer.json()["message"] == (
            "Analytics are part of the Branded plan. Upgrade to see how your specials perform."
        )
        assert api(cast.owner).get("/restaurant/analytics").status_code == 200

    def test_a_manager_does_not_see_the_figures(self, api, cast):
        assert api(cast.manager).get(PATH).status_code == 403
        assert api(cast.manager).get("/restaurant/analytics").status_code == 403


@pytest.mark.parametrize("scale", [1, 50])
def test_the_number_of_statements_does_not_grow(api, cast, scale, django_assert_num_queries):
    offers = SpecialOfferFactory.create_batch(scale, restaurant=cast.restaurant)
    for each in offers:
        saw(each, 3)
        record(PreOrderFactory(offer=each), Kind.CAPTURE, "25.92")
    client = api(cast.owner)
    client.get(PATH)
    with django_assert_num_queries(STATEMENTS):
        assert client.get(PATH).status_code == 200


def test_two_hundred_offers_are_listed_and_the_rest_are_counted(cast, api):
    restaurant = cast.restaurant
    built = SpecialOfferFactory.build_batch(210, restaurant=restaurant)
    offers = SpecialOffer.objects.bulk_create(built)
    PaymentHistory.objects.bulk_create(
        PaymentHistory(
            restaurant=restaurant, pre_order=order, offer=order.offer, amount=Decimal("25.92"),
            transaction_type=Kind.CAPTURE, processed_at=NOON,
            payment_intent_id=str(order.payment_intent_id),
        )
        for offer in offers
        for order in save_crowd(
            2, offer=offer, restaurant=restaurant,
            status=PreOrderStatus.CONFIRMED, payment_status=PaymentStatus.CAPTURED,
        )
    )  # fmt: skip
    OfferViews.objects.bulk_create(
        OfferViews(offer=each, restaurant=restaurant, day=TODAY, visits=9) for each in offers
    )
    answer = api(cast.owner).get(PATH).json()
    assert (len(answer["offers"]), answer["offersLeftOut"]) == (200, 10)
