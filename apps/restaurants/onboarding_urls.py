"""URLs of onboarding, tenants, and the team, on the platform's host."""

from django.urls import path

from apps.restaurants import onboarding_pages, team_pages, tenant_pages

urlpatterns = [
    path("dashboard", onboarding_pages.dashboard_for_tier),
    path("tier-selection", onboarding_pages.tier_selection, name="tier-selection"),
    path("launch-setup", onboarding_pages.launch_setup, name="launch-setup"),
    path("branded-setup", onboarding_pages.branded_setup, name="branded-setup"),
    path("onboarding/subdomain-setup", onboarding_pages.subdomain_setup, name="subdomain-setup"),
    path("onboarding/iframe-setup", onboarding_pages.embed_setup, name="embed-setup"),
    path("platform/tenants", tenant_pages.tenants, name="tenants"),
    path("platform/register", tenant_pages.register, name="tenant-registration"),
    path("restaurant/landing", tenant_pages.owner_landing, name="owner-landing"),
    path("restaurant/team", team_pages.team, name="team"),
    path("invitation", team_pages.invitation, name="invitation"),
    path("owner-dashboard", tenant_pages.owner_door),
    path("<slug:slug>/owner-dashboard", tenant_pages.owner_door_by_slug, name="owner-door"),
]
