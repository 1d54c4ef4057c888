"""The command lines of the processes that make up a running Fully Booked."""

from __future__ import annotations

from pathlib import Path

from .doors import LOOPBACK
from .environment import Plan
from .paths import PYTHON

VITE_PORT = 5173
WEB_PROCESSES = "2"
WEB_THREADS = "8"
WORKER_PROCESSES = "4"
# Celery's advice against root. In a container there may be nobody else, and tasks are JSON.
HARMLESS_HERE = "ignore:You're running the worker with superuser"

Command = list[str | Path]


def web(plan: Plan, *, reloading: bool) -> Command:
    """Gunicorn; the code is loaded once for all processes, or again at every change."""
    return [
        PYTHON, "-m", "gunicorn", "config.wsgi",
        "--bind", f"{LOOPBACK}:{plan.port}",
        "--worker-class", "gthread",
        "--workers", WEB_PROCESSES,
        "--threads", WEB_THREADS,
        "--graceful-timeout", "3",
        # While reloading, its warnings only say that it reloads.
        "--log-level", "error" if reloading else "warning",
        "--no-control-socket",
        "--reload" if reloading else "--preload",
    ]  # fmt: skip


def worker() -> Command:
    """Celery's worker. Processes, not threads: only those can be held to a hard time limit."""
    return [
        PYTHON, "-W", HARMLESS_HERE, "-m", "celery", "--quiet", "-A", "config", "worker",
        "--concurrency", WORKER_PROCESSES,
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
    """The Stripe of this machine."""
    return [
        PYTHON, "-m", "local_stripe",
        "--port", str(plan.stripe_port),
        "--data", plan.data / "stripe",
    ]  # fmt: skip


def vite() -> Command:
    """Vite's development server, which replaces modules in the open page."""
    return ["npm", "run", "--silent", "dev", "--", "--port", str(VITE_PORT), "--strictPort"]
