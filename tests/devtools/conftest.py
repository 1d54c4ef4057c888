"""Servers of the tests' own, on the binaries of the environment the tests run in."""

import sys
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
def servers() -> Iterator[Servers]:
    with ExitStack() as cleanup:
        yield Servers(cleanup)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory the ordinary account of a server can enter too: pytest's own is closed to it."""
    for parent in (tmp_path, *tmp_path.parents):
        if not parent.name.startswith("pytest-"):
            continue
        parent.chmod(parent.stat().st_mode | 0o011)
    tmp_path.chmod(0o711)
    return tmp_path
