"""Metrics for Prometheus: who can read them, and what is in them.

What processes measure comes from their files (`apps.common.measurements`). How much work is waiting
comes from the database and the queues, which are asked every ten seconds at most, no matter how
many collectors there are.
"""

import hmac
import ipaddress
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from apps.common import measurements, rls
from apps.common.client_address import client_address
from apps.monitoring import figures, services
from apps.monitoring.models import Alarm
from apps.monitoring.rules import BY_NAME, RULES

CACHED_SECONDS = 10
CACHE_KEY = "monitoring:gauges"
# A gauge: its name, what it is, the names of its labels, and values with theirs.
Gauge = tuple[str, str, list[str], list[tuple[list[str], float]]]


def is_allowed(request: HttpRequest) -> bool:
    """Whether the caller has the token, or, without one in the settings, is in a given network.

    With both in the settings, both are needed; with neither, nobody is allowed.
    """
    token, networks = settings.METRICS_TOKEN, settings.METRICS_NETWORKS
    if not token and not networks:
        return False
    if token:
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            return False
    return not networks or _is_in(client_address(request), networks)


def _is_in(address: str, networks: list[str]) -> bool:
    try:
        visitor = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(visitor in ipaddress.ip_network(each) for each in networks)


def exposition(*, now: datetime) -> tuple[bytes, str]:
    """All metrics as text, and its content type."""
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    measurements.collect(registry, settings.METRICS_DIR)
    registry.register(_Gauges(_gauges(now)))
    return generate_latest(registry), CONTENT_TYPE_LATEST


class _Gauges:
    def __init__(self, gauges: list[Gauge]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        for name, about, labels, values in self._gauges:
            family = GaugeMetricFamily(name, about, labels=labels)
            for value_labels, value in values:
                family.add_metric(value_labels, value)
            yield family


def _gauges(now: datetime) -> list[Gauge]:
    """Cached, so that several collectors cost the database no more than one; read each time while
    the cache is down."""
    try:
        cached = cache.get(CACHE_KEY)
    except Exception:
        return _ask(now)
    if cached is None:
        cached = _ask(now)
        cache.set(CACHE_KEY, cached, CACHED_SECONDS)
    return list(cached)


def _ask(now: datetime) -> list[Gauge]:
    with rls.acting_as(rls.PLATFORM):
        answers = services.ask(now=now)
        ringing = set(Alarm.objects.filter(closed_at=None).values_list("name", flat=True))
        checked_at = services.last_check()
        operations = figures.pending_operations()
    found: list[Gauge] = [
        (
            "fully_booked_alarm_figure",
            "What each alarm watches, in its unit; it rings at fully_booked_alarm_threshold.",
            ["alarm", "unit"],
            [([name, BY_NAME[name].unit], finding.figure) for name, finding in answers.items()],
        ),
        (
            "fully_booked_alarm_threshold",
            "From which figure on each alarm rings; 0 never.",
            ["alarm", "unit"],
            [([rule.name, rule.unit], rule.limit) for rule in RULES],
        ),
        (
            "fully_booked_alarm_ringing",
            "1 while an alarm is open.",
            ["alarm", "severity"],
            [([rule.name, rule.severity], float(rule.name in ringing)) for rule in RULES],
        ),
        (
            "fully_booked_operations_pending",
            "Payment operations that aren't done, by kind and stage.",
            ["kind", "stage"],
            [([row["kind"], row["stage"]], float(row["count"])) for row in operations],
        ),
        (
            "fully_booked_queue_messages",
            "Tasks that wait in each queue.",
            ["queue"],
            [([queue], float(depth)) for queue, depth in queue_depths().items()],
        ),
    ]
    if checked_at:
        about = "Seconds since the alarms were last checked."
        age = (now - checked_at).total_seconds()
        found.append(("fully_booked_alarms_checked_seconds", about, [], [([], age)]))
    return found


def queue_depths() -> dict[str, int]:
    """How many tasks wait in each queue, at all priorities; none if the broker can't be asked."""
    names = [queue.name for queue in settings.CELERY_TASK_QUEUES]
    try:
        with current_app.connection_for_read() as connection:
            channel: Any = connection.default_channel
            return {name: channel._size(name) for name in names}
    except Exception:
        return {}
