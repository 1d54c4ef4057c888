"""What may be in a dish, and whom it suits: the words menus, order pages and kitchen sheets use."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Allergen(models.TextChoices):
    """The fourteen that European law has menus name (Regulation 1169/2011, annex II); they include
    the nine of the American FASTER Act."""

    CELERY = "celery", _("Celery")
    CRUSTACEANS = "crustaceans", _("Crustaceans")
    EGGS = "eggs", _("Eggs")
    FISH = "fish", _("Fish")
    GLUTEN = "gluten", _("Gluten")
    LUPIN = "lupin", _("Lupin")
    MILK = "milk", _("Milk")
    MOLLUSCS = "molluscs", _("Molluscs")
    MUSTARD = "mustard", _("Mustard")
    NUTS = "nuts", _("Nuts")
    PEANUTS = "peanuts", _("Peanuts")
    SESAME = "sesame", _("Sesame")
    SOY = "soy", _("Soy")
    SULPHITES = "sulphites", _("Sulphites")


class Diet(models.TextChoices):
    """Marks a dish may carry."""

    VEGETARIAN = "vegetarian", _("Vegetarian")
    VEGAN = "vegan", _("Vegan")
    GLUTEN_FREE = "gluten_free", _("Gluten-free")
    DAIRY_FREE = "dairy_free", _("Dairy-free")
    HALAL = "halal", _("Halal")
    KOSHER = "kosher", _("Kosher")
    SPICY = "spicy", _("Spicy")
