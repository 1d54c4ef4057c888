"""URLs of the restaurants API, on the platform's host."""

from django.urls import path

from apps.restaurants.api.views import addresses, onboarding, profile, team, tenants

urlpatterns = [
    path("subdomain-check", addresses.SubdomainCheckView.as_view()),
    path("restaurant/profile", profile.RestaurantProfileView.as_view()),
    path("restaurant/completion", profile.CompletionView.as_view()),
    path("restaurant/embed-sites", profile.EmbedSitesView.as_view()),
    path("restaurant/social", profile.SocialLinksView.as_view()),
    path("restaurant/settings", profile.DisplayView.as_view()),
    path("restaurant/subdomain", addresses.SubdomainView.as_view()),
    path("restaurant/upgrade-tier", onboarding.UpgradeTierView.as_view()),
    path("onboarding/complete", onboarding.CompleteOnboardingView.as_view()),
    path("restaurants/<uuid:restaurant_id>/choose", onboarding.ChooseRestaurantView.as_view()),
    path("multi-tenant/register", tenants.RegisterTenantView.as_view()),
    path("tenants", tenants.TenantsView.as_view()),
    path("team", team.TeamView.as_view()),
    path("team/members/<uuid:user_id>", team.MemberView.as_view()),
    path("team/invitations", team.InvitationsView.as_view()),
    path("team/invitations/<uuid:invitation_id>", team.InvitationView.as_view()),
    path("invitations/<str:token>", team.InvitationByTokenView.as_view()),
]
