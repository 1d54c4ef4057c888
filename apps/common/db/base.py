"""The PostgreSQL database wrapper: django-tenants' own, plus the acting restaurant (design §2).

It sends the acting restaurant to PostgreSQL before a statement, only if it changed on this
connection. PostgreSQL undoes a session setting when its transaction or savepoint rolls back, so
after every rollback the setting is sent again.
"""

from typing import Any

from django_tenants.postgresql_backend.base import DatabaseWrapper as TenantDatabaseWrapper

from apps.common import rls

_UNKNOWN = object()
_SET_ACTING = (
    "SELECT set_config('app.restaurant_id', %s, false), set_config('app.platform', %s, false)"
)


class DatabaseWrapper(TenantDatabaseWrapper):
    _sent: object = _UNKNOWN
    _is_sending = False

    def close(self) -> None:
        self._sent = _UNKNOWN
        super().close()  # type: ignore[no-untyped-call]

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
        if not self._is_sending and acting != self._sent:
            self._send_acting(acting)
        return cursor

    def _send_acting(self, acting: str | None) -> None:
        platform = acting == rls.PLATFORM
        self._is_sending = True
        try:
            with self.connection.cursor() as raw:
                raw.execute(
                    _SET_ACTING, ("" if platform else acting or "", "on" if platform else "")
                )
            self._sent = acting
        except Exception:
            self._sent = _UNKNOWN
            # In an aborted transaction the caller's own statement will fail the same way.
            if not self.in_atomic_block:
                raise
        finally:
            self._is_sending = False
