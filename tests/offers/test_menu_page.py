"""A restaurant's menu, its preview, and the list of restaurants to choose from."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from apps.common import rls
from apps.offers.dishes_on_special import specials_of_dishes
from apps.offers.models import Photo, SpecialOffer
from apps.offers.storefront import open_specials
from apps.restaurants.models import Restaurant
from tests.caching import forget_everything
from tests.conftest import Cast, Clock
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture(params=["/patron", "/patron/menu"])
def path(request: Any) -> str:
    return str(request.param)


def change(restaurant: Restaurant, **columns: Any) -> None:
    Restaurant.objects.filter(pk=restaurant.pk).update(**columns)
    forget_everything()


def test_a_menu_that_lists_all_allergens_does_not_tell_guests_to_ask(
    api: Any, cast: Cast, clock: Clock, path: str
) -> None:
    DishFactory(restaurant=cast.restaurant, name="Tiramisu", allergens=["milk"])
    assert "ask the restaurant" not in text_of(api(at=cast.restaurant).get(path))


def test_the_menu_shows_the_regular_dishes_in_the_owners_order(
    api: Any, cast: Cast, clock: Clock, path: str
) -> None:
    DishFactory(restaurant=cast.restaurant, name="Tiramisu", price="8.50", position=2)
    DishFactory(
        restaurant=cast.restaurant,
        name="Penne al forno",
        description="Baked with smoked scamorza.",
        price="16.00",
        position=1,
        dietary=["vegetarian"],
        allergens=["milk", "gluten"],
    )
    DishFactory(restaurant=cast.other, name="Somebody else's ramen")
    page = text_of(api(at=cast.restaurant).get(path))
    assert "Show Everything Vegetarian" in page
    assert (
        "Regular Menu Served at the restaurant. Only specials can be ordered here. "
        "Not every dish lists its allergens. If you have an allergy, ask the restaurant. "
        "No dishes match. Penne al forno $16.00 "
        "Baked with smoked scamorza. Vegetarian Contains: gluten and milk Tiramisu $8.50"
    ) in page
    assert "ramen" not in page
    assert "Grand Opening Specials" not in page
    assert "Restaurant Owner Login" in page


def test_a_dish_without_a_photo_has_a_plate_beside_those_that_have_one(
    api: Any, cast: Cast
) -> None:
    DishFactory(restaurant=cast.restaurant, name="Minestrone")
    assert 'class="plate"' not in api(at=cast.restaurant).get("/patron").text
    with rls.acting_as(cast.restaurant):
        photo = Photo.objects.create(
            restaurant=cast.restaurant, width=240, height=180, widths=[240]
        )
    DishFactory(restaurant=cast.restaurant, name="Tiramisu", photo=photo)
    forget_everything()
    assert api(at=cast.restaurant).get("/patron").text.count('class="plate"') == 1


def test_specials_come_first_when_there_are_any(api: Any, cast: Cast, clock: Clock) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    page = text_of(api(at=cast.restaurant).get("/patron"))
    assert page.index("Grand Opening Specials") < page.index("Osso buco")
    assert page.index("Osso buco") < page.index("Regular Menu")


def test_the_menu_says_how_many_specials_there_are(api: Any, cast: Cast) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Caponata")
    assert "All specials" in text_of(api(at=cast.restaurant).get("/patron"))
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    forget_everything()
    assert "All 2 specials" in text_of(api(at=cast.restaurant).get("/patron"))


def test_a_dish_that_runs_as_a_special_leads_to_it(
    api: Any, cast: Cast, special: SpecialOffer
) -> None:
    DishFactory(restaurant=cast.restaurant, name=" OSSO buco ", price="36.00")
    page = api(at=cast.restaurant).get("/patron")
    menu = text_of(page).partition("Regular Menu")[2]
    assert "OSSO buco $36.00 From the regular menu. On special Wed, Mar 24: $24.00" in menu
    assert menu.count("On special") == 1
    link = rf'<a\s[^>]*href="/specials/{special.pk}">On special'
    assert re.search(link, page.content.decode())


def test_a_special_of_another_name_is_named_beside_its_dish(
    api: Any, cast: Cast, special: SpecialOffer, platform: None
) -> None:
    """It can cost more than the dish: it's half a tray."""
    DishFactory(restaurant=cast.restaurant, name="Osso buco", price="7.00")
    SpecialOffer.objects.filter(pk=special.pk).update(name="Osso buco, half a tray")
    menu = text_of(api(at=cast.restaurant).get("/patron")).partition("Regular Menu")[2]
    assert "Osso buco $7.00 From the regular menu. On special Wed, Mar 24: half a tray, $24" in menu
    SpecialOffer.objects.filter(pk=special.pk).update(name="Sunday's Osso Buco")
    menu = text_of(api(at=cast.restaurant).get("/patron?fresh=1")).partition("Regular Menu")[2]
    assert "On special Wed, Mar 24: Sunday's Osso Buco, $24.00" in menu


def test_a_special_that_takes_no_orders_is_not_named_beside_its_dish(
    api: Any, cast: Cast, special: SpecialOffer, platform: None
) -> None:
    DishFactory(restaurant=cast.restaurant, name=special.name)
    SpecialOffer.objects.filter(pk=special.pk).update(max_preorders=12, reserved_portions=12)
    assert "On special" not in text_of(api(at=cast.restaurant).get("/patron"))


def test_a_dish_names_the_special_that_closes_first_of_those_that_take_orders(
    cast: Cast, special: SpecialOffer, clock: Clock, platform: None
) -> None:
    dish = DishFactory(restaurant=cast.restaurant, name="osso Buco")
    later = SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco ",
        deadline=special.deadline + timedelta(days=7),
    )
    [found] = specials_of_dishes([dish], open_specials(cast.restaurant, clock.now))
    assert found is not None
    assert found.offer == special
    SpecialOffer.objects.filter(pk=special.pk).update(max_preorders=12, reserved_portions=12)
    [found] = specials_of_dishes([dish], open_specials(cast.restaurant, clock.now))
    assert found is not None
    assert found.offer == later


@pytest.mark.parametrize(
    ("title", "names", "marked"),
    [
        ("Osso buco", ["Osso", "Osso buco alla Milanese", "Ossobuco", "Buco", "!"], []),
        ("Osso Buco alla Milanese", ["OSSO  BUCO", "Milanese"], ["OSSO  BUCO"]),
        ("Braised Short Rib with Polenta", ["Braised Short Rib"], ["Braised Short Rib"]),
        ("Braised Short-Rib", ["Short Rib", "Braised short rib"], ["Braised short rib"]),
        ("Braised Short Ribs", ["Short Rib"], []),
        ("Tiramisù, Half a Tray", ["Tiramisu"], ["Tiramisu"]),
        ("Tiramisù, Half a Tray", ["Tiramisu", "Pistachio tiramisu"], []),
        ("Margherita from the Wood Oven", ["Margherita"], ["Margherita"]),
        ("Chicken Salad", ["Salad", "Chicken"], []),
        ("Roast Chicken with Potato Salad", ["Potato salad", "Salad"], []),
        ("Roast Chicken with Potato Salad", ["Potato salad", "Roast chicken"], ["Roast chicken"]),
        ("Friday's Fish and Chips", ["Fish and chips", "Chips"], ["Fish and chips"]),
    ],
)
def test_a_dish_is_on_special_if_the_title_names_it(
    cast: Cast,
    special: SpecialOffer,
    clock: Clock,
    platform: None,
    title: str,
    names: list[str],
    marked: list[str],
) -> None:
    """Of several, the longest name, and never what is served beside it."""
    SpecialOffer.objects.filter(pk=special.pk).update(name=title)
    dishes = [DishFactory.build(name=name) for name in names]
    found = specials_of_dishes(dishes, open_specials(cast.restaurant, clock.now))
    assert [dish.name for dish, special in zip(dishes, found, strict=True) if special] == marked


@pytest.mark.parametrize("more", ["", " Come hungry."])
def test_a_phone_begins_with_one_sentence_about_the_restaurant(
    api: Any, cast: Cast, more: str
) -> None:
    change(cast.restaurant, description=f"Since 1968.{more}")
    page = api(at=cast.restaurant).get("/patron").content.decode()
    said = re.findall(r'<(p|div) class="([^"]*)">\s*([^\n]*Since 1968\..*?)</\1>', page, re.DOTALL)
    (_, whole, text), (_, phone, sentence) = said
    assert text == f"Since 1968.{more}"
    assert "max-md:hidden" in whole.split()
    assert "md:hidden" in phone.split()
    # What follows unfolds right below it.
    unfolded = f"Since 1968. Read more {more.strip()}" if more else "Since 1968."
    assert " ".join(re.sub("<[^>]*>", " ", sentence).split()) == unfolded
    assert ("<details" in sentence) is bool(more)


def test_a_card_names_the_alternative_as_the_list_does(api: Any, cast: Cast, special: Any) -> None:
    words = "Too few orders? Alternative: Penne al forno"
    assert words in text_of(api(at=cast.restaurant).get("/patron"))


def test_one_choice_of_diets_is_for_specials_and_dishes(api: Any, cast: Cast, clock: Clock) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Caponata", dietary=["vegan"])
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", dietary=["gluten_free"])
    DishFactory(restaurant=cast.restaurant, name="Penne", dietary=["vegetarian"])
    page = api(at=cast.restaurant).get("/patron").content.decode()
    assert page.count('class="chips diet-filter"') == 1
    values = re.findall(r'name="diet" value="(\w*)"', page)
    assert values == ["", "vegetarian", "vegan", "gluten_free"]
    # Where nothing suits a choice, words say so.
    specials, dishes = re.findall(r'class="diet-none muted" data-diet="([^"]*)"', page)
    assert "vegetarian" in specials.split()
    assert not {"vegan", "gluten_free"} & set(specials.split())
    assert {"vegan", "gluten_free"} <= set(dishes.split())


@pytest.mark.parametrize("path", ["/patron", "/specials"])
@pytest.mark.parametrize(
    ("query", "chosen"),
    [("", [""]), ("?diet=vegan", ["", "vegan"]), ("?diet=halal", [""]), ("?diet=", [""])],
)
def test_a_guest_who_comes_back_finds_the_diet_they_chose(
    api: Any, cast: Cast, clock: Clock, path: str, query: str, chosen: list[str]
) -> None:
    """Of several that are checked, a browser takes the last."""
    SpecialOfferFactory(restaurant=cast.restaurant, name="Caponata", dietary=["vegan"])
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco", dietary=[])
    page = api(at=cast.restaurant).get(f"{path}{query}").content.decode()
    found = re.findall(r'name="diet" value="(\w*)"\s+autocomplete="off" checked', page)
    assert found == chosen


def test_a_menu_without_dishes_is_coming_soon(api: Any, cast: Cast, clock: Clock) -> None:
    assert "Menu Coming Soon" in text_of(api(at=cast.restaurant).get("/patron"))


def test_the_menu_introduces_the_restaurant_in_spanish_where_that_is_written(
    api: Any, cast: Cast, clock: Clock, path: str
) -> None:
    reads_spanish = {"Accept-Language": "es"}
    change(cast.restaurant, description="Since 1968.")
    page = api(at=cast.restaurant).get(path, headers=reads_spanish)
    assert "Since 1968." in text_of(page)
    change(cast.restaurant, spanish_description="Desde 1968.")
    page = api(at=cast.restaurant).get(path, headers=reads_spanish)
    assert "Desde 1968." in text_of(page)
    assert "Since 1968." not in text_of(page)
    assert "Since 1968." in text_of(api(at=cast.restaurant).get(path))


@pytest.mark.parametrize("shown", [True, False])
def test_find_us_is_shown_when_the_owner_wants_it(
    api: Any, cast: Cast, clock: Clock, shown: bool
) -> None:
    change(cast.restaurant, show_map_on_patron_menu=shown, street_address="1 Mulberry Street")
    response = api(at=cast.restaurant).get("/patron")
    assert ("Find Us" in text_of(response)) is shown
    assert ("https://www.google.com/maps/search/?api=1" in response.content.decode()) is shown


def test_the_header_has_the_address_and_the_phone(api: Any, cast: Cast, clock: Clock) -> None:
    change(cast.restaurant, street_address="1 Mulberry Street", phone="+1 212 555 0100")
    page = api(at=cast.restaurant).get("/patron")
    assert "1 Mulberry Street" in text_of(page)
    assert 'href="tel:+12125550100"' in page.content.decode()


def test_follow_us_names_the_platforms_there_are(api: Any, cast: Cast, clock: Clock) -> None:
    assert "Follow Us" not in text_of(api(at=cast.restaurant).get("/patron"))
    change(cast.restaurant, social_media_links={"instagram": "https://instagram.com/luigis"})
    response = api(at=cast.restaurant).get("/patron")
    assert "Follow Us Instagram" in text_of(response)
    assert 'href="https://instagram.com/luigis"' in response.content.decode()
    assert "Facebook" not in text_of(response)


def test_the_platforms_host_shows_the_restaurant_named_by_rid(
    api: Any, cast: Cast, clock: Clock
) -> None:
    DishFactory(restaurant=cast.restaurant, name="Penne al forno")
    assert "Penne al forno" in text_of(api().get(f"/patron?rid={cast.restaurant.pk}"))


@pytest.mark.parametrize("rid", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_rid_is_no_restaurant(api: Any, cast: Cast, clock: Clock, rid: str) -> None:
    response = api().get(f"/patron?rid={rid}")
    assert response.status_code == 404
    assert "Restaurant Not Found" in text_of(response)


def test_search_engines_are_told_dishes_and_diets(api: Any, cast: Cast, clock: Clock) -> None:
    DishFactory(restaurant=cast.restaurant, name="Caprese", price="9.00", dietary=["vegetarian"])
    page = api(at=cast.restaurant).get("/patron").content.decode()
    data = json.loads(re.findall(r'ld\+json">(.*?)</script>', page, re.S)[0])
    assert data["@type"] == "Restaurant"
    (section,) = data["hasMenu"]["hasMenuSection"]
    (item,) = section["hasMenuItem"]
    assert item["name"] == "Caprese"
    assert item["offers"]["price"] == "9.00"
    assert item["suitableForDiet"] == ["https://schema.org/VegetarianDiet"]


class TestHiddenDishes:
    @pytest.fixture(autouse=True)
    def _menu(self, cast: Cast, clock: Clock) -> None:
        DishFactory(restaurant=cast.restaurant, name="Secret soup", hidden_at=clock.now)
        DishFactory(restaurant=cast.restaurant, name="Tiramisu")

    @pytest.mark.parametrize("path", ["/patron", "/patron?preview=1"])
    def test_guests_do_not_see_hidden_dishes(self, api: Any, cast: Cast, path: str) -> None:
        page = text_of(api(at=cast.restaurant).get(path))
        assert "Tiramisu" in page
        assert "Secret soup" not in page

    def test_the_team_sees_hidden_dishes_only_in_the_preview(self, api: Any, cast: Cast) -> None:
        page = text_of(api(cast.owner).get(f"/patron?rid={cast.restaurant.pk}"))
        assert "Tiramisu" in page
        assert "Secret soup" not in page

    @pytest.mark.parametrize("who", ["owner", "manager", "kitchen"])
    def test_the_restaurants_team_previews_hidden_dishes(
        self, api: Any, cast: Cast, who: str
    ) -> None:
        response = api(getattr(cast, who)).get("/patron?preview=1")
        assert "Preview." in text_of(response)
        assert "Secret soup" in text_of(response)
        assert "Hidden from guests" in text_of(response)
        assert "no-cache" in response["Cache-Control"]

    def test_the_menu_editor_links_to_the_preview_of_its_restaurant(
        self, api: Any, cast: Cast
    ) -> None:
        link = props_of(api(cast.owner).get("/restaurant/menu"))["previewUrl"]
        assert link == f"/patron?preview=1&restaurant={cast.restaurant.pk}"
        assert "Secret soup" in text_of(api(cast.owner).get(link))

    def test_nobody_else_previews_hidden_dishes(self, api: Any, cast: Cast) -> None:
        for visitor in (api(), api(cast.stranger), api(cast.outsider)):
            for asked in ("", f"&rid={cast.restaurant.pk}"):
                page = text_of(visitor.get(f"/patron?preview=1{asked}"))
                assert "Secret soup" not in page


def test_the_platform_lists_restaurants_with_something_to_order(
    api: Any, cast: Cast, clock: Clock
) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant)
    closed = RestaurantFactory(name="Closed for good", status=Restaurant.Status.INACTIVE)
    with rls.acting_as(rls.PLATFORM):
        SpecialOfferFactory(restaurant=closed)
    page = text_of(api().get("/patron"))
    assert cast.restaurant.name in page
    assert cast.other.name not in page
    assert "Closed for good" not in page


def test_a_menu_asked_for_twice_is_read_once(
    api: Any, cast: Cast, clock: Clock, django_assert_num_queries: Any
) -> None:
    DishFactory.create_batch(30, restaurant=cast.restaurant)
    SpecialOfferFactory.create_batch(5, restaurant=cast.restaurant)
    guest = api(at=cast.restaurant)
    guest.get("/specials")  # who the host is
    with django_assert_num_queries(2):
        guest.get("/patron")
    with django_assert_num_queries(0):
        guest.get("/patron")
