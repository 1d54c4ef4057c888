"""What guests, owners, and pages read about specials (DECISIONS X32)."""

from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.services import issue_token
from apps.offers.menu import dish_version
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from tests.conftest import NOON
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db
LIST = "/api/specials/available"


def names(answer):
    assert answer.status_code == 200, answer.content
    return [special["name"] for special in answer.json()["specials"]]


@pytest.fixture
def lives(cast, clock):
    """One special in every state, and one of the other restaurant."""

    def special(name, **fields):
        return SpecialOfferFactory(restaurant=cast.restaurant, name=name, **fields)

    ended = NOON - timedelta(hours=1)
    special("later", deadline=NOON + timedelta(days=2))
    special("soon", deadline=NOON + timedelta(hours=1))
    special("due", deadline=NOON)
    special("closing", deadline=ended, status=OfferStatus.CLOSING)
    special("succeeded", deadline=NOON - timedelta(days=6), status=OfferStatus.SUCCEEDED)
    special("failed", deadline=NOON - timedelta(days=5), status=OfferStatus.FAILED)
    special("long ago", deadline=NOON - timedelta(days=8), status=OfferStatus.FAILED)
    special("deleted", status=OfferStatus.DELETED)
    SpecialOfferFactory(restaurant=cast.other, name="of the other")


class TestTheList:
    def test_guests_see_what_they_can_order_the_next_deadline_first(self, api, cast, lives):
        assert names(api(at=cast.restaurant).get(LIST)) == ["soon", "later"]
        assert names(api().get(f"{LIST}?rid={cast.restaurant.pk}")) == ["soon", "later"]
        assert names(api(at=cast.other).get(LIST)) == ["of the other"]

    def test_the_owner_sees_what_concerns_them_now(self, api, cast, lives):
        current = ["later", "soon", "due", "closing", "failed", "succeeded"]
        assert names(api(cast.owner).get(LIST)) == current
        assert names(api(cast.kitchen).get(LIST)) == current
        assert names(api(cast.outsider).get(LIST)) == ["of the other"]

    def test_a_bearer_token_speaks_for_its_owner_on_every_host(self, api, cast, lives):
        bearer = {"HTTP_AUTHORIZATION": f"Bearer {issue_token(user=cast.owner, now=NOON)}"}
        assert "closing" in names(api().get(LIST, **bearer))
        assert "closing" in names(api(at=cast.restaurant).get(LIST, **bearer))
        assert names(api(at=cast.other).get(LIST, **bearer)) == ["of the other"]
        assert names(api().get(f"{LIST}?rid={cast.other.pk}", **bearer)) == ["of the other"]

    def test_an_owner_who_looks_at_the_public_page_sees_what_guests_see(self, api, cast, lives):
        path = f"{LIST}?rid={cast.restaurant.pk}"
        assert names(api(cast.owner).get(path)) == ["soon", "later"]

    def test_a_caller_without_a_restaurant_gets_an_empty_list(self, api, cast, lives):
        assert names(api().get(LIST)) == []
        assert names(api(cast.stranger).get(LIST)) == []
        assert names(api(cast.staff).get(LIST)) == []

    def test_an_unknown_restaurant_is_not_found(self, api, cast, lives):
        assert api().get(f"{LIST}?rid=00000000-0000-4000-8000-000000000000").status_code == 404
        for unreadable in ("7", "%00"):
            assert api().get(f"{LIST}?rid={unreadable}").status_code == 400
        assert api(host="nobody.localhost").get(LIST).status_code == 404

    def test_a_suspended_restaurant_is_not_on_show(self, api, cast, clock):
        gone = RestaurantFactory(status="suspended")
        assert api().get(f"{LIST}?rid={gone.pk}").status_code == 404
        assert api(at=gone).get(LIST).status_code == 404

    def test_the_number_of_statements_does_not_grow_with_the_offers(
        self, api, cast, clock, django_assert_num_queries
    ):
        guest, owner = api(at=cast.restaurant), api(cast.owner)
        SpecialOfferFactory.create_batch(2, restaurant=cast.restaurant)
        guest.get(LIST)  # the host is cached from now on
        owner.get(LIST)  # and the session's last use
        for many in (0, 18):
            SpecialOfferFactory.create_batch(many, restaurant=cast.restaurant)
            with django_assert_num_queries(1):
                answer = guest.get(LIST)
            with django_assert_num_queries(4):  # session's user, membership twice, offers
                owner.get(LIST)
        assert len(names(answer)) == 20

    def test_a_bare_list_of_a_restaurant(self, api, cast, lives):
        path = f"/api/specials/restaurant/{cast.restaurant.pk}"
        for client in (api(), api(cast.owner), api(at=cast.restaurant)):
            assert [each["name"] for each in client.get(path).json()] == ["soon", "later"]
        assert api(at=cast.other).get(path).status_code == 404
        unknown = "/api/specials/restaurant/00000000-0000-4000-8000-000000000000"
        assert api().get(unknown).status_code == 404


class TestOneSpecial:
    @pytest.fixture
    def offer(self, cast, clock):
        return SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", max_preorders=9)

    def test_a_special_is_found_by_its_id_alone(self, api, cast, offer):
        for client in (api(), api(at=cast.restaurant), api(cast.owner), api(cast.outsider)):
            answer = client.get(f"/api/specials/{offer.pk}")
            assert (answer.status_code, answer.json()["name"]) == (200, "Osso buco")

    def test_another_restaurants_host_does_not_know_it(self, api, cast, offer):
        assert api(at=cast.other).get(f"/api/specials/{offer.pk}").status_code == 404
        path = f"/api/specials/{offer.pk}?rid={cast.other.pk}"
        assert api().get(path).status_code == 404

    def test_a_deleted_special_is_not_found_by_guests_and_read_by_its_own_people(
        self, api, cast, platform
    ):
        gone = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.DELETED)
        path = f"/api/specials/{gone.pk}"
        for guest in (api(), api(at=cast.restaurant), api(cast.outsider)):
            assert guest.get(path).status_code == 404
            assert guest.get(f"{path}/progress").status_code == 404
        assert api(cast.owner).get(path).json()["status"] == "deleted"

    def test_unknown_and_malformed_ids_are_not_found(self, api, cast, offer):
        for wrong in ("00000000-0000-4000-8000-000000000000", "7", "available'"):
            answer = api().get(f"/api/specials/{wrong}")
            assert (answer.status_code, set(answer.json())) == (404, {"code", "message", "errors"})

    @pytest.mark.parametrize(
        ("status", "shown", "successful", "seats"),
        [
            (OfferStatus.CLOSING, "expired", None, "deciding"),
            (OfferStatus.SUCCEEDED, "expired", True, "succeeded"),
            (OfferStatus.FAILED, "expired", False, "failed"),
        ],
    )
    def test_a_closed_special_shows_its_outcome(
        self, api, offer, clock, platform, status, shown, successful, seats
    ):
        SpecialOffer.objects.update(status=status)
        clock.set(offer.deadline + timedelta(hours=1))
        special = api().get(f"/api/specials/{offer.pk}").json()
        assert (special["status"], special["isActive"]) == (shown, False)
        assert (special["wasSuccessful"], special["seatsState"]) == (successful, seats)
        assert special["timeRemaining"] == 0

    def test_a_special_is_expired_at_its_deadline_before_it_is_closed(self, api, offer, clock):
        clock.set(offer.deadline)
        special = api().get(f"/api/specials/{offer.pk}").json()
        assert (special["status"], special["isActive"]) == ("expired", False)
        assert special["seatsSentence"] == "Deciding now"

    def test_progress_is_its_moving_part(self, api, cast, offer, platform):
        SpecialOffer.objects.update(ordered_portions=4, reserved_portions=6)
        for client in (api(), api(at=cast.restaurant), api(cast.owner)):
            answer = client.get(f"/api/specials/{offer.pk}/progress")
            assert answer.json() == {
                "id": str(offer.pk),
                "currentPreorders": 4,
                "minPreordersRequired": 3,
                "portionsBeingOrdered": 2,
                "maxPreorders": 9,
                "portionsLeft": 3,
                "perOrderLimit": 3,
                "seatsState": "on",
                "seatsSentence": "It's on. 3 portions left. 2 are being ordered",
                "status": "active",
                "isActive": True,
                "remaining": "It's on — 3 portions left",
            }

    def test_progress_of_a_list_is_in_one_answer(self, api, cast, offer, clock, platform):
        over = SpecialOfferFactory(restaurant=cast.restaurant, deadline=offer.deadline)
        SpecialOffer.objects.filter(pk=over.pk).update(
            status="succeeded", deadline=clock.now - timedelta(minutes=59)
        )
        long_over = SpecialOfferFactory(restaurant=cast.restaurant, deadline=offer.deadline)
        SpecialOffer.objects.filter(pk=long_over.pk).update(
            status="failed", deadline=clock.now - timedelta(minutes=61)
        )
        SpecialOfferFactory(restaurant=cast.other)
        here = api(at=cast.restaurant).get("/api/specials/progress").json()["specials"]
        assert [each["id"] for each in here] == [str(over.pk), str(offer.pk)]
        assert here[0]["seatsSentence"] == "It's on"
        named = api().get(f"/api/specials/progress?rid={cast.restaurant.pk}")
        assert named.json()["specials"] == here
        assert api().get("/api/specials/progress").status_code == 404

    def test_progress_is_the_same_for_everybody_and_can_be_stored(self, api, cast, offer):
        answer = api(cast.owner).get(f"/api/specials/{offer.pk}/progress")
        assert answer.headers["Cache-Control"] == "public, max-age=2"
        assert answer.headers["Content-Type"] == "application/json"
        anonymous = api(at=cast.restaurant).get(f"/api/specials/{offer.pk}/progress")
        assert anonymous.json() == answer.json()
        assert "Cookie" not in anonymous.headers.get("Vary", "")
        assert api(at=cast.other).get(f"/api/specials/{offer.pk}/progress").status_code == 404


class TestTheMenu:
    def test_dishes_are_for_everybody_and_without_specials(self, api, cast, clock):
        dish = DishFactory(restaurant=cast.restaurant, name="Lasagne")
        DishFactory(restaurant=cast.restaurant, name="Taken off", deleted_at=NOON)
        DishFactory(restaurant=cast.restaurant, name="Hidden", hidden_at=NOON)
        DishFactory(restaurant=cast.other, name="Foreign")
        SpecialOfferFactory(restaurant=cast.restaurant)
        lasagne: dict[str, Any] = {
            "id": str(dish.pk),
            "name": "Lasagne",
            "description": "From the regular menu.",
            "price": "18.00",
            "currency": "usd",
            "imageUrl": None,
            "imageSrcset": None,
            "allergens": [],
            "dietary": [],
            "translations": {},
            "hidden": False,
            "isSpecialOffer": False,
            "specialOfferPrice": None,
            "version": dish_version(dish),
        }
        for client in (api(at=cast.restaurant), api(cast.owner)):
            assert client.get("/api/dishes").json() == {"dishes": [lasagne]}
        assert api().get("/api/dishes").json() == {"dishes": []}
