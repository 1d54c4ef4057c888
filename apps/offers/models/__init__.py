"""Models of the menu, special offers, weekly series, pickup times, and page visits."""

from apps.offers.models.offers import (
    Branding,
    Dish,
    OfferChange,
    OfferPhoto,
    OfferTransition,
    OfferVersion,
    OfferViews,
    Photo,
    PickupSlot,
    SpecialOffer,
)
from apps.offers.models.series import CalendarFeed, OfferSeries, SeriesDate

__all__ = [
    "Branding",
    "CalendarFeed",
    "Dish",
    "OfferChange",
    "OfferPhoto",
    "OfferSeries",
    "OfferTransition",
    "OfferVersion",
    "OfferViews",
    "Photo",
    "PickupSlot",
    "SeriesDate",
    "SpecialOffer",
]
