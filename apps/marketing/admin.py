"""The staff's data pages of announcements and visitors of the demo."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.marketing.models import Announcement, DemoLead


@admin.register(Announcement)
class AnnouncementAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "created_by", "courtesy_copy_at")
    search_fields = ("id",)
    ordering_in_restaurant = ("-created_at",)


@admin.register(DemoLead)
class DemoLeadAdmin(StaffModelAdmin):
    list_display = ("email", "created_at", "last_seen_at", "converted_to_restaurant")
    search_fields = ("email",)
    search_help_text = "A whole email, in lower case."
