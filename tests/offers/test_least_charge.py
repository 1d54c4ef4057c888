"""Prices that no card can be charged: Stripe refuses amounts below a minimum per currency."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.common.errors import Invalid
from apps.offers.menu import edit_dish
from apps.offers.models import SpecialOffer
from apps.offers.services import edit_offer, publish_offer
from tests.factories import DishFactory, SpecialOfferFactory

pytestmark = pytest.mark.usefixtures("platform")


@pytest.fixture
def cheap(cast):
    return DishFactory(restaurant=cast.restaurant, price=Decimal("0.49"))


def terms(clock, **changes):
    return {
        "name": "Lasagne",
        "description": "",
        "regular_price": Decimal("30.00"),
        "special_price": Decimal("24.00"),
        "min_preorders": 5,
        "max_preorders": None,
        "deadline": clock.now + timedelta(days=2),
        "serve_date": (clock.now + timedelta(days=3)).date(),
        **changes,
    }


def test_an_alternative_below_the_minimum_is_not_published(cast, clock, cheap):
    with pytest.raises(Invalid, match="at least") as refused:
        publish_offer(
            restaurant=cast.restaurant,
            terms=terms(clock, has_alternative=True, alternative_dish_id=cheap.pk),
            now=clock.now,
        )
    assert [error.field for error in refused.value.fields] == ["alternativeDishId"]
    assert not SpecialOffer.objects.exists()


def test_an_alternative_below_the_minimum_is_not_added_to_a_special(cast, clock, cheap):
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    with pytest.raises(Invalid, match=r"at least \$0\.50"):
        edit_offer(
            restaurant=cast.restaurant,
            offer_id=offer.pk,
            changes={"has_alternative": True, "alternative_dish_id": cheap.pk},
            now=clock.now,
        )


@pytest.mark.parametrize(("status", "is_refused"), [("active", True), ("succeeded", False)])
def test_the_price_of_an_alternative_stays_above_the_minimum_until_the_decision(
    cast, clock, status, is_refused
):
    dish = DishFactory(restaurant=cast.restaurant, price=Decimal("9.00"))
    SpecialOfferFactory(
        restaurant=cast.restaurant, has_alternative=True, alternative_dish=dish, status=status
    )

    def lower():
        edit_dish(
            restaurant=cast.restaurant,
            dish_id=dish.pk,
            changes={"price": Decimal("0.49")},
            now=clock.now,
        )

    if is_refused:
        with pytest.raises(Invalid, match="at least"):
            lower()
    else:
        lower()
    dish.refresh_from_db()
    assert (dish.price == Decimal("9.00")) is is_refused
