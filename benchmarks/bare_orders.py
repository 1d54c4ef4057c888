"""Pre-orders without the product: the same statements and the same call to Stripe, and no Django.

A control for the pre-orders' rate, which on its own says as much about the machine as about the
program. `record` writes down what one order does; as a WSGI application, this module repeats it
for each request, on the same web server.
"""

import os
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import psycopg
import urllib3

if TYPE_CHECKING:
    from apps.preorders.models import PreOrder

_connections = threading.local()
_pool = urllib3.PoolManager(maxsize=64)


Unique = list[UUID | str]


def record(file: Path, order: Callable[[], "PreOrder"]) -> None:
    """Store the statements and calls of `order()`, and the unique values of the row it makes."""
    import stripe
    from django.db import connection

    steps: list[tuple[str, Any]] = []
    client: Any = stripe.default_http_client
    send = client.request

    def called(method: str, url: str, headers: Any, post_data: Any = None) -> Any:
        steps.append(("call", (method, url, dict(headers), post_data)))
        return send(method, url, headers, post_data)

    def executed(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        steps.append(("sql", (sql, [_plain(each) for each in params or ()])))
        return execute(sql, params, many, context)

    client.request = called
    try:
        with connection.execute_wrapper(executed):
            new = order()
    finally:
        del client.request
    new.refresh_from_db()
    unique: Unique = [new.pk, new.share_code, new.checkout_session_id or ""]
    file.write_bytes(pickle.dumps((unique, steps)))


def _plain(value: Any) -> Any:
    """A parameter without Django's classes, which can't be read without Django."""
    return value.value if isinstance(value, Enum) else value


@contextmanager
def _transaction() -> Iterator[psycopg.Cursor[Any]]:
    if not hasattr(_connections, "one"):
        _connections.one = psycopg.connect(
            os.environ["DATABASE_URL"], autocommit=True, prepare_threshold=5
        )
        _connections.one.execute("SELECT set_config('app.platform', 'on', false)")
    with _connections.one.transaction(), _connections.one.cursor() as cursor:
        yield cursor


@lru_cache
def _recorded() -> tuple[Unique, list[tuple[str, Any]]]:
    found: tuple[Unique, list[tuple[str, Any]]] = pickle.loads(
        Path(os.environ["BARE_ORDERS"]).read_bytes()
    )
    return found


def application(environ: Any, start_response: Any) -> list[bytes]:
    """One order: statements up to the call in a transaction, the call, the rest in another."""
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    if environ["REQUEST_METHOD"] == "POST":
        _order(*_recorded())
    start_response("201 Created", [("Content-Length", "2")])
    return [b"{}"]


def _order(unique: Unique, steps: list[tuple[str, Any]]) -> None:
    fresh = {each: uuid4() if isinstance(each, UUID) else uuid4().hex[:12] for each in unique}
    called = next(number for number, (kind, _) in enumerate(steps) if kind == "call")
    _execute(steps[:called], fresh)
    method, url, headers, body = steps[called][1]
    answer = _pool.request(
        method.upper(), url, headers={**headers, "Idempotency-Key": uuid4().hex}, body=body
    )
    if answer.status != 200:
        raise RuntimeError(answer.data.decode())
    _execute(steps[called + 1 :], fresh)


def _execute(steps: list[tuple[str, Any]], fresh: dict[UUID | str, UUID | str]) -> None:
    with _transaction() as cursor:
        for _, (sql, params) in steps:
            cursor.execute(
                sql,
                [
                    fresh.get(each, each) if isinstance(each, UUID | str) else each
                    for each in params
                ],
            )
