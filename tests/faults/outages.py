"""The whole program, with parts that a test stops and restarts: processes and servers.

A process is killed by SIGKILL. The servers are shared with other tests, so the program reaches them
through a relay here, which a test cuts: connections break, and new ones are refused, as when the
server is killed.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from redis import Redis

from tests.e2e.stack import ROOT, Stack

Address = tuple[str, int] | str  # of a host and a port, or a socket's path


class Relay:
    """Passes everything on to a server, from its own port, until it is cut."""

    def __init__(self, server: Address) -> None:
        self._server = server
        self._listening: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.port = 0
        self.restore()

    def restore(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Refuse new connections and break those there are."""
        listening, self._listening = self._listening, None
        if listening is None:
            return
        listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        listening.close()
        with self._lock:
            broken, self._open = self._open, set()
        for each in broken:
            _break(each)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                visitor, _ = listening.accept()
            except OSError:
                return
            server = self._connect()
            with self._lock:
                self._open |= {visitor, server}
            for source, target in ((visitor, server), (server, visitor)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _connect(self) -> socket.socket:
        if isinstance(self._server, tuple):
            return socket.create_connection(self._server)
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._server)
        return server

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with self._lock:
            self._open -= {source, target}
        _break(source)
        _break(target)


def _break(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


def _postgres(url: str) -> Address:
    parts = urlsplit(url)
    folder = parse_qs(parts.query).get("host", [""])[0] or unquote(parts.hostname or "")
    port = parts.port or int(parse_qs(parts.query).get("port", ["5432"])[0])
    return f"{folder}/.s.PGSQL.{port}" if folder.startswith("/") else (folder or "127.0.0.1", port)


def _redis(url: str) -> Address:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return unquote(parts.path)
    return (parts.hostname or "127.0.0.1", parts.port or 6379)


class FragileStack(Stack):
    """A program whose `worker`, `beat` and `web` can be killed, and `postgres` and `redis` cut."""

    def __init__(self, *, database_url: str, redis_url: str, folder: Path, number: int) -> None:
        super().__init__(
            database_url=database_url, redis_url=redis_url, folder=folder, number=number
        )
        self.direct_redis_url = self.env["REDIS_URL"]
        self.relays = {
            "postgres": Relay(_postgres(database_url)),
            "redis": Relay(_redis(redis_url)),
        }
        # Tests look at the database directly (`database_url`), the program through the relay.
        parts = urlsplit(database_url)
        user = parts.netloc.rpartition("@")[0]
        netloc = f"{user + '@' if user else ''}127.0.0.1:{self.relays['postgres'].port}"
        name = urlsplit(database_url).path
        self.env["DATABASE_URL"] = urlunsplit((parts.scheme, netloc, name, "", ""))
        direct = urlsplit(self.direct_redis_url)
        database = parse_qs(direct.query).get("db", [direct.path.lstrip("/") or "0"])[0]
        self.env["REDIS_URL"] = f"redis://127.0.0.1:{self.relays['redis'].port}/{database}"
        self._by_name: dict[str, subprocess.Popen[bytes]] = {}
        self._commands = {
            "web": ["gunicorn", "tests.e2e.wsgi", "-b", f"127.0.0.1:{self.port}", "--threads", "8"],
            "worker": [
                *("celery", "-A", "config", "worker", "-l", "warning"),
                *("--pool", "threads", "-c", "4", "--without-gossip", "--without-mingle"),
            ],
            "beat": [
                *("celery", "-A", "config", "beat", "-l", "warning", "--pidfile", ""),
                *("-s", str(folder / "schedule")),
            ],
        }

    def start(self) -> "FragileStack":
        self.stripe.start()
        self._prepare("collectstatic", "connect_stripe", "load_demo")
        for name in self._commands:
            self.start_again(name)
        self._await_health()
        return self

    def kill(self, name: str) -> None:
        """A process by SIGKILL, a server by cutting its relay; Redis also forgets everything."""
        if name in self.relays:
            self.relays[name].cut()
            if name == "redis":
                with Redis.from_url(self.direct_redis_url) as cache:
                    cache.flushdb()
            return
        process = self._by_name[name]
        os.killpg(process.pid, signal.SIGKILL)  # with gunicorn's workers
        process.wait()

    def start_again(self, name: str) -> None:
        if name in self.relays:
            self.relays[name].restore()
            return
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *self._commands[name]],
                cwd=ROOT,
                env={**os.environ, **self.env},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._by_name[name] = process
        self._processes.append(process)

    def restart_exited(self) -> None:
        """What systemd and compose do (`Restart=always`): a worker of Celery that acknowledges a
        task while Redis is gone can end."""
        for name, process in list(self._by_name.items()):
            if process.poll() is not None:
                self.start_again(name)

    def stop(self) -> None:
        super().stop()
        for relay in self.relays.values():
            relay.cut()
