"""The whole program as production runs it, on free ports, with services of its own."""

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
HEALTHY_WITHIN = 180.0  # a machine that is busy with something else starts slowly
STOP_WITHIN = 10.0


def procfile() -> dict[str, str]:
    """Production's processes by name, as the Procfile has them."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    return {name: command.strip() for name, _, command in (line.partition(":") for line in lines)}


class Program:
    """Made ready with `start`, ended with `stop`; `env` is what its processes run with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.stripe = LocalStripe(folder / "stripe")
        self.services = EmbeddedServices(ENVIRONMENT, folder)
        self.env: dict[str, str] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        self.services.erase()
        # What an earlier run left would be delivered to this one.
        for leftover in ("stripe", "mail", "media"):
            shutil.rmtree(self.folder / leftover, ignore_errors=True)
        self.stripe.start()
        self.env = {
            **os.environ,
            **self.services.start(),
            "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
            "DATA_DIR": str(self.folder),
            "SECRET_KEY": "measured-with-a-secret-of-fifty-characters-or-more-0123456789",
            "ROOT_DOMAIN": ROOT_DOMAIN,
            "PORT": str(self.port),
            "STRIPE_SECRET_KEY": LocalStripe.secret_key,
            "STRIPE_PUBLISHABLE_KEY": LocalStripe.publishable_key,
            "STRIPE_API_BASE": self.stripe.base_url,
            "STRIPE_JS_URL": f"{self.stripe.base_url}/js/stripe.js",
            "STRIPE_WEBHOOK_BASE": f"http://127.0.0.1:{self.port}",
            # Every diner comes from an address of their own, told as a proxy would tell it.
            "TRUSTED_PROXIES": "1",
            "LOG_LEVEL": "WARNING",
        }
        for words in (
            ["migrate"],
            ["collectstatic", "--noinput", "--clear", "--ignore", "redoc"],
            ["connect_stripe"],
        ):
            self._manage(*words)
        commands = procfile()
        self.spawn("web", commands["web"])
        self.spawn("worker", commands["worker"])
        self.spawn("beat", commands["beat"].replace("/tmp/", shlex.quote(f"{self.folder}/")))
        self._await_health()

    def stop(self) -> None:
        for process in reversed(list(self._processes.values())):
            self.end(process)
        self.stripe.stop()
        self.services.stop()

    def spawn(self, name: str, command: str, **more: str) -> subprocess.Popen[bytes]:
        """Start a process from a line of shell; its output goes to `{name}.log`."""
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {command}"],
                cwd=ROOT,
                env={**self.env, **more},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._processes[name] = process
        return process

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
        """What each part has used so far, its children included."""
        roots = {name: process.pid for name, process in self._processes.items()}
        roots["local Stripe"] = self.stripe.pid or 0
        for server in self.services.servers:
            if server.process is not None:
                roots[type(server).__name__] = server.process.pid
        return {name: _processor_seconds(psutil.Process(pid)) for name, pid in roots.items()}

    @contextmanager
    def bare_django(self, length: int) -> Iterator[int]:
        """Another web server with the same options and nothing but Django in it; its port."""
        port = free_port()
        command = procfile()["web"].replace("config.wsgi", "benchmarks.bare_wsgi")
        process = self.spawn("bare", command, PORT=str(port), BARE_BYTES=str(length))
        try:
            await_answer(f"http://127.0.0.1:{port}/bare", HEALTHY_WITHIN)
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
            await_answer(f"http://127.0.0.1:{self.port}/api/health", HEALTHY_WITHIN)
        except TimeoutError as late:
            told = f"The program did not come up: {late}. See {self.folder}/*.log."
            raise RuntimeError(told) from late


def _processor_seconds(root: psutil.Process) -> float:
    """Those of ended children too, once they are waited for."""
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    times = root.cpu_times()
    return float(total + times.children_user + times.children_system)


def await_answer(url: str, within: float) -> None:
    """Until the address answers at all; raises TimeoutError after `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (OSError, urllib.error.URLError) as problem:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{url}: {problem}") from None
            time.sleep(0.1)
