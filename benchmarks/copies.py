"""Many rows at once: copies of one that the application made, so that no column is missed."""

from typing import Any

from django.db import connection
from django.db.models import Model


def insert_copies(row: Model, series: str, **changed: str) -> int:
    """Insert a copy of a saved row for each row of `series` (SQL of a FROM clause), with SQL
    expressions for the columns that differ; `t` is the row. Returns how many."""
    fields: list[Any] = list(row._meta.local_concrete_fields)
    columns = [each.column for each in fields if not getattr(each, "generated", False)]
    values = ", ".join(changed.get(column, f't."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    table, key = row._meta.db_table, row._meta.pk.column
    copying = f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" t, {series}'.replace(
        "%", "%%"
    )
    with connection.cursor() as cursor:
        cursor.execute(f'{copying} WHERE t."{key}" = %s', [row.pk])
        return int(cursor.rowcount)
