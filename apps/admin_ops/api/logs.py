"""The system log, for staff."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.staff import StaffView
from apps.admin_ops.system_log import Level, system_log


class LogEntrySerializer(serializers.Serializer[Any]):
    """One line of the system log."""

    id = serializers.CharField()
    timestamp = serializers.CharField(help_text="In UTC, as YYYY-MM-DD HH:MM:SS.")
    level = serializers.ChoiceField(choices=[(each.value, each.value) for each in Level])
    message = serializers.CharField()


class LogsView(StaffView):
    """What happened since the server started, oldest first; the latest 50 entries."""

    @extend_schema(responses=LogEntrySerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(LogEntrySerializer(system_log(), many=True).data)
