"""The PostgreSQL database wrapper: django-tenants' own, plus the acting restaurant (design §2).

It sends the acting restaurant to PostgreSQL before a statement, only if it changed on this
connection. PostgreSQL undoes a session setting when its transaction or savepoint rolls back, so
after every rollback the setting is sent again.

Behind a pooler that shares connections between transactions (`DATABASE_POOLING=transaction`), a
setting of the session would be the next client's: https://www.pgbouncer.org/features.html. There it
is one of the transaction (`SET LOCAL`), and a statement outside of one gets its own.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django_tenants.postgresql_backend.base import DatabaseWrapper as TenantDatabaseWrapper

from apps.common import rls

_UNKNOWN = object()
_SET_ACTING = "SELECT set_config('app.restaurant_id', %s, {0}), set_config('app.platform', %s, {0})"
_FOR_SESSION, _FOR_TRANSACTION = _SET_ACTING.format("false"), _SET_ACTING.format("true")


class DatabaseWrapper(TenantDatabaseWrapper):
    _sent: object = _UNKNOWN
    _is_sending = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)  # type: ignore[no-untyped-call]
        self._is_shared: bool = settings.DATABASE_IS_SHARED
        if self._is_shared:
            # https://docs.djangoproject.com/en/5.2/topics/db/instrumentation/
            self.execute_wrappers.append(self._execute_as_acting)

    def close(self) -> None:
        self._sent = _UNKNOWN
        super().close()  # type: ignore[no-untyped-call]

    def commit(self) -> None:
        super().commit()
        if self._is_shared:
            self._sent = _UNKNOWN

    def rollback(self) -> None:
        self._sent = _UNKNOWN
        super().rollback()  # type: ignore[no-untyped-call]

    def savepoint_rollback(self, sid: str) -> None:
        try:
            super().savepoint_rollback(sid)  # type: ignore[no-untyped-call]
        finally:
            self._sent = _UNKNOWN

    def _cursor(self, name: str | None = None) -> Any:
        cursor = super()._cursor(name)  # type: ignore[no-untyped-call]
        acting = rls.acting()
        if not self._is_shared and not self._is_sending and acting != self._sent:
            self._send_acting(acting)
        return cursor

    def _execute_as_acting(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        """Run a statement in a transaction that knows who is acting."""
        if not self.get_autocommit():
            if rls.acting() != self._sent:
                self._send_acting(rls.acting())
            return execute(sql, params, many, context)
        with self.connection.transaction():
            self._sent = _UNKNOWN
            self._send_acting(rls.acting())
            try:
                return execute(sql, params, many, context)
            finally:
                self._sent = _UNKNOWN

    def _send_acting(self, acting: str | None) -> None:
        platform = acting == rls.PLATFORM
        self._is_sending = True
        try:
            with self.connection.cursor() as raw:
                raw.execute(
                    _FOR_TRANSACTION if self._is_shared else _FOR_SESSION,
                    ("" if platform else acting or "", "on" if platform else ""),
                )
            self._sent = acting
        except Exception:
            self._sent = _UNKNOWN
            # In an aborted transaction the caller's own statement will fail the same way.
            if not self.in_atomic_block:
                raise
        finally:
            self._is_sending = False
