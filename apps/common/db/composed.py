"""Statements that are composed once, for the few that every order waits for.

Composing a query takes Django longer than running it takes PostgreSQL (decision 83).
"""

from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

_ROW = UUID(int=0)  # stands for the key while the statement is composed


def composed_once(
    build: Callable[[UUID], "QuerySet[Any, Any]"],
) -> Callable[[UUID], list[tuple[Any, ...]]]:
    """Make a function that returns a `values_list` for a row's key into one that runs it.

    The statement is composed at the first call, so nothing but the key may change. Rows come as the
    database driver reads them.
    """

    @cache
    def composed() -> tuple[str, tuple[Any, ...]]:
        sql, values = build(_ROW).order_by().query.sql_with_params()
        return sql, values

    def run(key: UUID) -> list[tuple[Any, ...]]:
        sql, values = composed()
        with connection.cursor() as cursor:
            cursor.execute(sql, [key if value == _ROW else value for value in values])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    return run
