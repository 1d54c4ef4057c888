"""Servers for these tests, with the binaries of the environment that the tests run in."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from devtools.embedded.binaries import find_postgres, find_valkey
from devtools.embedded.postgres import Postgres
from devtools.embedded.valkey import Valkey

ENVIRONMENT = Path(sys.prefix)


class CopiedPostgres(Postgres):
    """Copies a new data directory where initdb would write one, which takes a second."""

    model: Path

    def _run(self, program: str, *arguments: str) -> str:
        if program != "initdb":
            return super()._run(program, *arguments)
        subprocess.run(["cp", "-a", f"{self.model}/.", self.data], check=True)
        return ""


class Servers:
    """Makes servers and stops them when the test is over."""

    def __init__(self, cleanup: ExitStack, model: Path) -> None:
        self._cleanup = cleanup
        self._model = model

    def postgres(self, data: Path, *, throwaway: bool = True) -> Postgres:
        server = CopiedPostgres(find_postgres(ENVIRONMENT), data, throwaway=throwaway)
        server.model = self._model
        self._cleanup.callback(server.stop)
        return server

    def valkey(self, data: Path) -> Valkey:
        server = Valkey(find_valkey(ENVIRONMENT), data)
        self._cleanup.callback(server.stop)
        return server


@contextmanager
def open_directory() -> Iterator[Path]:
    """A directory that a server's unprivileged account can enter, too; it can't enter pytest's
    own."""
    with tempfile.TemporaryDirectory(prefix="fb-test-") as directory:
        place = Path(directory)
        place.chmod(0o711)
        yield place


@pytest.fixture(scope="session")
def initialized() -> Iterator[Path]:
    """The data directory of a server that was never started."""
    with open_directory() as place:
        server = Postgres(find_postgres(ENVIRONMENT), place / "pg", throwaway=True)
        server._initialize()
        yield server.data


@pytest.fixture
def servers(place: Path, initialized: Path) -> Iterator[Servers]:
    with ExitStack() as cleanup:
        yield Servers(cleanup, initialized)


@pytest.fixture
def place() -> Iterator[Path]:
    with open_directory() as place:
        yield place
