"""Servers of the tests' own, on the binaries of the environment the tests run in."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from devtools.embedded.binaries import find_postgres, find_valkey
from devtools.embedded.postgres import Postgres
from devtools.embedded.valkey import Valkey

ENVIRONMENT = Path(sys.prefix)


class Servers:
    """Makes servers and stops them when the test is over."""

    def __init__(self, cleanup: ExitStack) -> None:
        self._cleanup = cleanup

    def postgres(self, data: Path, *, throwaway: bool = True) -> Postgres:
        server = Postgres(find_postgres(ENVIRONMENT), data, throwaway=throwaway)
        self._cleanup.callback(server.stop)
        return server

    def valkey(self, data: Path) -> Valkey:
        server = Valkey(find_valkey(ENVIRONMENT), data)
        self._cleanup.callback(server.stop)
        return server


@pytest.fixture
def servers(place: Path) -> Iterator[Servers]:
    with ExitStack() as cleanup:
        yield Servers(cleanup)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory the ordinary account of a server can enter too: pytest's own are closed to it."""
    with tempfile.TemporaryDirectory(prefix="fb-test-") as directory:
        place = Path(directory)
        place.chmod(0o711)
        yield place
