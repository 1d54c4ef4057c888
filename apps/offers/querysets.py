"""Named filters for dishes and offers."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models

from apps.offers.states import UNDECIDED, OfferStatus

if TYPE_CHECKING:
    from apps.offers.models import Dish, SpecialOffer
else:
    Dish = SpecialOffer = Any


class DishQuerySet(models.QuerySet["Dish"]):
    def on_the_menu(self) -> "DishQuerySet":
        return self.filter(deleted_at=None)

    def shown_to_guests(self) -> "DishQuerySet":
        return self.on_the_menu().filter(hidden_at=None)


class SpecialOfferQuerySet(models.QuerySet["SpecialOffer"]):
    def for_display(self) -> "SpecialOfferQuerySet":
        """Joins everything that one card shows, in one query."""
        return self.select_related(
            "restaurant", "restaurant__connect_account", "photo", "alternative_dish"
        )

    def open(self, now: datetime) -> "SpecialOfferQuerySet":
        """Published and before the deadline."""
        return self.filter(status=OfferStatus.ACTIVE, deadline__gt=now)

    def due(self, now: datetime) -> "SpecialOfferQuerySet":
        """Past the deadline and undecided, at any time; a time window could miss some."""
        return self.filter(status__in=sorted(UNDECIDED), deadline__lte=now)
