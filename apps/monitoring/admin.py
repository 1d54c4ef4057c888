"""The staff's data pages of alarms, their notices, and their checks."""

from django.contrib import admin

from apps.common.admin import StaffModelAdmin
from apps.monitoring.models import Alarm, AlarmCheck, AlarmNotice


@admin.register(Alarm)
class AlarmAdmin(StaffModelAdmin):
    list_display = ("name", "severity", "opened_at", "closed_at", "acknowledged_by")
    search_fields = ("name",)


@admin.register(AlarmNotice)
class AlarmNoticeAdmin(StaffModelAdmin):
    list_display = ("id", "kind", "channel", "created_at", "sent_at", "attempts")
    search_fields = ("id",)


@admin.register(AlarmCheck)
class AlarmCheckAdmin(StaffModelAdmin):
    list_display = ("checked_at", "claimed_until")
