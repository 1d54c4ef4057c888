"""`make run` and `make dev`: starts everything the application needs, in one terminal.

Steps overlap where possible: services start and migrate while npm installs and builds.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from . import programs
from .console import CommandError, paint, say, seconds_since, step
from .embedded.errors import EmbeddedError
from .embedded.services import EmbeddedServices
from .environment import Plan, application_environment
from .installing import prepare_frontend, prepare_python
from .jobs import end_jobs, run_quietly
from .paths import ENVIRONMENT, FRONTEND_BUILD, PYTHON, ROOT
from .ports import HEALTH_PATH, answer_of, health_report, is_healthy, require_free
from .preparing import Preparation
from .stamps import Stamp, digest
from .supervisor import Child, ChildDied, Stopped, Supervisor
from .watching import watch

HEALTHY_WITHIN_SECONDS = 90.0


class Running:
    """One run of the whole application, from installation to shutdown (`live`)."""

    def __init__(self, plan: Plan, *, reloading: bool) -> None:
        self.plan = plan
        self.reloading = reloading
        self.begun = time.monotonic()
        self.supervisor = Supervisor(ROOT)
        self.services: EmbeddedServices | None = None
        self.env: dict[str, str] = {}
        self.watcher: threading.Event | None = None

    def live(self) -> int:
        """Run until stopped. Returns 0, or 1 if something failed."""
        pool = ThreadPoolExecutor()
        try:
            coming_up = pool.submit(self._come_up, pool)
            self._wait_for(coming_up)
            self.supervisor.watch()
        except Stopped:
            say("Stopping…")
            return 0
        except (ChildDied, CommandError, EmbeddedError) as problem:
            say(f"\n{problem}")
            say("Stopping the rest…")
            return 1
        finally:
            stopping = time.monotonic()
            self._go_down(pool)
            say(f"Stopped ({seconds_since(stopping)}).")
        return 0

    def _wait_for(self, future: Future[None]) -> None:
        self.supervisor.wait_until(future.done)
        future.result()

    # Start

    def _come_up(self, pool: ThreadPoolExecutor) -> None:
        frontend = pool.submit(prepare_frontend, build=not self.reloading)
        prepare_python()
        self._start_services()
        preparation = Preparation(self.plan, self.env, self._administer)
        prepared = pool.submit(preparation.carry_out)
        collected = pool.submit(self._collect_static_files, frontend)
        if preparation.changes_tables:
            prepared.result()
        self._start_workers()
        collected.result()
        self._start_web()
        prepared.result()
        self._await_health()
        self._greet()

    def _administer(self, sql: str) -> str:
        """Run SQL as administrator of the embedded PostgreSQL."""
        assert self.services is not None
        assert self.services.postgres is not None
        return self.services.postgres.query(sql, database="fully_booked")

    def _start_services(self) -> None:
        with step("Starting the services"):
            self.env = application_environment(self.plan, {})
            if self.plan.own_stripe:
                self.supervisor.start("stripe", programs.local_stripe(self.plan), self.env)
            if self.plan.own_database or self.plan.own_redis:
                self.env |= self._start_embedded()
            if self.reloading:
                self.env |= {"VITE_DEV": "1", "DEBUG": self.env.get("DEBUG", "1")}
            if self.plan.own_stripe:
                self._await_local_stripe()

    def _start_embedded(self) -> dict[str, str]:
        services = EmbeddedServices(
            ENVIRONMENT,
            self.plan.data,
            with_postgres=self.plan.own_database,
            with_valkey=self.plan.own_redis,
        )
        self.services = services
        # Stop servers left over from an earlier run, so that this run owns its own.
        services.stop()
        addresses = services.start()
        if services.postgres is not None:
            self.supervisor.look_after("PostgreSQL", services.postgres, signal.SIGINT)
        if services.valkey is not None:
            self.supervisor.look_after("Valkey", services.valkey, signal.SIGTERM)
        return addresses

    def _await_local_stripe(self) -> None:
        deadline = time.monotonic() + 30
        while answer_of(self.plan.stripe_port, "/_control/health", "localhost")[0] != 200:
            if time.monotonic() > deadline:
                raise CommandError(f"Local Stripe doesn't respond on port {self.plan.stripe_port}.")
            self.supervisor.raise_if_over()
            time.sleep(0.05)

    def _collect_static_files(self, built: Future[None]) -> None:
        built.result()
        if self.reloading:
            return
        stamp = Stamp(self.plan.data / "static-made-from")
        made_from = [FRONTEND_BUILD, ROOT / "static", ROOT / "requirements.txt"]
        wanted = digest([*made_from, *sorted(ROOT.glob("apps/*/static"))], str(self.plan.data))
        if stamp.matches(wanted):
            return
        with step("Compressing static files"):
            stamp.forget()
            run_quietly(
                [
                    str(PYTHON), "manage.py", "collectstatic", "--noinput", "--clear", "-v", "0",
                    # More than half of the API docs' package, and not used.
                    "--ignore", "redoc",
                ],
                "The static files couldn't be collected. See the errors above.",
                self.env,
            )  # fmt: skip
            stamp.record(wanted)

    def _start_web(self) -> None:
        self.supervisor.start(
            "web",
            programs.web(self.plan, reloading=self.reloading),
            self.env,
            # Our own polling causes these until the worker and scheduler have reported once.
            not_worth_saying=f"Service Unavailable: {HEALTH_PATH}",
        )
        if self.reloading:
            self.supervisor.start("vite", programs.vite(), self.env)

    def _start_workers(self) -> None:
        # Each run starts with a new schedule file: a truncated one would stop the scheduler.
        for file in self.plan.data.glob("beat-schedule*"):
            file.unlink()
        env = self.env | programs.WORKER_ENVIRONMENT
        background = [
            self.supervisor.start(name, programs.worker(name), env) for name in programs.WORKERS
        ]
        background.append(self.supervisor.start("beat", programs.scheduler(self.plan), self.env))
        if self.reloading:
            self._restart_on_change(background)

    def _restart_on_change(self, children: list[Child]) -> None:
        def restart() -> None:
            say("Code changed. Restarting the workers and the scheduler…")
            for child in children:
                self.supervisor.restart(child)

        for child in children:
            child.can_wait = True
        self.watcher = watch([ROOT / "apps", ROOT / "config", ROOT / "demo"], restart)

    def _await_health(self) -> None:
        deadline = time.monotonic() + HEALTHY_WITHIN_SECONDS
        while not is_healthy(self.plan.port, self.plan.root_domain):
            if time.monotonic() > deadline:
                report = health_report(self.plan.port, self.plan.root_domain)
                raise CommandError(f"The application didn't become healthy. It reports: {report}")
            time.sleep(0.1)
            self.supervisor.raise_if_over()

    def _greet(self) -> None:
        plan = self.plan
        lines = ["", f"{paint(f'Ready: {plan.address}', 1)}  ({seconds_since(self.begun)})"]
        if plan.with_demo:
            lines += [
                "",
                "  Restaurants",
                *(f"    {address}" for address in self._restaurant_addresses()),
                "  Sign in",
                f"    {plan.address}/login",
                "    owner  owner@demo.test / demo-owner-1",
                "    staff  admin@demo.test / demo-admin-1",
                f"  Sent email   {plan.address}/_demo/mail",
            ]
        if plan.own_stripe:
            lines.append(f"  Local Stripe {plan.stripe_address}  (test cards only, no money moves)")
        lines += ["", "Ctrl-C stops everything.", ""]
        say("\n".join(lines))

    def _restaurant_addresses(self) -> list[str]:
        """The demo restaurants' hosts, written by devtools.prepare."""
        noted = self.plan.data / "restaurants.txt"
        hosts = noted.read_text().split() if noted.exists() else []
        return [f"http://{host}:{self.plan.port}" for host in hosts]

    # Stop

    def _go_down(self, pool: ThreadPoolExecutor) -> None:
        if self.watcher is not None:
            self.watcher.set()
        end_jobs()
        self.supervisor.stop()
        # Startup threads have finished or failed by now.
        pool.shutdown(wait=True, cancel_futures=True)
        self.supervisor.stop()
        if self.services is not None:
            try:
                self.services.stop()
            except EmbeddedError as problem:
                say(str(problem))
        self.supervisor.close()


@contextmanager
def only_one(plan: Plan) -> Iterator[None]:
    """Raises CommandError if another run uses the same data, and says where it is."""
    plan.data.mkdir(parents=True, exist_ok=True)
    with (plan.data / "run.lock").open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            where = handle.read().strip() or "starting"
            raise CommandError(
                f"Fully Booked is already running ({where}). Stop it with Ctrl-C where it was "
                "started, or start another one with its own port and data: "
                "PORT=9000 DATA_DIR=.data-9000 make run"
            ) from None
        handle.truncate(0)
        handle.write(f"{plan.address}, process {os.getpid()}")
        handle.flush()
        yield
        with suppress(OSError):
            handle.truncate(0)


def check_ports(plan: Plan, *, reloading: bool) -> None:
    """Raises CommandError early if a port is in use, with advice."""
    verb = "dev" if reloading else "run"
    require_free(plan.port, f"Choose another port: PORT=9000 make {verb}")
    if plan.own_stripe:
        require_free(
            plan.stripe_port,
            f"Local Stripe needs it. Choose another port: STRIPE_PORT=9001 make {verb}",
        )
    if reloading:
        require_free(programs.VITE_PORT, "Vite needs it. Stop the program that uses it.")


def run(*, reloading: bool) -> int:
    """Start everything and run until stopped. Returns the exit code."""
    plan = Plan.from_environment()
    with only_one(plan):
        check_ports(plan, reloading=reloading)
        return Running(plan, reloading=reloading).live()
