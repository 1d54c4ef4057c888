"""Models of the menu, special offers, their photos, pickup times, and page visits."""

import uuid
from datetime import datetime, time, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from apps.common.languages import spoken
from apps.common.money import MONEY_COLUMN
from apps.common.transitions import TransitionRecord
from apps.offers.querysets import DishQuerySet, SpecialOfferQuerySet
from apps.offers.serving import ServiceMode
from apps.offers.states import DECIDED, UNDECIDED, OfferStatus
from apps.offers.translations import TranslatedDish, text_in
from apps.restaurants.branding import MenuLayout


class Photo(models.Model):
    """An uploaded photo, stored re-encoded in several widths (see `offers.images`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="photos")
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    widths = models.JSONField()  # of the stored files, in pixels, ascending
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"photo {self.pk}"


class Branding(models.Model):
    """The look of a restaurant's pages: the draft that its owner previews, and what is published.

    Pages read the published one from `Restaurant.branding_options`; the row here keeps its photos.
    """

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="brandings"
    )
    is_published = models.BooleanField()
    accent = models.CharField(max_length=7, blank=True)  # `#rrggbb`; empty: our own color
    logo = models.ForeignKey(Photo, models.SET_NULL, null=True, related_name="+")
    cover = models.ForeignKey(Photo, models.SET_NULL, null=True, related_name="+")
    footer = models.CharField(max_length=300, blank=True)
    hides_platform = models.BooleanField(default=False)
    menu_layout = models.CharField(
        max_length=10, choices=MenuLayout.choices, default=MenuLayout.LIST
    )
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "is_published"], name="one_branding_each"
            ),
        ]

    def __str__(self) -> str:
        return f"{'published' if self.is_published else 'draft'} look of {self.restaurant_id}"


class Dish(TranslatedDish):
    """A dish on the regular menu (DECISIONS X65)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="dishes")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, max_length=2000)
    price = models.DecimalField(**MONEY_COLUMN)
    photo = models.ForeignKey(Photo, models.SET_NULL, null=True, blank=True, related_name="+")
    allergens = models.JSONField(default=list, blank=True)  # of `offers.dietary.Allergen`
    dietary = models.JSONField(default=list, blank=True)  # of `offers.dietary.Diet`
    position = models.PositiveIntegerField(default=0)
    hidden_at = models.DateTimeField(null=True, blank=True)  # guests don't see a hidden dish
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DishQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["position", "name"]
        constraints = [models.CheckConstraint(condition=Q(price__gt=0), name="dish_has_a_price")]
        verbose_name_plural = "dishes"

    def __str__(self) -> str:
        return self.name


class SpecialOffer(TranslatedDish):
    """A dish at a special price that is cooked only when enough portions are pre-ordered."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="special_offers"
    )
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, max_length=2000)
    story = models.TextField(blank=True, max_length=1000)  # the cook's own words about it
    regular_price = models.DecimalField(**MONEY_COLUMN)
    special_price = models.DecimalField(**MONEY_COLUMN)
    photo = models.ForeignKey(Photo, models.SET_NULL, null=True, blank=True, related_name="+")
    serve_date = models.DateField()  # a day in the restaurant's time zone
    # How it is eaten, and between which times that day, on the restaurant's clock. Without times
    # guests come any time that day; without an end it is served from the start on (decision 143).
    service_mode = models.CharField(max_length=10, choices=ServiceMode, default=ServiceMode.BOTH)
    serve_from = models.TimeField(null=True, blank=True)
    serve_until = models.TimeField(null=True, blank=True)
    deadline = models.DateTimeField()  # UTC; pre-orders close here
    min_preorders = models.PositiveIntegerField()
    max_preorders = models.PositiveIntegerField(null=True, blank=True)
    max_per_order = models.PositiveIntegerField(default=20)
    # How many hours a guest can reserve portions for friends; 0 turns it off (decision 88).
    friend_hours = models.PositiveSmallIntegerField(default=24)
    # Portions the restaurant added toward the minimum itself; nobody is charged for them.
    restaurant_portions = models.PositiveIntegerField(default=0)
    # Guaranteed by the restaurant: it goes ahead with any number of orders, if there is at least
    # one.
    goes_ahead = models.BooleanField(default=False)
    allergens = models.JSONField(default=list, blank=True)
    dietary = models.JSONField(default=list, blank=True)
    has_alternative = models.BooleanField(default=False)
    alternative_dish = models.ForeignKey(
        Dish, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The platform's fee in percent, fixed when the offer was published (DECISIONS X2).
    revenue_share_rate = models.DecimalField(max_digits=5, decimal_places=2)
    status = models.CharField(max_length=20, choices=OfferStatus, default=OfferStatus.ACTIVE)
    decided_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    # Why the restaurant called it off, if its page says so (decision 187).
    public_reason = models.CharField(max_length=120, blank=True, default="", db_default="")
    created_at = models.DateTimeField()

    # Display caches, recounted under the offer's lock whenever its orders change. Decisions count
    # the orders themselves.
    ordered_portions = models.PositiveIntegerField(
        default=0
    )  # held, charged, or added by the restaurant
    reserved_portions = models.PositiveIntegerField(default=0)  # those plus open checkouts
    # After the meal: how many guests answered, and how many would order it again. Counted from the
    # orders, for display.
    ratings = models.PositiveIntegerField(default=0)
    good_ratings = models.PositiveIntegerField(default=0)

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
            models.CheckConstraint(
                condition=Q(serve_until__isnull=True)
                | Q(serve_from__isnull=False, serve_until__gt=F("serve_from")),
                name="serving_ends_after_start",
            ),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-deadline"], name="offers_of_a_restaurant"),
            # For the closing sweep: stays small with any number of old offers.
            models.Index(
                fields=["deadline"],
                condition=Q(status__in=sorted(UNDECIDED)),
                name="offers_undecided",
            ),
            # For reminders, which read a day or two of serve dates.
            models.Index(
                fields=["serve_date"],
                condition=Q(status__in=sorted(DECIDED)),
                name="offers_served",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def spoken_story(self) -> str:
        """The cook's words in the active language."""
        return self._text_in(spoken(), "story")

    @property
    def serving_ends(self) -> datetime:
        """The end of the serve date in the restaurant's time zone; nobody is charged after it."""
        zone = self.restaurant.zone
        return datetime.combine(self.serve_date + timedelta(days=1), time(), zone)


class OfferPhoto(models.Model):
    """One more photo of an offer, beside its first one."""

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="more_photos")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    photo = models.ForeignKey(Photo, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()  # from 0

    class Meta:
        ordering: ClassVar[list[str]] = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["offer", "position"], name="one_photo_per_position"),
        ]

    def __str__(self) -> str:
        return f"{self.offer_id}: photo {self.position}"


class OfferVersion(TranslatedDish):
    """What guests were shown of an offer and its alternative at one time; orders refer to it.

    It never changes: an order made after an edit refers to another version (see `offers.versions`).
    Photos that a version shows can't be deleted. Without an alternative its columns are empty.
    """

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="versions")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()  # of the offer, from 1
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, max_length=2000)
    allergens = models.JSONField(default=list, blank=True)
    dietary = models.JSONField(default=list, blank=True)
    photo = models.ForeignKey(Photo, models.PROTECT, null=True, blank=True, related_name="+")
    regular_price = models.DecimalField(**MONEY_COLUMN)
    special_price = models.DecimalField(**MONEY_COLUMN)
    alternative_name = models.CharField(max_length=200, blank=True)
    alternative_translations = models.JSONField(default=dict, blank=True)
    alternative_description = models.TextField(blank=True, max_length=2000)
    alternative_allergens = models.JSONField(default=list, blank=True)
    alternative_dietary = models.JSONField(default=list, blank=True)
    alternative_photo = models.ForeignKey(
        Photo, models.PROTECT, null=True, blank=True, related_name="+"
    )
    alternative_price = models.DecimalField(**MONEY_COLUMN, null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["offer", "number"], name="one_version_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.name} (version {self.number})"

    def alternative_name_in(self, language: str) -> str:
        """The alternative's name for a guest of this language; empty without one."""
        written, translations = self.alternative_name, self.alternative_translations
        return text_in(language, "name", written=written, translations=translations)

    @property
    def spoken_alternative_name(self) -> str:
        """The alternative's name in the active language; empty without one."""
        return self.alternative_name_in(spoken())


class OfferTransition(TransitionRecord):
    """One status change of an offer, for the audit log."""

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="transitions")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.offer_id}: {self.old} → {self.new}"


class OfferChange(models.Model):
    """A change the restaurant made to a published offer, as a sentence for its change log."""

    class Kind(models.TextChoices):
        EDITED = "edited", "Edited"
        MINIMUM_LOWERED = "minimum_lowered", "Minimum lowered"
        GOES_AHEAD = "goes_ahead", "Going ahead anyway"
        RESTAURANT_PORTIONS = "restaurant_portions", "Restaurant portions"
        EXTENDED = "extended", "Deadline extended"
        CANCELED = "canceled", "Canceled"
        MESSAGE = "message", "Guests messaged"

    offer = models.ForeignKey(SpecialOffer, models.CASCADE, related_name="changes")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind)
    detail = models.CharField(max_length=300)
    # The minimum or the restaurant portions, before and after the change.
    portions_before = models.PositiveIntegerField(null=True)
    portions_after = models.PositiveIntegerField(null=True)
    # How many guests who had ordered got an email about it.
    guests_told = models.PositiveIntegerField(default=0)
    by = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.offer_id}: {self.detail}"


class PickupSlot(models.Model):
    """A time slot on the serve day in which guests pick up their portions; times in UTC."""

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
    """Visits to an offer's page on one day in the restaurant's time zone."""

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
