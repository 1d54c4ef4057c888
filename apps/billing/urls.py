from django.urls import include, path

from apps.billing import connect_pages, settings_pages, webhooks

urlpatterns = [
    path("restaurant/settings", settings_pages.owner_settings, name="settings"),
    path("restaurant/payments/connect", connect_pages.connect, name="connect"),
    path("restaurant/stripe-management", connect_pages.stripe_management, name="payments"),
    path("restaurant/tiers", settings_pages.tiers, name="tiers"),
    path("dashboard/marketing", settings_pages.marketing_settings, name="marketing-settings"),
    path("marketing-settings", settings_pages.marketing_settings),
    path("subscribe", settings_pages.subscribe, name="subscribe"),
    path("api/", include("apps.billing.api.urls")),
    path("stripe/webhook/<uuid:uuid>", webhooks.receive, name="stripe-webhook"),
]
