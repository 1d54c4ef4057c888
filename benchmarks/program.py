"""The whole application as in production, on free ports, with its own services."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from local_stripe.testing import LocalStripe, free_port

from devtools.embedded.services import EmbeddedServices
from devtools.paths import ENVIRONMENT, PYTHON, ROOT

ROOT_DOMAIN = "localhost"
HEALTHY_WITHIN = 180.0  # seconds; generous, for busy machines
STOP_WITHIN = 10.0  # seconds


def procfile() -> dict[str, str]:
    """The commands of the Procfile by process name."""
    items = (ROOT / "Procfile").read_text().splitlines()
    return {name: command.strip() for name, _, command in (item.partition(":") for item in items)}


class Program:
    """The running application. Call `start` and `stop`; `env` is its processes' environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.stripe = LocalStripe(folder / "stripe")
        self.services = EmbeddedServices(ENVIRONMENT, folder)
        self.env: dict[str, str] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        self.services.erase()
        # Otherwise this run would receive emails and webhooks of an earlier one.
        for leftover in ("stripe", "mail", "media"):
            shutil.rmtree(self.folder / leftover, ignore_errors=True)
        for log in self.folder.glob("*.log"):
            log.unlink()
        self.stripe.start()
        self.env = {
            **os.environ,
            **self.services.start(),
            "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
            "DATA_DIR": str(self.folder),
            "SECRET_KEY": "measured-with-a-secret-of-fifty-characters-or-more-0123456789",
            "ENCRYPTION_KEYS": "encrypted-with-another-key-of-fifty-characters-0123456789",
            "SIGNING_KEYS": "signed-with-yet-another-key-of-more-than-fifty-characters-0123456789",
            "ROOT_DOMAIN": ROOT_DOMAIN,
            "PORT": str(self.port),
            "STRIPE_SECRET_KEY": LocalStripe.secret_key,
            "STRIPE_PUBLISHABLE_KEY": LocalStripe.publishable_key,
            "STRIPE_API_BASE": self.stripe.base_url,
            "STRIPE_JS_URL": f"{self.stripe.base_url}/js/stripe.js",
            "STRIPE_WEBHOOK_BASE": f"http://{ROOT_DOMAIN}:{self.port}",
            # Every guest has an IP address of their own, in X-Forwarded-For.
            "TRUSTED_PROXIES": "1",
            # They all order at once and few finish, which the limits would treat as an attack.
            "CHECKOUT_LIMITS": "0",
            "LOG_LEVEL": "WARNING",
        }
        for words in (
            ["migrate"],
            ["collectstatic", "--noinput", "--clear", "--ignore", "redoc"],
            ["connect_stripe"],
        ):
            self._manage(*words)
        self._spawn_all()

    def stop(self) -> None:
        self._end_all()
        self.stripe.stop()
        self.services.stop()

    @contextmanager
    def restarted(self, **more: str) -> Iterator[None]:
        """The same application, with other settings while the block runs."""
        usual = self.env
        try:
            self._end_all()
            self.env = {**usual, **more}
            self._spawn_all()
            yield
        finally:
            self._end_all()
            self.env = usual
            self._spawn_all()

    def is_healthy(self) -> bool:
        """Whether `/api/health` answers 200, within five seconds."""
        url = f"http://{ROOT_DOMAIN}:{self.port}/api/health"
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def _spawn_all(self) -> None:
        for name, command in procfile().items():
            if name != "release":
                self.spawn(name, command.replace("/tmp/", shlex.quote(f"{self.folder}/")))
        self._await_health()

    def _end_all(self) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in list(self._processes.values()):
            self.end(process)

    def spawn(self, name: str, command: str, **more: str) -> subprocess.Popen[bytes]:
        """Start a shell command; its output is appended to `{name}.log`."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {command}"],
                cwd=ROOT,
                env={**self.env, **more},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._processes[name] = process
        return process

    def kill_and_respawn(self, name: str) -> None:
        """End a process with SIGKILL and start it again."""
        process = self._processes.pop(name)
        process.kill()
        process.wait()
        self.spawn(name, procfile()[name].replace("/tmp/", shlex.quote(f"{self.folder}/")))

    def end(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        try:
            process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for name in [name for name, one in self._processes.items() if one is process]:
            del self._processes[name]

    def processor_seconds(self) -> dict[str, float]:
        """CPU seconds used so far by each process, including children."""
        roots = {name: process.pid for name, process in self._processes.items()}
        roots["local Stripe"] = self.stripe.pid or 0
        for server in self.services.servers:
            if server.process is not None:
                roots[type(server).__name__] = server.process.pid
        return {name: _processor_seconds(psutil.Process(pid)) for name, pid in roots.items()}

    @contextmanager
    def bare_django(self, length: int) -> Iterator[int]:
        """Run the bare Django view on the same web server setup; yields its port."""
        port = free_port()
        command = procfile()["web"].replace("config.wsgi", "benchmarks.bare_wsgi")
        process = self.spawn("bare", command, PORT=str(port), BARE_BYTES=str(length))
        try:
            await_answer(f"http://127.0.0.1:{port}/bare", HEALTHY_WITHIN)
            yield port
        finally:
            self.end(process)

    @contextmanager
    def bare_orders(self, recording: Path) -> Iterator[int]:
        """Repeat a recorded order without Django on the same web server setup; yields its port."""
        port = free_port()
        command = procfile()["web"].replace("config.wsgi", "benchmarks.bare_orders")
        process = self.spawn("bare-orders", command, PORT=str(port), BARE_ORDERS=str(recording))
        try:
            await_answer(f"http://127.0.0.1:{port}/", HEALTHY_WITHIN)
            yield port
        finally:
            self.end(process)

    def _manage(self, *words: str) -> None:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "manage.py", *words, "-v", "0"],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {words[0]} failed:\n{done.stdout}{done.stderr}")

    def _await_health(self) -> None:
        try:
            await_answer(f"http://{ROOT_DOMAIN}:{self.port}/api/health", HEALTHY_WITHIN)
        except TimeoutError as late:
            problem = f"The application did not start: {late}. See {self.folder}/*.log."
            raise RuntimeError(problem) from late


def _processor_seconds(root: psutil.Process) -> float:
    """CPU seconds of a process tree, including children that have ended."""
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    times = root.cpu_times()
    return float(total + times.children_user + times.children_system)


def await_answer(url: str, within: float) -> None:
    """Wait until the URL responds at all. Raises TimeoutError after `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (OSError, urllib.error.URLError) as problem:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{url}: {problem}") from None
            time.sleep(0.1)
