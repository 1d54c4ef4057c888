"""Embedded Valkey, on a Unix socket, with its data in the project."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from .directories import release_socket_directory, socket_directory
from .errors import EmbeddedError
from .processes import locked


class Valkey:
    """A data directory and its server. Writes survive `kill -9`."""

    def __init__(self, program: Path, data: Path) -> None:
        self.program = program
        data.mkdir(parents=True, exist_ok=True)
        self.data = data.resolve()
        self.socket = socket_directory(self.data, "vk") / "valkey.sock"
        self.log = self.data / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    def _ask(self, command: bytes) -> bytes:
        """Send a command and return the response, empty if no server listens."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            with suppress(OSError):
                connection.connect(str(self.socket))
                connection.sendall(command + b"\r\n")
                return connection.recv(200)
        return b""

    def accepts(self) -> bool:
        """Whether the server responds and has loaded its data."""
        return self._ask(b"PING").startswith(b"+PONG")

    def start(self) -> None:
        """Start the server unless it runs, and wait until it responds."""
        with locked(self.data.parent / f".{self.data.name}.lock"):
            if not self.accepts():
                socket_directory(self.data, "vk")
                self._launch()

    def _launch(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    str(self.program),
                    "--port", "0",
                    "--unixsocket", str(self.socket),
                    "--unixsocketperm", "700",
                    "--dir", str(self.data),
                    "--appendonly", "yes",
                    "--save", "",
                    "--loglevel", "warning",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + 60
        while not self.accepts():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise EmbeddedError(f"Valkey didn't start. Its log ends with:\n{self.last_lines()}")
            time.sleep(0.02)

    def last_lines(self, count: int = 15) -> str:
        """The end of the server's log, for an error message."""
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])
        except OSError:
            return "(nothing)"

    def stop(self) -> None:
        """Stop the server if it runs. It saves its data first."""
        self._ask(b"SHUTDOWN")
        deadline = time.monotonic() + 10
        while self._lives():
            if time.monotonic() > deadline:
                raise EmbeddedError(f"Valkey in {self.data} doesn't stop. Stop it manually.")
            time.sleep(0.02)
        release_socket_directory(self.socket.parent, self.data)

    def erase(self) -> None:
        """Delete the data of a stopped server."""
        shutil.rmtree(self.data / "appendonlydir", ignore_errors=True)

    def _lives(self) -> bool:
        if self.process is not None:
            return self.process.poll() is None
        return bool(self._ask(b"PING"))

    def url(self, database: int = 0) -> str:
        """The URL for REDIS_URL."""
        return f"unix://{quote(str(self.socket), safe='/')}?db={database}"
