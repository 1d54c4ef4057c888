"""Looks for words in every text column of every table, including those of other packages."""

from collections import Counter

from django.apps import apps
from django.db import connection

from apps.common import rls

TEXT_TYPES = ("text", "character varying", "character", "json", "jsonb", "inet", "bytea", "ARRAY")


def tables_with(*words: str) -> dict[str, int]:
    """The number of rows per `table.column` that contain one of the words, regardless of case.

    Read from PostgreSQL's catalog, not from the models: a table without a model counts too.
    """
    found: Counter[str] = Counter()
    with rls.acting_as(rls.PLATFORM), connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
            " AND data_type = ANY(%s) ORDER BY 1, 2",
            [list(TEXT_TYPES)],
        )
        columns = cursor.fetchall()
        for table, column in columns:
            for word in words:
                cursor.execute(
                    f'SELECT count(*) FROM "{table}" WHERE strpos(lower("{column}"::text), %s) > 0',
                    [word.lower()],
                )
                row = cursor.fetchone()
                if row and row[0]:
                    found[f"{table}.{column}"] += row[0]
    return dict(found)


def tables_without_a_model() -> set[str]:
    """Tables of the database that no model is for."""
    known = {each._meta.db_table for each in apps.get_models(include_auto_created=True)}
    return set(connection.introspection.table_names()) - known
