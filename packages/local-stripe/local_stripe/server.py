"""The server's components, and ``Call``, the context of one request."""

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import contract, ids
from .clock import Clock
from .errors import no_such
from .faults import Faults
from .limits import Limits, RateLimiter
from .store import Json, Page, Query, Row, Store
from .webhooks import Hub

# Fields that Stripe includes only when they are requested with expand[].
_ONLY_EXPANDED = {
    "charge": ("refunds", "level3", "source", "source_transfer", "transfer", "authorization_code"),
    "checkout.session": ("line_items",),
    "customer": (
        "sources",
        "subscriptions",
        "tax_ids",
        "tax",
        "cash_balance",
        "invoice_credit_balance",
    ),
    "payment_intent": ("hooks", "payment_details", "amount_details"),
    "account": ("company", "individual", "external_accounts", "groups"),
    "webhook_endpoint": ("secret",),
    "price": ("tiers", "currency_options"),
    "payment_method": ("radar_options",),
}
# Object types without a livemode field.
_WITHOUT_LIVEMODE = {
    "account",
    "balance_transaction",
    "fee_refund",
    "file",
    "refund",
    "transfer_reversal",
}


class Server:
    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self.clock = Clock(self.store)
        self.faults = Faults()
        self.card_limits: dict[str, int] = {}  # by number, set by the command ``card_limit``
        self.limit(Limits())
        self.hub = Hub(self.store, self.clock.now)
        self.calls: Counter[str] = Counter()
        self.violations: deque[Json] = deque(maxlen=500)

    def limit(self, limits: Limits) -> None:
        """Begin to count requests against these limits."""
        self.limiter = RateLimiter(limits, does=lambda name: self.faults.does(name))

    @contextmanager
    def work(
        self,
        base_url: str,
        account: str | None = None,
        request_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Iterator["Call"]:
        """Run one transaction. Its events are sent after the commit."""
        request = {"id": request_id, "idempotency_key": idempotency_key}
        call = Call(self, base_url, account, self.clock.now(), request)
        try:
            with self.store.transaction():
                yield call
        except BaseException:
            self.hub.discard_fresh()
            self.hub.endpoints_changed()
            raise
        self.hub.wake()

    def check(self, where: str, answer: Json) -> None:
        """Record where a response differs from the stripe library's types."""
        for problem in contract.check_object(answer):
            self.violations.append({"where": where, "problem": str(problem)})


@dataclass
class Call:
    """The context of one request. ``now`` is read once; ``account`` is None for the platform."""

    server: Server
    base_url: str
    account: str | None
    now: int
    request: Json = field(default_factory=lambda: {"id": None, "idempotency_key": None})

    @property
    def store(self) -> Store:
        return self.server.store

    def for_account(self, account: str | None) -> "Call":
        """Return the same request in the context of another account."""
        return Call(self.server, self.base_url, account, self.now, self.request)

    # --- reading ------------------------------------------------------------------------------

    def get(self, kind: str, object_id: Any, param: str = "id") -> Json:
        row = self.store.get(object_id) if isinstance(object_id, str) else None
        if row is None or row.kind != kind or row.account != self.account:
            raise no_such(kind, str(object_id), param)
        # A deleted object can be read by its id, and nothing can be made for it.
        if param != "id" and row.obj.get("deleted"):
            raise no_such(kind, str(object_id), param)
        return row.obj

    def private(self, obj: Json) -> Json:
        """Return an object's data that the API never exposes. Change it before ``update``."""
        row = self.store.get(obj["id"])
        assert row is not None
        return row.private

    def find(self, kind: str, query: Query) -> Page:
        return self.store.find(kind, self.account, query)

    # --- writing ------------------------------------------------------------------------------

    def new(self, kind: str, /, private: Json | None = None, **fields: Any) -> Json:
        """Store a new object with every field of its type; fields not given are null."""
        obj = contract.blank(kind)
        for name in _ONLY_EXPANDED.get(kind, ()):
            obj.pop(name, None)
        obj.update(id=ids.new_id(kind), object=kind, created=self.now)
        if kind not in _WITHOUT_LIVEMODE:
            obj["livemode"] = False
        obj.update(fields)
        self.store.add(Row(obj["id"], kind, self.account, obj, private or {}))
        return obj

    def update(self, obj: Json, /, **changes: Any) -> None:
        """Change a stored object. Changes made any other way aren't saved."""
        obj.update(changes)
        row = self.store.get(obj["id"])
        assert row is not None
        assert row.obj is obj
        self.store.touch(row)

    def schedule(self, obj: Json, moment: int | None) -> None:
        """Set when the object expires; None means never."""
        row = self.store.get(obj["id"])
        assert row is not None
        row.due_at = moment
        self.store.touch(row)

    def emit(self, kind: str, obj: Json, account: str | None = None) -> None:
        """Record an event for webhooks. ``account`` is the connected account it belongs to."""
        self.server.hub.emit(
            kind, obj, now=self.now, account=account or self.account, request=self.request
        )
