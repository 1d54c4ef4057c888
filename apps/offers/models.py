"""The menu, the specials and their pictures."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from apps.common.money import MONEY_COLUMN
from apps.common.transitions import TransitionRecord
from apps.offers.querysets import DishQuerySet, SpecialOfferQuerySet
from apps.offers.states import DECIDED, UNDECIDED, OfferStatus


class Photo(models.Model):
    """An uploaded picture, kept re-encoded in a few widths (see `offers.images`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="photos")
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    widths = models.JSONField()  # the widths kept, in pixels, ascending
    has_avif = models.BooleanField(default=False)  # each width as AVIF too
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"photo {self.pk}"


class Dish(models.Model):
    """A regular dish of the menu (the `dishes` table's half without an offer, DECISIONS X65)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="dishes")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, max_length=2000)
    price = models.DecimalField(**MONEY_COLUMN)
    photo = models.ForeignKey(Photo, models.SET_NULL, null=True, blank=True, related_name="+")
    allergens = models.JSONField(default=list, blank=True)  # of `offers.diets.Allergen`
    dietary = models.JSONField(default=list, blank=True)  # of `offers.diets.Diet`
    position = models.PositiveIntegerField(default=0)
    hidden_at = models.DateTimeField(null=True, blank=True)  # kept, but not shown to guests
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DishQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["position", "name"]
        constraints = [models.CheckConstraint(condition=Q(price__gt=0), name="dish_has_a_price")]
        verbose_name_plural = "dishes"

    def __str__(self) -> str:
        return self.name


class SpecialOffer(models.Model):
    """A dish at a special price that is cooked only when enough portions are pre-ordered."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="special_offers"
    )
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, max_length=2000)
    regular_price = models.DecimalField(**MONEY_COLUMN)
    special_price = models.DecimalField(**MONEY_COLUMN)
    photo = models.ForeignKey(Photo, models.SET_NULL, null=True, blank=True, related_name="+")
    serve_date = models.DateField()  # the day in the restaurant's zone
    deadline = models.DateTimeField()  # UTC; pre-orders close here
    min_preorders = models.PositiveIntegerField()
    max_preorders = models.PositiveIntegerField(null=True, blank=True)
    max_per_order = models.PositiveIntegerField(default=20)
    # Portions the restaurant itself takes on toward the minimum: nobody's card, nobody's charge.
    restaurant_portions = models.PositiveIntegerField(default=0)
    # The restaurant's word that it goes ahead whatever is booked; it still needs one order.
    goes_ahead = models.BooleanField(default=False)
    allergens = models.JSONField(default=list, blank=True)
    dietary = models.JSONField(default=list, blank=True)
    has_alternative = models.BooleanField(default=False)
    alternative_dish = models.ForeignKey(
        Dish, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The platform's share in per cent, fixed when the offer was published (DECISIONS X2).
    revenue_share_rate = models.DecimalField(max_digits=5, decimal_places=2)
    status = models.CharField(max_length=20, choices=OfferStatus, default=OfferStatus.ACTIVE)
    decided_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    # The key its form was sent with, and what was sent: a press whose answer was lost is not
    # published twice. Both empty where no key came along.
    publish_key = models.CharField(max_length=200, blank=True)
    publish_digest = models.CharField(max_length=64, blank=True)  # SHA-256 of the terms

    # Display caches, recounted under the offer's lock whenever an order's part in it changes.
    # Decisions count the orders themselves.
    ordered_portions = models.PositiveIntegerField(default=0)  # held, charged or the house's
    reserved_portions = models.PositiveIntegerField(default=0)  # those, and open checkouts

    objects = SpecialOfferQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(special_price__gt=0), name="special_price_positive"),
            models.CheckConstraint(
                condition=Q(special_price__lt=F("regular_price")), name="special_below_regular"
            ),
            models.CheckConstraint(condition=Q(min_preorders__gte=1), name="minimum_at_least_one"),
            models.CheckConstraint(
                condition=Q(max_preorders__isnull=True) | Q(max_preorders__gte=F("min_preorders")),
                name="minimum_within_maximum",
            ),
            models.CheckConstraint(
                condition=Q(max_per_order__gte=1), name="order_maximum_at_least_one"
            ),
            models.UniqueConstraint(
                fields=["restaurant", "publish_key"],
                condition=~Q(publish_key=""),
                name="one_offer_per_publish_key",
            ),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-deadline"], name="offers_of_a_restaurant"),
            # What the closing sweep looks at: small however many offers there have been.
            models.Index(
                fields=["deadline"],
                condition=Q(status__in=sorted(UNDECIDED)),
                name="offers_undecided",
            ),
            # Whose serve day it is: reminders look at a day or two of it.
            models.Index(
                fields=["serve_date"],
                condition=Q(status__in=sorted(DECIDED)),
                name="offers_served",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OfferTransition(TransitionRecord):
    """The audit trail of an offer."""

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="transitions")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.offer_id}: {self.old} → {self.new}"


class OfferChange(models.Model):
    """Something the restaurant changed about a published offer, in a sentence for its timeline."""

    class Kind(models.TextChoices):
        EDITED = "edited", "Edited"
        MINIMUM_LOWERED = "minimum_lowered", "Minimum lowered"
        GOES_AHEAD = "goes_ahead", "Going ahead anyway"
        RESTAURANT_PORTIONS = "restaurant_portions", "House portions"
        EXTENDED = "extended", "Deadline extended"

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="changes")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind)
    detail = models.CharField(max_length=300)
    # Of a changed minimum or of house portions: how many it was and became, in portions.
    portions_before = models.PositiveIntegerField(null=True)
    portions_after = models.PositiveIntegerField(null=True)
    by = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.offer_id}: {self.detail}"


class PickupSlot(models.Model):
    """A span on the serve day in which guests may fetch their portions; times in UTC."""

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="slots")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    capacity = models.PositiveIntegerField(null=True, blank=True)  # portions; None: no limit

    class Meta:
        ordering: ClassVar[list[str]] = ["starts_at"]
        constraints = [
            models.UniqueConstraint(fields=["offer", "starts_at"], name="one_slot_per_start"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="slot_has_length"),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%H:%M}–{self.ends_at:%H:%M}"


class OfferViews(models.Model):
    """How many visits an offer's page had on one day of the restaurant's zone."""

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="views")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    day = models.DateField()
    visits = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["offer", "day"], name="visits_of_a_day"),
        ]
        indexes = [models.Index(fields=["restaurant", "day"], name="visits_by_day")]
        verbose_name_plural = "offer views"

    def __str__(self) -> str:
        return f"{self.visits} on {self.day}"
