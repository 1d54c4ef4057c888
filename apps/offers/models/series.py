"""Models of weekly series, and of the owner's calendar feed."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from apps.common.money import MONEY_COLUMN
from apps.offers.models.offers import SpecialOffer


class OfferSeries(models.Model):
    """A special that repeats every week; `offers.series` publishes each one automatically.

    The dish is that of `pattern`, with its photo, marks, and alternative; prices and portions are
    the series' own, so that a rescue of one week's special changes that week only.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    pattern = models.ForeignKey(SpecialOffer, models.PROTECT, related_name="+")
    regular_price = models.DecimalField(**MONEY_COLUMN)
    special_price = models.DecimalField(**MONEY_COLUMN)
    min_preorders = models.PositiveIntegerField()
    max_preorders = models.PositiveIntegerField(null=True, blank=True)
    weekday = models.PositiveSmallIntegerField()  # of the serve date; 0 is Monday
    deadline_days_before = models.PositiveSmallIntegerField()  # before the serve date
    deadline_time = models.TimeField()  # in the restaurant's time zone
    opens_days_before = models.PositiveSmallIntegerField()  # before the deadline
    # The first serve date that isn't published, skipped, or missed yet, and when to look at it.
    next_serve_date = models.DateField()
    due_at = models.DateTimeField()
    created_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "offer series"
        constraints = [
            models.CheckConstraint(condition=Q(weekday__lte=6), name="series_weekday"),
            models.CheckConstraint(
                condition=Q(opens_days_before__gte=1, opens_days_before__lte=7),
                name="series_opens_within_a_hold",
            ),
            models.CheckConstraint(
                condition=Q(special_price__gt=0, special_price__lt=F("regular_price")),
                name="series_price_below_regular",
            ),
            models.CheckConstraint(
                condition=Q(min_preorders__gte=1)
                & (Q(max_preorders__isnull=True) | Q(max_preorders__gte=F("min_preorders"))),
                name="series_minimum_within_maximum",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(stopped_at__isnull=True), name="series_running"
            ),
            models.Index(fields=["restaurant", "created_at"], name="series_of_a_restaurant"),
        ]

    def __str__(self) -> str:
        return f"series {self.pk}"


class SeriesDate(models.Model):
    """The result of one serve date of a series: published, skipped, refused, or missed. Unique, so
    a date is never published twice."""

    class Status(models.TextChoices):
        SKIPPED = "skipped", "Skipped"
        PUBLISHED = "published", "Published"
        REFUSED = "refused", "Not published"  # tried again until its deadline
        MISSED = "missed", "Missed"  # its deadline passed before it could be published

    series = models.ForeignKey(OfferSeries, models.CASCADE, related_name="dates")
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    serve_date = models.DateField()
    status = models.CharField(max_length=20, choices=Status)
    offer = models.OneToOneField(
        SpecialOffer, models.PROTECT, null=True, blank=True, related_name="series_date"
    )
    refusal = models.CharField(max_length=500, blank=True)  # our sentence: why, and what to do
    emailed_at = models.DateTimeField(null=True, blank=True)  # when owners were emailed the refusal
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["serve_date"]
        constraints = [
            models.UniqueConstraint(fields=["series", "serve_date"], name="series_date_once"),
            models.CheckConstraint(
                condition=Q(status="published", offer__isnull=False)
                | (~Q(status="published") & Q(offer__isnull=True)),
                name="published_date_has_its_offer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.serve_date}: {self.status}"


class CalendarFeed(models.Model):
    """The secret address of a restaurant's calendar, for calendar programs; deleting it revokes it.

    The address is the signed id (`offers.calendar.feed`), so reading this table isn't enough.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.OneToOneField("restaurants.Restaurant", models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar feed {self.pk}"
