"""Reports to other services: errors to Sentry, traces to an OpenTelemetry collector.

Both are off until a setting names where to send, and their libraries are imported only then.
Neither sends anything personal: what is sent is on a list, and everything else is dropped, because
a list of what to remove is never complete (decision 97).
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from apps.common import traces
from apps.common.request_log import current_request_id, current_task_id

# What is sent of an event; exceptions and stack frames have lists of their own.
EVENT_FIELDS = frozenset(
    {"event_id", "timestamp", "platform", "level", "logger", "release", "environment", "sdk"}
)
FRAME_FIELDS = frozenset({"filename", "module", "function", "lineno", "in_app"})


def start_reports(process: str) -> None:
    """Begin to report, as this kind of process, where the settings say so."""
    if settings.SENTRY_DSN:
        start_sentry(process)
    if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        traces.start(process, settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings.OTEL_TRACES_SHARE)


def start_sentry(process: str) -> None:
    """Send every logged error, wherever it happens: in requests, tasks, or the scheduler. The
    library's own integrations are off, because they read requests, queries, and local variables.
    https://docs.sentry.io/platforms/python/integrations/logging/
    """
    import sentry_sdk
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        environment=settings.REPORTED_ENVIRONMENT,
        release=settings.REPORTED_RELEASE or None,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
        before_send=allowed_parts,
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        max_request_body_size="never",
        send_client_reports=False,
        auto_session_tracking=False,
    )
    sentry_sdk.set_tag("process", process)


def allowed_parts(event: Any, hint: Mapping[str, Any]) -> Any:
    """The event with only the allowed parts: types, places in the code, and ids.

    Texts of errors are left out: PostgreSQL's contain the values of a row. The request id leads to
    the log, which has them.
    """
    allowed = {name: event[name] for name in EVENT_FIELDS if name in event}
    record = hint.get("log_record")
    if record is not None:  # the text before its values are put in
        allowed["logentry"] = {"message": str(record.msg) if record.args else record.funcName}
    allowed["tags"] = {
        "process": event.get("tags", {}).get("process", ""),
        "request_id": current_request_id(),
        "task_id": current_task_id(),
    }
    allowed["exception"] = {
        "values": [_exception(each) for each in event.get("exception", {}).get("values", [])]
    }
    return allowed


def _exception(value: Mapping[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames", [])
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "value": "",
        "stacktrace": {
            "frames": [
                {name: frame[name] for name in FRAME_FIELDS if name in frame} for frame in frames
            ]
        },
    }
