"""What a process measures for Prometheus: requests, tasks, calls to Stripe.

Nothing is measured, and the library isn't imported, until `measure_as` is called. Web processes and
workers call it where the settings allow somebody to read the metrics. A request for the metrics
reaches one web process of many, so each process writes to files of its own below one folder, and
any of them can add them all up: https://prometheus.github.io/client_python/multiprocess/

The values of labels come from the code (routes, tasks, endpoints), never from a request, so their
number is bounded.
"""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config import env

if TYPE_CHECKING:
    from prometheus_client.registry import CollectorRegistry

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
REQUEST_BUCKETS = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
CALL_BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
TASK_BUCKETS = (0.01, 0.05, 0.25, 1, 5, 15, 60, 300)


class Measurements:
    """The metrics of this process. Dashboards and alerts rely on their names."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Histogram

        none: Any = None  # not in the library's registry, because the files are read instead
        self.requests: Counter = Counter(
            "fully_booked_requests",
            "Requests by route, method and class of status.",
            ["route", "method", "status"],
            registry=none,
        )
        self.request_seconds: Histogram = Histogram(
            "fully_booked_request_seconds",
            "How long requests took, by route.",
            ["route"],
            buckets=REQUEST_BUCKETS,
            registry=none,
        )
        self.task_seconds: Histogram = Histogram(
            "fully_booked_task_seconds",
            "How long background tasks took, by task and result.",
            ["task", "result"],
            buckets=TASK_BUCKETS,
            registry=none,
        )
        self.stripe_seconds: Histogram = Histogram(
            "fully_booked_stripe_call_seconds",
            "How long calls to Stripe took, by endpoint and result, without the wait for a turn.",
            ["endpoint", "result"],
            buckets=CALL_BUCKETS,
            registry=none,
        )
        self.stripe_waits: Histogram = Histogram(
            "fully_booked_stripe_wait_seconds",
            "How long calls waited because of Stripe's limits, by whom they are for.",
            ["caller"],
            buckets=CALL_BUCKETS,
            registry=none,
        )


_measurements: Measurements | None = None


def measure_as(process: str, folder: Path) -> None:
    """Start measuring in this process; `process` names its folder below `folder`."""
    global _measurements
    own = folder / process
    own.mkdir(parents=True, exist_ok=True)
    env.set_for_library("PROMETHEUS_MULTIPROC_DIR", str(own))  # the only way to name the folder

    from prometheus_client import values

    values.close_all_multiprocess_files()  # type: ignore[no-untyped-call]
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
    _measurements = Measurements()


def is_on() -> bool:
    return _measurements is not None


def stop_measuring() -> None:
    """Close the files; what was measured stays in them."""
    global _measurements
    from prometheus_client import values

    values.close_all_multiprocess_files()  # type: ignore[no-untyped-call]
    _measurements = None


def forget_measurements(process: str, folder: Path) -> None:
    """Delete the files of earlier processes of this name. Call it before the first begins."""
    shutil.rmtree(folder / process, ignore_errors=True)


def request_answered(*, route: str, method: str, status: int, seconds: float) -> None:
    if _measurements is None:
        return
    known = method if method in METHODS else "OTHER"
    _measurements.requests.labels(route, known, f"{status // 100}xx").inc()
    _measurements.request_seconds.labels(route).observe(seconds)


def task_ended(*, task: str, result: str, seconds: float) -> None:
    """`result` is Celery's state, such as SUCCESS."""
    if _measurements is not None:
        _measurements.task_seconds.labels(task, result).observe(seconds)


def stripe_answered(*, endpoint: str, status: int | None, seconds: float) -> None:
    """`status` is None if no answer came; `endpoint` has no ids."""
    if _measurements is not None:
        result = "none" if status is None else f"{status // 100}xx" if status != 429 else "429"
        _measurements.stripe_seconds.labels(endpoint, result).observe(seconds)


def stripe_call_waited(*, in_background: bool, seconds: float) -> None:
    if _measurements is not None:
        caller = "background" if in_background else "person"
        _measurements.stripe_waits.labels(caller).observe(seconds)


def collect(registry: "CollectorRegistry", folder: Path) -> None:
    """Add the measurements of all processes that write below `folder` to a registry."""
    from prometheus_client.multiprocess import MultiProcessCollector

    class AllProcesses:
        def collect(self) -> Any:
            files = [str(path) for path in folder.glob("*/*.db")]
            merge: Any = MultiProcessCollector.merge  # without annotations
            return merge(files, accumulate=True)

    registry.register(AllProcesses())
