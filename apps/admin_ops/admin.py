"""The staff's data page of backups."""

from django.contrib import admin

from apps.admin_ops.models import Backup
from apps.common.admin import StaffModelAdmin


@admin.register(Backup)
class BackupAdmin(StaffModelAdmin):
    list_display = ("taken_at", "finished_at", "rows_written")
