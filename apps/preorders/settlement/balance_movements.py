"""Compares the platform's balance transactions at Stripe with the ledger.

Each charge, refund, transfer, and dispute that Stripe lists is looked for in the ledger, a page at
a time. What isn't there, or has another amount, is returned as an intent to be compared in full;
what has no intent, or stays missing, is an alarm. Types:
https://docs.stripe.com/reports/balance-transaction-types
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import open_issue, raise_account_alarm
from apps.billing.gateway import BalanceMovement
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory
from apps.common import formats
from apps.common.money import Money
from apps.preorders.models import PreOrder
from apps.preorders.settlement.disputes import apply_dispute

logger = logging.getLogger(__name__)

Type = PaymentHistory.Type
# A transfer that a dispute made is recorded by its operation, which may be under way.
TRANSFER_GRACE = timedelta(minutes=15)
CHARGES = frozenset({"charge", "payment"})
REFUNDS = frozenset({"refund", "payment_refund"})
FAILED_REFUNDS = frozenset({"refund_failure", "payment_failure_refund"})
COMPARED = CHARGES | REFUNDS | FAILED_REFUNDS | {"transfer", "dispute"}

Entry = dict[str, Any]


def unmatched_intents(movements: Sequence[BalanceMovement], *, now: datetime) -> list[str]:
    """The intents of movements that the ledger doesn't have as they are, to be compared in full.

    Two statements for a page. A dispute that is missing is read and recorded. Raises alarms for
    transfers and disputes that nothing explains, and GatewayError.
    """
    wanted = [each for each in movements if each.kind in COMPARED]
    ledger = _Entries(wanted)
    found: list[str] = []
    for each in wanted:
        if ledger.has(each):
            continue
        if each.kind == "dispute":
            _record_dispute(each, now)
        elif each.kind == "transfer":
            found.extend(_intent_behind(each, now))
        elif each.intent_id:
            found.append(each.intent_id)
    return list(dict.fromkeys(found))


class _Entries:
    """The ledger entries that a page of movements can be."""

    def __init__(self, movements: Sequence[BalanceMovement]) -> None:
        columns = (
            *("payment_intent_id", "transaction_type", "reference", "transfer_id"),
            *("amount", "platform_fee_amount"),
        )
        entries = PaymentHistory.objects.values(*columns)
        intents = {each.intent_id for each in movements} - {""}
        self._of_intent: dict[str, list[Entry]] = defaultdict(list)
        self._transfers: set[str] = set()
        for row in entries.filter(payment_intent_id__in=intents):
            self._of_intent[row["payment_intent_id"]].append(row)
            if row["transaction_type"] == Type.TRANSFER:
                self._transfers.add(row["transfer_id"])
        # A transfer doesn't name its intent, but stands beside its charge. The others are few:
        # finding them has no index, which every charge would have to fill.
        apart = {each.source_id for each in movements if each.kind == "transfer"} - self._transfers
        if apart:
            made = Q(transaction_type=Type.TRANSFER, transfer_id__in=apart)
            for row in entries.filter(made | Q(reference__in=apart)):
                self._transfers |= {row["transfer_id"], row["reference"]}

    def has(self, movement: BalanceMovement) -> bool:
        rows = self._of_intent[movement.intent_id]
        match movement.kind:
            case kind if kind in CHARGES:
                return self._has_charge(movement)
            case "transfer":
                return movement.source_id in self._transfers
            case "dispute":
                return any(row["reference"] == movement.movement_id for row in rows)
            case kind:
                returned = kind in FAILED_REFUNDS
                return any(
                    row["reference"] == movement.source_id
                    and (row["transaction_type"] == Type.REFUND_RETURNED) == returned
                    and Money.of(row["amount"]) == movement.amount
                    for row in rows
                )

    def _has_charge(self, movement: BalanceMovement) -> bool:
        charged, fee = Money(0), Money(0)
        for row in self._of_intent[movement.intent_id]:
            if row["transaction_type"] == Type.CAPTURE:
                charged += Money.of(row["amount"])
                fee += Money.of(row["platform_fee_amount"])
            elif row["transaction_type"] == Type.FEE:
                fee += Money.of(row["amount"])
        return (charged, fee) == (movement.amount, movement.fee)


def _intent_behind(transfer: BalanceMovement, now: datetime) -> list[str]:
    """The intent whose charge the transfer came out of; without one, an alarm."""
    intent_id = gateway.intent_of_charge(transfer.charge_id) if transfer.charge_id else ""
    if intent_id:
        return [intent_id]
    account = ConnectAccount.objects.filter(account_id=transfer.destination).first()
    if account and now - transfer.created_at > TRANSFER_GRACE:
        amount = formats.money(transfer.amount, account.currency)
        raise_account_alarm(
            account.restaurant_id,
            Discrepancy.Kind.BALANCE,
            f"Stripe transferred {amount} ({transfer.source_id}), which no ledger entry names",
            now=now,
        )
    return []


def _record_dispute(movement: BalanceMovement, now: datetime) -> None:
    """Read the dispute that moved money; an alarm if the ledger still doesn't have it."""
    if movement.intent_id:
        apply_dispute(movement.source_id, now=now)
    if not PaymentHistory.objects.filter(
        payment_intent_id=movement.intent_id, reference=movement.movement_id
    ).exists():
        _raise_for_order(movement, now)


def _raise_for_order(movement: BalanceMovement, now: datetime) -> None:
    order = PreOrder.objects.filter(payment_intent_id=movement.intent_id or None).first()
    if order is None:
        logger.info("%s is about no order here", movement.movement_id)
        return
    description = f"{movement.movement_id} of {movement.source_id} isn't in the ledger"
    about = Discrepancy.objects.filter(
        pre_order=order, kind=Discrepancy.Kind.BALANCE, description=description, resolved_at=None
    )
    if not about.exists():
        logger.error("order %s: %s", order.pk, description)
        open_issue(
            order.restaurant_id,
            Discrepancy.Kind.BALANCE,
            description,
            now=now,
            pre_order_id=order.pk,
            intent_id=movement.intent_id,
        )
