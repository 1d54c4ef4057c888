"""The staff's data pages of webhooks to restaurants' own programs."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.integrations.models import (
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(StaffModelAdmin):
    list_display = ("restaurant", "url", "status", "failures", "failing_since", "created_at")
    list_filter = ("status",)
    search_fields = ("id",)
    related = (("integrations.WebhookDelivery", "endpoint"),)


@admin.register(WebhookEvent)
class WebhookEventAdmin(StaffModelAdmin):
    list_display = ("type", "restaurant", "occurred_at")
    search_fields = ("id",)
    related = (("integrations.WebhookDelivery", "event"),)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "event", "status", "attempts", "due_at")
    list_filter = ("status",)
    related = (("integrations.WebhookAttempt", "delivery"),)


@admin.register(WebhookAttempt)
class WebhookAttemptAdmin(StaffModelAdmin):
    list_display = ("at", "restaurant", "delivery", "response_code", "error")
    hidden = ("response_body",)
