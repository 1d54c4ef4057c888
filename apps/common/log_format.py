"""Log lines as JSON, one object per line.

Only the fields below are written. What libraries attach to their records (a request, a task's
arguments) can be personal or secret, so it is dropped, and so is the path in Django's messages.
"""

import logging
from datetime import UTC, datetime
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from apps.common import rls
from apps.common.request_log import (
    account_id_of,
    current_request,
    current_request_id,
    current_task_id,
    restaurant_id_of,
    route_of,
)


class WithoutPaths(logging.Filter):
    """Puts the route in place of the path in messages about requests, such as Django's own."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple) and hasattr(request, "path"):
            route = route_of(request)
            full = request.get_full_path()
            record.args = tuple(
                route if arg in (request.path, full) else arg for arg in record.args
            )
        return True


class JsonLines(JsonFormatter):
    """A record as JSON: its message (or, for a dict, its fields), and what it belongs to."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__("%(message)s", *args, **options)

    def add_fields(
        self,
        log_data: dict[str, Any],
        record: logging.LogRecord,
        message_dict: dict[str, Any],
    ) -> None:
        request = current_request()
        log_data["timestamp"] = self.formatTime(record)
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = record.message
        log_data["request_id"] = current_request_id()
        log_data["task_id"] = current_task_id()
        log_data["restaurant_id"] = restaurant_id_of(request) if request else _acting()
        log_data["account_id"] = account_id_of(request) if request else ""
        log_data.update(message_dict)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """ISO 8601 in UTC, to the millisecond."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _acting() -> str:
    acting = rls.acting() or ""
    return "" if acting == rls.PLATFORM else acting
