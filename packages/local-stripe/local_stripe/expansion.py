"""Values for the fields named in ``expand[]``."""

from typing import Any

from . import contract
from .resources import checkout
from .server import Call
from .store import Json
from .wire import NotExpandable, list_object


class Expansion:
    """Looks up the expanded value of a field."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def __call__(self, owner: Json, name: str) -> Any:
        value = owner.get(name)
        if isinstance(value, str):
            row = self._call.store.get(value)
            if row is not None:
                return dict(row.obj)
        elif isinstance(value, list):
            return [self._element(item) for item in value]
        elif name in owner and value is None:
            return None
        return self._hidden(owner, name)

    def _element(self, item: Any) -> Any:
        row = self._call.store.get(item) if isinstance(item, str) else None
        return item if row is None else dict(row.obj)

    def _hidden(self, owner: Json, name: str) -> Any:
        """Return fields that an object includes only when they are expanded."""
        call, kind = self._call, owner.get("object", "")
        if (kind, name) == ("checkout.session", "line_items"):
            return checkout.line_items(call, owner)
        if (kind, name) == ("charge", "refunds"):
            rows = call.store.all("refund", call.account, charge=owner["id"])
            return list_object(f"/v1/charges/{owner['id']}/refunds", [row.obj for row in rows])
        if (kind, name) == ("customer", "subscriptions"):
            rows = call.store.all("subscription", call.account, customer=owner["id"])
            url = f"/v1/customers/{owner['id']}/subscriptions"
            return list_object(url, [row.obj for row in rows])
        if kind == "customer" and name in ("sources", "tax_ids"):
            return list_object(f"/v1/customers/{owner['id']}/{name}", [])
        if name == "breakdown" and "amount_discount" in owner:  # a session's total_details
            return {"discounts": [], "taxes": []}
        if kind == "item" and name in ("discounts", "taxes"):
            return []
        if name not in owner and contract.allows_null(kind, name):
            return None
        raise NotExpandable(name)
