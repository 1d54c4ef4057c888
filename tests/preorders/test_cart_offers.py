"""What the cart shows of its specials (X18)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from apps.offers.card_terms import Instead, card_terms
from apps.offers.dietary import ALLERGEN_WORDS, Allergen
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from tests.conftest import NOON, Cast, Clock
from tests.factories import (
    DishFactory,
    RestaurantFactory,
    SpecialOfferFactory,
)
from tests.refusals import without_codes


@pytest.fixture
def offer(cast: Cast, clock: Clock, platform: None) -> SpecialOffer:
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        special_price="18.00",
        regular_price="24.00",
        min_preorders=12,
        allergens=["celery", "milk"],
        dietary=["gluten_free"],
        deadline=NOON + timedelta(days=1, hours=6),
        has_alternative=True,
        alternative_dish=DishFactory(
            restaurant=cast.restaurant,
            name="Penne al forno",
            price="14.50",
            allergens=["gluten", "milk"],
            dietary=["vegetarian"],
        ),
    )


@pytest.fixture
def ask(api: Any, cast: Cast) -> Any:
    guest = api(at=cast.restaurant)
    return lambda *ids: guest.get(f"/api/cart/offers?ids={','.join(str(each) for each in ids)}")


def test_everything_the_cart_asks_about_comes_in_one_answer(ask: Any, offer: SpecialOffer) -> None:
    instead = Instead("Penne al forno", "%(total)s")
    answer = ask(offer.pk).json()
    assert (answer["taxRate"], answer["cardScriptUrl"]) == ("8.00", "")
    assert answer["publishableKey"] == settings.STRIPE_PUBLISHABLE_KEY
    assert answer["onBehalfOf"] == offer.restaurant.connect_account.account_id
    assert answer["restaurantName"] == offer.restaurant.name
    assert answer["offers"] == [
        {
            "id": str(offer.pk),
            "name": "Osso buco",
            "path": f"/specials/{offer.pk}",
            "price": "18.00",
            "imageUrl": None,
            "contains": "celery and milk",
            "diets": [{"name": "Gluten-free", "isPlants": False}],
            "noteWarnings": [
                {"allergen": "celery", "words": ["celer", "apio"]},
                {"allergen": "milk", "words": list(ALLERGEN_WORDS[Allergen.MILK])},
            ],
            "served": answer["offers"][0]["served"],
            "seatsSentence": "12 more and it's on",
            "portionsMissing": 12,
            "serviceMode": "both",
            "refusal": "",
            "waitlistPath": "",
            "perOrderLimit": 20,
            "minPreordersRequired": 12,
            "cardTerms": card_terms(offer, NOON),
            "chargeInBrief": "Charged Tue, Mar 23, 6:00 PM EDT if it's on",
            "chargeOnceMet": "Charged Tue, Mar 23, 6:00 PM EDT if it's still on",
            "slots": [],
            "alternative": {
                "name": "Penne al forno",
                "price": "14.50",
                "isMenuPrice": True,
                "contains": "gluten and milk",
                "diets": [{"name": "Vegetarian", "isPlants": True}],
                "lostDiets": ["Gluten-free"],
                "noteWarnings": [
                    {"allergen": "gluten", "words": list(ALLERGEN_WORDS[Allergen.GLUTEN])},
                    {"allergen": "milk", "words": list(ALLERGEN_WORDS[Allergen.MILK])},
                ],
                "cardTerms": card_terms(offer, NOON, instead=instead),
                "chargeInBrief": "Charged Tue, Mar 23, 6:00 PM EDT if it's on. "
                "If not: Penne al forno instead, for %(total)s with tax",
                "chargeOnceMet": "Charged Tue, Mar 23, 6:00 PM EDT if it's still on. "
                "If not: Penne al forno instead, for %(total)s with tax",
            },
        }
    ]


def test_what_happens_to_the_card_follows_the_guests_choice(ask: Any, offer: SpecialOffer) -> None:
    (shown,) = ask(offer.pk).json()["offers"]
    free = " You can change or cancel for free until then."
    assert shown["cardTerms"].endswith(f"If not, you pay nothing.{free}")
    instead = f"If not, you'll get Penne al forno instead and pay %(total)s.{free}"
    assert shown["alternative"]["cardTerms"].endswith(instead)
    assert "We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 12" in shown["cardTerms"]


def test_a_special_that_is_on_misses_no_portions(ask: Any, offer: SpecialOffer) -> None:
    for fields in ({"ordered_portions": 12}, {"ordered_portions": 11, "goes_ahead": True}):
        SpecialOffer.objects.filter(pk=offer.pk).update(**fields)
        (shown,) = ask(offer.pk).json()["offers"]
        assert (shown["portionsMissing"], shown["seatsSentence"]) == (0, "It's on")


def test_the_carts_specials_come_in_the_order_in_which_they_are_served(
    ask: Any, offer: SpecialOffer, cast: Cast
) -> None:
    day = offer.serve_date
    first = SpecialOfferFactory(restaurant=cast.restaurant, serve_date=day - timedelta(days=1))
    earlier_name = SpecialOfferFactory(restaurant=cast.restaurant, serve_date=day, name="Arancini")
    shown = ask(offer.pk, earlier_name.pk, first.pk).json()["offers"]
    assert [each["id"] for each in shown] == [str(each.pk) for each in (first, earlier_name, offer)]


def test_one_card_for_several_is_said_of_those_that_can_be_ordered(
    ask: Any, offer: SpecialOffer, cast: Cast
) -> None:
    """The one with the first deadline closes today, so `today` would promise too much."""
    first = SpecialOfferFactory(restaurant=cast.restaurant, deadline=NOON + timedelta(hours=4))
    only = "You'll pay only for what's cooked, and can cancel each for free until it's charged."
    assert ask(offer.pk, first.pk).json()["cardTerms"] == f"No charge yet. {only}"
    SpecialOffer.objects.filter(pk=first.pk).update(deadline=NOON - timedelta(seconds=1))
    assert ask(offer.pk, first.pk).json()["cardTerms"] == f"No charge today. {only}"
    assert ask(first.pk).json()["cardTerms"] == ""


@pytest.mark.parametrize(
    ("special", "alternative", "lost"),
    [
        (["vegan", "gluten_free"], ["gluten_free"], ["Vegan"]),
        (["gluten_free", "vegetarian"], [], ["Vegetarian", "Gluten-free"]),
        (["vegetarian", "dairy_free"], ["vegan"], []),  # a vegan dish is both
        (["spicy"], [], []),  # nobody has to eat spicy dishes
        ([], ["vegan"], []),
    ],
)
def test_diets_that_the_alternative_does_not_suit_are_named(
    offer: SpecialOffer, special: list[str], alternative: list[str], lost: list[str]
) -> None:
    offer.dietary = special
    assert offer.alternative_dish is not None
    offer.alternative_dish.dietary = alternative
    assert Special(offer, NOON).lost_diets == lost
    offer.has_alternative = False
    assert Special(offer, NOON).lost_diets == []


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"deadline": NOON - timedelta(seconds=1)}, "Orders for this special have closed."),
        ({"status": OfferStatus.SUCCEEDED}, "Orders for this special have closed."),
        ({"max_preorders": 12, "reserved_portions": 12}, "Sold out"),
    ],
)
def test_what_cannot_be_ordered_any_more_says_why(
    ask: Any, offer: SpecialOffer, facts: dict[str, Any], refusal: str
) -> None:
    SpecialOffer.objects.filter(pk=offer.pk).update(**facts)
    (shown,) = ask(offer.pk).json()["offers"]
    assert (shown["refusal"], shown["slots"]) == (refusal, [])
    waitlist = f"/specials/{offer.pk}?full=1#waiting-list"
    assert shown["waitlistPath"] == (waitlist if refusal == "Sold out" else "")


def test_a_restaurant_that_cannot_be_paid_yet_says_so(
    api: Any, db: None, clock: Clock, platform: None
) -> None:
    restaurant = RestaurantFactory(account__charges_enabled=False)
    offer = SpecialOfferFactory(restaurant=restaurant)
    (shown,) = api(at=restaurant).get(f"/api/cart/offers?ids={offer.pk}").json()["offers"]
    assert shown["refusal"] == "Pre-orders open soon"


def test_pick_up_times_come_along(ask: Any, offer: SpecialOffer) -> None:
    slot = PickupSlot.objects.create(
        offer=offer,
        restaurant_id=offer.restaurant_id,
        starts_at=NOON + timedelta(days=2),
        ends_at=NOON + timedelta(days=2, minutes=30),
        capacity=3,
    )
    (shown,) = ask(offer.pk).json()["offers"]
    assert [(each["id"], each["left"]) for each in shown["slots"]] == [(slot.pk, 3)]


def test_deleted_unknown_and_other_restaurants_specials_are_left_out(
    ask: Any, cast: Cast, offer: SpecialOffer
) -> None:
    deleted = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.DELETED)
    foreign = SpecialOfferFactory(restaurant=cast.other)
    shown = ask(offer.pk, deleted.pk, foreign.pk, uuid4()).json()["offers"]
    assert [each["id"] for each in shown] == [str(offer.pk)]


@pytest.mark.parametrize("ids", ["", ",", "one,two", ",".join(str(uuid4()) for _ in range(21))])
def test_what_are_no_ids_is_refused_with_one_sentence(ask: Any, ids: str) -> None:
    answer = ask(ids)
    message = "`ids` must be 1 to 20 ids of specials."
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": message,
        "errors": [{"field": "ids", "message": message}],
    }


def test_ten_specials_take_no_more_statements_than_one(
    ask: Any, cast: Cast, offer: SpecialOffer, django_assert_max_num_queries: Any
) -> None:
    more = SpecialOfferFactory.create_batch(9, restaurant=cast.restaurant)
    ask(offer.pk)
    with django_assert_max_num_queries(2):
        assert len(ask(offer.pk, *(each.pk for each in more)).json()["offers"]) == 10
