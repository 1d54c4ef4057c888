"""Backups with row-level security on: a restore has everything that a backup under load
contains."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections
from psycopg import sql

from apps.admin_ops import backup
from apps.admin_ops.backup import BackupError, back_up, restore
from devtools.embedded.binaries import find_postgres
from devtools.paths import ENVIRONMENT
from tests.database import drop_database
from tests.factories import DishFactory, RestaurantFactory

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _programs_and_images(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> None:
    """PostgreSQL's programs in the server's version, and an image to back up."""
    bundled = find_postgres(ENVIRONMENT) / "bin"
    monkeypatch.setenv("PATH", str(bundled), prepend=":")
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "photos").mkdir(parents=True)
    (tmp_path / "media" / "photos" / "240.webp").write_bytes(b"a photo")


@pytest.fixture
def another_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """An empty database; calling the fixture makes the settings use it."""
    name = f"restored_{uuid4().hex[:8]}"
    quoted = sql.Identifier(name)
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("CREATE DATABASE {}").format(quoted))

    def use() -> str:
        monkeypatch.setattr(backup, "_owner", lambda: {**connection.settings_dict, "NAME": name})
        return name

    yield use
    with connection.cursor() as cursor:
        drop_database(cursor, name)


def test_a_restore_has_every_row_of_a_backup_that_was_taken_while_orders_came_in(
    tmp_path: Path, another_database: Callable[[], str]
) -> None:
    restaurant = RestaurantFactory(name="Luigi's")
    DishFactory(restaurant=restaurant, name="Ossobuco")
    stop = threading.Event()
    written = []

    def keep_writing() -> None:
        try:
            while not stop.is_set():
                written.append(DishFactory(restaurant=restaurant).pk)
        finally:
            connections.close_all()

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        rows = back_up(tmp_path / "backup", now=NOW)
    finally:
        stop.set()
        writer.join()

    assert 1 <= rows["offers_dish"] <= 1 + len(written)
    name = another_database()
    (tmp_path / "media" / "photos" / "240.webp").unlink()
    assert restore(tmp_path / "backup") == rows
    assert (tmp_path / "media" / "photos" / "240.webp").read_bytes() == b"a photo"
    with psycopg.connect(**{**backup.connection_parameters(), "dbname": name}) as session:
        # Row-level security is back too: whoever acts for nobody sees nothing.
        assert session.execute("SELECT count(*) FROM offers_dish").fetchone() == (0,)
        session.execute("SET app.platform = 'on'")
        assert session.execute("SELECT count(*) FROM offers_dish").fetchone() == (
            rows["offers_dish"],
        )
        found = session.execute("SELECT name FROM restaurants_restaurant").fetchall()
        assert found == [("Luigi's",)]


def test_a_dry_run_of_a_restore_says_what_it_would_load_and_loads_nothing(
    tmp_path: Path, another_database: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = back_up(tmp_path / "backup", now=NOW)
    name = another_database()
    (tmp_path / "media" / "photos" / "240.webp").unlink()
    for _ in range(2):
        call_command("restore", tmp_path / "backup", dry_run=True)
        said = f"{sum(rows.values())} rows of {len(rows)} tables can be restored"
        assert said in capsys.readouterr().out
    with psycopg.connect(**{**backup.connection_parameters(), "dbname": name}) as session:
        tables = session.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchone() == (0,)
    assert not (tmp_path / "media" / "photos" / "240.webp").exists()


def test_a_backup_is_refused_where_a_folder_is_already(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="already exists"):
        back_up(tmp_path, now=NOW)


def test_a_restore_is_refused_into_a_database_that_has_tables(tmp_path: Path) -> None:
    RestaurantFactory()
    back_up(tmp_path / "backup", now=NOW)
    with pytest.raises(BackupError, match=r"has \d+ tables\. Restore into an empty one"):
        restore(tmp_path / "backup")


def test_a_restore_is_refused_from_a_damaged_backup(
    tmp_path: Path, another_database: Callable[[], str]
) -> None:
    back_up(tmp_path / "backup", now=NOW)
    another_database()
    with (tmp_path / "backup" / "database.dump").open("ab") as dump:
        dump.write(b"!")
    with pytest.raises(BackupError, match="checksum"):
        restore(tmp_path / "backup")
    (tmp_path / "backup" / "manifest.json").unlink()
    with pytest.raises(BackupError, match=r"no manifest\.json"):
        restore(tmp_path / "backup")


def test_a_restore_with_fewer_rows_than_the_backup_says_which_tables(
    tmp_path: Path, another_database: Callable[[], str]
) -> None:
    RestaurantFactory()
    back_up(tmp_path / "backup", now=NOW)
    another_database()
    manifest = tmp_path / "backup" / "manifest.json"
    counted = json.loads(manifest.read_text())
    counted["rows"]["restaurants_restaurant"] += 1
    manifest.write_text(json.dumps(counted))
    with pytest.raises(
        BackupError, match=r"don't have the same rows as the backup: restaurants_restaurant\."
    ):
        restore(tmp_path / "backup")


def test_a_backup_says_what_to_install_when_pg_dump_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="Install PostgreSQL's client programs"):
        back_up(tmp_path / "backup", now=NOW)
    assert not (tmp_path / "backup" / "manifest.json").exists()
