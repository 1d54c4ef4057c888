"""The staff's data pages of the activity log."""

from django.contrib import admin

from apps.activity.models import LoggedEvent
from apps.common.admin import StaffModelAdmin


@admin.register(LoggedEvent)
class LoggedEventAdmin(StaffModelAdmin):
    list_display = ("at", "kind", "outcome", "actor_kind", "object_kind", "object_id")
    list_filter = ("outcome", "actor_kind")
    search_fields = ("public_id", "restaurant_id", "account_id", "actor_id", "request_id")
    search_help_text = "The ID of an event, a restaurant, an account, or a request."
    linked = ("restaurant_id", "account_id", "actor_id")
