from django.urls import path

from apps.billing import views, webhooks

urlpatterns = [
    path("restaurant/settings", views.owner_settings, name="settings"),
    path("restaurant/payments/connect", views.connect, name="connect"),
    path("restaurant/tiers", views.tiers, name="tiers"),
    path("stripe/webhook/<uuid:uuid>", webhooks.receive, name="stripe-webhook"),
]
