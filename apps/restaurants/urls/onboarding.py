"""URLs of onboarding, tenants, and the team, on the platform's host."""

from django.urls import path

from apps.restaurants.views import onboarding, own_domain, security, support, team, tenants

urlpatterns = [
    path("dashboard", onboarding.dashboard_for_tier),
    path("tier-selection", onboarding.tier_selection, name="tier-selection"),
    path("launch-setup", onboarding.launch_setup, name="launch-setup"),
    path("branded-setup", onboarding.branded_setup, name="branded-setup"),
    path("onboarding/subdomain-setup", onboarding.subdomain_setup, name="subdomain-setup"),
    path("onboarding/iframe-setup", onboarding.embed_setup, name="embed-setup"),
    path("platform/tenants", tenants.tenants, name="tenants"),
    path("platform/register", tenants.register, name="tenant-registration"),
    path("restaurant/landing", tenants.owner_landing, name="owner-landing"),
    path("restaurant/team", team.team, name="team"),
    path("restaurant/domain", own_domain.own_domain, name="own-domain"),
    path("restaurant/domain/add", own_domain.add, name="own-domain-add"),
    path("restaurant/domain/check", own_domain.check, name="own-domain-check"),
    path("restaurant/domain/remove", own_domain.remove, name="own-domain-remove"),
    path("certificates/allowed", own_domain.certificate_allowed, name="certificate-allowed"),
    path("restaurant/security", security.security, name="security"),
    path("restaurant/security/contact", security.change_contact, name="contact-change"),
    path("restaurant/security/two-factor", security.change_two_factor, name="two-factor-change"),
    path("restaurant/security/support", security.change_support_access, name="support-access"),
    path("staff/support/<uuid:restaurant_id>", support.support_visits, name="support-visits"),
    path("staff/support/<uuid:visit_id>/start", support.start, name="support-visit-start"),
    path("staff/support/end", support.end, name="support-visit-end"),
    path("restaurant/contact/confirm", security.confirm_contact, name="contact-confirm"),
    path("invitation", team.invitation, name="invitation"),
    path("owner-dashboard", tenants.owner_entry),
    path("<slug:slug>/owner-dashboard", tenants.owner_entry_by_slug, name="owner-entry"),
]
