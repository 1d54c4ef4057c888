"""Hosts of restaurants: subdomains, own domains, and those they gave up (DECISIONS X67)."""

import uuid

from django.db import models
from django_tenants.models import DomainMixin

from apps.restaurants.models.restaurants import Restaurant


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
