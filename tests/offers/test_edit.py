"""PUT /api/dishes/{id} (DECISIONS X10, X11)."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.common import rls
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models.states import PreOrderStatus
from tests.conftest import NOON
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory
from tests.offers.bodies import edit_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def offer(cast, clock):
    return SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")


@pytest.fixture
def edit(api, cast, offer):
    client = api(cast.owner)

    def put(**changes):
        return client.put(f"/api/dishes/{offer.pk}", edit_body(offer, **changes))

    return put


def stored(offer):
    with rls.acting_as(rls.PLATFORM):
        return SpecialOffer.objects.get(pk=offer.pk)


def columns(offer):
    return {k: v for k, v in vars(stored(offer)).items() if not k.startswith("_")}


def test_everything_can_change_while_nobody_has_ordered(edit, offer, cast):
    dish = DishFactory(restaurant=cast.restaurant, name="Lasagne")
    answer = edit(
        name="Ossobuco alla milanese",
        price="40",
        specialOfferPrice="35",
        specialServeDate="2027-03-25",
        preorderExpiresAt="2027-03-24T16:00:00Z",
        minPreordersRequired=8,
        maxPreorders=20,
        maxPerOrder=2,
        hasAlternative=True,
        alternativeDishId=str(dish.pk),
        allergens=["milk"],
        dietary=["spicy"],
    )
    assert answer.status_code == 200
    special = answer.json()
    assert special["name"] == "Ossobuco alla milanese"
    assert (special["price"], special["specialOfferPrice"]) == ("40.00", "35.00")
    assert special["specialServeDate"] == "2027-03-25T12:00:00-04:00"
    assert special["preorderExpiresAt"] == "2027-03-24T16:00:00Z"
    assert (special["minPreordersRequired"], special["maxPreorders"]) == (8, 20)
    assert (special["perOrderLimit"], special["alternativeDishName"]) == (2, "Lasagne")
    assert (special["allergens"], special["dietary"]) == (["milk"], ["spicy"])


def test_what_the_form_does_not_name_stays(edit, offer):
    before = columns(offer)
    assert edit(description=..., imageUrl=..., hasAlternative=...).status_code == 200
    assert columns(offer) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "Name is required"),
        ({"price": ""}, "Price is required"),
        ({"price": ...}, "Price is required"),
        ({"price": "-3"}, "Price must be a positive number"),
        ({"specialOfferPrice": None}, "Special offer price is required"),
        ({"specialOfferPrice": ""}, "Special offer price is required"),
        ({"specialOfferPrice": "30"}, "Special offer price must be less than regular price"),
        ({"specialServeDate": ""}, "Serve date is required"),
        ({"specialServeDate": "someday"}, "Invalid date format"),
        ({"preorderExpiresAt": ...}, "Expiration date is required"),
        ({"preorderExpiresAt": "someday"}, "Invalid datetime format"),
        ({"minPreordersRequired": 0}, "Minimum preorders must be at least 1"),
        (
            {"preorderExpiresAt": "2027-03-30T16:00:00Z", "specialServeDate": "2027-03-31"},
            "Pre-order deadline cannot be more than 7 days from today. "
            "Credit card authorizations expire after 7 days.",
        ),
        (
            {"preorderExpiresAt": "2027-03-22T15:00:00Z"},
            "Pre-order deadline must be in the future",
        ),
    ],
)
def test_a_broken_rule_is_said_in_the_edit_forms_words(edit, offer, change, message):
    before = columns(offer)
    answer = edit(**change)
    assert (answer.status_code, answer.json()["message"]) == (400, message)
    assert columns(offer) == before


# --- with orders taking part ----------------------------------------------------------------------
FAVOURABLE = [
    {"name": "Osso buco, new words"},
    {"description": "With gremolata."},
    {"specialOfferPrice": "20"},
    {"price": "29"},
    {"minPreordersRequired": 1},
    {"maxPreorders": 50},
    {"maxPreorders": 4},
    {"maxPerOrder": 2},
    {"imageUrl": None},
    {"hasAlternative": False, "alternativeDishId": None},
]
UNFAVOURABLE = [
    ({"specialOfferPrice": "24.01"}, "specialOfferPrice"),
    ({"price": "31"}, "price"),
    ({"minPreordersRequired": 4}, "minPreordersRequired"),
    ({"specialServeDate": "2027-03-25"}, "specialServeDate"),
    ({"preorderExpiresAt": "2027-03-23T17:00:00Z"}, "preorderExpiresAt"),
    ({"preorderExpiresAt": "2027-03-23T15:00:00Z"}, "preorderExpiresAt"),
    ({"maxPreorders": 3, "minPreordersRequired": 3}, "maxPreorders"),
]


@pytest.fixture
def ordered(offer, platform):
    """Four portions are ordered."""
    PreOrderFactory(offer=offer, quantity=4)
    offer.ordered_portions = offer.reserved_portions = 4
    offer.save(update_fields=["ordered_portions", "reserved_portions"])


@pytest.mark.parametrize("change", FAVOURABLE)
def test_what_favours_those_who_ordered_can_change(edit, ordered, change):
    assert edit(**change).status_code == 200


@pytest.mark.parametrize(("change", "field"), UNFAVOURABLE)
def test_what_they_did_not_agree_to_cannot(edit, offer, ordered, change, field):
    before = columns(offer)
    answer = edit(**change)
    assert answer.status_code == 409
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert "You can still lower the price or the minimum" in answer.json()["message"]
    assert columns(offer) == before


@pytest.mark.parametrize(("change", "field"), UNFAVOURABLE)
def test_the_same_passes_once_their_orders_are_gone(edit, offer, platform, change, field):
    PreOrderFactory(offer=offer, status=PreOrderStatus.CANCELLED, payment_status="released")
    assert edit(**change).status_code == 200


def test_a_guest_in_checkout_counts_as_having_ordered(edit, offer, platform):
    PreOrderFactory(offer=offer, in_checkout=True)
    assert edit(specialOfferPrice="25").status_code == 409


def test_an_alternative_stays_when_a_form_without_it_is_saved(edit, offer, cast, ordered):
    dish = DishFactory(restaurant=cast.restaurant)
    SpecialOffer.objects.update(has_alternative=True, alternative_dish=dish)
    assert edit(hasAlternative=False, alternativeDishId=None).status_code == 200
    assert stored(offer).alternative_dish == dish
    assert stored(offer).has_alternative


def test_an_alternative_goes_when_nobody_has_ordered(edit, offer, cast, platform):
    dish = DishFactory(restaurant=cast.restaurant)
    SpecialOffer.objects.update(has_alternative=True, alternative_dish=dish)
    assert edit(hasAlternative=False, alternativeDishId=None).status_code == 200
    assert stored(offer).alternative_dish is None


def test_another_alternative_is_refused_once_people_have_ordered(edit, offer, cast, ordered):
    dish = DishFactory(restaurant=cast.restaurant)
    answer = edit(hasAlternative=True, alternativeDishId=str(dish.pk))
    assert answer.status_code == 409
    assert answer.json()["errors"][0]["field"] == "alternativeDishId"


def test_a_form_that_drops_the_seconds_does_not_move_the_deadline(edit, offer, ordered):
    exact = NOON + timedelta(days=1, seconds=42)
    SpecialOffer.objects.update(deadline=exact)
    assert edit(preorderExpiresAt=exact.replace(second=0).isoformat()).status_code == 200
    assert stored(offer).deadline == exact


# --- when, and whose ------------------------------------------------------------------------------
def test_an_offer_cannot_be_changed_after_the_deadline(edit, offer, clock):
    clock.set(offer.deadline)
    before = columns(offer)
    answer = edit(name="Too late")
    assert answer.status_code == 409
    assert answer.json()["message"].startswith("The deadline of Osso buco has passed")
    assert columns(offer) == before


@pytest.mark.parametrize("status", [OfferStatus.CLOSING, OfferStatus.SUCCEEDED, OfferStatus.FAILED])
def test_an_offer_that_is_decided_does_not_change(edit, offer, platform, status):
    SpecialOffer.objects.update(status=status)
    assert edit(name="Too late").status_code == 409


def test_a_deleted_offer_is_not_there(edit, platform, offer):
    SpecialOffer.objects.update(status=OfferStatus.DELETED)
    assert edit(name="Gone").status_code == 404


def test_someone_elses_offer_is_not_there(api, cast, offer):
    before = columns(offer)
    body = edit_body(offer, name="Mine now")
    assert api(cast.outsider).put(f"/api/dishes/{offer.pk}", body).status_code == 404
    assert api(cast.kitchen).put(f"/api/dishes/{offer.pk}", body).status_code == 403
    assert api().put(f"/api/dishes/{offer.pk}", body).status_code == 401
    assert columns(offer) == before


def test_the_fee_rate_of_publication_stays(edit, offer, platform):
    SpecialOffer.objects.update(revenue_share_rate=Decimal("5.00"))
    edit(name="New name")
    assert stored(offer).revenue_share_rate == Decimal("5.00")


class TestTheHistory:
    """The history on the special's own page: what was changed, and by whom."""

    def lines(self, offer):
        with rls.acting_as(rls.PLATFORM):
            return list(
                OfferChange.objects.filter(offer=offer).values_list(
                    "kind", "detail", "by", "portions_before", "portions_after"
                )
            )

    def test_says_what_was_changed_and_by_whom(self, edit, offer, cast):
        edit(specialOfferPrice="22.00", minPreordersRequired=2, description="Slower.")
        detail = "Changed: special price from $24.00 to $22.00, minimum from 3 to 2, description"
        assert self.lines(offer) == [("edited", detail, cast.owner.name, 3, 2)]

    def test_says_nothing_when_nothing_was(self, edit, offer):
        assert edit().status_code == 200
        assert self.lines(offer) == []

    def test_says_nothing_of_what_was_refused(self, edit, offer):
        assert edit(minPreordersRequired=0).status_code == 400
        assert self.lines(offer) == []


# --- two people at once ---------------------------------------------------------------------------
class TestVersions:
    """With `version`, the body has only what changes, and the answer says what a colleague changed
    meanwhile."""

    @pytest.fixture
    def put(self, api, cast, offer):
        client = api(cast.owner)
        return lambda **body: client.put(f"/api/dishes/{offer.pk}", body)

    @pytest.fixture
    def version(self, api, offer):
        def now() -> str:
            found: str = api().get(f"/api/specials/{offer.pk}").json()["version"]
            return found

        return now

    def test_only_what_is_named_changes(self, put, offer, version):
        before = columns(offer)
        answer = put(name="Ossobuco", version=version())
        assert answer.status_code == 200, answer.content
        assert columns(offer) == before | {"name": "Ossobuco"}
        assert answer.json()["version"] == version()

    def test_a_form_that_did_not_see_the_last_change_saves_nothing(self, put, offer, version):
        seen = version()
        assert put(specialOfferPrice="20.00", version=seen).status_code == 200
        before = columns(offer)
        answer = put(name="Ossobuco", version=seen)
        assert (answer.status_code, answer.json()["code"]) == (409, "edited_meanwhile")
        assert answer.json()["message"] == (
            "Osso buco was changed in the meantime, so nothing was saved. Reload it and make your "
            "change again."
        )
        current = answer.json()["current"]
        assert (current["specialOfferPrice"], current["version"]) == ("20.00", version())
        assert columns(offer) == before
        assert put(name="Ossobuco", version=version()).status_code == 200

    def test_orders_are_no_other_version(self, put, offer, version):
        seen = version()
        with rls.acting_as(rls.PLATFORM):
            SpecialOffer.objects.filter(pk=offer.pk).update(ordered_portions=2, reserved_portions=3)
        assert version() == seen
        assert put(name="Ossobuco", version=seen).status_code == 200

    def test_a_version_alone_changes_nothing(self, put, offer, version):
        before = columns(offer)
        assert put(version=version()).status_code == 200
        assert columns(offer) == before

    @pytest.mark.parametrize(
        ("wrong", "status"), [("", 400), (None, 400), (7, 409), ("x" * 17, 400), (["a"], 400)]
    )
    def test_what_is_no_version_is_refused(self, put, offer, wrong, status):
        before = columns(offer)
        assert put(name="Ossobuco", version=wrong).status_code == status
        assert columns(offer) == before

    def test_whoever_names_no_version_sends_the_whole_form(self, edit, put, offer):
        assert put(name="Ossobuco").status_code == 400
        assert edit(name="Ossobuco").status_code == 200
