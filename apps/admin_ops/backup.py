"""Backing up the database and the uploaded images, and restoring both.

Row-level security hides every row from a session that acts for nobody, and `pg_dump` then either
stops or writes empty tables. So it acts for the platform, and counts prove the result: the rows of
each table are counted in the very snapshot that is dumped, and again after a restore.
https://www.postgresql.org/docs/current/app-pgdump.html (`--enable-row-security`, `--snapshot`)
"""

import hashlib
import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import dj_database_url
import psycopg
from django.conf import settings
from django.db import transaction
from psycopg import sql

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.admin_ops.models import Backup
from config import env

DUMP, MANIFEST, IMAGES = "database.dump", "manifest.json", "images.tar"
AS_PLATFORM = "-c app.platform=on"
FOLDER_EXISTS = "{} already exists. Name a new folder."
FILE_STORAGE = "django.core.files.storage.FileSystemStorage"


class BackupError(Exception):
    """A backup or a restore failed and must not be relied on; the message says what to do."""


def back_up(folder: Path, *, now: datetime) -> dict[str, int]:
    """Write a backup into `folder`, which must not exist. Returns the rows of each table.

    The program can go on working: everything is read from one snapshot. Images are copied after it,
    and never change once they are there, so none that the snapshot refers to is missing. Raises
    BackupError.
    """
    new_folder(folder)
    with snapshot() as (_, name, rows):
        run_program(
            "pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--enable-row-security",
            f"--snapshot={name}", f"--file={folder / DUMP}",
        )  # fmt: skip
    if _images_are_files():
        with tarfile.open(folder / IMAGES, "w") as archive:
            if settings.MEDIA_ROOT.exists():
                archive.add(settings.MEDIA_ROOT, arcname=".")
    manifest = {"taken_at": now.isoformat(), "sha256": _digest(folder / DUMP), "rows": rows}
    # Last: a folder without it is not a backup.
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    return rows


def count_rows(folder: Path) -> dict[str, int]:
    """What `back_up` would write into `folder`, without writing it. Raises BackupError."""
    if folder.exists():
        raise BackupError(FOLDER_EXISTS.format(folder))
    with _session() as session:
        return _count(session)


def new_folder(folder: Path) -> None:
    """Create the folder of a backup. Raises BackupError if it is there already."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BackupError(FOLDER_EXISTS.format(folder)) from None
    except OSError as error:
        raise BackupError(f"{folder} can't be written: {error.strerror}.") from None


def check_restorable(folder: Path) -> dict[str, int]:
    """What `restore` would load: the rows of each table. Changes nothing.

    Raises BackupError for a damaged or incomplete backup and for a database that isn't empty.
    """
    return dict(_checked(folder)["rows"])


def record_backup(rows: Mapping[str, int], *, taken_at: datetime, now: datetime) -> Backup:
    """Note that a backup is complete, so that its age can be watched."""
    with transaction.atomic():
        backup = Backup.objects.create(
            taken_at=taken_at, finished_at=now, rows_written=sum(rows.values())
        )
        record(Kind.BACKUP_TAKEN, about=("backup", backup.pk), rows=backup.rows_written, now=now)
    return backup


def restore(folder: Path) -> dict[str, int]:
    """Load a backup into an empty database, and its images. Returns the rows of each table.

    Raises BackupError for a damaged or incomplete backup and for a database that isn't empty, and
    then changes nothing. Raises it, too, if a restored table has other rows than the backup says.
    """
    manifest = _checked(folder)
    run_program(
        "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges",
        f"--dbname={_owner()['NAME']}", str(folder / DUMP),
    )  # fmt: skip
    with _session() as session:
        rows = _count(session)
    if rows != manifest["rows"]:
        wrong = [name for name in {*rows, *manifest["rows"]} if _differs(name, rows, manifest)]
        raise BackupError(
            f"These tables don't have the same rows as the backup: {', '.join(wrong)}."
        )
    if _images_are_files() and (folder / IMAGES).exists():
        settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
        with tarfile.open(folder / IMAGES) as archive:
            # Python has filters since 3.11.4; before, a backup of our own needs none.
            # https://docs.python.org/3.11/library/tarfile.html#supporting-older-python-versions
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(settings.MEDIA_ROOT)
    return rows


def _checked(folder: Path) -> dict[str, Any]:
    """The manifest of a whole backup that can be loaded into the database of the settings."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError):
        raise BackupError(f"{folder} is not a complete backup: it has no {MANIFEST}.") from None
    if _digest(folder / DUMP) != manifest["sha256"]:
        raise BackupError(f"{folder / DUMP} is damaged: its checksum doesn't match the manifest.")
    with _session() as session:
        if tables := _tables(session):
            raise BackupError(
                f"The database has {len(tables)} tables. Restore into an empty one: create it, and "
                "set DATABASE_URL and DATABASE_OWNER_URL."
            )
    return manifest


def _differs(name: str, rows: dict[str, int], manifest: dict[str, Any]) -> bool:
    return bool(rows.get(name) != manifest["rows"].get(name))


def _images_are_files() -> bool:
    return bool(settings.STORAGES["default"]["BACKEND"] == FILE_STORAGE)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


# --- the database ---------------------------------------------------------------------------------
def _owner() -> dict[str, Any]:
    """How the owner of the tables connects; only an owner may dump and create them."""
    if settings.DATABASE_OWNER_URL:
        return dict(dj_database_url.parse(settings.DATABASE_OWNER_URL))
    return dict(settings.DATABASES["default"])


def _libpq() -> dict[str, str]:
    """libpq's variables for the owner: https://www.postgresql.org/docs/current/libpq-envars.html"""
    owner = _owner()
    options = owner.get("OPTIONS", {})
    variables = {
        "PGHOST": owner["HOST"] or options.get("host", ""),
        "PGPORT": str(owner["PORT"] or ""),
        "PGUSER": owner["USER"],
        "PGPASSWORD": owner["PASSWORD"],
        "PGDATABASE": owner["NAME"],
        "PGSSLMODE": options.get("sslmode", ""),
    }
    return {name: value for name, value in variables.items() if value}


def connection_parameters() -> dict[str, Any]:
    """The same for psycopg."""
    named = {name.removeprefix("PG").lower(): value for name, value in _libpq().items()}
    return {"dbname": named.pop("database"), **named}


@contextmanager
def _session() -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(**connection_parameters(), options=AS_PLATFORM) as session:
        yield session


@contextmanager
def snapshot() -> Iterator[tuple[psycopg.Connection[Any], str, dict[str, int]]]:
    """A session that reads one snapshot of the database, the snapshot's name for other sessions,
    and the rows that each table has in it."""
    with _session() as session:
        session.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        (name,) = session.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
        yield session, name, _count(session)


def _tables(session: psycopg.Connection[Any]) -> list[str]:
    found = session.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    )
    return [name for (name,) in found]


def _count(session: psycopg.Connection[Any]) -> dict[str, int]:
    rows = {}
    for table in _tables(session):
        counted = session.execute(
            sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
        ).fetchone()
        rows[table] = counted[0] if counted else 0
    return rows


def run_program(program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs, which must not be older than the server; returns what it
    printed. Raises BackupError."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(
            f"{program} isn't installed. Install PostgreSQL's client programs, of the server's "
            "version or newer, and put them on the PATH."
        )
    done = subprocess.run(
        [found, *arguments],
        env=env.for_program({**_libpq(), "PGOPTIONS": AS_PLATFORM}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")
    return done.stdout
