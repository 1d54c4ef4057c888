"""What may be in a dish, and whom it suits: the words menus, order pages and kitchen sheets use."""

from django.db import models


class Allergen(models.TextChoices):
    """The fourteen that European law has menus name (Regulation 1169/2011, annex II); they include
    the nine of the American FASTER Act."""

    CELERY = "celery", "Celery"
    CRUSTACEANS = "crustaceans", "Crustaceans"
    EGGS = "eggs", "Eggs"
    FISH = "fish", "Fish"
    GLUTEN = "gluten", "Gluten"
    LUPIN = "lupin", "Lupin"
    MILK = "milk", "Milk"
    MOLLUSCS = "molluscs", "Molluscs"
    MUSTARD = "mustard", "Mustard"
    NUTS = "nuts", "Nuts"
    PEANUTS = "peanuts", "Peanuts"
    SESAME = "sesame", "Sesame"
    SOY = "soy", "Soy"
    SULPHITES = "sulphites", "Sulphites"


class Diet(models.TextChoices):
    """Marks a dish may carry."""

    VEGETARIAN = "vegetarian", "Vegetarian"
    VEGAN = "vegan", "Vegan"
    GLUTEN_FREE = "gluten_free", "Gluten-free"
    DAIRY_FREE = "dairy_free", "Dairy-free"
    HALAL = "halal", "Halal"
    KOSHER = "kosher", "Kosher"
    SPICY = "spicy", "Spicy"
