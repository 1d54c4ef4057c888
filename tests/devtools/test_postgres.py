"""The embedded PostgreSQL starts wherever a developer keeps the project, and whatever happened
before."""

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from devtools.embedded.directories import MAX_SOCKET_DIRECTORY, stand_in_name
from tests.devtools.conftest import Servers


def remembered(url: str) -> list[tuple[int]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT number FROM kept").fetchall()


def test_the_app_owns_its_database_and_cannot_get_around_row_level_security(
    servers: Servers, place: Path
) -> None:
    server = servers.postgres(place / "pg")
    server.start()

    with psycopg.connect(server.url()) as connection:
        role = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        owner = connection.execute(
            "SELECT pg_get_userbyid(datdba) = current_user FROM pg_database"
            " WHERE datname = current_database()"
        ).fetchone()
    assert role == (False, False, True)
    assert owner == (True,)


def test_postgres_does_not_listen_on_the_network(servers: Servers, place: Path) -> None:
    server = servers.postgres(place / "pg")
    server.start()

    assert server.query("SHOW listen_addresses") == ""
    assert server.sockets.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["with a space", "it's", "n" * (MAX_SOCKET_DIRECTORY + 30)])
def test_postgres_starts_in_any_directory(servers: Servers, place: Path, name: str) -> None:
    server = servers.postgres(place / name / "pg")
    server.start()

    with psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.fixture
def closed_place(place: Path) -> Iterator[Path]:
    """A directory that only the current user can enter, like /root; the server may run as another
    user."""
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    yield closed
    for stand_in in Path("/var/tmp").glob(stand_in_name("pg", closed / "pg")):
        shutil.rmtree(stand_in)


def test_postgres_starts_below_a_directory_its_account_cannot_enter(
    servers: Servers, closed_place: Path
) -> None:
    server = servers.postgres(closed_place / "pg")
    server.start()

    with psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    server.stop()


def test_deleting_the_data_directory_deletes_the_database_wherever_it_stands(
    servers: Servers, closed_place: Path
) -> None:
    server = servers.postgres(closed_place / "pg")
    server.start()
    with psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    server.stop()
    shutil.rmtree(closed_place / "pg")

    again = servers.postgres(closed_place / "pg")
    again.start()

    with psycopg.connect(again.url()) as connection:
        assert connection.execute("SELECT to_regclass('kept')").fetchone() == (None,)
    again.stop()


def test_postgres_loses_nothing_when_it_is_killed(servers: Servers, place: Path) -> None:
    server = servers.postgres(place / "pg", throwaway=False)
    server.start()
    with psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)

    again = servers.postgres(place / "pg", throwaway=False)
    again.start()

    assert remembered(again.url()) == [(7,)]


def test_a_lock_file_with_a_process_id_in_use_elsewhere_does_not_stop_it(
    servers: Servers, place: Path
) -> None:
    server = servers.postgres(place / "pg")
    server.start()
    server.stop()
    lock = server.data / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{server.data}\n1\n5432\n{server.sockets}\n\n")

    server.start()

    assert server.accepts()


def test_two_starts_at_once_make_one_server(servers: Servers, place: Path) -> None:
    both = [servers.postgres(place / "pg"), servers.postgres(place / "pg")]
    threads = [threading.Thread(target=server.start) for server in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert both[0].pid() == both[1].pid() is not None
    assert sum(server.process is not None for server in both) == 1


def test_a_start_that_was_interrupted_half_way_is_begun_again(
    servers: Servers, place: Path
) -> None:
    server = servers.postgres(place / "pg")
    (server.data / "base").mkdir()
    (server.data / "half").write_text("written")

    server.start()

    assert server.accepts()


def test_stopping_what_does_not_run_is_fine(servers: Servers, place: Path) -> None:
    server = servers.postgres(place / "pg")
    server.stop()
    assert server.pid() is None
    assert not server.accepts()


def test_postgres_runs_under_an_account_it_accepts(servers: Servers, place: Path) -> None:
    server = servers.postgres(place / "pg")
    server.start()

    pid = server.pid()
    assert pid is not None
    assert Path(f"/proc/{pid}").stat().st_uid != 0
