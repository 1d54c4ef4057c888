"""What proves that an order's ledger entries are in the chain, without showing what they say.

Anyone who has an order's id, which can't be guessed, sees where its entries are in the restaurant's
chain, and what was hashed of the order's own. Of the entries after it only the digests are shown;
from them anybody computes the chain onwards and compares (decision 113).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from apps.billing.chain import COLUMNS, FIRST, canonical, digest_of
from apps.billing.models import LedgerChain, LedgerSeal, PaymentHistory
from apps.preorders.models import PreOrder

# The names of the entries for guests, who aren't the restaurant.
LABELS = {
    PaymentHistory.Type.AUTHORIZATION: _("Card held"),
    PaymentHistory.Type.CAPTURE: _("Card charged"),
    PaymentHistory.Type.RELEASE: _("Hold released"),
    PaymentHistory.Type.REFUND: _("Refunded"),
    PaymentHistory.Type.REFUND_RETURNED: _("Refund returned by the bank"),
    PaymentHistory.Type.REFUND_REPEATED: _("Refunded again"),
    PaymentHistory.Type.FEE: _("Card processing fee"),
    PaymentHistory.Type.TRANSFER: _("Transferred to the restaurant"),
    PaymentHistory.Type.DISPUTE: _("Taken back by the bank"),
    PaymentHistory.Type.DISPUTE_FEE: _("Bank's dispute fee"),
    PaymentHistory.Type.REINSTATED: _("Returned by the bank"),
    PaymentHistory.Type.DISPUTE_FEE_RETURNED: _("Bank's dispute fee returned"),
    PaymentHistory.Type.TRANSFER_REVERSAL: _("Taken back from the restaurant"),
    PaymentHistory.Type.TRANSFER_RETURN: _("Transferred to the restaurant again"),
}
# Between the restaurant, the platform, and Stripe; the guest's card has no part in them.
NOT_THE_GUESTS = frozenset(
    {
        PaymentHistory.Type.FEE,
        PaymentHistory.Type.TRANSFER,
        PaymentHistory.Type.DISPUTE_FEE,
        PaymentHistory.Type.DISPUTE_FEE_RETURNED,
        PaymentHistory.Type.TRANSFER_REVERSAL,
        PaymentHistory.Type.TRANSFER_RETURN,
    }
)
# Of the entries after the order's first one. The last seal of the list is where it ends.
FOLLOWING = 1000


@dataclass(frozen=True, slots=True)
class ProvenEntry:
    """One entry of the order; `position` is None until it is sealed."""

    kind: str
    is_guests: bool
    amount: Decimal
    currency: str
    processed_at: datetime
    canonical: str
    digest: str
    position: int | None
    before: str
    seal: str
    sealed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Proof:
    order: PreOrder
    entries: list[ProvenEntry]
    length: int
    head: str

    @property
    def guests_entries(self) -> list[ProvenEntry]:
        """What the guest's card had a part in."""
        return [entry for entry in self.entries if entry.is_guests]

    @property
    def is_sealed(self) -> bool:
        """Whether every entry is; a new one is sealed within a minute."""
        return all(entry.position for entry in self.entries)


def proof_of(order_id: UUID) -> Proof | None:
    """The order's place in the chain; None if the ledger has nothing of it. Act as its restaurant
    or as the platform."""
    rows = PaymentHistory.objects.filter(pre_order_id=order_id).order_by("pk")
    found = list(rows.values("seal__position", "seal__hash", "seal__sealed_at", *COLUMNS))
    if not found:
        return None
    restaurant_id = found[0]["restaurant_id"]
    chain = LedgerChain.objects.filter(pk=restaurant_id).first()
    before = _seals_before(restaurant_id, [row["seal__position"] for row in found])
    orders = PreOrder.objects.select_related("offer__restaurant", "sold__photo")
    return Proof(
        order=orders.get(pk=order_id),
        entries=[_entry(row, before) for row in found],
        length=chain.length if chain else 0,
        head=chain.head if chain else "",
    )


def _seals_before(restaurant_id: UUID, positions: list[int | None]) -> dict[int, str]:
    wanted = [each - 1 for each in positions if each]
    seals = LedgerSeal.objects.filter(restaurant_id=restaurant_id, position__in=wanted)
    return {0: FIRST, **dict(seals.values_list("position", "hash"))}


def _entry(row: dict[str, Any], before: dict[int, str]) -> ProvenEntry:
    position = row["seal__position"]
    kind = PaymentHistory.Type(row["transaction_type"])
    return ProvenEntry(
        kind=str(LABELS[kind]),
        is_guests=kind not in NOT_THE_GUESTS,
        amount=row["amount"],
        currency=row["currency"],
        processed_at=row["processed_at"],
        canonical=canonical(row),
        digest=digest_of(row),
        position=position,
        before=before.get(position - 1, "") if position else "",
        seal=row["seal__hash"] or "",
        sealed_at=row["seal__sealed_at"],
    )


def following(order_id: UUID) -> Iterator[dict[str, Any]]:
    """Position, digest, and seal from the order's first entry on, at most `FOLLOWING`."""
    first = (
        LedgerSeal.objects.filter(entry__pre_order_id=order_id)
        .order_by("position")
        .values_list("restaurant_id", "position")
        .first()
    )
    if first is None:
        return
    restaurant_id, position = first
    rows = PaymentHistory.objects.filter(
        seal__restaurant_id=restaurant_id,
        seal__position__gte=position,
        seal__position__lt=position + FOLLOWING,
    ).order_by("seal__position")
    for row in rows.values("seal__position", "seal__hash", *COLUMNS):
        yield {
            "position": row["seal__position"],
            "digest": digest_of(row),
            "seal": row["seal__hash"],
        }
