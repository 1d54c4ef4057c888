"""The whole program, running: web, worker with scheduler, and local Stripe, with the demo's
data."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import httpx
import psycopg
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.core import signing
from local_stripe.testing import LocalStripe, free_port
from redis import Redis

from devtools.programs import WORKER_ENVIRONMENT
from tests import database
from tests.dns_server import DnsServer

ROOT = Path(__file__).resolve().parents[2]
START_WITHIN = 180.0
STOP_WITHIN = 10.0
TRIES = 5  # to empty the tables
PUSH_KEY = "AQEB" * 10 + "AQE"  # any 32 bytes, as URL-safe Base64
OWN_DOMAIN = "trattoria.test"  # a restaurant's; the browser finds it on this machine
FIRST_REDIS_DATABASE = 5  # the suite's own cache is 0


def _truncate(session: psycopg.Connection[tuple[Any, ...]], names: str) -> None:
    """Empty the tables. The workers go on meanwhile; PostgreSQL ends a transaction that waits for
    one that waits for it, and that may be this one."""
    for _ in range(TRIES - 1):
        with suppress(psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable):
            session.execute(f"TRUNCATE {names} CASCADE")
            return
    session.execute(f"TRUNCATE {names} CASCADE")


class Stack:
    """The program, started once for a worker's browser tests, with its own migrated database.
    `number` distinguishes it from the programs of other workers, with which it shares the Redis
    server."""

    def __init__(self, *, database_url: str, redis_url: str, folder: Path, number: int) -> None:
        self.folder = folder
        self.database_url = database_url
        self.port = free_port()
        self.stripe = LocalStripe(folder / "stripe")
        self.dns = DnsServer()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._sessions: dict[str, httpx.Client] = {}  # by email
        redis = urlsplit(redis_url)
        own = FIRST_REDIS_DATABASE + number
        path = redis.path if redis.scheme == "unix" else f"/{own}"
        query = f"db={own}" if redis.scheme == "unix" else redis.query
        # urlunsplit would drop the empty host that a socket's address needs.
        cache = urlunsplit((redis.scheme, redis.netloc, path, query, ""))
        if redis.scheme == "unix":
            cache = f"unix://{path}?{query}"
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
            "DATABASE_URL": database_url,
            "REDIS_URL": cache,
            "DATA_DIR": str(folder),
            "PORT": str(self.port),
            "PUBLIC_PORT": str(self.port),
            "ROOT_DOMAIN": "localhost",
            "DNS_SERVERS": self.dns.address,
            "SECRET_KEY": "browser-tests",
            **WORKER_ENVIRONMENT,
            "DEMO": "1",
            "STRIPE_SECRET_KEY": LocalStripe.secret_key,
            "STRIPE_PUBLISHABLE_KEY": LocalStripe.publishable_key,
            "STRIPE_API_BASE": self.stripe.base_url,
            "STRIPE_JS_URL": f"{self.stripe.base_url}/js/stripe.js",
            "STRIPE_WEBHOOK_BASE": f"http://127.0.0.1:{self.port}",
            "PUSH_PRIVATE_KEY": PUSH_KEY,
            "PUSH_CONTACT": "mailto:push@fullybooked.test",
        }

    # --- its life -----------------------------------------------------------------------------
    def start(self) -> "Stack":
        self.stripe.start()
        self.dns.start()
        self._prepare("collectstatic", "connect_stripe", "load_demo")
        web = ["gunicorn", "tests.e2e.wsgi", "-b", f"127.0.0.1:{self.port}", "--threads", "8"]
        self._spawn("web", *web)
        # The scheduler runs inside the worker here, which saves loading the program once more.
        alone = ["--without-gossip", "--without-mingle", "-B", "-s", str(self.folder / "schedule")]
        worker = ["celery", "-A", "config", "worker", "-c", "2", "-l", "warning", *alone]
        self._spawn("worker", *worker)
        self._await_health()
        return self

    def begin_again(self) -> None:
        """Undo what tests did: only the demo's data is left, and the processes stay."""
        self._end_sessions()
        with Redis.from_url(self.env["REDIS_URL"]) as cache:
            cache.flushdb()
        with self._connection() as session:
            tables = session.execute(
                "SELECT quote_ident(tablename) FROM pg_tables"
                " WHERE schemaname = 'public' AND tablename <> ALL(%s)",
                [sorted(database.PRESERVED)],
            )
            names = ", ".join(name for (name,) in tables)
            _truncate(session, names)
        self._prepare("connect_stripe", "load_demo")

    def stop(self) -> None:
        self._end_sessions()
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(STOP_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.stripe.stop()
        self.dns.stop()

    def _end_sessions(self) -> None:
        for client in self._sessions.values():
            client.close()
        self._sessions.clear()

    def _connection(self) -> psycopg.Connection[tuple[Any, ...]]:
        """A connection with the time limits of the program's own."""
        options = WORKER_ENVIRONMENT["PGOPTIONS"]
        return psycopg.connect(self.database_url, autocommit=True, options=options)

    def _prepare(self, *commands: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "tests.e2e.prepare", *commands],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            message = f"Preparing the program failed:\n{done.stdout}{done.stderr}"
            raise RuntimeError(message)

    def _spawn(self, name: str, module: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", module, *words],
                    cwd=ROOT,
                    env=self.env,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )

    def _await_health(self) -> None:
        deadline = time.monotonic() + START_WITHIN
        while True:
            try:
                with urllib.request.urlopen(f"{self.url()}/api/health", timeout=5):
                    return
            except (OSError, urllib.error.URLError) as problem:
                if time.monotonic() > deadline or any(p.poll() for p in self._processes):
                    message = f"The program did not come up: {problem}\n{self.logs()}"
                    raise RuntimeError(message) from problem
                time.sleep(0.1)

    def logs(self) -> str:
        tails = [f"--- {log.name}\n{log.read_text()[-3000:]}" for log in self.folder.glob("*.log")]
        return "\n".join(tails)

    # --- where things are ---------------------------------------------------------------------
    def url(self, path: str = "", *, restaurant: str | None = None) -> str:
        host = f"{restaurant}.localhost" if restaurant else "localhost"
        return f"http://{host}:{self.port}{path}"

    def own_url(self, path: str = "") -> str:
        """The path's URL on the domain that a restaurant can make its own."""
        return f"http://{OWN_DOMAIN}:{self.port}{path}"

    def emails(self, *, to: str) -> list[str]:
        """The emails to one address in the demo's folder, oldest first."""
        folder = self.folder / "mail"
        files = sorted(folder.glob("*.eml"), key=lambda file: file.stat().st_mtime)
        return [text for file in files if to in (text := file.read_text())]

    def session(self, email: str, password: str) -> httpx.Client:
        """One of the demo's users, signed in at the platform's host once for all tests."""
        if email not in self._sessions:
            client = httpx.Client(
                base_url=self.url(),
                headers={"Origin": self.url()},
                timeout=60,
                # Gunicorn closes a connection that was idle for two seconds, httpx uses it again
                # for five: a request sent in that moment is lost.
                # https://docs.gunicorn.org/en/stable/settings.html#keepalive
                limits=httpx.Limits(max_keepalive_connections=0),
            )
            self._sessions[email] = client
            client.get("/login").raise_for_status()
            form = {"email": email, "password": password}
            form["csrfmiddlewaretoken"] = client.cookies["csrftoken"]
            answer = client.post("/login", data=form)
            assert answer.status_code == 302, answer.text
            client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        return self._sessions[email]

    # --- what a test may look at and move -----------------------------------------------------
    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read or write the database as the platform."""
        with self._connection() as session:
            session.execute("SELECT set_config('app.platform', 'on', false)")
            cursor = session.execute(sql, values)
            return cursor.fetchall() if cursor.description else []

    def age_proofs(self, session_key: str, *, seconds: float) -> None:
        """Make a session's step-up this many seconds older (decision 56)."""
        key, salt = self.env["SECRET_KEY"], SessionStore().key_salt
        find = "SELECT session_data FROM django_session WHERE session_key = %s"
        [(data,)] = self.query(find, session_key)
        session = signing.loads(data, key=key, salt=salt)
        for proof in session[AUTHENTICATION_METHODS_SESSION_KEY]:
            proof["at"] -= seconds
        change = "UPDATE django_session SET session_data = %s WHERE session_key = %s"
        self.query(change, signing.dumps(session, key=key, salt=salt, compress=True), session_key)
        with Redis.from_url(self.env["REDIS_URL"]) as cache:
            cache.delete(*cache.scan_iter(f"*{session_key}*"))

    def forget_attempts(self) -> None:
        """Reset the rate limits. Everybody in the browser tests has the same IP address."""
        with Redis.from_url(self.env["REDIS_URL"]) as cache:
            if counted := list(cache.scan_iter("*limit:*")):
                cache.delete(*counted)

    def bring_deadline(self, offer_id: UUID | str, *, seconds: float) -> None:
        """Move an offer's deadline to that many seconds from now, instead of waiting for it."""
        self.query(
            "UPDATE offers_specialoffer SET deadline = now() + %s * interval '1 second'"
            " WHERE id = %s",
            seconds,
            str(offer_id),
        )

    def holds(self, offer_id: UUID | str) -> list[int]:
        """How many holds each of the offer's orders with a payment has had in all, the oldest order
        first."""
        found = self.query(
            "SELECT count(entry.id) FROM preorders_preorder pre_order"
            " LEFT JOIN billing_paymenthistory entry"
            " ON entry.pre_order_id = pre_order.id AND entry.transaction_type = 'authorization'"
            " WHERE pre_order.offer_id = %s AND pre_order.payment_status <> 'unpaid'"
            " GROUP BY pre_order.id ORDER BY pre_order.created_at",
            str(offer_id),
        )
        return [count for (count,) in found]

    def orders(self, offer_id: UUID | str) -> list[tuple[str, str, str]]:
        """(email, status, payment status) of the offer's orders, the oldest first."""
        return self.query(
            "SELECT customer_email, status, payment_status FROM preorders_preorder"
            " WHERE offer_id = %s ORDER BY created_at",
            str(offer_id),
        )
