"""The staff's data pages of restaurants, their addresses, and their teams."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.urls import reverse

from apps.common.admin import StaffModelAdmin
from apps.restaurants.models import (
    Domain,
    FormerAddress,
    IncompleteRegistration,
    Invitation,
    Membership,
    OwnDomain,
    Restaurant,
    RestaurantTransition,
    SupportVisit,
)
from apps.restaurants.opening_hours import in_words


@admin.register(Restaurant)
class RestaurantAdmin(StaffModelAdmin):
    list_display = ("name", "subdomain", "city", "subscription_tier", "status", "created_at")
    list_filter = ("status", "subscription_tier", "registration_status", "onboarding_completed")
    search_fields = (
        "id",
        "name__icontains",
        "business_name__icontains",
        "subdomain",
        "email",
        "payment_customer_id",
    )
    search_help_text = "A name, a web address, the contact email, or an ID."
    ordering = ("-created_at",)
    stripe_columns = {"payment_customer_id": "customers"}
    in_words = {"hours_of_operation": in_words}
    related = (
        ("restaurants.Membership", "restaurant"),
        ("restaurants.Domain", "tenant"),
        ("restaurants.OwnDomain", "restaurant"),
        ("offers.SpecialOffer", "restaurant"),
        ("preorders.PreOrder", "restaurant"),
        ("billing.ConnectAccount", "restaurant"),
        ("billing.PaymentHistory", "restaurant"),
        ("billing.Payout", "restaurant"),
        ("billing.Discrepancy", "restaurant"),
        ("preorders.Dispute", "restaurant"),
        ("restaurants.SupportVisit", "restaurant"),
        ("activity.LoggedEvent", "restaurant_id"),
    )

    def page_links(self, row: Restaurant) -> list[tuple[str, str]]:
        return [
            ("Dashboard", f"/restaurant?restaurant={row.pk}"),
            ("Support visits", reverse("support-visits", args=[row.pk])),
        ]


@admin.register(RestaurantTransition)
class RestaurantTransitionAdmin(StaffModelAdmin):
    list_display = ("at", "restaurant", "field", "old", "new", "actor")


@admin.register(Domain)
class DomainAdmin(StaffModelAdmin):
    list_display = ("domain", "tenant", "is_primary")
    search_fields = ("domain",)
    search_help_text = "A whole host name."


@admin.register(OwnDomain)
class OwnDomainAdmin(StaffModelAdmin):
    list_display = ("host", "restaurant", "status", "ownership", "routing", "checked_at")
    list_filter = ("status",)
    search_fields = ("host",)
    search_help_text = "A whole host name."


@admin.register(FormerAddress)
class FormerAddressAdmin(StaffModelAdmin):
    list_display = ("host", "restaurant", "until")
    search_fields = ("host",)
    search_help_text = "A whole host name."


@admin.register(Membership)
class MembershipAdmin(StaffModelAdmin):
    list_display = ("user", "restaurant", "role", "role_since")
    list_filter = ("role",)


@admin.register(Invitation)
class InvitationAdmin(StaffModelAdmin):
    list_display = ("email", "restaurant", "role", "created_at", "accepted_at", "revoked_at")
    list_filter = ("role",)
    search_fields = ("id",)
    search_help_text = "A whole email, or an ID."

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if "@" in search_term:
            address = search_term.strip().lower()
            return queryset.alias(address=Lower("email")).filter(address=address), False
        return super().get_search_results(request, queryset, search_term)


@admin.register(IncompleteRegistration)
class IncompleteRegistrationAdmin(StaffModelAdmin):
    list_display = ("name", "email", "registration_step", "archived_at")
    search_fields = ("email", "slug")
    search_help_text = "A whole email, or the end of the web address."


@admin.register(SupportVisit)
class SupportVisitAdmin(StaffModelAdmin):
    list_display = ("restaurant", "staff", "reason", "asked_at", "started_at", "ended_at")
