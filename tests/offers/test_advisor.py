"""What the advisor says, on which data, and when it says nothing (decision 19)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache

from apps.billing.fees import order_fees
from apps.common.money import Money
from apps.offers.advisor import Tally, TrackRecord, break_even, chance_of
from tests.conftest import NOON
from tests.factories import RestaurantFactory, SpecialOfferFactory

PATH = "/api/specials/advice"


def carried(**facts):
    figures: dict[str, Any] = {
        "price": "18.00", "fixed_cost": "100.00", "portion_cost": "6.50",
        "share_rate": "1.00", "tax_rate": "8.00", "minimum": 20, "maximum": None,
        "currency": "usd",
    } | facts  # fmt: skip
    money = {name: Money.of(figures.pop(name)) for name in ("price", "fixed_cost", "portion_cost")}
    rates = {name: Decimal(figures.pop(name)) for name in ("share_rate", "tax_rate")}
    return break_even(**(money | rates | figures))


class TestBreakEven:
    def test_portions_carry_the_fixed_cost_after_fees(self):
        """18.00 + 1.44 tax: 0.19 share, 0.95 + 0.30 processing; 18.00 − 1.44 − 6.50 = 10.06."""
        answer = carried()
        assert (answer.portions, answer.left) == (10, Money(1006))
        assert answer.sentence == (
            "At a price of $18.00 and a cost of $6.50 per portion, you need 10 portions to cover "
            "$100.00 in fixed costs after fees. Each portion beyond that earns $10.06."
        )
        assert answer.warning == ""

    @pytest.mark.parametrize(("fixed", "portions"), [("10.06", 1), ("10.07", 2), ("0.00", 1)])
    def test_the_break_even_is_exact_to_the_cent(self, fixed, portions):
        assert carried(fixed_cost=fixed).portions == portions

    def test_nine_would_not_have_done(self):
        answer = carried()
        fees = order_fees(
            subtotal=Money(1800),
            total=Money(1944),
            revenue_share_rate=Decimal("1.00"),
            currency="usd",
        )
        one = Money(1800) - fees.application_fee - Money(650)
        assert one * (answer.portions - 1) < Money.of("100.00") <= one * answer.portions

    def test_a_portion_that_leaves_nothing_carries_nothing(self):
        answer = carried(portion_cost="16.56")
        assert answer.portions is None
        assert answer.sentence.endswith("nothing is left for fixed costs after $1.44 in fees.")
        assert answer.warning == "Raise the price, or lower the cost per portion."

    def test_a_minimum_below_it_is_warned_of_with_the_loss(self):
        answer = carried(minimum=4)
        assert answer.warning == "With a minimum of 4, you could lose up to $59.76."

    def test_a_maximum_below_it_can_never_carry_it(self):
        answer = carried(minimum=4, maximum=9)
        assert answer.warning == (
            "Your maximum of 9 is below that, so this special can't cover its costs."
        )


@pytest.fixture
def sold(clock, db, platform):
    """`sold(restaurant, 4, 12)`: past specials of the restaurant that sold so many portions."""

    def sell(restaurant, *portions, reserved=0, days_ago=30, **facts):
        decided = clock.now - timedelta(days=days_ago)
        for count in portions:
            SpecialOfferFactory(
                restaurant=restaurant,
                status="succeeded",
                created_at=decided - timedelta(days=1),
                decided_at=decided,
                ordered_portions=count + reserved,
                restaurant_portions=reserved,
                **facts,
            )

    return sell


@pytest.fixture
def others(sold):
    """Seven other restaurants with five specials each: two of the five sold 10 and more."""
    restaurants = RestaurantFactory.create_batch(7)
    for restaurant in restaurants:
        sold(restaurant, 2, 4, 6, 10, 14)
    return restaurants


class TestChance:
    @pytest.fixture
    def mine(self, cast):
        return cast.restaurant

    def chance(self, mine, clock, portions=10, **more):
        return chance_of(restaurant=mine, portions=portions, now=clock.now, **more)

    def test_a_newcomer_is_told_what_others_sold(self, mine, others, clock):
        answer = self.chance(mine, clock)
        assert answer.percent == 40
        assert answer.sentence == "The chance of reaching 10 portions is about 40%."
        assert answer.evidence == (
            "In the last two years, 40% of 35 specials at other restaurants sold 10 or more."
        )

    def test_a_restaurants_own_record_moves_the_chance(self, mine, others, sold, clock):
        seen = []
        for _ in range(3):
            sold(mine, 12, 15)
            cache.delete("advisor:10:0")
            seen.append(self.chance(mine, clock).percent)
        assert 40 < seen[0] < seen[1] < seen[2] < 100

    def test_both_are_shown_as_evidence(self, mine, others, sold, clock):
        sold(mine, 12, 3, 10)
        answer = self.chance(mine, clock)
        assert answer.evidence == (
            "In the last two years, 2 of your 3 specials and 40% of 35 specials at other "
            "restaurants sold 10 or more."
        )
        assert (answer.own, answer.others) == (TrackRecord(3, 2), TrackRecord(35, 14))

    def test_a_higher_minimum_is_never_more_likely(self, mine, others, sold, clock):
        sold(mine, 1, 5, 8, 9, 13)
        seen = [self.chance(mine, clock, portions).percent for portions in range(1, 20)]
        assert seen == sorted(seen, reverse=True)
        assert 1 <= seen[-1] < seen[0] <= 99

    def test_too_small_a_record_is_called_so(self, mine, sold, clock):
        sold(mine, *[12] * 19)
        answer = self.chance(mine, clock)
        assert answer.percent is None
        assert answer.sentence == (
            "Forecasts start after 20 comparable specials. You've had 19 so far."
        )
        sold(mine, 12)
        assert self.chance(mine, clock).percent == 98

    def test_four_other_restaurants_are_too_few_to_stay_unknown(self, mine, sold, clock):
        for restaurant in RestaurantFactory.create_batch(4):
            sold(restaurant, *[12] * 20)
        answer = self.chance(mine, clock)
        assert answer.percent is None
        assert answer.others == TrackRecord(0, 0)
        assert answer.evidence == ""

    def test_what_could_not_have_sold_so_many_says_nothing(self, mine, others, sold, clock):
        sold(mine, 8, 8, 8, max_preorders=8)
        assert self.chance(mine, clock).own == TrackRecord(0, 0)
        assert self.chance(mine, clock, 8).own == TrackRecord(3, 3)

    def test_restaurant_portions_are_no_demand(self, mine, others, sold, clock):
        sold(mine, 7, reserved=5)
        assert self.chance(mine, clock).own == TrackRecord(1, 0)

    def test_what_is_long_past_or_undecided_is_left_out(self, mine, others, sold, clock):
        sold(mine, 12, days_ago=731)
        SpecialOfferFactory(restaurant=mine, ordered_portions=12)
        assert self.chance(mine, clock).own == TrackRecord(0, 0)

    def test_portions_that_are_already_ordered_count(self, mine, others, clock):
        """Of the specials that came to 6, two thirds came to 10."""
        assert (
            self.chance(mine, clock, already_ordered=6).percent > self.chance(mine, clock).percent
        )
        assert self.chance(mine, clock, already_ordered=10).percent == 100

    def test_what_was_decided_since_everybody_was_counted_is_ones_own_alone(
        self, mine, others, sold, clock
    ):
        self.chance(mine, clock)
        clock.advance(minutes=30)
        sold(mine, 12, days_ago=0.01)
        answer = self.chance(mine, clock)
        assert (answer.own, answer.others) == (TrackRecord(1, 1), TrackRecord(35, 14))


class TestWeight:
    """How much a restaurant's own record counts beside everybody's."""

    def test_restaurants_that_differ_much_say_little_about_a_new_one(self):
        """Five always sell enough, five never: one's own record is worth nearly all."""
        apart = Tally(NOON, 10, 100, 50, 10 * 10**2, 5 * 10**2 / 10)
        assert apart.weight == 2.0

    def test_restaurants_that_are_alike_say_much(self):
        alike = Tally(NOON, 10, 100, 50, 10 * 10**2, 10 * 5**2 / 10)
        assert alike.weight == 60.0

    def test_taking_ones_own_out_leaves_the_others(self):
        everybody = Tally(NOON, 3, 30, 14, 300, 4**2 / 10 + 5**2 / 10 + 5**2 / 10)
        assert everybody.without(TrackRecord(10, 4)) == Tally(NOON, 2, 20, 10, 200, 5.0)


class TestTheEndpoint:
    @pytest.fixture
    def owner(self, api, cast, clock):
        return api(cast.owner)

    def test_the_answer_has_the_break_even_and_the_chance(self, owner, others):
        answer = owner.get(
            f"{PATH}?price=18&minimum=10&maximum=&fixedCost=100&portionCost=6.50"
        ).json()
        # A free restaurant's first specials of a month carry no share: 10.25 is left of each.
        assert answer == {
            "currency": "usd",
            "breakEven": {
                "portions": 10,
                "leftPerPortion": "10.25",
                "sentence": "At a price of $18.00 and a cost of $6.50 per portion, you need 10 "
                "portions to cover $100.00 in fixed costs after fees. Each portion beyond that "
                "earns $10.25.",
                "warning": "",
            },
            "chance": {
                "percent": 40,
                "sentence": "The chance of reaching 10 portions is about 40%.",
                "evidence": "In the last two years, 40% of 35 specials at other restaurants "
                "sold 10 or more.",
                "ownOffers": 0,
                "otherOffers": 35,
            },
        }

    def test_there_is_no_break_even_without_costs(self, owner):
        assert owner.get(f"{PATH}?price=18&minimum=10").json()["breakEven"] is None

    def test_a_published_special_brings_its_fees_and_its_portions(self, owner, cast, others):
        offer = SpecialOfferFactory(
            restaurant=cast.restaurant, revenue_share_rate="3.00", ordered_portions=6
        )
        asked = f"{PATH}?price=18&minimum=10&fixedCost=100&portionCost=6.50&offer={offer.pk}"
        answer = owner.get(asked).json()
        assert answer["breakEven"]["leftPerPortion"] == "9.67"
        assert answer["chance"]["otherOffers"] == 21

    def test_another_restaurants_special_is_not_there(self, owner, cast):
        theirs = SpecialOfferFactory(restaurant=cast.other)
        assert owner.get(f"{PATH}?price=18&minimum=10&offer={theirs.pk}").status_code == 404

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ("minimum=10", "price"),
            ("price=18", "minimum"),
            ("price=0&minimum=10", "price"),
            ("price=18&minimum=0", "minimum"),
            ("price=18&minimum=10&maximum=x", "maximum"),
            ("price=18&minimum=10&fixedCost=-1", "fixedCost"),
            ("price=18&minimum=10&portionCost=1e3", "portionCost"),
            ("price=18&minimum=10&offer=7", "offer"),
        ],
    )
    def test_what_makes_no_sense_is_refused_by_name(self, owner, query, field):
        answer = owner.get(f"{PATH}?{query}")
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]

    def test_all_restaurants_are_counted_once_an_hour(
        self, owner, cast, others, django_assert_num_queries
    ):
        owner.get(f"{PATH}?price=18&minimum=10")
        with django_assert_num_queries(3):  # session's user, membership, own record
            owner.get(f"{PATH}?price=18&minimum=10")
