"""A dish as it is described to guests: now, or as it was when they ordered (decision 49)."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.utils.translation import gettext as _

from apps.common import formats
from apps.common.languages import spoken
from apps.offers.dietary import ALLERGEN_WORDS, Allergen, Diet, tag_labels
from apps.offers.images import PhotoSources, photo_sources
from apps.offers.models import Dish, OfferVersion, Photo, SpecialOffer
from apps.offers.translations import Translations, text_in


@dataclass(frozen=True)
class SoldDish:
    """A dish as it is described to guests: now, or in the version an order was made of.

    What was `written` is the promise; a guest reads it in their own language where the restaurant
    added it (decision 93).
    """

    written_name: str
    written_description: str = ""
    allergen_values: tuple[str, ...] = ()  # of `offers.dietary.Allergen`
    diet_values: tuple[str, ...] = ()  # of `offers.dietary.Diet`
    photo: Photo | None = None
    translations: Translations = field(default_factory=dict)

    @property
    def name(self) -> str:
        """In the active language."""
        return self._spoken("name", self.written_name)

    @property
    def description(self) -> str:
        """In the active language."""
        return self._spoken("description", self.written_description)

    @cached_property
    def picture(self) -> PhotoSources | None:
        return photo_sources(self.photo)

    @property
    def contains(self) -> str:
        """The allergens in words, `eggs, gluten, and milk`; empty without any."""
        return formats.listed(tag_labels(Allergen, self.allergen_values)).lower()

    @property
    def note_warnings(self) -> list[tuple[str, str]]:
        """Each allergen in lower case, and by which words a guest's note may mention it."""
        return [
            (str(each.label).lower(), ",".join(ALLERGEN_WORDS[each]))
            for each in Allergen
            if each.value in self.allergen_values
        ]

    @property
    def suits(self) -> list[Diet]:
        """Its dietary tags, in the order of their list."""
        return [diet for diet in Diet if diet.value in self.diet_values]

    @property
    def diets(self) -> str:
        return ", ".join(tag_labels(Diet, self.diet_values))

    def differs_from(self, other: "SoldDish") -> bool:
        """Whether guests must be told that one became the other (decision 49): any change of
        allergens, diets, name, or description except case, punctuation, and spaces. Not the
        photo."""
        return self._promise != other._promise

    def only_warns_beside(self, before: "SoldDish") -> bool:
        """Whether this only adds allergens or drops dietary tags: good to know, however late."""
        return (
            self._promise[:2] == before._promise[:2]
            and set(self.allergen_values) >= set(before.allergen_values)
            and set(self.diet_values) <= set(before.diet_values)
        )

    @property
    def fingerprint(self) -> str:
        """Identifies the promise: an order form sends back the one its guest was shown."""
        names, described, allergens, diets = self._promise
        text = json.dumps([names, described, sorted(allergens), sorted(diets)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def _promise(self) -> tuple[str, str, frozenset[str], frozenset[str]]:
        tags = frozenset(self.allergen_values), frozenset(self.diet_values)
        return (_plain_text(self.written_name), _plain_text(self.written_description), *tags)

    def _spoken(self, field: str, written: str) -> str:
        return text_in(spoken(), field, written=written, translations=self.translations)


def dish_sold(
    version: OfferVersion, *, alternative: bool = False, pictured: bool = False
) -> SoldDish:
    """The special of a version, or its alternative, which has no name if there was none.

    Its photo is read only if it is `pictured`.
    """
    if alternative:
        return SoldDish(
            version.alternative_name,
            version.alternative_description,
            tuple(version.alternative_allergens),
            tuple(version.alternative_dietary),
            version.alternative_photo if pictured else None,
            version.alternative_translations,
        )
    return SoldDish(
        version.name,
        version.description,
        tuple(version.allergens),
        tuple(version.dietary),
        version.photo if pictured else None,
        version.translations,
    )


def dish_now(offer: SpecialOffer, *, alternative: bool = False) -> SoldDish:
    """What the offer, or its alternative, is described as now, without its photo."""
    dish = offer.alternative_dish if alternative and offer.has_alternative else None
    return as_sold(dish if alternative else offer)


def as_sold(dish: SpecialOffer | Dish | None) -> SoldDish:
    """A dish as it would be sold now; without a name if there is none."""
    if dish is None:
        return SoldDish("")
    return SoldDish(
        dish.name,
        dish.description,
        tuple(dish.allergens),
        tuple(dish.dietary),
        translations=dish.translations,
    )


def describe_changes(before: SoldDish, after: SoldDish) -> list[str]:
    """What guests must know of the difference, a sentence for each, in the active language."""
    nothing = _("none listed")
    # A translation that the restaurant didn't change with the dish would hide the change.
    is_translated = _plain_text(before.name + before.description) != _plain_text(
        after.name + after.description
    )
    if not is_translated:
        before, after = replace(before, translations={}), replace(after, translations={})
    pairs = (
        (_("Dish: %(after)s. You ordered: %(before)s."), before.name, after.name),
        (
            _("Contains: %(after)s. When you ordered: %(before)s."),
            before.contains or nothing,
            after.contains or nothing,
        ),
        (
            _("Dietary tags: %(after)s. When you ordered: %(before)s."),
            before.diets or nothing,
            after.diets or nothing,
        ),
        (
            _("Description: “%(after)s” When you ordered: “%(before)s”"),
            before.description,
            after.description,
        ),
    )
    return [
        text % {"before": old, "after": new}
        for text, old, new in pairs
        if _plain_text(old) != _plain_text(new)
    ]


def _plain_text(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())
