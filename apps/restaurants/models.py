"""Restaurants (the tenants), their hosts, and their members (DECISIONS X35, X65)."""

import uuid
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django_tenants.models import DomainMixin, TenantMixin

from apps.common import clock
from apps.common.currencies import CURRENCIES, PLATFORM_CURRENCY
from apps.common.transitions import TransitionRecord
from apps.restaurants.regions import STATE_CODES


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


class Domain(DomainMixin):
    """A host of the restaurant: its subdomain, or its own verified domain."""

    def __str__(self) -> str:
        return self.domain


class OwnDomain(models.Model):
    """A domain that the restaurant wants its pages at, and what DNS last said (decision 122).

    It belongs to the restaurant only while it is live or failing: then there is a `Domain` for it,
    too. If several restaurants ask for the same one, the one whose token is in its DNS gets it.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"  # for its records
        LIVE = "live"
        FAILING = "failing"  # live, but its records are gone since `failing_since`

    class Answer(models.TextChoices):
        """What DNS said about one record."""

        UNASKED = ""
        FOUND = "found"
        MISSING = "missing"
        DIFFERENT = "different"  # there is one, with another value
        SILENT = "silent"  # no name server answered

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.OneToOneField(Restaurant, models.CASCADE, related_name="own_domain")
    host = models.CharField(max_length=253)
    token = models.CharField(max_length=43)  # public: the domain's DNS shows it
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    ownership = models.CharField(max_length=10, choices=Answer, blank=True)
    routing = models.CharField(max_length=10, choices=Answer, blank=True)
    is_taken = models.BooleanField(default=False)  # by another restaurant
    added_at = models.DateTimeField()
    check_at = models.DateTimeField(null=True)  # None: only when someone asks for a check
    checked_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["check_at"], name="domains_to_check")]

    def __str__(self) -> str:
        return f"{self.host} of {self.restaurant_id}"


class FormerAddress(models.Model):
    """A host the restaurant gave up. It redirects and is reserved until `until` (DECISIONS X67)."""

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="former_addresses")
    host = models.CharField(max_length=253, unique=True)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.host} until {self.until:%Y-%m-%d}"


class Membership(models.Model):
    """A user's role in a restaurant."""

    class Role(models.TextChoices):
        OWNER = "owner"
        MANAGER = "manager"
        KITCHEN = "kitchen"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    role_since = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "restaurant"], name="one_membership_each"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} of {self.restaurant_id}"


class Invitation(models.Model):
    """An invitation to join a team, sent by email. Only the token's SHA-256 is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=255)
    role = models.CharField(max_length=20, choices=Membership.Role)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "restaurant",
                Lower("email"),
                condition=Q(accepted_at=None, revoked_at=None),
                name="one_open_invitation_each",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} to be {self.role} of {self.restaurant_id}"


class SupportVisit(models.Model):
    """A visit of platform staff, who see the restaurant as its owner does and change nothing.

    Staff ask for it. It can begin once the owner allows it, lasts until `ends_at` at most, and is
    over once `ended_at` is set. `reason` is shown to the owner.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        Restaurant, models.CASCADE, related_name="support_visits", db_index=False
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    reason = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["restaurant", "-asked_at"], name="latest_support_visit")]

    def __str__(self) -> str:
        return f"visit of {self.restaurant_id} at {self.asked_at:%Y-%m-%d %H:%M}"


class IdempotencyKey(models.Model):
    """A request that a client named, so that sending it again takes effect once (decision 33).

    `caller` is the user's id, empty for guests. `result_id` is the row the request created or
    changed; `status` and `body` are the answer, once there is one. Deleted after a day.
    """

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+")
    caller = models.CharField(max_length=36, blank=True)
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)  # SHA-256 of method, path, and body
    claimed_until = models.DateTimeField(null=True, blank=True)  # while a request is running
    result_id = models.UUIDField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "caller", "key"], name="one_request_per_idempotency_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.caller or 'a guest'} in {self.restaurant_id}"


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
