"""The server's state: one SQLite file that survives a restart and ``kill -9``.

Each request runs in one transaction and is answered after the commit. Recently used objects are
also cached in memory; SQLite remains the source of truth. In addition to what the API returns, a
row has ``private`` data, such as a card's full number.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account TEXT,
    created INTEGER NOT NULL,
    due_at INTEGER,
    customer TEXT,
    payment_intent TEXT,
    charge TEXT,
    body TEXT NOT NULL,
    private TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS objects_kind ON objects (kind, account, seq);
CREATE INDEX IF NOT EXISTS objects_due ON objects (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_customer ON objects (customer, kind)
    WHERE customer IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_intent ON objects (payment_intent, kind)
    WHERE payment_intent IS NOT NULL;
CREATE INDEX IF NOT EXISTS objects_charge ON objects (charge, kind) WHERE charge IS NOT NULL;
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT,
    type TEXT NOT NULL,
    subject TEXT,
    created INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS deliveries_open ON deliveries (state, seq)
    WHERE state IN ('queued', 'held');
CREATE INDEX IF NOT EXISTS deliveries_event ON deliveries (event);
CREATE TABLE IF NOT EXISTS idempotency (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_LINKS = ("customer", "payment_intent", "charge")
_CACHED_ROWS = 5_000


@dataclass(slots=True)
class Row:
    """One stored object. ``due_at`` is when it expires."""

    id: str
    kind: str
    account: str | None
    obj: Json
    private: Json
    due_at: int | None = None
    stored: bool = False


@dataclass
class Page:
    """One page of a list, newest first."""

    rows: list[Row]
    has_more: bool


@dataclass
class Query:
    """A list query. ``links`` and ``fields`` filter by equality."""

    links: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    created: dict[str, int] = field(default_factory=dict)
    limit: int = 10
    starting_after: str | None = None
    ending_before: str | None = None


_COMPARISONS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "eq": "="}


class Store:
    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(
            directory / "stripe.sqlite3", isolation_level=None, check_same_thread=False
        )
        # WAL keeps every answered request if this process crashes, also without waiting for the
        # disk, which only a crash of the machine makes necessary: https://sqlite.org/pragma.html
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;" + _SCHEMA)
        self._cache: dict[str, Row] = {}
        self._touched: dict[str, Row] = {}

    def close(self) -> None:
        self.db.close()

    # --- transactions ------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit at the end; an unexpected exception rolls everything back."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._write_touched()
        except BaseException:
            self.db.execute("ROLLBACK")
            for row in self._touched.values():
                self._cache.pop(row.id, None)
            self._touched.clear()
            raise
        self.db.execute("COMMIT")
        if len(self._cache) > _CACHED_ROWS:
            for stale in list(self._cache)[: _CACHED_ROWS // 2]:
                del self._cache[stale]

    def _write_touched(self) -> None:
        for row in self._touched.values():
            values = (
                row.account,
                row.obj.get("created", 0),
                row.due_at,
                *(_link(row.obj, name) for name in _LINKS),
                json.dumps(row.obj, separators=(",", ":")),
                json.dumps(row.private, separators=(",", ":")),
            )
            if row.stored:
                self.db.execute(
                    "UPDATE objects SET account=?, created=?, due_at=?, customer=?,"
                    " payment_intent=?, charge=?, body=?, private=? WHERE id=?",
                    (*values, row.id),
                )
            else:
                self.db.execute(
                    "INSERT INTO objects (account, created, due_at, customer, payment_intent,"
                    " charge, body, private, id, kind) VALUES (?,?,?,?,?,?,?,?,?,?)",
                    (*values, row.id, row.kind),
                )
                row.stored = True
        self._touched.clear()

    # --- objects ------------------------------------------------------------------------------

    def add(self, row: Row) -> None:
        self._cache[row.id] = row
        self._touched[row.id] = row

    def touch(self, row: Row) -> None:
        """Mark a row as changed, so it is written in this transaction."""
        self._cache[row.id] = row
        self._touched[row.id] = row

    def get(self, object_id: str) -> Row | None:
        row = self._cache.get(object_id)
        if row is None:
            found = self.db.execute(
                "SELECT id, kind, account, body, private, due_at FROM objects WHERE id=?",
                (object_id,),
            ).fetchone()
            if found is None:
                return None
            row = self._load(found)
        return row

    def remove(self, object_id: str) -> None:
        self._cache.pop(object_id, None)
        self._touched.pop(object_id, None)
        self.db.execute("DELETE FROM objects WHERE id=?", (object_id,))

    def _load(self, found: tuple[Any, ...]) -> Row:
        object_id, kind, account, body, private, due_at = found
        cached = self._cache.get(object_id)
        if cached is not None:
            return cached
        row = Row(object_id, kind, account, json.loads(body), json.loads(private), due_at, True)
        self._cache[object_id] = row
        return row

    def find(self, kind: str, account: str | None, query: Query) -> Page:
        if self._touched:
            self._write_touched()
        where = ["kind=?", "account IS ?"]
        values: list[Any] = [kind, account]
        for name, value in query.links.items():
            where.append(f"{name}=?")
            values.append(value)
        for name, value in query.fields.items():
            where.append("json_extract(body, ?)=?")
            values += [f"$.{name}", int(value) if isinstance(value, bool) else value]
        rows, has_more = self._page("objects", where, values, query)
        return Page([self._load(found) for found in rows], has_more)

    def all(self, kind: str, account: str | None = None, **links: str) -> list[Row]:
        return self.find(kind, account, Query(links=links, limit=1_000_000)).rows

    def balances(self, account: str | None, now: int) -> tuple[dict[str, int], dict[str, int]]:
        """Return an account's available and pending balance by currency."""
        self._write_touched()
        found = self.db.execute(
            "SELECT json_extract(body, '$.currency'), json_extract(body, '$.available_on') <= ?,"
            " SUM(json_extract(body, '$.net')) FROM objects"
            " WHERE kind='balance_transaction' AND account IS ? GROUP BY 1, 2",
            (now, account),
        ).fetchall()
        ready = {currency: total for currency, is_ready, total in found if is_ready}
        pending = {currency: total for currency, is_ready, total in found if not is_ready}
        return ready, pending

    def due(self, now: int) -> list[Row]:
        """Return the objects that have expired, earliest first."""
        found = self.db.execute(
            "SELECT id, kind, account, body, private, due_at FROM objects"
            " WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, seq LIMIT 5000",
            (now,),
        ).fetchall()
        return [self._load(row) for row in found]

    def _page(
        self, table: str, where: list[str], values: list[Any], query: Query
    ) -> tuple[list[tuple[Any, ...]], bool]:
        columns = "id, kind, account, body, private, due_at" if table == "objects" else "body, seq"
        for name, moment in query.created.items():
            where.append(f"created {_COMPARISONS[name]} ?")
            values.append(moment)
        order = "DESC"
        if query.starting_after:
            where.append(f"seq < (SELECT seq FROM {table} WHERE id=?)")
            values.append(query.starting_after)
        if query.ending_before:
            where.append(f"seq > (SELECT seq FROM {table} WHERE id=?)")
            values.append(query.ending_before)
            order = "ASC"
        rows = self.db.execute(
            f"SELECT {columns} FROM {table} WHERE {' AND '.join(where)}"
            f" ORDER BY seq {order} LIMIT ?",
            (*values, query.limit + 1),
        ).fetchall()
        has_more = len(rows) > query.limit
        rows = rows[: query.limit]
        return (rows[::-1] if order == "ASC" else rows), has_more

    # --- events -------------------------------------------------------------------------------

    def add_event(self, event: Json, subject: str | None) -> str:
        """Store an event and return its JSON, which is also the webhook payload."""
        text = json.dumps(event, separators=(",", ":"))
        self.db.execute(
            "INSERT INTO events (id, account, type, subject, created, body) VALUES (?,?,?,?,?,?)",
            (event["id"], event.get("account"), event["type"], subject, event["created"], text),
        )
        return text

    def event_text(self, event_id: str) -> str | None:
        found = self.db.execute("SELECT body FROM events WHERE id=?", (event_id,)).fetchone()
        return found[0] if found else None

    def find_events(
        self,
        account: str | None,
        types: list[str],
        query: Query,
        *,
        delivered: bool | None = None,
    ) -> tuple[list[Json], bool]:
        where: list[str] = ["account IS ?"]
        values: list[Any] = [account]
        if types:
            where.append(f"type IN ({','.join('?' * len(types))})")
            values += types
        if delivered is not None:
            open_ones = "SELECT event FROM deliveries WHERE state IN ('queued', 'held', 'failed')"
            where.append(f"id {'NOT IN' if delivered else 'IN'} ({open_ones})")
        rows, has_more = self._page("events", where, values, query)
        return [json.loads(body) for body, _ in rows], has_more

    # --- settings and the whole ---------------------------------------------------------------

    def setting(self, name: str, default: str) -> str:
        found = self.db.execute("SELECT value FROM settings WHERE name=?", (name,)).fetchone()
        return found[0] if found else default

    def set_setting(self, name: str, value: str) -> None:
        self.db.execute(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)",
            (name, value),
        )

    def forget(self, except_kind: str) -> None:
        """Delete everything except objects of one type. Call it inside a transaction."""
        for table in ("events", "deliveries", "idempotency", "settings"):
            self.db.execute(f"DELETE FROM {table}")
        self.db.execute("DELETE FROM objects WHERE kind<>?", (except_kind,))
        self._cache.clear()
        self._touched.clear()


def _link(obj: Json, name: str) -> str | None:
    value = obj.get(name)
    return value if isinstance(value, str) else None
