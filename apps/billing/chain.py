"""The hash chain of each restaurant's ledger, which shows when an entry was changed (decision 113).

An entry's `digest` is SHA-256 of its canonical form: UTF-8 JSON without spaces, its keys in
alphabetical order, amounts with two decimals, times in UTC with microseconds. An entry's seal is
SHA-256 of the 32 bytes of the seal before it (zeros for the first) and the 32 bytes of the digest.
So whoever has the digests can compute the chain without seeing the entries.

Writing an entry takes no lock of the chain. A pass seals what was written, in the order of the ids,
a thousand at a time: the restaurant's `LedgerChain` is locked for four statements a batch.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from apps.billing.account_alarms import close_account_alarm, raise_account_alarm
from apps.billing.models import Discrepancy, LedgerChain, LedgerSeal, PaymentHistory

logger = logging.getLogger(__name__)

FIRST = "0" * 64
BATCH_SIZE = 1000
# A transaction that began earlier can commit a lower id later. So many ids are more than a minute
# at Stripe's highest rate, and no transaction lasts longer (docs/operations.md, PGOPTIONS). A pass
# looks this far behind the last sealed entry; the nightly one looks at all.
OVERLAP = 20_000
# The scheduled pass comes every half minute. What isn't sealed after this time is a finding.
SEALED_WITHIN = timedelta(minutes=10)
# Every column of an entry, by the name it has in the canonical form.
COLUMNS = (
    "id",
    "restaurant_id",
    "cycle_id",
    "pre_order_id",
    "offer_id",
    "transaction_type",
    "amount",
    "currency",
    "settled_amount",
    "settled_currency",
    "platform_fee_amount",
    "processing_fee_amount",
    "fee_rate",
    "payment_intent_id",
    "transfer_id",
    "reference",
    "status",
    "processed_at",
)


# --- what is hashed -------------------------------------------------------------------------------
def canonical(entry: dict[str, Any]) -> str:
    """The canonical form of an entry's `COLUMNS`."""
    values = {name: _plain(entry[name]) for name in COLUMNS}
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _plain(value: Any) -> str | int | None:
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return str(value)


def digest_of(entry: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(entry).encode()).hexdigest()


def seal_of(before: str, digest: str) -> str:
    """The seal of an entry with this digest, after the seal `before`."""
    return hashlib.sha256(bytes.fromhex(before) + bytes.fromhex(digest)).hexdigest()


# --- sealing --------------------------------------------------------------------------------------
def seal_entries(*, now: datetime, everything: bool = False) -> int:
    """Seal the entries that were written since the last pass; returns how many.

    Act as the platform. `everything` looks at all entries, not only behind the last sealed one.
    """
    waiting = _unsealed(everything=everything)
    restaurants = waiting.order_by("restaurant_id").values_list("restaurant_id", flat=True)
    sealed = 0
    for restaurant_id in restaurants.distinct():
        while count := _seal_batch(restaurant_id, waiting, now):
            sealed += count
            if count < BATCH_SIZE:
                break
    return sealed


def _unsealed(*, everything: bool) -> QuerySet[PaymentHistory]:
    waiting = PaymentHistory.objects.filter(seal=None)
    if everything:
        return waiting
    last = LedgerSeal.objects.aggregate(last=Max("entry_id"))["last"] or 0
    return waiting.filter(pk__gt=last - OVERLAP)


def _seal_batch(restaurant_id: UUID, waiting: QuerySet[PaymentHistory], now: datetime) -> int:
    LedgerChain.objects.bulk_create(
        [LedgerChain(restaurant_id=restaurant_id, head=FIRST)], ignore_conflicts=True
    )
    with transaction.atomic():
        chain = LedgerChain.objects.select_for_update().get(pk=restaurant_id)
        rows = waiting.filter(restaurant_id=restaurant_id).order_by("pk").values(*COLUMNS)
        seals = []
        for entry in rows[:BATCH_SIZE]:
            chain.length += 1
            chain.head = seal_of(chain.head, digest_of(entry))
            seals.append(
                LedgerSeal(
                    entry_id=entry["id"],
                    restaurant_id=restaurant_id,
                    position=chain.length,
                    hash=chain.head,
                    sealed_at=now,
                )
            )
        LedgerSeal.objects.bulk_create(seals)
        if seals:
            chain.save(update_fields=["length", "head"])
    return len(seals)


# --- verifying ------------------------------------------------------------------------------------
@dataclass(slots=True)
class Verification:
    """What `verify` found. `broken` has a sentence for each chain that doesn't hold."""

    chains: int = 0
    entries: int = 0
    broken: dict[UUID, str] = field(default_factory=dict)  # by restaurant
    unsealed: int = 0  # older than `SEALED_WITHIN`


def verify(
    *,
    now: datetime,
    restaurant_id: UUID | None = None,
    progress: Callable[[int], None] = lambda entries: None,
) -> Verification:
    """Compute every chain again, of one restaurant or of all. Act as the platform.

    `progress` hears the number of entries after every batch. Memory is constant.
    """
    only = Q(restaurant_id=restaurant_id) if restaurant_id else Q()
    result = Verification()
    heads = {
        chain.restaurant_id: (chain.length, chain.head)
        for chain in LedgerChain.objects.filter(only).iterator()
    }
    seen: set[UUID] = set()
    owners = LedgerSeal.objects.filter(only).order_by("restaurant_id").values_list("restaurant_id")
    for (owner,) in owners.distinct():
        seen.add(owner)
        result.chains += 1
        if found := _verify_chain(owner, heads.get(owner), result, progress):
            result.broken[owner] = found
    for owner, (length, _) in heads.items():
        if owner not in seen and length:
            result.broken[owner] = f"All {length} sealed entries are missing."
    late = PaymentHistory.objects.filter(only, seal=None, processed_at__lt=now - SEALED_WITHIN)
    result.unsealed = late.count()
    return result


def _sealed(owner: UUID) -> Iterator[dict[str, Any]]:
    """The sealed entries of a restaurant by position, read a batch at a time."""
    columns = ("seal__position", "seal__hash", *COLUMNS)
    rows = PaymentHistory.objects.filter(seal__restaurant_id=owner).order_by("seal__position")
    batch = list(rows.values(*columns)[:BATCH_SIZE])
    while batch:
        yield from batch
        after = batch[-1]["seal__position"]
        batch = list(rows.filter(seal__position__gt=after).values(*columns)[:BATCH_SIZE])


def _verify_chain(
    owner: UUID,
    end: tuple[int, str] | None,
    result: Verification,
    progress: Callable[[int], None],
) -> str:
    """The first thing wrong with a chain, in a sentence; reads all its rows either way."""
    position, head, found = 0, FIRST, ""
    for row in _sealed(owner):
        position += 1
        result.entries += 1
        if result.entries % BATCH_SIZE == 0:
            progress(result.entries)
        if found:
            continue
        if row["seal__position"] != position:
            found = f"Position {position} is missing."
        elif row["restaurant_id"] != owner:
            found = f"Entry {row['id']} at position {position} belongs to another restaurant."
        elif seal_of(head, digest_of(row)) != row["seal__hash"]:
            found = f"Entry {row['id']} at position {position} was changed after it was sealed."
        head = row["seal__hash"]
    if not found and (position, head) != end:
        length = end[0] if end else 0
        found = f"The chain ends at position {position}, and {length} entries were sealed."
    return found


def check_ledger(*, now: datetime) -> Verification:
    """Verify every chain, and raise an alarm for each that doesn't hold. Act as the platform."""
    result = verify(now=now)
    for restaurant_id, found in result.broken.items():
        raise_account_alarm(restaurant_id, Discrepancy.Kind.CHAIN, found, now=now)
    open_ones = Discrepancy.objects.filter(kind=Discrepancy.Kind.CHAIN, resolved_at=None)
    for restaurant_id in open_ones.exclude(restaurant_id__in=result.broken).values_list(
        "restaurant_id", flat=True
    ):
        close_account_alarm(restaurant_id, Discrepancy.Kind.CHAIN, now=now)
    if result.unsealed:
        logger.error("%d ledger entries wait for their seal", result.unsealed)
    return result
