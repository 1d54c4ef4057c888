"""What was sold: versions of an offer, stored when somebody orders it (decision 49).

An order refers to the version that its guest was shown. Between two orders of an offer that says
the same, no row is written.
"""

from datetime import date, datetime
from typing import Any

from apps.offers.models import Dish, OfferVersion, SpecialOffer
from apps.offers.translations import only

# The version of the terms for guests (`/terms-of-service`). Change it whenever their text changes.
GUEST_TERMS_UPDATED = date(2026, 11, 28)
SOLD_TEXTS = ("name", "description")


def current_version(offer: SpecialOffer, *, now: datetime) -> OfferVersion:
    """The version that says what the offer says now; stored if nobody ordered it yet.

    The caller holds the offer's lock.
    """
    facts = _facts(offer)
    latest = OfferVersion.objects.filter(offer=offer).order_by("-number").first()
    if latest is not None and all(getattr(latest, name) == facts[name] for name in facts):
        return latest
    # An equal version that was stored meanwhile is as good: it must not fail an order.
    version, _created = OfferVersion.objects.get_or_create(
        offer=offer,
        number=latest.number + 1 if latest else 1,
        **facts,
        defaults={"restaurant_id": offer.restaurant_id, "created_at": now},
    )
    return version


def _facts(offer: SpecialOffer) -> dict[str, Any]:
    return {
        "name": offer.name,
        "description": offer.description,
        "translations": only(SOLD_TEXTS, offer.translations),
        "allergens": offer.allergens,
        "dietary": offer.dietary,
        "photo_id": offer.photo_id,
        "regular_price": offer.regular_price,
        "special_price": offer.special_price,
        **_alternative_facts(offer.alternative_dish if offer.has_alternative else None),
    }


def _alternative_facts(dish: Dish | None) -> dict[str, Any]:
    return {
        "alternative_name": dish.name if dish else "",
        "alternative_description": dish.description if dish else "",
        "alternative_translations": only(SOLD_TEXTS, dish.translations) if dish else {},
        "alternative_allergens": dish.allergens if dish else [],
        "alternative_dietary": dish.dietary if dish else [],
        "alternative_photo_id": dish.photo_id if dish else None,
        "alternative_price": dish.price if dish else None,
    }
