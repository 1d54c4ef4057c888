"""Restaurants' subscriptions to the platform, and the payments they begin with (decision 126)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN


class SubscriptionSignUp(models.Model):
    """The payment of a first month, and who pays it.

    Open until it is paid, then until it has its restaurant: `registered_at`. `restaurant` is known
    from the start for an owner who subscribes with one, otherwise it is created once the payment
    succeeded. A sign-up that is never paid is deleted after a day.
    """

    class Problem(models.TextChoices):
        """Why a paid sign-up has no restaurant yet."""

        DETAILS_MISSING = "details_missing"
        EMAIL_TAKEN = "email_taken"
        ALREADY_SUBSCRIBED = "already_subscribed"
        RESTAURANT_CLOSED = "restaurant_closed"
        REFUNDED = "refunded"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, null=True, related_name="sign_ups"
    )
    # Who was signed in; None for a visitor.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    email = models.EmailField(max_length=255, blank=True)
    name = models.CharField(max_length=100, blank=True)  # of the restaurant
    terms_agreed_at = models.DateTimeField(null=True)
    terms_agreed_from = models.GenericIPAddressField(null=True)
    price = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3)
    customer_id = models.CharField(max_length=255, blank=True)
    payment_intent_id = models.CharField(max_length=255, unique=True, null=True)  # noqa: DJ001
    payment_method_id = models.CharField(max_length=255, blank=True)
    problem = models.CharField(max_length=20, choices=Problem, blank=True)
    emailed_at = models.DateTimeField(null=True)  # when the owner got an email about the problem
    created_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True)
    registered_at = models.DateTimeField(null=True)
    # The month's invoice at Stripe, made once there is a subscription.
    invoice_id = models.CharField(max_length=255, blank=True)
    invoiced_at = models.DateTimeField(null=True)  # when it was made and paid

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant"],
                condition=Q(registered_at=None, paid_at=None),
                name="one_open_sign_up_per_restaurant",
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(registered_at=None), name="open_sign_ups"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.restaurant_id} for {self.price} {self.currency}"


class Subscription(models.Model):
    """A restaurant's subscription, as last read from Stripe; a new one replaces an ended one.

    `unpaid_since` is when a renewal was first seen to have failed. With `lapsed_at` the grace after
    it is over: until it is paid, or the restaurant changes to the free plan, it can't publish.
    """

    class DueEmail(models.TextChoices):
        """What its owner has to be told next."""

        STARTED = "started"
        PAYMENT_FAILED = "payment_failed"
        REMINDER = "reminder"
        LAPSED = "lapsed"
        PAID_AGAIN = "paid_again"
        ENDED = "ended"

    restaurant = models.OneToOneField(
        "restaurants.Restaurant", models.PROTECT, related_name="subscription"
    )
    sign_up = models.OneToOneField(SubscriptionSignUp, models.RESTRICT, related_name="subscription")
    # None until Stripe has it, which is after the first month's payment.
    subscription_id = models.CharField(max_length=255, unique=True, null=True)  # noqa: DJ001
    status = models.CharField(max_length=30)  # Stripe's
    price = models.DecimalField(**MONEY_COLUMN)  # a month
    currency = models.CharField(max_length=3)
    started_at = models.DateTimeField()
    period_ends_at = models.DateTimeField()
    ends_at_period_end = models.BooleanField(default=False)  # canceled, and paid until then
    unpaid_since = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)  # that the grace period ends
    lapsed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    synced_at = models.DateTimeField()
    due_email = models.CharField(max_length=20, choices=DueEmail, blank=True)
    emails_sent = models.PositiveIntegerField(default=0)  # a number for each, so that none repeats

    class Meta:
        indexes = [
            models.Index(
                fields=["synced_at"], condition=Q(ended_at=None), name="open_subscriptions"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.restaurant_id}: {self.status}"

    @property
    def is_open(self) -> bool:
        """Whether Stripe still renews it, or tries to."""
        return self.ended_at is None

    @property
    def is_lapsed(self) -> bool:
        return self.lapsed_at is not None

    @property
    def is_good(self) -> bool:
        """Whether it counts: paid for, or in the grace after a renewal that failed."""
        return self.is_open and not self.is_lapsed
