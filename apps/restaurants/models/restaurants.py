"""Restaurants, the tenants, and registrations that never became one (DECISIONS X65)."""

import uuid
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django_tenants.models import TenantMixin

from apps.common.currencies import CURRENCIES, PLATFORM_CURRENCY
from apps.common.transitions import TransitionRecord
from apps.restaurants.regions import STATE_CODES

ARRIVAL_NOTE_LENGTH = 160  # characters


def _schema_name() -> str:
    """A unique name, required by django-tenants. No schema is ever created (pool model)."""
    return f"r_{uuid.uuid4().hex}"


def default_revenue_share() -> Decimal:
    return settings.FREE_REVENUE_SHARE_RATE


class Restaurant(TenantMixin):
    """A restaurant. Row-level security protects every table with a `restaurant_id`."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        SUSPENDED = "suspended"
        INACTIVE = "inactive"

    class RegistrationStatus(models.TextChoices):
        INCOMPLETE = "incomplete"
        COMPLETE = "complete"

    class RegistrationStep(models.TextChoices):
        """Onboarding progress, in order."""

        ACCOUNT = "account"
        TIER = "tier"
        SUBDOMAIN = "subdomain"
        COMPLETE = "complete"

    class Tier(models.TextChoices):
        FREE = "free"
        BRANDED = "branded"
        ENTERPRISE = "enterprise"

    auto_create_schema = False
    auto_drop_schema = False

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    schema_name = models.CharField(max_length=63, unique=True, default=_schema_name, editable=False)

    # identity and address

    # Empty until its owner types one; nothing is published before that.
    name = models.CharField(max_length=255, blank=True)
    business_name = models.CharField(
        max_length=255, blank=True
    )  # for a business with several restaurants
    owner_name = models.CharField(max_length=100, blank=True)
    description = models.TextField(blank=True)
    # The same for guests who read Spanish; without one they read that (decision 174).
    spanish_description = models.TextField(default="", db_default="", blank=True)
    street_address = models.CharField(max_length=255, blank=True)
    city = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=50, blank=True)
    zip_code = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=50, blank=True)
    latitude = models.DecimalField(max_digits=10, decimal_places=7, null=True, blank=True)
    longitude = models.DecimalField(max_digits=10, decimal_places=7, null=True, blank=True)
    timezone = models.CharField(max_length=64, default="America/New_York")
    phone = models.CharField(max_length=50, blank=True)
    # The contact address. Emails with guests' data go there only once it is confirmed: here, or as
    # the address of a confirmed owner or manager (`contact`).
    email = models.EmailField(max_length=255, unique=True)
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    new_email = models.EmailField(max_length=255, blank=True)  # replaces `email` once confirmed
    website = models.URLField(max_length=500, blank=True)
    cuisine_type = models.CharField(max_length=100, blank=True)
    # As its tax office writes it; printed on receipts and statements.
    tax_number = models.CharField(max_length=50, blank=True)
    hours_of_operation = models.JSONField(default=dict, blank=True)
    # When it plans to take orders, where it takes none yet (decision 188).
    opening_day = models.DateField(null=True, blank=True)
    # What guests read about their table and the pickup (decision 170). The version before inserts
    # rows without these columns.
    dine_in_note = models.CharField(
        max_length=ARRIVAL_NOTE_LENGTH, default="", db_default="", blank=True
    )
    pickup_note = models.CharField(
        max_length=ARRIVAL_NOTE_LENGTH, default="", db_default="", blank=True
    )
    # The same for guests who read Spanish; without one they read the note above (decision 174).
    spanish_dine_in_note = models.CharField(
        max_length=ARRIVAL_NOTE_LENGTH, default="", db_default="", blank=True
    )
    spanish_pickup_note = models.CharField(
        max_length=ARRIVAL_NOTE_LENGTH, default="", db_default="", blank=True
    )

    # marketing

    social_media_links = models.JSONField(default=dict, blank=True)
    # Hosts of the restaurant's own sites, which may show its specials in a frame.
    embed_sites = ArrayField(models.CharField(max_length=259), default=list, blank=True)
    show_map_on_patron_menu = models.BooleanField(default=False)
    # Whether guests see how many others would order again.
    shows_ratings = models.BooleanField(default=False)
    # Whether guests must give a phone number with their order (decision 144).
    asks_for_phone = models.BooleanField(default=False)

    # billing; the payment account has a table of its own (billing.ConnectAccount)

    payment_customer_id = models.CharField(max_length=255, blank=True)
    revenue_share_percentage = models.DecimalField(
        max_digits=5, decimal_places=2, default=default_revenue_share
    )
    # Whether a subscription to the platform is paid for, or in its grace period; apps.billing sets
    # it.
    has_subscription = models.BooleanField(default=False)
    billing_email = models.EmailField(max_length=255, blank=True)
    total_revenue_shared = models.DecimalField(max_digits=10, decimal_places=2, default=0)
    last_billing_date = models.DateTimeField(null=True, blank=True)
    # Applies to every price and order; fixed once there is an order (decision 36).
    currency = models.CharField(max_length=3, default=PLATFORM_CURRENCY)

    # tenancy and registration

    slug = models.SlugField(max_length=100, unique=True)
    subdomain = models.CharField(max_length=100, unique=True)
    # None while the subdomain is still the proposed one (DECISIONS X67).
    subdomain_chosen_at = models.DateTimeField(null=True, blank=True)
    domain = models.CharField(max_length=253, blank=True)
    # Whether members need two-step verification before they can act (decision 56).
    requires_two_factor = models.BooleanField(default=False)
    # Until this time, staff can see the restaurant as its owner does (decision 91); None: never.
    support_access_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.ACTIVE)
    registration_status = models.CharField(
        max_length=20, choices=RegistrationStatus, default=RegistrationStatus.INCOMPLETE
    )
    registration_step = models.CharField(max_length=50, blank=True)
    # The terms for restaurants that its owner agreed to by registering it; empty in demo data.
    terms_version = models.CharField(max_length=10, blank=True)
    terms_agreed_at = models.DateTimeField(null=True, blank=True)
    terms_agreed_from = models.GenericIPAddressField(null=True, blank=True)
    subscription_tier = models.CharField(max_length=20, choices=Tier, default=Tier.FREE)
    tier_type = models.CharField(max_length=20, blank=True)
    # The next plan, and its first day in the restaurant's time zone (decision 121).
    next_tier = models.CharField(max_length=20, choices=Tier, blank=True)
    next_tier_from = models.DateField(null=True, blank=True)
    branding_options = models.JSONField(default=dict, blank=True)
    settings = models.JSONField(default=dict, blank=True)

    # The setup steps that are complete.
    onboarding_completed = models.BooleanField(default=False)
    profile_completed = models.BooleanField(default=False)
    marketing_completed = models.BooleanField(default=False)
    marketing_opt_out = models.BooleanField(default=False)
    stripe_completed = models.BooleanField(default=False)
    password_set = models.BooleanField(default=False)

    # Counts for the calendar month, in the restaurant's time zone (DECISIONS X8).
    monthly_special_offers_count = models.PositiveIntegerField(default=0)
    last_special_offer_reset_date = models.DateField(null=True, blank=True)
    special_offers_limit_reached = models.BooleanField(default=False)
    monthly_emails_sent = models.PositiveIntegerField(default=0)
    last_email_reset_date = models.DateField(null=True, blank=True)

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("subdomain"), name="one_restaurant_per_subdomain"),
            models.CheckConstraint(
                condition=models.Q(revenue_share_percentage__range=(0, 100)),
                name="revenue_share_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=models.Q(currency__in=CURRENCIES), name="currency_is_supported"
            ),
            models.CheckConstraint(
                condition=Q(next_tier="", next_tier_from=None)
                | (~Q(next_tier="") & Q(next_tier_from__isnull=False)),
                name="next_tier_has_its_day",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_tier_from"],
                condition=Q(next_tier_from__isnull=False),
                name="plan_changes_to_come",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.subdomain

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @property
    def tax_rate(self) -> Decimal:
        """Sales tax in percent (DECISIONS X4)."""
        return Decimal(str(self.settings.get("taxRate", settings.DEFAULT_TAX_RATE)))

    @property
    def address(self) -> str:
        """The address on one line, without the parts that are still empty."""
        state = STATE_CODES.get(self.state, self.state)
        region = " ".join(filter(None, (state, self.zip_code)))
        return ", ".join(filter(None, (self.street_address, self.city, region)))

    @property
    def restaurant_id(self) -> uuid.UUID:
        """Its own id: TransitionRecord reads this attribute on every object."""
        return self.pk


class RestaurantTransition(TransitionRecord):
    """A change of the restaurant's tier or registration status, and who made it."""

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="transitions")

    def __str__(self) -> str:
        return f"{self.restaurant_id}: {self.field} {self.old} → {self.new}"


class IncompleteRegistration(models.Model):
    """The archived data of an abandoned registration."""

    original_restaurant_id = models.UUIDField(unique=True)
    email = models.EmailField(max_length=255)
    name = models.CharField(max_length=255)
    state = models.CharField(max_length=50, blank=True)
    country = models.CharField(max_length=50, blank=True)
    subscription_tier = models.CharField(max_length=20)
    slug = models.CharField(max_length=100)
    registration_step = models.CharField(max_length=50, blank=True)
    archived_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}, abandoned at {self.registration_step or 'the beginning'}"
