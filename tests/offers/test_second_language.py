"""A dish in a second language: written by its restaurant, read by guests of that language."""

import json
import re
from typing import Any

import pytest
from django.utils import translation

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.offers.menu import add_offer_to_menu
from apps.offers.models import Dish, OfferChange, SpecialOffer
from apps.offers.sold_dishes import dish_now
from apps.offers.validation import terms_version
from apps.offers.versions import current_version
from tests.caching import forget_everything
from tests.conftest import NOON, Cast
from tests.factories import DishFactory, SpecialOfferFactory
from tests.offers.bodies import create_body
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("clock")
PATH = "/api/dishes/special-offers"
SPANISH = {
    "name": "Osobuco",
    "description": "Nueve horas a fuego lento.",
    "story": "Lo hacía mi abuela.",
}


@pytest.fixture
def owner(api: Any, cast: Cast) -> Any:
    return api(cast.owner)


@pytest.fixture
def offer(cast: Cast) -> SpecialOffer:
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        description="Slow-braised for nine hours.",
        story="My grandmother made it.",
        translations={"es": SPANISH},
    )


def pages_in(api: Any, cast: Cast, path: str) -> tuple[str, str]:
    """The text of the page in English and in Spanish."""
    forget_everything()
    english = api(at=cast.restaurant).get(path, headers={"Accept-Language": "en"})
    spanish = api(at=cast.restaurant).get(path, headers={"Accept-Language": "es"})
    return text_of(english), text_of(spanish)


class TestWriting:
    def test_an_owner_publishes_a_special_in_two_languages(self, owner: Any) -> None:
        answer = owner.post(PATH, create_body(translations={"es": SPANISH}))
        assert answer.status_code == 201, answer.content
        assert answer.json()["name"] == "Osso buco"
        assert answer.json()["translations"] == {"es": SPANISH}

    def test_empty_texts_and_unknown_languages_are_not_stored(self, owner: Any) -> None:
        sent = {"es": {"name": "  ", "description": "", "story": "\n"}, "fr": {"name": "Osso"}}
        answer = owner.post(PATH, create_body(translations=sent))
        assert answer.status_code == 201, answer.content
        assert answer.json()["translations"] == {}

    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"es": {"name": "o" * 201}}, "translations.es.name"),
            ({"es": {"description": "o" * 2001}}, "translations.es.description"),
            ({"es": {"story": "o" * 1001}}, "translations.es.story"),
            ({"es": {"name": None}}, "translations.es.name"),
            ({"es": "Osobuco"}, "translations.es"),
            ("Osobuco", "translations"),
            (None, "translations"),
        ],
    )
    def test_texts_that_cannot_be_stored_are_refused(
        self, owner: Any, sent: Any, field: str
    ) -> None:
        answer = owner.post(PATH, create_body(translations=sent))
        assert answer.status_code == 400
        assert [each["field"] for each in answer.json()["errors"]] == [field]
        with rls.acting_as(rls.PLATFORM):
            assert not SpecialOffer.objects.exists()

    def test_a_line_break_in_a_translated_name_becomes_a_space(self, owner: Any) -> None:
        answer = owner.post(PATH, create_body(translations={"es": {"name": "Oso\r\nbuco"}}))
        assert answer.json()["translations"] == {"es": {"name": "Oso buco"}}

    def test_an_edit_replaces_the_texts_and_is_recorded(self, owner: Any, offer: Any) -> None:
        body = {"version": terms_version(offer, []), "translations": {"es": {"name": "Ossobuco"}}}
        answer = owner.put(f"/api/dishes/{offer.pk}", body)
        assert answer.status_code == 200, answer.content
        assert answer.json()["translations"] == {"es": {"name": "Ossobuco"}}
        with rls.acting_as(rls.PLATFORM):
            assert OfferChange.objects.get().detail == "Changed: second language"
            [event] = LoggedEvent.objects.filter(kind="special_edited")
        assert event.details["fields"] == ["translations"]

    def test_an_edit_that_leaves_them_out_keeps_the_texts(self, owner: Any, offer: Any) -> None:
        body = {"version": terms_version(offer, []), "description": "Ten hours."}
        answer = owner.put(f"/api/dishes/{offer.pk}", body)
        assert answer.json()["translations"] == {"es": SPANISH}

    def test_a_stored_special_has_the_version_its_form_was_filled_with(
        self, owner: Any, offer: Any
    ) -> None:
        version = terms_version(offer, [])
        with rls.acting_as(rls.PLATFORM):
            assert terms_version(SpecialOffer.objects.get(pk=offer.pk), []) == version

    def test_an_owner_writes_a_dish_in_two_languages(self, owner: Any, cast: Cast) -> None:
        body = {"name": "Soup", "price": "9.00", "translations": {"es": {"name": "Sopa"}}}
        answer = owner.post("/api/menu/dishes", body)
        assert answer.status_code == 201, answer.content
        assert answer.json()["translations"] == {"es": {"name": "Sopa"}}
        edited = owner.patch(f"/api/menu/dishes/{answer.json()['id']}", {"translations": {}})
        assert edited.json()["translations"] == {}


class TestReading:
    def test_a_guest_reads_the_special_in_their_own_language(
        self, api: Any, cast: Cast, offer: Any
    ) -> None:
        for path in (f"/specials/{offer.pk}", "/specials", "/patron"):
            english, spanish = pages_in(api, cast, path)
            assert "Osso buco" in english
            assert "Osobuco" not in english
            assert "Osobuco" in spanish
            assert "Osso buco" not in spanish

    def test_the_specials_page_has_its_description_and_story_too(
        self, api: Any, cast: Cast, offer: Any
    ) -> None:
        english, spanish = pages_in(api, cast, f"/specials/{offer.pk}")
        for words in ("Slow-braised for nine hours.", "My grandmother made it."):
            assert words in english
        for words in ("Nueve horas a fuego lento.", "Lo hacía mi abuela."):
            assert words in spanish

    def test_search_engines_and_previews_read_it_as_the_page_says(
        self, api: Any, cast: Cast, offer: Any
    ) -> None:
        page = api(at=cast.restaurant).get(
            f"/specials/{offer.pk}", headers={"Accept-Language": "es"}
        )
        text = page.content.decode()
        [data] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.S)
        assert json.loads(data)["itemOffered"]["name"] == "Osobuco"
        assert 'property="og:title"\ncontent="Osobuco' in text

    def test_a_text_that_is_missing_is_shown_as_it_was_written(
        self, api: Any, cast: Cast, offer: Any
    ) -> None:
        with rls.acting_as(rls.PLATFORM):
            SpecialOffer.objects.update(translations={"es": {"name": "Osobuco"}})
        _english, spanish = pages_in(api, cast, f"/specials/{offer.pk}")
        assert "Osobuco" in spanish
        assert "Slow-braised for nine hours." in spanish

    def test_the_menu_and_the_alternative_are_translated(self, api: Any, cast: Cast) -> None:
        dish = DishFactory(
            restaurant=cast.restaurant,
            name="Soup",
            description="Hot.",
            translations={"es": {"name": "Sopa", "description": "Caliente."}},
        )
        offer = SpecialOfferFactory(
            restaurant=cast.restaurant, has_alternative=True, alternative_dish=dish
        )
        english, spanish = pages_in(api, cast, "/patron")
        assert "Soup" in english
        assert "Sopa" in spanish
        assert "Caliente." in spanish
        english, spanish = pages_in(api, cast, f"/specials/{offer.pk}")
        assert "you can have this instead: Soup" in english
        assert "puedes elegir esto en su lugar: Sopa" in spanish

    def test_the_owners_form_has_the_texts_as_they_were_written(
        self, owner: Any, offer: Any
    ) -> None:
        """Also for a browser in Spanish: a form filled with a translation would save it."""
        special = owner.get(f"/api/specials/{offer.pk}", headers={"Accept-Language": "es"}).json()
        assert special["name"] == "Osso buco"
        assert special["description"] == "Slow-braised for nine hours."
        assert special["story"] == "My grandmother made it."


class TestKeeping:
    def test_what_was_sold_keeps_both_languages(self, cast: Cast, offer: Any) -> None:
        with rls.acting_as(cast.restaurant):
            first = current_version(offer, now=NOON)
            offer.translations = {"es": {"name": "Ossobuco"}}
            offer.save(update_fields=["translations"])
            second = current_version(offer, now=NOON)
        assert (first.number, second.number) == (1, 2)
        assert first.name_in("es") == "Osobuco"
        assert first.name_in("en-us") == "Osso buco"
        assert second.name_in("es") == "Ossobuco"

    def test_a_translation_alone_is_no_change_that_guests_are_told_of(self, offer: Any) -> None:
        before = dish_now(offer)
        offer.translations = {}
        after = dish_now(offer)
        assert not before.differs_from(after)
        assert before.fingerprint == after.fingerprint

    def test_a_form_in_another_language_names_the_same_dish(self, offer: Any) -> None:
        dish = dish_now(offer)
        english = dish.fingerprint
        with translation.override("es"):
            assert dish.name == "Osobuco"
            assert dish.fingerprint == english

    def test_a_special_added_to_the_menu_keeps_its_name_and_description(
        self, cast: Cast, offer: Any
    ) -> None:
        with rls.acting_as(cast.restaurant):
            dish, _is_new = add_offer_to_menu(restaurant=cast.restaurant, offer_id=offer.pk)
            stored = Dish.objects.get(pk=dish.pk).translations
        assert stored == {"es": {name: SPANISH[name] for name in ("name", "description")}}
