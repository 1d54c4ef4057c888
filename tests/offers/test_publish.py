"""POST /api/dishes/special-offers."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.conf import settings

from apps.offers.models import SpecialOffer
from apps.offers.validation import terms_version
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import DishFactory
from tests.offers.bodies import create_body

pytestmark = pytest.mark.django_db
PATH = "/api/dishes/special-offers"


@pytest.fixture
def owner(api, cast, clock):
    return api(cast.owner)


def refusal(answer):
    assert answer.status_code == 400, answer.content
    body = answer.json()
    assert body["message"] == body["errors"][0]["message"]
    return [(error["field"], error["message"]) for error in body["errors"]]


def test_a_published_special_is_answered_whole(owner, cast, platform):
    answer = owner.post(PATH, create_body(maxPreorders=10, maxPerOrder=4))
    assert answer.status_code == 201
    offer = SpecialOffer.objects.get()
    assert answer.json() == {
        "id": str(offer.pk),
        "name": "Osso buco",
        "description": "Slow-braised for nine hours.",
        "price": "30.00",
        "regularPrice": "30.00",
        "specialOfferPrice": "24.00",
        "currency": "usd",
        "isSpecialOffer": True,
        "specialServeDate": "2027-03-23T12:00:00-04:00",
        "preorderExpiresAt": "2027-03-23T16:00:00Z",
        "minPreordersRequired": 3,
        "maxPreorders": 10,
        "maxPerOrder": 4,
        "friendHours": 24,
        "hasAlternative": False,
        "alternativeDishId": None,
        "alternativeDishName": None,
        "allergens": [],
        "dietary": [],
        "serviceMode": "both",
        "serveFrom": None,
        "serveUntil": None,
        "servingText": "Tue, Mar 23 · Dine in or pickup",
        "story": "",
        "translations": {},
        "imageUrl": None,
        "imageSrcset": None,
        "moreImageUrls": [],
        "currentPreorders": 0,
        "status": "active",
        "isActive": True,
        "wasSuccessful": None,
        "timeRemaining": 24 * 60 * 60 * 1000,
        "portionsLeft": 10,
        "portionsBeingOrdered": 0,
        "perOrderLimit": 4,
        "seatsSentence": "3 more and it's on",
        "seatsState": "open",
        "cardTerms": "No charge today. We'll charge your card on Tue, Mar 23, 12:00 PM EDT if 3 "
        "portions are ordered. If not, you pay nothing. You can change or cancel for free until "
        "then.",
        "shareableUrl": f"http://luigis.localhost:{settings.PUBLIC_PORT}/specials/{offer.pk}",
        "restaurantId": str(cast.restaurant.pk),
        "restaurantName": "Luigi's",
        "restaurantAddress": "1 Mulberry Street, New York, NY 10013",
        "restaurantPhone": "+1 212 555 0100",
        "timezone": "America/New_York",
        "preordersOpen": True,
        "hasPreorders": False,
        "createdAt": "2027-03-22T16:00:00Z",
        "version": terms_version(offer, []),
    }


def test_what_was_sent_is_what_is_stored(owner, cast, platform):
    owner.post(PATH, create_body(price=30, specialOfferPrice=24.5, minPreordersRequired="3"))
    offer = SpecialOffer.objects.get()
    assert offer.restaurant == cast.restaurant
    assert (offer.regular_price, offer.special_price) == (Decimal("30.00"), Decimal("24.50"))
    assert (offer.min_preorders, offer.max_preorders, offer.max_per_order) == (3, None, 20)
    assert offer.serve_date == date(2027, 3, 23)
    assert offer.deadline == datetime(2027, 3, 23, 16, tzinfo=UTC)
    assert offer.created_at == NOON
    assert offer.revenue_share_rate == Decimal("0.00")


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": ""}, "name", "Name is required"),
        ({"name": ...}, "name", "Name is required"),
        ({"name": None}, "name", "Name is required"),
        ({"price": 0}, "price", "Price must be a positive number"),
        ({"price": "-1"}, "price", "Price must be a positive number"),
        ({"price": "many"}, "price", "Price must be a positive number"),
        ({"price": ...}, "price", "Price must be a positive number"),
        (
            {"specialOfferPrice": "0"},
            "specialOfferPrice",
            "Special offer price must be a positive number",
        ),
        (
            {"specialOfferPrice": ...},
            "specialOfferPrice",
            "Special offer price must be a positive number",
        ),
        (
            {"specialOfferPrice": "30.00"},
            "specialOfferPrice",
            "Special offer price must be less than regular price",
        ),
        ({"specialServeDate": "soon"}, "specialServeDate", "Invalid date format"),
        ({"specialServeDate": ...}, "specialServeDate", "Invalid date format"),
        ({"specialServeDate": "2027-02-30"}, "specialServeDate", "Invalid date format"),
        (
            {"minPreordersRequired": 0},
            "minPreordersRequired",
            "Minimum pre-orders must be at least 1",
        ),
        (
            {"minPreordersRequired": "a few"},
            "minPreordersRequired",
            "Minimum pre-orders must be at least 1",
        ),
        (
            {"minPreordersRequired": 2.5},
            "minPreordersRequired",
            "Minimum pre-orders must be at least 1",
        ),
        ({"preorderExpiresAt": "later"}, "preorderExpiresAt", "Invalid datetime format"),
        ({"preorderExpiresAt": ...}, "preorderExpiresAt", "Invalid datetime format"),
        (
            {"preorderExpiresAt": "2027-03-29T16:06:00Z", "specialServeDate": "2027-04-01"},
            "preorderExpiresAt",
            "Pre-order deadline cannot be more than 7 days from today. "
            "Credit card authorizations expire after 7 days.",
        ),
        (
            {"preorderExpiresAt": "2027-03-22T16:00:00Z"},
            "preorderExpiresAt",
            "Pre-order deadline must be in the future",
        ),
        (
            {"specialServeDate": "2027-03-22"},
            "specialServeDate",
            "Serve date cannot be before the day of the pre-order deadline",
        ),
        (
            {"specialServeDate": "2028-03-23"},
            "specialServeDate",
            "Serve date must be within one year",
        ),
        (
            {"hasAlternative": True, "alternativeDishId": "7"},
            "alternativeDishId",
            "Invalid alternative dish ID",
        ),
        (
            {"hasAlternative": True},
            "alternativeDishId",
            "Choose an alternative dish, or turn the alternative off",
        ),
        ({"maxPreorders": 2}, "maxPreorders", "Maximum pre-orders must be at least the minimum"),
        (
            {"imageUrl": "https://elsewhere.test/cake.jpg"},
            "imageUrl",
            "Upload the photo first, then send the URL you get back.",
        ),
        (
            {"isSpecialOffer": False},
            "isSpecialOffer",
            "This endpoint publishes special offers only; send true.",
        ),
        (
            {"specialOfferPrice": "0.10"},
            "specialOfferPrice",
            "Special offer price must be at least $0.50, the smallest amount a card can be charged",
        ),
        ({"price": "10000"}, "price", "Price must be less than 10,000"),
        ({"price": "12.345"}, "price", "Price can have at most two decimals"),
        (
            {"maxPreorders": 0},
            "maxPreorders",
            "Maximum pre-orders must be at least 1, or leave it empty for no maximum",
        ),
        ({"maxPerOrder": 51}, "maxPerOrder", "Choose at most 50 portions"),
        ({"name": "x" * 201}, "name", "Ensure this field has no more than 200 characters."),
        (
            {"description": "x" * 2001},
            "description",
            "Ensure this field has no more than 2000 characters.",
        ),
    ],
)
def test_a_rule_that_is_broken_is_named_and_nothing_is_written(
    owner, platform, change, field, message
):
    errors = refusal(owner.post(PATH, create_body(**change)))
    assert errors == [(field, message)]
    assert not SpecialOffer.objects.exists()


def test_every_error_is_named_at_once(owner):
    errors = refusal(owner.post(PATH, {}))
    assert [field for field, _ in errors] == [
        "name",
        "price",
        "specialOfferPrice",
        "specialServeDate",
        "minPreordersRequired",
        "preorderExpiresAt",
    ]


def test_exactly_seven_days_pass_for_five_more_minutes(owner):
    body = create_body(preorderExpiresAt="2027-03-29T16:05:00Z", specialServeDate="2027-03-30")
    assert owner.post(PATH, body).status_code == 201


def test_the_deadline_can_be_on_the_serve_day_itself(owner):
    body = create_body(preorderExpiresAt="2027-03-24T03:59:59Z")  # 23:59:59 in New York
    assert owner.post(PATH, body).status_code == 201
    body = create_body(preorderExpiresAt="2027-03-24T04:00:00Z")  # midnight: the day is over
    assert owner.post(PATH, body).status_code == 400


@pytest.mark.parametrize(
    ("sent", "day"),
    [
        ("2027-03-24", "2027-03-24"),
        ("2027-03-24T18:30:00", "2027-03-24"),
        ("2027-03-24T12:00:00-04:00", "2027-03-24"),
        ("2027-03-25T02:00:00.000Z", "2027-03-24"),  # still the evening before in New York
    ],
)
def test_the_serve_date_is_the_day_in_the_restaurants_zone(owner, sent, day):
    answer = owner.post(PATH, create_body(specialServeDate=sent))
    assert answer.json()["specialServeDate"] == f"{day}T12:00:00-04:00"


def test_a_deadline_without_a_zone_is_the_restaurants(owner):
    answer = owner.post(PATH, create_body(preorderExpiresAt="2027-03-23T18:00"))
    assert answer.json()["preorderExpiresAt"] == "2027-03-23T22:00:00Z"


def test_the_alternative_is_a_dish_of_the_own_menu(owner, cast):
    mine = DishFactory(restaurant=cast.restaurant, name="Lasagne")
    answer = owner.post(PATH, create_body(hasAlternative=True, alternativeDishId=str(mine.pk)))
    assert answer.json()["alternativeDishName"] == "Lasagne"
    for foreign in (
        DishFactory(restaurant=cast.other),
        DishFactory(restaurant=cast.restaurant, deleted_at=NOON),
    ):
        body = create_body(hasAlternative=True, alternativeDishId=str(foreign.pk))
        assert refusal(owner.post(PATH, body)) == [
            ("alternativeDishId", "Invalid alternative dish ID")
        ]


def test_an_alternative_that_is_switched_off_is_not_stored(owner, cast, platform):
    dish = DishFactory(restaurant=cast.restaurant)
    owner.post(PATH, create_body(hasAlternative=False, alternativeDishId=str(dish.pk)))
    assert SpecialOffer.objects.get().alternative_dish is None


def test_a_restaurant_without_payments_can_publish(api, cast, clock, platform):
    account = cast.restaurant.connect_account
    account.charges_enabled = False
    account.save(update_fields=["charges_enabled"])
    answer = api(cast.owner).post(PATH, create_body())
    assert answer.status_code == 201
    assert answer.json()["preordersOpen"] is False


def test_only_those_who_can_change_specials_publish(api, cast, clock, platform):
    assert api().post(PATH, create_body()).status_code == 401
    assert api(cast.stranger).post(PATH, create_body()).status_code == 403
    assert api(cast.kitchen).post(PATH, create_body()).status_code == 403
    assert not SpecialOffer.objects.exists()
    assert api(cast.manager).post(PATH, create_body()).status_code == 201
    assert api(cast.outsider).post(PATH, create_body()).status_code == 201
    assert set(SpecialOffer.objects.values_list("restaurant_id", flat=True)) == {
        cast.restaurant.pk,
        cast.other.pk,
    }


def test_nobody_publishes_for_another_restaurant(api, cast, clock, platform):
    path = f"{PATH}?restaurant={cast.restaurant.pk}"
    assert api(cast.outsider).post(path, create_body()).status_code == 404
    assert api(cast.staff).post(path, create_body()).status_code == 403
    assert not SpecialOffer.objects.exists()


def test_a_write_with_the_session_needs_the_csrf_token(api, cast, clock):
    client = api(cast.owner, check_csrf=True)
    answer = client.post(PATH, create_body())
    assert (answer.status_code, set(answer.json())) == (403, {"code", "message", "errors"})


def test_the_default_deadline_of_the_form_passes(owner):
    tomorrow = (NOON + timedelta(days=1)).isoformat()
    body = create_body(preorderExpiresAt=tomorrow, specialServeDate=tomorrow)
    assert owner.post(PATH, body).status_code == 201


class TestWhatIsInIt:
    def test_marks_are_stored_once_each_in_the_lists_order(self, owner, platform):
        body = create_body(allergens=["nuts", "gluten", "nuts"], dietary=["vegan", "vegetarian"])
        answer = owner.post(PATH, body)
        assert answer.status_code == 201
        assert answer.json()["allergens"] == ["gluten", "nuts"]
        assert answer.json()["dietary"] == ["vegetarian", "vegan"]
        offer = SpecialOffer.objects.get()
        assert (offer.allergens, offer.dietary) == (["gluten", "nuts"], ["vegetarian", "vegan"])

    @pytest.mark.parametrize("marks", [["uranium"], "gluten", [None], [["gluten"]], {"a": 1}, None])
    def test_what_is_not_on_the_list_is_refused(self, owner, platform, marks):
        for field in ("allergens", "dietary"):
            [(named, message)] = refusal(owner.post(PATH, create_body(**{field: marks})))
            assert named.startswith(field)
            assert message.startswith(("Choose from: ", "Send a list of: "))
        assert not SpecialOffer.objects.exists()


KEY = "4f9d2a60c3b14e0f8a7d5b6c1e2f3a4b"


def publish(client, *, key=KEY, **changes):
    return client.post(PATH, create_body(**changes), headers={"Idempotency-Key": key})


def test_the_same_key_again_answers_the_same_special(owner, cast, platform):
    first, second = publish(owner), publish(owner)
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert SpecialOffer.objects.count() == 1
    cast.restaurant.refresh_from_db()
    assert cast.restaurant.monthly_special_offers_count == 1


def test_the_same_key_answers_after_the_deadline_and_the_months_last_free_one(
    owner, cast, clock, settings, platform
):
    settings.FREE_OFFERS_PER_MONTH = 1
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(profile_completed=False)
    first = publish(owner)
    clock.advance(days=2)
    again = publish(owner)
    assert again.status_code == 201
    assert again.json()["id"] == first.json()["id"]


def test_another_body_under_the_same_key_is_refused_and_publishes_nothing(owner, platform):
    publish(owner)
    answer = publish(owner, specialOfferPrice="23.00")
    assert answer.status_code == 422
    assert answer.json()["code"] == "idempotency_key_reused"
    assert SpecialOffer.objects.count() == 1


def test_a_refused_publication_can_be_corrected_under_its_key(owner, platform):
    assert publish(owner, name="").status_code == 400
    assert publish(owner).status_code == 201
    assert SpecialOffer.objects.count() == 1


def test_another_key_and_no_key_are_other_specials(owner, platform):
    publish(owner)
    publish(owner, key="another")
    for _ in range(2):
        assert owner.post(PATH, create_body()).status_code == 201
    assert SpecialOffer.objects.count() == 4


def test_two_restaurants_can_use_the_same_key(owner, api, cast, platform):
    publish(owner)
    assert publish(api(cast.outsider)).status_code == 201
    assert set(SpecialOffer.objects.values_list("restaurant", flat=True)) == {
        cast.restaurant.pk,
        cast.other.pk,
    }


@pytest.mark.parametrize("key", ["", "x" * 201, "two words", "clé"])
def test_what_is_no_key_is_refused(owner, platform, key):
    answer = publish(owner, key=key)
    message = "Idempotency-Key must be 1 to 200 visible ASCII characters, such as a UUID."
    assert refusal(answer) == [("Idempotency-Key", message)]
    assert not SpecialOffer.objects.exists()


def test_a_restaurant_that_nobody_named_publishes_nothing(api, cast, platform):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(name="")
    answer = api(cast.owner).post("/api/dishes/special-offers", create_body())
    assert (answer.status_code, answer.json()["code"]) == (403, "profile_incomplete")
    assert answer.json()["message"].startswith("Name your restaurant first")
    assert not SpecialOffer.objects.exists()
