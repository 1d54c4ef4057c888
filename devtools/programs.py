"""Command lines of the application's processes."""

from __future__ import annotations

from pathlib import Path

from .environment import Plan
from .paths import PYTHON
from .ports import LOOPBACK

VITE_PORT = 5173
WEB_PROCESSES = "2"
WEB_THREADS = "8"
# The queues of each worker, by the name shown.
WORKERS = {
    "worker": "celery,maintenance,webhooks",
    "settlement": "settlement",
    "heartbeat": "heartbeat,alarms",
}
# Alarms are checked by one at a time, so the heartbeat always has a thread.
WORKER_THREADS = {"worker": "8", "settlement": "32", "heartbeat": "2"}
# Celery warns about running as root. Containers may have no other user, and tasks are only JSON.
SUPERUSER_WARNING = "ignore:You're running the worker with superuser"

Command = list[str | Path]


def web(plan: Plan, *, reloading: bool) -> Command:
    """Gunicorn, with the code preloaded, or reloaded on changes."""
    return [
        PYTHON, "-m", "gunicorn", "config.wsgi",
        "--bind", f"{LOOPBACK}:{plan.port}",
        "--worker-class", "gthread",
        "--workers", WEB_PROCESSES,
        "--threads", WEB_THREADS,
        "--graceful-timeout", "3",
        # With reloading, its warnings only report the reloads.
        "--log-level", "error" if reloading else "warning",
        "--no-control-socket",
        "--reload" if reloading else "--preload",
    ]  # fmt: skip


# A time limit for what PostgreSQL does in a worker: its threads can't be stopped from outside.
WORKER_ENVIRONMENT = {
    "PGOPTIONS": "-c statement_timeout=60s -c idle_in_transaction_session_timeout=60s"
}


def worker(name: str) -> Command:
    """One of `WORKERS`, in threads because its tasks wait for Stripe and email."""
    return [
        PYTHON, "-W", SUPERUSER_WARNING, "-m", "celery", "--quiet", "-A", "config", "worker",
        "--queues", WORKERS[name],
        "--hostname", f"{name}@%h",
        "--pool", "threads",
        "--concurrency", WORKER_THREADS[name],
        "--without-gossip",
        "--without-mingle",
        "--loglevel", "WARNING",
    ]  # fmt: skip


def scheduler(plan: Plan) -> Command:
    """Celery's beat."""
    return [
        PYTHON, "-m", "celery", "--quiet", "-A", "config", "beat",
        "--schedule", plan.data / "beat-schedule",
        "--pidfile", "",
        "--loglevel", "WARNING",
    ]  # fmt: skip


def local_stripe(plan: Plan) -> Command:
    """Local Stripe."""
    return [
        PYTHON, "-m", "local_stripe",
        "--port", str(plan.stripe_port),
        "--data", plan.data / "stripe",
    ]  # fmt: skip


def vite() -> Command:
    """Vite's development server, with hot module replacement."""
    return ["npm", "run", "--silent", "dev", "--", "--port", str(VITE_PORT), "--strictPort"]
