"""Allergens and dietary tags, as menus, order pages, and kitchen sheets name them."""

from collections.abc import Iterable

from django.db import models
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


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


class Diet(models.TextChoices):
    """Dietary tags of a dish."""

    VEGETARIAN = "vegetarian", _("Vegetarian")
    VEGAN = "vegan", _("Vegan")
    GLUTEN_FREE = "gluten_free", _("Gluten-free")
    DAIRY_FREE = "dairy_free", _("Dairy-free")
    HALAL = "halal", _("Halal")
    KOSHER = "kosher", _("Kosher")
    SPICY = "spicy", _("Spicy")


def tag_labels(words: type[Allergen] | type[Diet], chosen: Iterable[str]) -> list[str]:
    """The labels of the chosen tags, in the order of their list."""
    ticked = set(chosen)
    return [str(word.label) for word in words if word.value in ticked]


def in_words(labels: list[str]) -> str:
    """`Eggs, gluten and milk`; empty without labels."""
    return str(get_text_list(labels, gettext("and"))).capitalize() if labels else ""
