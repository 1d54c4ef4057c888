"""Specials and menus as schema.org data, for search engines (https://schema.org)."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from apps.offers.dietary import Diet
from apps.offers.models import Dish
from apps.offers.presentation import Special
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

SCHEMA_ORG_DIETS = {
    Diet.VEGETARIAN: "VegetarianDiet",
    Diet.VEGAN: "VeganDiet",
    Diet.GLUTEN_FREE: "GlutenFreeDiet",
    Diet.DAIRY_FREE: "LowLactoseDiet",
    Diet.HALAL: "HalalDiet",
    Diet.KOSHER: "KosherDiet",
}


def special_data(special: Special) -> dict[str, Any]:
    """The special as schema.org data: an Offer of a MenuItem by a Restaurant."""
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Offer",
        "url": special.url,
        "price": f"{special.offer.special_price:.2f}",
        "priceCurrency": special.restaurant.currency.upper(),
        "availability": f"https://schema.org/{_availability(special)}",
        "availabilityEnds": special.deadline_iso,
        "validThrough": special.deadline_iso,
        "itemOffered": {
            "@type": "MenuItem",
            "name": special.name,
            "description": special.description,
        },
        "offeredBy": restaurant_data(special.restaurant),
    }
    if special.picture_url:
        data["itemOffered"]["image"] = special.picture_url
    return data


def _availability(special: Special) -> str:
    if not special.is_open:
        return "Discontinued"
    return "PreOrder" if special.per_order_limit else "SoldOut"


def restaurant_data(restaurant: Restaurant) -> dict[str, Any]:
    """The restaurant as schema.org data, without empty fields."""
    data = {
        "@type": "Restaurant",
        "name": restaurant.name,
        "url": absolute_url("/specials", restaurant=restaurant),
        "telephone": restaurant.phone,
        "servesCuisine": restaurant.cuisine_type,
        "address": restaurant.address,
    }
    return {key: value for key, value in data.items() if value}


def menu_data(
    restaurant: Restaurant, specials: list[Special], dishes: Iterable[Dish] = ()
) -> dict[str, Any]:
    """The restaurant as schema.org data, with specials and regular dishes as menu sections."""
    sections = [
        _section(_("Special offers"), [_special_item(special) for special in specials]),
        _section(_("Regular menu"), [_dish_item(dish, restaurant) for dish in dishes]),
    ]
    return {
        "@context": "https://schema.org",
        **restaurant_data(restaurant),
        "hasMenu": {
            "@type": "Menu",
            "hasMenuSection": [section for section in sections if section["hasMenuItem"]],
        },
    }


def _section(name: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"@type": "MenuSection", "name": name, "hasMenuItem": items}


def _special_item(special: Special) -> dict[str, Any]:
    return {
        "@type": "MenuItem",
        "name": special.name,
        "description": special.description,
        "offers": {
            "@type": "Offer",
            "url": special.url,
            "price": f"{special.offer.special_price:.2f}",
            "priceCurrency": special.restaurant.currency.upper(),
            "validThrough": special.deadline_iso,
        },
    }


def _dish_item(dish: Dish, restaurant: Restaurant) -> dict[str, Any]:
    item: dict[str, Any] = {
        "@type": "MenuItem",
        "name": dish.spoken_name,
        "description": dish.spoken_description,
        "offers": {
            "@type": "Offer",
            "price": f"{dish.price:.2f}",
            "priceCurrency": restaurant.currency.upper(),
        },
    }
    diets = [SCHEMA_ORG_DIETS[diet] for diet in dish.dietary if diet in SCHEMA_ORG_DIETS]
    if diets:
        item["suitableForDiet"] = [f"https://schema.org/{diet}" for diet in diets]
    return item
