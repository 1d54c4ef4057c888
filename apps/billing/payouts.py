"""Paying restaurants out: recorded once the money is due, then requested from Stripe (decision 46).

Stripe pays nothing out by itself (`accounts.create_account`). A sweep records one payout for all
that is due to a restaurant, with the ledger entries it contains; a worker requests it from Stripe
with a key made of the row. Webhooks and the same worker read how it went.
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import close_account_alarm, raise_account_alarm
from apps.billing.balances import read_balance
from apps.billing.emails import send_payout_failed
from apps.billing.gateway import GatewayError, PayoutSnapshot, PayoutStatus, Refused, ServerError
from apps.billing.models import (
    ConnectAccount,
    Conversion,
    Discrepancy,
    PaymentHistory,
    Payout,
    PayoutEntry,
)
from apps.common.currencies import payable_amount
from apps.common.errors import Conflict, NotFound
from apps.integrations.event_types import EventType
from apps.integrations.outbox import NewEvent, publish
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
# A payment is available some days after its charge, and a payout waits for it.
WAIT_FOR_MONEY = timedelta(hours=3)
RETRY_AFTER = timedelta(minutes=15)
POLL_AFTER = timedelta(hours=12)
# A payout that was paid can still be sent back within five business days:
# https://docs.stripe.com/api/payouts/object
CAN_FAIL_FOR = timedelta(days=10)
# A payout that still waits then needs a person.
PATIENCE = timedelta(days=5)
BATCH_SIZE = 200

_GIVEN = (PaymentHistory.Type.TRANSFER, PaymentHistory.Type.TRANSFER_RETURN)
_TAKEN = (PaymentHistory.Type.REFUND, PaymentHistory.Type.TRANSFER_REVERSAL)
NOT_FAILED = "This payout didn't fail, so there's nothing to retry."
UNKNOWN_PAYOUT = "We couldn't find this payout."


# --- what is due ----------------------------------------------------------------------------------
def payout_day(serve_date: date) -> date:
    """The day on which the money for a serve date is paid out."""
    return serve_date + timedelta(days=settings.PAYOUT_DELAY_DAYS)


def unpaid_entries(restaurant: Restaurant) -> QuerySet[PaymentHistory]:
    """Ledger entries that changed the restaurant's balance and are in no payout."""
    return PaymentHistory.objects.filter(
        restaurant=restaurant, transaction_type__in=(*_GIVEN, *_TAKEN), payout_entry=None
    ).select_related("conversion")


def schedule_payouts(*, now: datetime) -> None:
    """Record a payout for each restaurant with money that is due.

    Refunds since the last payout are taken off; if they exceed what is due, everything waits.
    """
    # The local day can be a day ahead of UTC's; the exact one is checked for each restaurant.
    latest = (now + timedelta(days=1)).date() - timedelta(days=settings.PAYOUT_DELAY_DAYS)
    candidates = (
        PaymentHistory.objects.filter(
            transaction_type=PaymentHistory.Type.TRANSFER,
            payout_entry=None,
            offer__serve_date__lte=latest,
        )
        .order_by("restaurant_id")
        .values_list("restaurant_id", flat=True)
        .distinct()
    )
    for restaurant_id in candidates:
        try:
            _schedule(restaurant_id, now=now)
        except GatewayError as error:
            logger.warning("payout of %s cannot be computed: %s", restaurant_id, error)


def _schedule(restaurant_id: UUID, *, now: datetime) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if account is None or restaurant.status == Restaurant.Status.SUSPENDED:
        return
    _read_conversions(account, _due(restaurant, now))
    with transaction.atomic():
        # One payout at a time is put together for an account.
        ConnectAccount.objects.select_for_update().get(pk=account.pk)
        due = list(_due(restaurant, now))
        if any(entry.settled is None for entry in due):
            return
        total = sum((entry.settled or Decimal(0) for entry in due), Decimal(0))
        amount = payable_amount(total, account.currency)
        if amount <= 0:
            return
        payout = Payout.objects.create(
            restaurant=restaurant,
            amount=amount,
            currency=account.currency,
            due_at=now,
            created_at=now,
        )
        PayoutEntry.objects.bulk_create(
            PayoutEntry(restaurant=restaurant, payout=payout, entry=entry) for entry in due
        )


def _due(restaurant: Restaurant, now: datetime) -> QuerySet[PaymentHistory]:
    last = now.astimezone(restaurant.zone).date() - timedelta(days=settings.PAYOUT_DELAY_DAYS)
    return unpaid_entries(restaurant).filter(offer__serve_date__lte=last)


def _read_conversions(account: ConnectAccount, entries: Iterable[PaymentHistory]) -> None:
    """Record what Stripe made of charges that it converted. Raises GatewayError.

    A refund or reversal takes the same share of the settled amount as of the transfer. Stripe
    converts it at its own day's rate, so the account can have a bit more or less (decision 48).
    """
    for entry in entries:
        if entry.settled is not None:
            continue
        amount: Decimal | None = None
        if entry.transaction_type == PaymentHistory.Type.TRANSFER:
            settled = gateway.settled_amount(account.account_id, entry.transfer_id)
            amount = settled[0] if settled and settled[1] == account.currency else None
        else:
            transfers = PaymentHistory.objects.filter(
                payment_intent_id=entry.payment_intent_id,
                transaction_type=PaymentHistory.Type.TRANSFER,
            )
            paid = transfers.select_related("conversion").first()
            if paid and paid.settled is not None and paid.amount:
                effect = entry.amount
                if entry.transaction_type in _TAKEN:
                    effect = entry.platform_fee_amount + entry.processing_fee_amount - effect
                share = paid.settled * effect / paid.amount
                amount = share.quantize(Decimal("0.01"))
        if amount is not None:
            made = Conversion(
                restaurant_id=entry.restaurant_id,
                entry=entry,
                amount=amount,
                currency=account.currency,
            )
            Conversion.objects.bulk_create([made], ignore_conflicts=True)


# --- carrying it out ------------------------------------------------------------------------------
def due_payouts(*, now: datetime) -> list[UUID]:
    """Payouts that a worker must look at, for whatever reason."""
    due = Payout.objects.filter(due_at__lte=now).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:BATCH_SIZE])


def run_payout(*, payout_id: UUID, now: datetime) -> None:
    """Request a payout from Stripe, or read how it went. Safe to run twice, and after a crash."""
    claimed = Payout.objects.filter(pk=payout_id, due_at__lte=now).update(due_at=now + LEASE)
    payout = Payout.objects.select_related("restaurant").filter(pk=payout_id).first()
    if not claimed or payout is None:
        return
    account = ConnectAccount.objects.get(restaurant_id=payout.restaurant_id)
    try:
        if payout.payout_id:
            _apply(payout, gateway.retrieve_payout(account.account_id, payout.payout_id), now=now)
        elif payout.status == Payout.Status.PENDING:
            _request(payout, account, now=now)
        else:
            _wait(payout, None)
    except Refused as error:
        _refused(payout, error, now=now)
    except ServerError as error:
        # Stripe would replay its answer for this key; what it did is found by our name.
        logger.warning("payout %s: %s", payout.pk, error)
        _wait(payout, now + RETRY_AFTER, attempt=payout.attempt + 1)
    except GatewayError as error:
        logger.warning("payout %s: %s", payout.pk, error)
        _wait(payout, now + RETRY_AFTER)


def _request(payout: Payout, account: ConnectAccount, *, now: datetime) -> None:
    if made := _made_before(payout, account):
        _apply(payout, made, now=now)
        return
    if payout.restaurant.status == Restaurant.Status.SUSPENDED:
        _wait(payout, now + WAIT_FOR_MONEY)
        return
    balance = read_balance(account, now=now)
    amount = payout.amount
    if account.currency != payout.restaurant.currency:
        # Converted refunds are estimates: what is there is what can be paid.
        everything = payable_amount(balance.available + balance.pending, account.currency)
        amount = min(amount, everything) if everything > 0 else amount
    if balance.available < amount:
        if now >= payout.created_at + PATIENCE:
            raise_account_alarm(
                payout.restaurant_id,
                Discrepancy.Kind.PAYOUT_FAILED,
                f"A payout of {payout} waits for money since {payout.created_at:%Y-%m-%d}",
                now=now,
            )
        _wait(payout, now + WAIT_FOR_MONEY)
        return
    Payout.objects.filter(pk=payout.pk).update(requested_at=payout.requested_at or now)
    made = gateway.create_payout(
        account.account_id,
        amount=amount,
        currency=payout.currency,
        name=str(payout.pk),
        key=f"payout:{payout.pk}:{payout.attempt}",
    )
    _apply(payout, made, now=now)


def _made_before(payout: Payout, account: ConnectAccount) -> PayoutSnapshot | None:
    """The payout at Stripe that an earlier try made without us hearing of it."""
    if payout.requested_at is None:
        return None
    found = gateway.find_payouts(account.account_id, name=str(payout.pk), since=payout.requested_at)
    return next((each for each in found if each.status is not PayoutStatus.FAILED), None)


def _refused(payout: Payout, error: Refused, *, now: datetime) -> None:
    """Nothing was paid. It is tried again by itself: accounts are restricted for days."""
    logger.warning("payout %s was refused: %s", payout.pk, error)
    raise_account_alarm(
        payout.restaurant_id,
        Discrepancy.Kind.PAYOUT_FAILED,
        f"Stripe refuses a payout of {payout}: {error.code}",
        now=now,
    )
    Payout.objects.filter(pk=payout.pk).update(failure_code=error.code)
    _wait(payout, now + WAIT_FOR_MONEY, attempt=payout.attempt + 1)


def _wait(payout: Payout, until: datetime | None, *, attempt: int | None = None) -> None:
    Payout.objects.filter(pk=payout.pk).update(due_at=until, attempt=attempt or payout.attempt)


# --- how it went ----------------------------------------------------------------------------------
def sync_payout(*, payout_id: str, name: str, now: datetime) -> None:
    """Read a payout that Stripe sent news of. `name` is what we called it; one with an unknown name
    isn't ours. Raises GatewayError if Stripe doesn't answer; the sweep reads it later."""
    ours = Q(payout_id=payout_id)
    with suppress(ValueError):
        ours |= Q(pk=UUID(name), payout_id=None)
    payout = Payout.objects.filter(ours).first()
    if payout is None:
        return
    account = ConnectAccount.objects.get(restaurant_id=payout.restaurant_id)
    snapshot = gateway.retrieve_payout(account.account_id, payout_id)
    if payout.payout_id is None and snapshot.status is PayoutStatus.FAILED:
        return  # of an earlier attempt
    _apply(payout, snapshot, now=now)


def _apply(payout: Payout, snapshot: PayoutSnapshot, *, now: datetime) -> None:
    """Record what Stripe says. An outdated snapshot changes nothing."""
    with transaction.atomic():
        row = Payout.objects.select_for_update().get(pk=payout.pk)
        if row.payout_id not in (None, snapshot.payout_id):
            return
        if row.status == Payout.Status.FAILED:
            return
        row.payout_id = snapshot.payout_id
        row.amount, row.arrives_on = snapshot.amount, snapshot.arrives_on
        row.failure_code = snapshot.failure_code
        was_in_balance, before = row.status == Payout.Status.PENDING, row.status
        if snapshot.status is PayoutStatus.SENT and row.status == Payout.Status.PENDING:
            row.status = Payout.Status.SENT
        elif snapshot.status is PayoutStatus.PAID and row.status != Payout.Status.PAID:
            row.status, row.finished_at = Payout.Status.PAID, now
        elif snapshot.status is PayoutStatus.FAILED:
            row.status, row.finished_at = Payout.Status.FAILED, now
        _update_stored_balance(row, was_in_balance=was_in_balance)
        over = row.status == Payout.Status.FAILED or (
            row.status == Payout.Status.PAID and now >= (row.finished_at or now) + CAN_FAIL_FOR
        )
        row.due_at = None if over else now + POLL_AFTER
        row.save(
            update_fields=[
                *("payout_id", "amount", "arrives_on", "failure_code"),
                *("status", "finished_at", "due_at"),
            ]
        )
        if row.status != before:
            _publish(row, now=now)
        kind = Discrepancy.Kind.PAYOUT_FAILED
        if row.status == Payout.Status.FAILED:
            description = f"The bank sent back a payout of {row}: {row.failure_code}"
            raise_account_alarm(row.restaurant_id, kind, description, now=now)
        elif not _failed(row.restaurant_id).exists():
            close_account_alarm(row.restaurant_id, kind, now=now)


_EVENTS = {
    Payout.Status.SENT: EventType.PAYOUT_SENT,
    Payout.Status.PAID: EventType.PAYOUT_PAID,
    Payout.Status.FAILED: EventType.PAYOUT_FAILED,
}


def _publish(payout: Payout, *, now: datetime) -> None:
    """Tell the restaurant's webhooks how the payout went."""
    event_type = _EVENTS[Payout.Status(payout.status)]
    data = {
        "id": str(payout.pk),
        "status": str(payout.status),
        "amount": f"{payout.amount:.2f}",
        "currency": payout.currency,
        "arrivesOn": payout.arrives_on.isoformat() if payout.arrives_on else None,
        "failureCode": payout.failure_code,
    }
    publish(payout.restaurant_id, lambda: [NewEvent(event_type, data)], now=now)


def _update_stored_balance(row: Payout, *, was_in_balance: bool) -> None:
    """Take the payout from the stored balance, or put it back, until Stripe's is read again."""
    is_in_balance = row.status == Payout.Status.FAILED
    if was_in_balance == is_in_balance:
        return
    change = row.amount if is_in_balance else -row.amount
    ConnectAccount.objects.filter(restaurant_id=row.restaurant_id).update(
        available_balance=F("available_balance") + change
    )


def _failed(restaurant_id: UUID) -> QuerySet[Payout]:
    return Payout.objects.filter(restaurant_id=restaurant_id, status=Payout.Status.FAILED)


def tell_of_failures(*, now: datetime) -> None:
    """Email the owners of payouts that their banks sent back, once for each attempt."""
    failed = Payout.objects.filter(status=Payout.Status.FAILED, owner_emailed_at=None)
    for payout in failed.select_related("restaurant")[:BATCH_SIZE]:
        send_payout_failed(payout)
        Payout.objects.filter(pk=payout.pk).update(owner_emailed_at=now)


def continue_payouts(*, restaurant: Restaurant, now: datetime) -> None:
    """Continue the payouts that waited while the restaurant was suspended (decision 85)."""
    waiting = Payout.objects.filter(
        restaurant=restaurant, status=Payout.Status.PENDING, payout_id=None
    )
    waiting.update(due_at=now)


def retry_payout(*, restaurant: Restaurant, payout_id: UUID, now: datetime) -> None:
    """Request a failed payout again, once the owner corrected the bank account.

    Raises NotFound for another restaurant's, Conflict if it didn't fail.
    """
    with transaction.atomic():
        row = Payout.objects.select_for_update().filter(restaurant=restaurant, pk=payout_id).first()
        if row is None:
            raise NotFound(UNKNOWN_PAYOUT)
        if row.status != Payout.Status.FAILED:
            raise Conflict(NOT_FAILED)
        Payout.objects.filter(pk=row.pk).update(
            status=Payout.Status.PENDING,
            payout_id=None,
            attempt=row.attempt + 1,
            due_at=now,
            arrives_on=None,
            finished_at=None,
            owner_emailed_at=None,
            failure_code="",
        )
        about = ("payout", row.pk)
        record(Kind.PAYOUT_RETRIED, restaurant=restaurant, about=about, now=now)


def has_been_paid_out(restaurant_id: UUID) -> bool:
    """Whether a payout has ever arrived at the restaurant's bank."""
    return Payout.objects.filter(restaurant_id=restaurant_id, status=Payout.Status.PAID).exists()
