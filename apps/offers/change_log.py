"""Record of edits: one line per edit, for the offer's change log."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from apps.common import formats
from apps.offers.dietary import Allergen, Diet, tag_labels
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.validation import OfferTerms
from apps.restaurants.models import Restaurant

# What each term is called, in the order in which changes are listed.
TERM_LABELS = {
    "name": "name",
    "special_price": "special price",
    "regular_price": "regular price",
    "min_preorders": "minimum",
    "max_preorders": "maximum",
    "max_per_order": "limit per order",
    "friend_hours": "hours for friends",
    "deadline": "deadline",
    "serve_date": "serve date",
    "service_mode": "dine in or pickup",
    "serve_from": "start of serving",
    "serve_until": "end of serving",
    "description": "description",
    "story": "cook's words",
    "translations": "second language",
    "photo": "photo",
    "more_photos": "photos",
    "has_alternative": "alternative",
    "alternative_dish_id": "alternative",
    "allergens": "allergens",
    "dietary": "dietary tags",
}
MAX_DETAIL_LENGTH = 300  # characters, the column's size


def note_edit(
    offer: SpecialOffer, old: OfferTerms, new: OfferTerms, *, by: str, now: datetime
) -> None:
    """Record what differs between `old` and `new`; nothing if nothing does. `by` is the editor's
    name."""
    changed = [name for name in TERM_LABELS if getattr(old, name) != getattr(new, name)]
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
    """`Changed: minimum from 5 to 3, description`, without values if that would be too long."""
    described = [_describe(old, new, name, restaurant) for name in changed]
    detail = f"Changed: {', '.join(dict.fromkeys(described))}"
    if len(detail) > MAX_DETAIL_LENGTH:
        detail = f"Changed: {', '.join(dict.fromkeys(TERM_LABELS[name] for name in changed))}"
    return detail


def _describe(old: OfferTerms, new: OfferTerms, name: str, restaurant: Restaurant) -> str:
    formatters: dict[str, Callable[[Any], str]] = {
        "name": str,
        "allergens": lambda chosen: ", ".join(tag_labels(Allergen, chosen)) or "none",
        "dietary": lambda chosen: ", ".join(tag_labels(Diet, chosen)) or "none",
        "special_price": lambda price: formats.money(price, restaurant.currency),
        "regular_price": lambda price: formats.money(price, restaurant.currency),
        "min_preorders": str,
        "max_preorders": lambda most: "none" if most is None else str(most),
        "max_per_order": str,
        "friend_hours": str,
        "deadline": lambda moment: formats.moment(moment, restaurant.zone),
        "serve_date": formats.day,
    }
    format_value = formatters.get(name)
    if format_value is None:
        return TERM_LABELS[name]
    before, after = format_value(getattr(old, name)), format_value(getattr(new, name))
    return f"{TERM_LABELS[name]} from {before} to {after}"
