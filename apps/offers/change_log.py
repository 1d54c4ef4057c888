"""What an edit changed, in a line for the offer's history."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from apps.common import formats
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.validation import OfferTerms
from apps.restaurants.models import Restaurant

# How a term is named, in the order in which an edit is told.
NAMES = {
    "name": "name",
    "special_price": "special price",
    "regular_price": "regular price",
    "min_preorders": "minimum",
    "max_preorders": "maximum",
    "max_per_order": "most per order",
    "deadline": "deadline",
    "serve_date": "serve date",
    "description": "description",
    "photo": "photo",
    "has_alternative": "alternative",
    "alternative_dish_id": "alternative",
    "allergens": "allergens",
    "dietary": "dietary marks",
}
LONGEST = 300


def note_edit(
    offer: SpecialOffer, old: OfferTerms, new: OfferTerms, *, by: str, now: datetime
) -> None:
    """Write the line for what is different between the two; nothing when nothing is."""
    changed = [name for name in NAMES if getattr(old, name) != getattr(new, name)]
    if not changed:
        return
    minimum = "min_preorders" in changed
    OfferChange.objects.create(
        offer=offer,
        restaurant_id=offer.restaurant_id,
        kind=OfferChange.Kind.EDITED,
        detail=_detail(old, new, changed, offer.restaurant),
        portions_before=old.min_preorders if minimum else None,
        portions_after=new.min_preorders if minimum else None,
        by=by[:100],
        at=now,
    )


def _detail(old: OfferTerms, new: OfferTerms, changed: list[str], restaurant: Restaurant) -> str:
    """`Changed: minimum from 5 to 3, description`; without figures where there is no room."""
    told = [_with_figures(old, new, name, restaurant) for name in changed]
    detail = f"Changed: {', '.join(dict.fromkeys(told))}"
    if len(detail) > LONGEST:
        detail = f"Changed: {', '.join(dict.fromkeys(NAMES[name] for name in changed))}"
    return detail


def _with_figures(old: OfferTerms, new: OfferTerms, name: str, restaurant: Restaurant) -> str:
    ways: dict[str, Callable[[Any], str]] = {
        "special_price": lambda price: formats.money(price, restaurant.currency),
        "regular_price": lambda price: formats.money(price, restaurant.currency),
        "min_preorders": str,
        "max_preorders": lambda most: "none" if most is None else str(most),
        "max_per_order": str,
        "deadline": lambda moment: formats.moment(moment, restaurant.zone),
        "serve_date": formats.day,
    }
    say = ways.get(name)
    if say is None:
        return NAMES[name]
    return f"{NAMES[name]} from {say(getattr(old, name))} to {say(getattr(new, name))}"
