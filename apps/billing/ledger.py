"""The append-only ledger: every movement of money that Stripe confirmed (design §4).

Call each function in the transaction that changes the order's payment status, so that the two
always agree. Recording the same movement twice writes one entry. Entries are sealed into a hash
chain later, by `chain.seal_entries`, so that writing them waits for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import F

from apps.billing.fees import Fees
from apps.billing.models import ConnectAccount, MonthlyBillingCycle, PaymentHistory, PlatformFee
from apps.billing.services import billing_cycle
from apps.common.money import Money
from apps.restaurants.models import Restaurant

Type = PaymentHistory.Type
# What happened in a month that ended longer ago than this is entered in the current one.
LATE_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class OrderRef:
    """The order that an entry belongs to."""

    restaurant: Restaurant
    pre_order_id: UUID
    offer_id: UUID
    payment_intent_id: str


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """One charge: what the guest paid, the fees, and the transfer of the rest."""

    ref: OrderRef
    amount: Money
    fees: Fees
    fee_rate: Decimal  # percent
    transfer_id: str
    captured_at: datetime | None = None  # by Stripe's clock, if it said; otherwise it is now


def _entry(
    ref: OrderRef,
    kind: PaymentHistory.Type,
    amount: Money,
    *,
    now: datetime,
    cycle: MonthlyBillingCycle | None = None,
    **also: Any,
) -> PaymentHistory:
    return PaymentHistory(
        restaurant=ref.restaurant,
        cycle=cycle,
        pre_order_id=ref.pre_order_id,
        offer_id=ref.offer_id,
        transaction_type=kind,
        amount=amount.amount,
        currency=ref.restaurant.currency,
        payment_intent_id=ref.payment_intent_id,
        status=PaymentHistory.Status.SUCCEEDED,
        processed_at=now,
        **also,
    )


def _is_recorded(ref: OrderRef, kind: PaymentHistory.Type, reference: str = "") -> bool:
    return PaymentHistory.objects.filter(
        payment_intent_id=ref.payment_intent_id, transaction_type=kind, reference=reference
    ).exists()


def _record_once(entry: PaymentHistory) -> None:
    """Write the entry unless the ledger already has it."""
    PaymentHistory.objects.bulk_create([entry], ignore_conflicts=True)


def record_authorization(ref: OrderRef, amount: Money, *, now: datetime) -> None:
    """Record a card hold: no money has moved yet."""
    _record_once(_entry(ref, Type.AUTHORIZATION, amount, now=now))


def record_release(ref: OrderRef, amount: Money, *, now: datetime) -> None:
    """Record a released hold: nobody paid (DECISIONS X19)."""
    _record_once(_entry(ref, Type.RELEASE, amount, now=now))


def record_captures(captures: Sequence[CaptureRecord], *, now: datetime) -> None:
    """Record charges of one restaurant, each with its fees and its transfer.

    Charges that the ledger already has are skipped.
    """
    recorded = set(
        PaymentHistory.objects.filter(
            payment_intent_id__in=[capture.ref.payment_intent_id for capture in captures],
            transaction_type=Type.CAPTURE,
            reference="",
        ).values_list("payment_intent_id", flat=True)
    )
    captures = [each for each in captures if each.ref.payment_intent_id not in recorded]
    if not captures:
        return
    restaurant = captures[0].ref.restaurant
    _add_to_total_shared(restaurant, _shares_of(captures))
    settled_in = settlement_currency(restaurant)
    months: dict[MonthlyBillingCycle, list[tuple[CaptureRecord, datetime]]] = {}
    cycle_now = billing_cycle(restaurant=restaurant, now=now)
    for each in captures:
        at = entered_at(restaurant, each.captured_at, now=now)
        cycle = cycle_now
        if at < now and month_at(restaurant, at) != month_at(restaurant, now):
            cycle = billing_cycle(restaurant=restaurant, now=at)
        months.setdefault(cycle, []).append((each, at))
    PaymentHistory.objects.bulk_create(
        [
            entry
            for cycle, group in months.items()
            for each, at in group
            for entry in _capture_entries(each, cycle, settled_in, at)
        ]
    )
    PlatformFee.objects.bulk_create(
        [_platform_fee(each, at) for group in months.values() for each, at in group]
    )
    for cycle, group in months.items():
        charged = Money(sum(each.amount.cents for each, _ in group))
        _add_to_month(cycle, charged, _shares_of([each for each, _ in group]))


def _shares_of(captures: Sequence[CaptureRecord]) -> Money:
    return Money(sum(each.fees.revenue_share.cents for each in captures))


def entered_at(restaurant: Restaurant, at: datetime | None, *, now: datetime) -> datetime:
    """The time under which a movement is entered: when it happened, as long as its month is open.

    A month is open until `LATE_FOR` after its end, and closed later than that (`cycles`), so that
    what we hear of late is in its own month and a closed one never changes (decision 114).
    """
    if at is None or at >= now:
        return now
    return at if month_at(restaurant, now - LATE_FOR) <= month_at(restaurant, at) else now


def month_at(restaurant: Restaurant, moment: datetime) -> tuple[int, int]:
    """The year and month of a moment in the restaurant's time zone."""
    local = moment.astimezone(restaurant.zone)
    return local.year, local.month


def _capture_entries(
    capture: CaptureRecord, cycle: MonthlyBillingCycle, settled_in: str, now: datetime
) -> list[PaymentHistory]:
    ref, fees, transfer_id = capture.ref, capture.fees, capture.transfer_id
    payout = capture.amount - fees.application_fee
    charge = _entry(
        ref,
        Type.CAPTURE,
        capture.amount,
        now=now,
        cycle=cycle,
        platform_fee_amount=fees.revenue_share.amount,
        fee_rate=capture.fee_rate,
        transfer_id=transfer_id,
    )
    fee = _entry(ref, Type.FEE, fees.processing, now=now, cycle=cycle)
    paid = _entry(
        ref,
        Type.TRANSFER,
        payout,
        now=now,
        cycle=cycle,
        transfer_id=transfer_id,
        **_settled(ref.restaurant, settled_in, payout),
    )
    return [charge, fee, paid]


def settlement_currency(restaurant: Restaurant) -> str:
    """The currency that arrives in the restaurant's balance, and at its bank."""
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    return account.currency if account else restaurant.currency


def _settled(restaurant: Restaurant, settled_in: str, effect: Money) -> dict[str, Any]:
    """What an entry adds to the restaurant's balance: known now unless Stripe converts it."""
    amount = effect.amount if settled_in == restaurant.currency else None
    return {"settled_currency": settled_in, "settled_amount": amount}


def _platform_fee(capture: CaptureRecord, now: datetime) -> PlatformFee:
    return PlatformFee(
        restaurant=capture.ref.restaurant,
        pre_order_id=capture.ref.pre_order_id,
        offer_id=capture.ref.offer_id,
        order_amount=capture.amount.amount,
        platform_fee_amount=capture.fees.revenue_share.amount,
        fee_percentage=capture.fee_rate,
        transfer_id=capture.transfer_id,
        status=PaymentHistory.Status.SUCCEEDED,
        processing_date=now,
        payment_intent_id=capture.ref.payment_intent_id,
    )


def record_refund(
    ref: OrderRef, amount: Money, fees: Fees, *, reference: str, now: datetime
) -> None:
    """Record a full or partial refund and the `fees` returned with it (DECISIONS X5).

    `reference` is the refund's id.
    """
    if _is_recorded(ref, Type.REFUND, reference):
        return
    _add_to_total_shared(ref.restaurant, Money(-fees.revenue_share.cents))
    cycle = billing_cycle(restaurant=ref.restaurant, now=now)
    refunded = _entry(
        ref,
        Type.REFUND,
        amount,
        now=now,
        cycle=cycle,
        platform_fee_amount=fees.revenue_share.amount,
        processing_fee_amount=fees.processing.amount,
        reference=reference,
        **_settled(
            ref.restaurant,
            settlement_currency(ref.restaurant),
            fees.application_fee - amount,
        ),
    )
    refunded.save(force_insert=True)
    _add_to_month(cycle, Money(-amount.cents), Money(-fees.revenue_share.cents))


def record_returned_refund(ref: OrderRef, amount: Money, *, reference: str, now: datetime) -> None:
    """Record that the guest's bank returned a refund, which `record_refund` recorded before.

    The money is the platform's to pay on; nothing of the restaurant's changes, because its transfer
    stays reversed: https://docs.stripe.com/connect/destination-charges#issue-refunds
    """
    _record_once(_entry(ref, Type.REFUND_RETURNED, amount, now=now, reference=reference))


def record_repeated_refund(ref: OrderRef, amount: Money, *, reference: str, now: datetime) -> None:
    """Record that the platform refunded what a dispute had kept from the guest.

    Nothing of the restaurant's changes: its transfer was reversed with the first refund.
    """
    _record_once(_entry(ref, Type.REFUND_REPEATED, amount, now=now, reference=reference))


def record_dispute_movement(
    ref: OrderRef, *, amount: Money, fee: Money, reference: str, now: datetime
) -> None:
    """Record one balance transaction of a dispute: between Stripe and the platform.

    A negative `amount` was taken by the guest's bank, a positive one returned; a negative `fee` was
    returned by Stripe. The restaurant's part follows as a transfer's reversal or return.
    """
    entries = (
        (Type.DISPUTE if amount.cents < 0 else Type.REINSTATED, amount),
        (Type.DISPUTE_FEE if fee.cents > 0 else Type.DISPUTE_FEE_RETURNED, fee),
    )
    for kind, moved in entries:
        if moved.cents:
            size = Money(abs(moved.cents))
            _record_once(_entry(ref, kind, size, now=now, reference=reference))


def record_transfer_reversal(
    ref: OrderRef,
    amount: Money,
    fees: Fees,
    *,
    reference: str,
    transfer_id: str,
    now: datetime,
) -> None:
    """Record that the restaurant gave `amount` back for a dispute and got `fees` back.

    A transfer that was made again was made without the fees, so Stripe reverses that much less;
    for the restaurant it's the same.
    """
    _record_transfer(ref, Type.TRANSFER_REVERSAL, amount, fees, -1, reference, now, transfer_id)


def record_transfer_return(
    ref: OrderRef, amount: Money, fees: Fees, *, reference: str, now: datetime
) -> None:
    """Record that the restaurant got `amount` again; `fees` are deducted from it again."""
    _record_transfer(ref, Type.TRANSFER_RETURN, amount, fees, 1, reference, now)


def _record_transfer(
    ref: OrderRef,
    kind: PaymentHistory.Type,
    amount: Money,
    fees: Fees,
    sign: int,
    reference: str,
    now: datetime,
    transfer_id: str = "",
) -> None:
    if _is_recorded(ref, kind, reference):
        return
    share = Money(sign * fees.revenue_share.cents)
    charged = amount + fees.application_fee if sign > 0 else amount
    _add_to_total_shared(ref.restaurant, share)
    cycle = billing_cycle(restaurant=ref.restaurant, now=now)
    settled_in = settlement_currency(ref.restaurant)
    effect = amount if sign > 0 else fees.application_fee - amount
    entry = _entry(
        ref,
        kind,
        amount,
        now=now,
        cycle=cycle,
        platform_fee_amount=fees.revenue_share.amount,
        processing_fee_amount=fees.processing.amount,
        reference=reference,
        transfer_id=transfer_id,
        **_settled(ref.restaurant, settled_in, effect),
    )
    entry.save(force_insert=True)
    _add_to_month(cycle, Money(sign * charged.cents), share)


def _add_to_total_shared(restaurant: Restaurant, share: Money) -> None:
    """Add to the restaurant's total revenue share.

    Call it before updating the month: publishing locks the restaurant first, then the month, and
    the opposite order would deadlock with it.
    """
    if share.cents:
        Restaurant.objects.filter(pk=restaurant.pk).update(
            total_revenue_shared=F("total_revenue_shared") + share.amount
        )


def _add_to_month(cycle: MonthlyBillingCycle, revenue: Money, share: Money) -> None:
    MonthlyBillingCycle.objects.filter(pk=cycle.pk).update(
        total_revenue=F("total_revenue") + revenue.amount,
        platform_fees=F("platform_fees") + share.amount,
    )
