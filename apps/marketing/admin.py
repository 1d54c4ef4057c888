"""The staff's data pages of announcements, emails to followers, and visitors of the demo."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.marketing.models import (
    Announcement,
    Campaign,
    DemoLead,
    EmailAnnouncementUsage,
    EmailInvitation,
)


@admin.register(Announcement)
class AnnouncementAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "created_by", "courtesy_copy_at")
    search_fields = ("id",)
    ordering_in_restaurant = ("-created_at",)


@admin.register(Campaign)
class CampaignAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "kind", "segment", "status", "send_at")
    search_fields = ("id",)
    ordering_in_restaurant = ("-created_at",)


@admin.register(EmailInvitation)
class EmailInvitationAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "customer_email", "status", "attempts", "sent_at")
    search_fields = ("id", "customer_email")
    search_help_text = "A whole email, in lower case."


@admin.register(EmailAnnouncementUsage)
class EmailAnnouncementUsageAdmin(StaffModelAdmin):
    list_display = ("created_at", "restaurant", "emails_sent_count", "tier_type", "limit_applied")
    search_fields = ("id",)


@admin.register(DemoLead)
class DemoLeadAdmin(StaffModelAdmin):
    list_display = ("email", "created_at", "last_seen_at", "converted_to_restaurant")
    search_fields = ("email",)
    search_help_text = "A whole email, in lower case."
