"""Read-only work: PostgreSQL refuses every write in it, whatever the code tries."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InternalError, connection, transaction
from psycopg.errors import ReadOnlySqlTransaction


@contextmanager
def read_only() -> Iterator[None]:
    """A transaction that can't write. A write in it raises; `is_refused_write` recognizes that.

    Inside another transaction the outer one can write again afterwards: PostgreSQL restores the
    state of the upper transaction when a savepoint is released or rolled back.
    https://www.postgresql.org/docs/current/sql-set-transaction.html
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        yield


def is_refused_write(error: BaseException) -> bool:
    """Whether this is PostgreSQL's refusal of a write in a read-only transaction."""
    return isinstance(error, InternalError) and isinstance(error.__cause__, ReadOnlySqlTransaction)
