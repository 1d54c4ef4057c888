from django.urls import include, path

from apps.billing import webhooks
from apps.billing.views import connect, payouts, subscribe
from apps.billing.views import settings as views_settings

urlpatterns = [
    path("restaurant/settings", views_settings.owner_settings, name="settings"),
    path("restaurant/payments/connect", connect.connect, name="connect"),
    path("restaurant/stripe-management", connect.stripe_management, name="payments"),
    path("restaurant/payouts", payouts.payouts_page, name="payouts"),
    path("restaurant/payouts/<uuid:payout_id>/retry", payouts.retry, name="retry-payout"),
    path("restaurant/tiers", views_settings.tiers, name="tiers"),
    path("dashboard/marketing", views_settings.marketing_settings, name="marketing-settings"),
    path("marketing-settings", views_settings.marketing_settings),
    path("subscribe", subscribe.subscribe, name="subscribe"),
    path("api/", include("apps.billing.api.urls")),
    path("stripe/webhook/<uuid:uuid>", webhooks.receive, name="stripe-webhook"),
]
