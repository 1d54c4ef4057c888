"""Named filters for dishes and offers."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from apps.offers.states import UNDECIDED, OfferStatus

if TYPE_CHECKING:
    from apps.offers.models import Dish, SpecialOffer
else:
    Dish = SpecialOffer = Any


PHOTO_COLUMNS = ("id", "restaurant_id", "width", "height", "widths")


class DishQuerySet(models.QuerySet["Dish"]):
    def on_the_menu(self) -> "DishQuerySet":
        return self.filter(deleted_at=None)

    def shown_to_guests(self) -> "DishQuerySet":
        return self.on_the_menu().filter(hidden_at=None)


class SpecialOfferQuerySet(models.QuerySet["SpecialOffer"]):
    def for_display(self) -> "SpecialOfferQuerySet":
        """Joins everything that one card shows, in one query."""
        slots = self.model._default_manager.filter(pk=OuterRef("pk"), slots__isnull=False)
        return self.select_related(
            "restaurant", "restaurant__connect_account", "photo", "alternative_dish"
        ).annotate(
            first_slot_at=slots.order_by("slots__starts_at").values("slots__starts_at")[:1],
            last_slot_ends_at=slots.order_by("-slots__ends_at").values("slots__ends_at")[:1],
        )

    def with_more_photos(self) -> "SpecialOfferQuerySet":
        """Adds the photos beside the first one as `more_photo_rows`, in the same query."""
        photo = {name: f"more_photos__photo__{name}" for name in PHOTO_COLUMNS}
        rows = self.model._default_manager.filter(
            pk=OuterRef("pk"), more_photos__isnull=False
        ).order_by("more_photos__position")
        return self.annotate(more_photo_rows=ArraySubquery(rows.values(row=JSONObject(**photo))))

    def open(self, now: datetime) -> "SpecialOfferQuerySet":
        """Published and before the deadline."""
        return self.filter(status=OfferStatus.ACTIVE, deadline__gt=now)

    def due(self, now: datetime) -> "SpecialOfferQuerySet":
        """Past the deadline and undecided, at any time; a time window could miss some."""
        return self.filter(status__in=sorted(UNDECIDED), deadline__lte=now)
