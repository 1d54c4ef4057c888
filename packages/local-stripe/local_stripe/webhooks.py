"""Events and webhook delivery: signed, in order, and retried until accepted.

Deliveries are stored with their event, so a restart resumes them. Events about one payment are
attempted one after another; different payments don't wait for each other. A failed delivery is
retried after 0.5 s, 1 s, 2 s, and so on, up to a minute apart, and never blocks later ones. Stripe
itself guarantees no order and retries for up to three days.
"""

import asyncio
import hashlib
import hmac
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from stripe._api_version import _ApiVersion

from . import ids
from .posting import PostFailed, post
from .store import Json, Row, Store

API_VERSION = _ApiVersion.CURRENT
MAX_ATTEMPTS = 20
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 60.0
_SLOTS = 8
_TIMEOUT = 30.0
_SHUFFLE_WITHIN = 0.4


def signature(secret: str, payload: str, moment: int, *older: str) -> str:
    """Return a ``Stripe-Signature`` header, with one signature per secret that is still valid.

    Receivers compare ``moment`` with the system clock.
    """
    signed = f"{moment}.{payload}".encode()
    digests = (
        hmac.new(each.encode(), signed, hashlib.sha256).hexdigest() for each in (secret, *older)
    )
    return ",".join([f"t={moment}", *(f"v1={digest}" for digest in digests)])


def retry_delay(attempts: int) -> float:
    """Return how many seconds to wait after this many failed attempts."""
    return float(min(_FIRST_DELAY * 2 ** (attempts - 1), _LONGEST_DELAY))


@dataclass
class Delivery:
    """One event to deliver to one endpoint. Deliveries in one ``group`` keep their order."""

    seq: int
    event: str
    type: str
    subject: str | None
    endpoint: str
    text: str
    group: str
    attempts: int = 0
    delay: float = 0.0
    tried: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Attempt:
    """The result of one attempt, for ``/_control``. ``status`` can be an exception's name."""

    event: str
    type: str
    object: str | None
    url: str
    attempt: int
    status: int | str


class Hub:
    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self.now = now
        self.mode = "deliver"
        self.duplicate = 0
        self.shuffle = False
        self.recent: deque[Attempt] = deque(maxlen=1000)
        self._endpoints: list[Row] | None = None
        self._fresh: list[Delivery] = []
        self._tails: dict[tuple[str, str], asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(_SLOTS)

    # --- events -------------------------------------------------------------------------------

    def emit(self, kind: str, obj: Json, *, now: int, account: str | None, request: Json) -> None:
        """Record an event in the current transaction; ``wake`` sends it afterwards."""
        event: Json = {
            "id": ids.new_id("event"),
            "object": "event",
            "api_version": API_VERSION,
            "created": now,
            "data": {"object": obj},
            "livemode": False,
            "pending_webhooks": 0,
            "request": request,
            "type": kind,
        }
        if account:
            event["account"] = account
        targets = [] if self.mode == "drop" else self._targets(kind, account)
        event["pending_webhooks"] = len(targets)
        subject = obj.get("id")
        text = self._store.add_event(event, subject)
        for endpoint in targets:
            for _ in range(1 + self.duplicate):
                self._queue(event["id"], kind, subject, endpoint, text, self._group(obj))

    def _group(self, obj: Json) -> str:
        """Return the event's group: events about one payment are sent in order."""
        if obj.get("payment_intent"):
            return str(obj["payment_intent"])
        charge_id = obj.get("source_transaction") or obj.get("originating_transaction")
        charge = self._store.get(charge_id) if charge_id else None
        return str(charge.obj["payment_intent"] if charge else obj.get("id"))

    def _targets(self, kind: str, account: str | None) -> list[str]:
        """Return the endpoints for an event. Those with ``connect=true`` receive only the events of
        connected accounts, the others only the platform's own."""
        if self._endpoints is None:
            self._endpoints = self._store.all("webhook_endpoint")
        return [
            row.id
            for row in self._endpoints
            if row.obj["status"] == "enabled"
            and bool(row.private.get("connect")) == bool(account)
            and ("*" in row.obj["enabled_events"] or kind in row.obj["enabled_events"])
        ]

    def endpoints_changed(self) -> None:
        self._endpoints = None

    def _queue(
        self, event: str, kind: str, subject: str | None, endpoint: str, text: str, group: str
    ) -> None:
        state = "held" if self.mode == "hold" else "queued"
        seq = self._store.db.execute(
            "INSERT INTO deliveries (event, endpoint, state) VALUES (?, ?, ?)",
            (event, endpoint, state),
        ).lastrowid
        assert seq is not None
        if state == "queued":
            delay = random.uniform(0, _SHUFFLE_WITHIN) if self.shuffle else 0.0
            self._fresh.append(
                Delivery(seq, event, kind, subject, endpoint, text, group, delay=delay)
            )

    def resend(self, event_id: str) -> bool:
        """Send an event again to every matching endpoint. False if there is no such event."""
        found = self._store.db.execute(
            "SELECT type, subject, account, body FROM events WHERE id=?", (event_id,)
        ).fetchone()
        if found is None:
            return False
        kind, subject, account, text = found
        for endpoint in self._targets(kind, account):
            self._queue(event_id, kind, subject, endpoint, text, f"resend {event_id}")
        return True

    def held_count(self) -> int:
        found = self._store.db.execute("SELECT count(*) FROM deliveries WHERE state='held'")
        return int(found.fetchone()[0])

    def open_count(self) -> int:
        """Return how many deliveries are in progress or waiting for a retry."""
        found = self._store.db.execute("SELECT count(*) FROM deliveries WHERE state='queued'")
        return int(found.fetchone()[0])

    def flush(self, order: str) -> int:
        """Send the held deliveries one after another, in the given order."""
        waiting = self._load("held")
        if order == "reverse":
            waiting.reverse()
        elif order == "shuffle":
            random.shuffle(waiting)
        self._store.db.execute("UPDATE deliveries SET state='queued' WHERE state='held'")
        for delivery in waiting:
            delivery.group = "flush"
        self._fresh += waiting
        return len(waiting)

    def _load(self, state: str) -> list[Delivery]:
        rows = self._store.db.execute(
            "SELECT d.seq, d.event, e.type, e.subject, d.endpoint, e.body, d.attempts"
            " FROM deliveries d JOIN events e ON e.id = d.event WHERE d.state=? ORDER BY d.seq",
            (state,),
        ).fetchall()
        return [
            Delivery(seq, event, kind, subject, endpoint, text, subject or event, attempts)
            for seq, event, kind, subject, endpoint, text, attempts in rows
        ]

    # --- sending ------------------------------------------------------------------------------

    async def start(self) -> None:
        self._fresh += self._load("queued")
        self.wake()

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def forget(self) -> None:
        """Drop all pending deliveries. The caller deletes their rows."""
        for task in list(self._tasks):
            task.cancel()
        self._fresh.clear()
        self._tails.clear()
        self.recent.clear()
        self._endpoints = None
        self.mode, self.duplicate, self.shuffle = "deliver", 0, False

    def discard_fresh(self) -> None:
        """Discard deliveries queued by a transaction that was rolled back."""
        self._fresh.clear()

    def wake(self) -> None:
        """Start sending the deliveries queued by the last transaction."""
        for delivery in self._fresh:
            key = (delivery.endpoint, delivery.group)
            before = None if delivery.delay else self._tails.get(key)
            self._tails[key] = delivery.tried
            task = asyncio.create_task(self._send(delivery, key, before))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._fresh.clear()

    async def _send(
        self, delivery: Delivery, key: tuple[str, str], before: asyncio.Event | None
    ) -> None:
        if before is not None:
            await before.wait()
        await asyncio.sleep(delivery.delay)
        try:
            async with self._slots:
                taken = await self._attempt(delivery)
        finally:
            delivery.tried.set()
            if self._tails.get(key) is delivery.tried:
                del self._tails[key]
        while not taken and delivery.attempts < MAX_ATTEMPTS:
            await asyncio.sleep(retry_delay(delivery.attempts))
            async with self._slots:
                taken = await self._attempt(delivery)

    async def _attempt(self, delivery: Delivery) -> bool:
        """Attempt a delivery once. True if nothing more needs to be done for it."""
        endpoint = self._store.get(delivery.endpoint)
        if endpoint is None or endpoint.obj["status"] != "enabled":
            self._record(delivery, "dropped")
            return True
        url: str = endpoint.obj["url"]
        status: int | str
        try:
            status = await _post(url, self._secrets(endpoint), delivery.text)
        except PostFailed as failed:
            status = str(failed)
        delivery.attempts += 1
        self.recent.append(
            Attempt(delivery.event, delivery.type, delivery.subject, url, delivery.attempts, status)
        )
        taken = isinstance(status, int) and 200 <= status < 300
        state = "done" if taken else "queued" if delivery.attempts < MAX_ATTEMPTS else "failed"
        self._record(delivery, state)
        return taken

    def _secrets(self, endpoint: Row) -> list[str]:
        """The endpoint's secret, and the one before it while that is still valid."""
        secrets: list[str] = [endpoint.private["secret"]]
        rolled = endpoint.private.get("rolled")
        if rolled and self.now() < rolled["valid_until"]:
            secrets.append(rolled["secret"])
        return secrets

    def _record(self, delivery: Delivery, state: str) -> None:
        self._store.db.execute(
            "UPDATE deliveries SET state=?, attempts=? WHERE seq=?",
            (state, delivery.attempts, delivery.seq),
        )

    def describe(self) -> Json:
        return {"mode": self.mode, "duplicate": self.duplicate, "shuffle": self.shuffle}


async def _post(url: str, secrets: list[str], text: str) -> int:
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Stripe/1.0 (local; test mode)",
        "Accept": "*/*",
        "Stripe-Signature": signature(secrets[0], text, int(time.time()), *secrets[1:]),
    }
    return await post(url, headers, text, _TIMEOUT)
