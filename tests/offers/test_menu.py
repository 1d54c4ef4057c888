"""The regular menu: its dishes, their order, hiding them, and what guests see of it."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.offers.menu import MAX_DISHES
from apps.offers.models import Dish
from apps.offers.services import upload_photo
from apps.offers.states import OfferStatus
from tests.conftest import NOON
from tests.e2e.pictures import photo_of_a_dish
from tests.factories import DishFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db
DISHES = "/api/menu/dishes"
MINESTRONE = {
    "name": "Minestrone",
    "description": "With what the market has.",
    "price": "9.50",
    "allergens": ["celery", "gluten"],
    "dietary": ["vegan"],
}


def menu_of(client, path="/api/dishes/manage"):
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return [dish["name"] for dish in answer.json()["dishes"]]


def says(answer, status, *sentences):
    assert answer.status_code == status, answer.content
    assert [error["message"] for error in answer.json()["errors"]] == list(sentences)
    return True


@pytest.fixture
def three(cast, clock):
    """Three dishes in order, and one of the other restaurant."""
    DishFactory(restaurant=cast.other, name="Congee", position=1)
    return [
        DishFactory(restaurant=cast.restaurant, name=name, position=position)
        for position, name in enumerate(("Antipasti", "Lasagne", "Panna cotta"), start=1)
    ]


class TestWriting:
    def test_a_dish_goes_to_the_end_of_the_menu(self, api, cast, three, platform):
        answer = api(cast.owner).post(DISHES, MINESTRONE)
        assert answer.status_code == 201, answer.content
        assert answer.json() == MINESTRONE | {
            "id": str(Dish.objects.get(name="Minestrone").pk),
            "currency": "usd",
            "imageUrl": None,
            "imageSrcset": None,
            "hidden": False,
            "translations": {},
            "isSpecialOffer": False,
            "version": answer.json()["version"],
            "specialOfferPrice": None,
        }
        assert menu_of(api(cast.owner)) == ["Antipasti", "Lasagne", "Panna cotta", "Minestrone"]
        assert menu_of(api(cast.outsider)) == ["Congee"]

    def test_name_and_price_are_enough(self, api, cast, clock, platform):
        assert api(cast.manager).post(DISHES, {"name": " Soup ", "price": 7}).status_code == 201
        dish = Dish.objects.get()
        assert (dish.name, dish.price, dish.description) == ("Soup", Decimal("7.00"), "")
        assert (dish.allergens, dish.dietary, dish.hidden_at) == ([], [], None)
        assert dish.restaurant_id == cast.restaurant.pk

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"name": " "}, "Name is required"),
            ({"name": None}, "Name is required"),
            ({"price": None}, "Price is required"),
            ({"price": "0"}, "Price must be a positive number"),
            ({"price": "1e3"}, "Price must be a positive number"),
            ({"price": "9.999"}, "Price can have at most two decimals"),
            ({"price": "10000"}, "Price must be less than 10,000"),
            (
                {"dietary": ["pink"]},
                "Choose from: vegetarian, vegan, gluten_free, dairy_free, halal, kosher, spicy",
            ),
            (
                {"imageUrl": "https://elsewhere.test/soup.jpg"},
                "Upload the photo first, then send the URL you get back.",
            ),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_is_stored(
        self, api, cast, clock, platform, wrong, sentence
    ):
        assert says(api(cast.owner).post(DISHES, MINESTRONE | wrong), 400, sentence)
        assert not Dish.objects.exists()

    def test_each_mark_stands_once_and_in_the_lists_order(self, api, cast, clock):
        marks = {"allergens": ["milk", "celery", "milk"], "dietary": ["spicy", "vegan"]}
        dish = api(cast.owner).post(DISHES, MINESTRONE | marks).json()
        assert (dish["allergens"], dish["dietary"]) == (["celery", "milk"], ["vegan", "spicy"])

    def test_a_full_menu_takes_no_more(self, api, cast, clock, platform):
        Dish.objects.bulk_create(
            DishFactory.build_batch(MAX_DISHES, restaurant=cast.restaurant, price=Decimal(9))
        )
        answer = api(cast.owner).post(DISHES, MINESTRONE)
        assert answer.status_code == 409
        assert answer.json()["message"].startswith("Your menu already has 500 dishes")
        assert Dish.objects.count() == MAX_DISHES

    def test_what_is_left_out_of_a_change_stays(self, api, cast, three, platform):
        dish = three[1]
        answer = api(cast.owner).patch(f"{DISHES}/{dish.pk}", {"price": "19.00"})
        assert answer.status_code == 200, answer.content
        dish.refresh_from_db()
        assert (dish.name, dish.price) == ("Lasagne", Decimal("19.00"))
        assert dish.description == "From the regular menu."

    def test_a_photo_is_stored_and_taken_away(self, api, cast, three, platform):
        photo = upload_photo(restaurant=cast.restaurant, data=photo_of_a_dish(), field="image")
        foreign = upload_photo(restaurant=cast.other, data=photo_of_a_dish(), field="image")
        client, path = api(cast.owner), f"{DISHES}/{three[0].pk}"

        def address(of):
            return f"/media/photos/{of.restaurant_id}/{of.pk}/480.jpg"

        shown = client.patch(path, {"imageUrl": address(photo)}).json()
        assert str(photo.pk) in shown["imageUrl"]
        assert str(photo.pk) in shown["imageSrcset"]
        assert client.patch(path, {"imageUrl": address(foreign)}).status_code == 400
        assert client.patch(path, {"imageUrl": None}).json()["imageUrl"] is None

    def test_an_edit_of_an_older_version_is_refused_and_says_what_the_dish_is_now(
        self, api, cast, three
    ):
        owner, path = api(cast.owner), f"{DISHES}/{three[0].pk}"
        seen = owner.get("/api/dishes/manage").json()["dishes"][0]["version"]
        assert owner.patch(path, {"price": "8.00", "version": seen}).status_code == 200
        answer = owner.patch(path, {"name": "Antipasto", "version": seen})
        assert (answer.status_code, answer.json()["code"]) == (409, "edited_meanwhile")
        current = answer.json()["current"]
        assert (current["name"], current["price"]) == ("Antipasti", "8.00")
        assert owner.patch(path, {"hidden": True}).json()["version"] == current["version"]
        changed = owner.patch(path, {"name": "Antipasto", "version": current["version"]})
        assert changed.json()["name"] == "Antipasto"

    def test_a_change_of_nothing_is_refused(self, api, cast, three):
        answer = api(cast.owner).patch(f"{DISHES}/{three[0].pk}", {})
        assert says(
            answer, 400, "Send at least one field to change, such as name, price, or hidden."
        )

    def test_another_restaurants_dish_is_not_found(self, api, cast, three, platform):
        for method in ("patch", "delete"):
            answer = getattr(api(cast.outsider), method)(f"{DISHES}/{three[0].pk}", {"name": "x"})
            assert answer.status_code == 404
        three[0].refresh_from_db()
        assert (three[0].name, three[0].deleted_at) == ("Antipasti", None)


class TestHiding:
    def test_guests_do_not_see_a_hidden_dish_and_its_owner_does(self, api, cast, three):
        owner, path = api(cast.owner), f"{DISHES}/{three[1].pk}"
        assert owner.patch(path, {"hidden": True}).json()["hidden"] is True
        assert menu_of(api(at=cast.restaurant), "/api/dishes") == ["Antipasti", "Panna cotta"]
        assert menu_of(api(cast.owner), "/api/dishes") == ["Antipasti", "Panna cotta"]
        assert menu_of(api(cast.kitchen)) == ["Antipasti", "Lasagne", "Panna cotta"]
        assert owner.patch(path, {"hidden": False}).json()["hidden"] is False
        assert "Lasagne" in menu_of(api(at=cast.restaurant), "/api/dishes")

    def test_hiding_twice_keeps_since_when(self, api, cast, three, clock, platform):
        path = f"{DISHES}/{three[1].pk}"
        api(cast.owner).patch(path, {"hidden": True})
        clock.advance(days=1)
        api(cast.owner).patch(path, {"hidden": True, "price": "5"})
        three[1].refresh_from_db()
        assert (three[1].hidden_at, three[1].price) == (NOON, Decimal("5.00"))


class TestTakingOff:
    def test_a_removed_dish_leaves_both_lists_and_its_row_stays(
        self, api, cast, three, clock, platform
    ):
        answer = api(cast.owner).delete(f"{DISHES}/{three[0].pk}")
        assert answer.status_code == 204
        assert menu_of(api(cast.owner)) == ["Lasagne", "Panna cotta"]
        assert menu_of(api(at=cast.restaurant), "/api/dishes") == ["Lasagne", "Panna cotta"]
        three[0].refresh_from_db()
        assert three[0].deleted_at == NOON
        assert api(cast.owner).delete(f"{DISHES}/{three[0].pk}").status_code == 404

    def test_what_guests_were_promised_instead_stays(self, api, cast, three, platform):
        special = {"restaurant": cast.restaurant, "alternative_dish": three[0]}
        first = SpecialOfferFactory(name="Osso buco", has_alternative=True, **special)
        SpecialOfferFactory(
            name="Ragù", has_alternative=True, deadline=NOON + timedelta(days=2), **special
        )
        answer = api(cast.owner).delete(f"{DISHES}/{three[0].pk}")
        assert answer.status_code == 409
        assert answer.json()["message"] == (
            "Antipasti is the alternative for Osso buco and 1 other special, so you can't "
            "delete it until those specials have closed. You can hide it from your menu instead."
        )
        type(first).objects.update(status=OfferStatus.FAILED)
        assert api(cast.owner).delete(f"{DISHES}/{three[0].pk}").status_code == 204

    def test_a_switched_off_alternative_keeps_nothing(self, api, cast, three):
        SpecialOfferFactory(restaurant=cast.restaurant, alternative_dish=three[0])
        assert api(cast.owner).delete(f"{DISHES}/{three[0].pk}").status_code == 204


class TestOrder:
    PATH = "/api/menu/order"

    def test_the_menu_stands_as_it_was_put(self, api, cast, three):
        antipasti, lasagne, panna_cotta = (str(dish.pk) for dish in three)
        answer = api(cast.owner).put(self.PATH, {"ids": [panna_cotta, antipasti, lasagne]})
        assert answer.status_code == 200, answer.content
        assert [dish["id"] for dish in answer.json()["dishes"]] == [panna_cotta, antipasti, lasagne]
        guests = menu_of(api(at=cast.restaurant), "/api/dishes")
        assert guests == ["Panna cotta", "Antipasti", "Lasagne"]

    def test_a_dish_added_meanwhile_follows(self, api, cast, three):
        assert api(cast.owner).put(self.PATH, {"ids": [str(three[2].pk)]}).status_code == 200
        assert menu_of(api(cast.owner)) == ["Panna cotta", "Antipasti", "Lasagne"]

    def test_a_dish_that_is_not_on_the_menu_moves_nothing(self, api, cast, three, platform):
        foreign = Dish.objects.get(name="Congee")
        for stranger in (foreign.pk, "00000000-0000-4000-8000-000000000000"):
            answer = api(cast.owner).put(self.PATH, {"ids": [str(three[2].pk), str(stranger)]})
            assert answer.status_code == 409
            assert answer.json()["message"].startswith("Your menu was changed in the meantime.")
        assert menu_of(api(cast.owner)) == ["Antipasti", "Lasagne", "Panna cotta"]

    def test_a_dish_has_one_place(self, api, cast, three):
        answer = api(cast.owner).put(self.PATH, {"ids": [str(three[2].pk)] * 2})
        assert says(answer, 400, "List each dish only once.")

    def test_the_kitchen_reads_the_menu_and_changes_nothing(self, api, cast, three):
        kitchen = api(cast.kitchen)
        assert kitchen.put(self.PATH, {"ids": []}).status_code == 403
        assert kitchen.post(DISHES, MINESTRONE).status_code == 403
        assert kitchen.patch(f"{DISHES}/{three[0].pk}", {"hidden": True}).status_code == 403
        assert kitchen.delete(f"{DISHES}/{three[0].pk}").status_code == 403
        assert len(menu_of(kitchen)) == 3

    def test_two_hundred_dishes_are_put_in_order_with_one_update(
        self, api, cast, clock, platform, django_assert_max_num_queries
    ):
        dishes = DishFactory.create_batch(200, restaurant=cast.restaurant)
        backwards = [str(dish.pk) for dish in reversed(dishes)]
        client = api(cast.owner)
        menu_of(client)  # the session's last use is noted every few minutes
        with django_assert_max_num_queries(10):
            assert client.put(self.PATH, {"ids": backwards}).status_code == 200
        assert menu_of(client)[0] == dishes[-1].name


class TestASpecialBecomesADish:
    PATH = "/api/dishes/add-to-menu"

    @pytest.fixture
    def past(self, cast, three):
        return SpecialOfferFactory(
            restaurant=cast.restaurant,
            name="Osso buco",
            status=OfferStatus.SUCCEEDED,
            allergens=["celery"],
            dietary=["dairy_free"],
        )

    def test_a_special_becomes_the_menus_last_dish_at_its_regular_price(
        self, api, cast, past, platform
    ):
        answer = api(cast.manager).post(self.PATH, {"dishId": str(past.pk)})
        assert answer.status_code == 201, answer.content
        said = answer.json()
        assert said["message"] == '"Osso buco" has been added to your regular menu.'
        assert (said["added"], said["dish"]["price"]) == (True, "30.00")
        assert menu_of(api(cast.owner))[-1] == "Osso buco"
        dish = Dish.objects.get(name="Osso buco")
        assert (dish.allergens, dish.dietary) == (["celery"], ["dairy_free"])
        assert dish.description == past.description

    def test_twice_makes_no_second_dish(self, api, cast, past):
        client = api(cast.owner)
        client.post(self.PATH, {"dishId": str(past.pk)})
        again = client.post(self.PATH, {"dishId": str(past.pk)})
        assert (again.status_code, again.json()["added"]) == (200, False)
        assert again.json()["message"] == '"Osso buco" is already on your regular menu.'
        assert menu_of(client).count("Osso buco") == 1

    def test_a_dish_of_that_name_is_the_same_dish(self, api, cast, past):
        DishFactory(restaurant=cast.restaurant, name="OSSO BUCO", hidden_at=NOON)
        assert api(cast.owner).post(self.PATH, {"dishId": str(past.pk)}).json()["added"] is False

    def test_a_removed_dish_comes_back_with_its_special(self, api, cast, past):
        client = api(cast.owner)
        first = client.post(self.PATH, {"dishId": str(past.pk)}).json()["dish"]["id"]
        client.delete(f"{DISHES}/{first}")
        assert client.post(self.PATH, {"dishId": str(past.pk)}).json()["added"] is True

    def test_another_restaurants_special_cannot_become_a_dish(
        self, api, cast, past, three, platform
    ):
        for client, offer_id in (
            (api(cast.outsider), past.pk),
            (api(cast.owner), three[0].pk),
        ):
            answer = client.post(self.PATH, {"dishId": str(offer_id)})
            assert answer.status_code == 404
            assert answer.json()["message"].startswith("We couldn't find that special.")
        assert Dish.objects.count() == 4
