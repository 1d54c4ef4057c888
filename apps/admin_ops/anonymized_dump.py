"""A copy of the database for developers, in which every personal column is replaced.

`classification.HOLDINGS` says which columns those are. A table that isn't there stops the dump, and
a text column that isn't classified is replaced like a personal one, so a new column can't be
forgotten. The file is plain SQL: `psql --file` loads it into an empty database.

A value gets the same pseudonym wherever it occurs, so an order and a waitlist entry of one person
still belong together. The key of the pseudonyms is new for each dump and stored nowhere.
"""

import gzip
import secrets
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.apps import apps
from django.db import models
from psycopg import sql

from apps.admin_ops.backup import run_program, snapshot
from apps.common.errors import Conflict
from apps.privacy.classification import Holding, holding_of

# Tables whose rows are left out: sign-in secrets, and answers and messages as they were sent.
LEFT_OUT = frozenset(
    {
        "accounts.BearerToken",
        "accounts.EmailConfirmation",
        "account.EmailConfirmation",
        "djstripe.APIKey",
        "djstripe.Event",
        "djstripe.WebhookEndpoint",
        "djstripe.WebhookEventTrigger",
        "integrations.WebhookAttempt",
        "integrations.WebhookDelivery",
        "integrations.WebhookEndpoint",
        "mfa.Authenticator",
        "restaurants.IdempotencyKey",
        "restaurants.Invitation",
        "sessions.Session",
        "socialaccount.SocialAccount",
        "socialaccount.SocialApp",
        "socialaccount.SocialToken",
        "usersessions.UserSession",
    }
)
TEXT = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField)
UNUSABLE_PASSWORD = "!"  # Django's prefix of a password that can't be used
DOCUMENTATION_ADDRESS = "192.0.2.1"  # RFC 5737
LONGEST = 16  # characters of a pseudonym


def dump_anonymized(file: Path, *, now: datetime) -> dict[str, int]:
    """Write the dump, compressed, to a new file; returns the rows of each table that it has.

    Everything is read from one snapshot. Raises Conflict if the file exists or a table isn't
    classified, and BackupError if `pg_dump` fails; then there is no file.
    """
    check_classified()
    if file.exists():
        raise Conflict(f"{file} already exists. Name a new file.")
    part = file.with_name(f"{file.name}.part")
    try:
        part.touch(mode=0o600)
    except OSError as error:
        raise Conflict(f"{file} can't be written: {error.strerror}.") from None
    try:
        with snapshot() as (session, name, _), gzip.open(part, "wb") as out:
            schema = "--no-owner", "--no-privileges", f"--snapshot={name}"
            out.write(f"-- Anonymized on {now:%Y-%m-%d}: personal columns are replaced.\n".encode())
            out.write(run_program("pg_dump", "--section=pre-data", *schema).encode())
            rows = dict(_copy(session, out, secrets.token_hex(32)))
            out.write(_sequences(session).encode())
            out.write(run_program("pg_dump", "--section=post-data", *schema).encode())
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)
    return rows


def check_classified() -> None:
    """Raises Conflict if it isn't classified which personal data a table holds."""
    unknown = [each._meta.label for each in _models() if holding_of(each._meta.label) is None]
    if unknown:
        raise Conflict(f"Classify these tables first: {', '.join(unknown)}.")


def _models() -> list[type[models.Model]]:
    found = apps.get_models(include_auto_created=True)
    return sorted((each for each in found if each._meta.managed), key=lambda each: each._meta.label)


def _copy(session: psycopg.Connection[Any], out: Any, key: str) -> Iterator[tuple[str, int]]:
    """Write every table's rows as COPY statements. The migrations' own table comes along."""
    plain = sql.SQL("SELECT id, app, name, applied FROM django_migrations ORDER BY id")
    yield (
        "django_migrations",
        _copy_rows(session, out, "django_migrations", ["id", "app", "name", "applied"], plain),
    )
    for model in _models():
        label, table = model._meta.label, model._meta.db_table
        holding = holding_of(label)
        assert holding is not None  # check_classified
        if label in LEFT_OUT or holding.is_empty:
            continue
        fields = [each for each in model._meta.local_concrete_fields if not _is_generated(each)]
        columns = [str(each.column) for each in fields]
        values = sql.SQL(", ").join(_expression(each, holding, key) for each in fields)
        query = sql.SQL("SELECT {} FROM {}").format(values, sql.Identifier(table))
        yield table, _copy_rows(session, out, table, columns, query)


def _copy_rows(
    session: psycopg.Connection[Any], out: Any, table: str, columns: list[str], query: Any
) -> int:
    names = ", ".join(f'"{each}"' for each in columns)
    out.write(f'\nCOPY public."{table}" ({names}) FROM stdin;\n'.encode())
    with session.cursor() as cursor:
        with cursor.copy(sql.SQL("COPY ({}) TO STDOUT").format(query)) as copied:
            for piece in copied:
                out.write(piece)
        count = cursor.rowcount
    out.write(b"\\.\n")
    return count


def _is_generated(field: Any) -> bool:
    return isinstance(field, models.GeneratedField)


def _expression(field: Any, holding: Holding, key: str) -> sql.Composable:
    """The column as the dump has it: itself, or what replaces it."""
    column = sql.Identifier(field.column)
    is_text = isinstance(field, TEXT) and not field.choices
    # A column that links somewhere stays: what it leads to is replaced there.
    if field.is_relation or not is_text or field.name in holding.other:
        return column
    return sql.SQL("CASE WHEN {} IS NULL THEN NULL ELSE {} END").format(
        column, _replacement(field, column, key)
    )


def _replacement(field: Any, column: sql.Identifier, key: str) -> sql.Composable:
    if isinstance(field, models.JSONField):
        return sql.SQL("'{}'::jsonb")
    if isinstance(field, models.GenericIPAddressField):
        return sql.SQL("{}::inet").format(sql.Literal(DOCUMENTATION_ADDRESS))
    unless_empty = sql.SQL("CASE WHEN {} = '' THEN '' ELSE {} END")
    # https://www.postgresql.org/docs/current/functions-binarystring.html (sha256)
    digest = sql.SQL("encode(sha256(convert_to({} || lower({}), 'UTF8')), 'hex')").format(
        sql.Literal(key), column
    )
    if field.name == "password":
        return sql.SQL("{} || {}").format(sql.Literal(UNUSABLE_PASSWORD), digest)
    if isinstance(field, models.EmailField):
        new = sql.SQL("left({}, 16) || '@example.invalid'").format(digest)
    elif isinstance(field, models.URLField):
        new = sql.SQL("'https://example.invalid/' || left({}, 16)").format(digest)
    elif "phone" in field.name:
        digits = sql.SQL(
            "'+1202555' || lpad((('x' || left({}, 7))::bit(28)::int % 10000)::text, 4, '0')"
        )
        new = digits.format(digest)
    else:
        new = sql.SQL("left({}, {})").format(
            digest, sql.Literal(min(field.max_length or LONGEST, LONGEST))
        )
    return unless_empty.format(column, new)


def _sequences(session: psycopg.Connection[Any]) -> str:
    """Statements that let each sequence continue where it is."""
    rows = session.execute(
        "SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences"
        " WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1"
    )
    return "\n" + "".join(f"SELECT setval('{name}', {value});\n" for name, value in rows)
