"""Allergens and dietary tags, as menus, order pages, and kitchen sheets name them."""

import re
from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common import formats
from apps.common.accents import without_accents


class Allergen(models.TextChoices):
    """The fourteen allergens of EU Regulation 1169/2011, annex II. They include the nine that US
    law names (FASTER Act)."""

    CELERY = "celery", _("Celery")
    CRUSTACEANS = "crustaceans", _("Crustacean shellfish")
    EGGS = "eggs", _("Eggs")
    FISH = "fish", _("Fish")
    GLUTEN = "gluten", _("Gluten")
    LUPIN = "lupin", _("Lupin")
    MILK = "milk", _("Milk")
    MOLLUSCS = "molluscs", _("Mollusks")
    MUSTARD = "mustard", _("Mustard")
    NUTS = "nuts", _("Tree nuts")
    PEANUTS = "peanuts", _("Peanuts")
    SESAME = "sesame", _("Sesame")
    SOY = "soy", _("Soy")
    SULPHITES = "sulphites", _("Sulfites")


# What guests write in a note who can't eat it, in English and Spanish: beginnings of words, in
# lower case and without accents.
ALLERGEN_WORDS = {
    Allergen.CELERY: ("celer", "apio"),
    Allergen.CRUSTACEANS: ("shellfish", "shrimp", "prawn", "crab", "lobster", "crustac", "marisco",
        "camaron", "gamba", "cangrejo", "langosta"),
    Allergen.EGGS: ("egg", "huevo"),
    Allergen.FISH: ("fish", "pescado", "anchov", "anchoa"),
    Allergen.GLUTEN: ("gluten", "celiac", "coeliac", "wheat", "celiaqu", "trigo"),
    Allergen.LUPIN: ("lupin", "altramu"),
    Allergen.MILK: ("milk", "dairy", "lactos", "cheese", "butter", "leche", "lacteo", "queso",
        "mantequilla"),
    Allergen.MOLLUSCS: ("mollus", "clam", "mussel", "oyster", "squid", "octopus", "molusco",
        "almeja", "mejillon", "ostra", "calamar", "pulpo"),
    Allergen.MUSTARD: ("mustard", "mostaza"),
    Allergen.NUTS: ("nut", "almond", "walnut", "hazelnut", "cashew", "pistachio", "nuez", "nueces",
        "frutos secos", "almendra", "avellana"),
    Allergen.PEANUTS: ("peanut", "cacahuate", "cacahuete", "mani"),
    Allergen.SESAME: ("sesame", "tahini", "sesamo", "ajonjoli"),
    Allergen.SOY: ("soy", "tofu", "soja"),
    Allergen.SULPHITES: ("sulfit", "sulphit"),
}  # fmt: skip


# What guests write who can't eat something, listed above or not: parts of words, as typed.
ALLERGY_WORDS = ("allerg", "alerg", "intoler", "celiac", "coeliac", "celiaqu", "anaphyla", "anafil",
    "epipen", "epi pen")  # fmt: skip


def mentions_allergy(note: str) -> bool:
    """Whether a guest's note speaks of an allergy or an intolerance, to whatever. "No allergies"
    is one too: a cook who reads a note too many loses nothing."""
    noted = _plain(note)
    return any(word in noted for word in ALLERGY_WORDS)


def mentioned_allergens(note: str, contained: Iterable[str]) -> list[Allergen]:
    """Those of the `contained` allergens that a guest's note may be about, by the rule of the
    pages' script (`frontend/src/lib/mentions.ts`)."""
    noted = f" {_plain(note)}"
    present = set(contained)
    return [
        each
        for each in Allergen
        if each.value in present and any(f" {word}" in noted for word in ALLERGEN_WORDS[each])
    ]


def _plain(note: str) -> str:
    """Its words in lower case, without accents, and with one space for all that is no letter."""
    return re.sub("[^a-z]+", " ", without_accents(note.lower()))


class Diet(models.TextChoices):
    """Dietary tags of a dish."""

    VEGETARIAN = "vegetarian", _("Vegetarian")
    VEGAN = "vegan", _("Vegan")
    GLUTEN_FREE = "gluten_free", _("Gluten-free")
    DAIRY_FREE = "dairy_free", _("Dairy-free")
    HALAL = "halal", _("Halal")
    KOSHER = "kosher", _("Kosher")
    SPICY = "spicy", _("Spicy")

    @property
    def is_plants(self) -> bool:
        """Whether it says that there is no meat in it, which a leaf stands for."""
        return self in (Diet.VEGETARIAN, Diet.VEGAN)


def suited_diets(tags: Iterable[str]) -> set[str]:
    """The diets that a dish with these tags suits: a vegan one needn't say that it's vegetarian."""
    ticked = set(tags)
    return ticked | {Diet.VEGETARIAN, Diet.DAIRY_FREE} if Diet.VEGAN in ticked else ticked


def tag_labels(words: type[Allergen] | type[Diet], chosen: Iterable[str]) -> list[str]:
    """The labels of the chosen tags, in the order of their list."""
    ticked = set(chosen)
    return [str(word.label) for word in words if word.value in ticked]


def in_words(labels: list[str]) -> str:
    """`Eggs, gluten, and milk`; empty without labels."""
    return formats.listed(labels).capitalize()
