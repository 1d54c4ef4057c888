"""The append-only books: every movement of money as the processor confirmed it (design §4).

Each function is called in the transaction that moves the order's payment state, so an entry exists
exactly when the state says so. Telling the same news twice books once.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import F

from apps.billing.fees import Fees
from apps.billing.models import MonthlyBillingCycle, PaymentHistory, PlatformFee
from apps.billing.services import billing_cycle
from apps.common.money import Money
from apps.restaurants.models import Restaurant

Type = PaymentHistory.Type


@dataclass(frozen=True, slots=True)
class OrderRef:
    """Which order an entry is about."""

    restaurant: Restaurant
    pre_order_id: UUID
    offer_id: UUID
    payment_intent_id: str


def _enter(
    ref: OrderRef,
    kind: PaymentHistory.Type,
    amount: Money,
    *,
    now: datetime,
    cycle: MonthlyBillingCycle | None = None,
    **also: object,
) -> bool:
    """One entry; False when it is in the books already."""
    _, created = PaymentHistory.objects.get_or_create(
        payment_intent_id=ref.payment_intent_id,
        transaction_type=kind,
        reference=also.pop("reference", ""),
        defaults={
            "restaurant": ref.restaurant,
            "cycle": cycle,
            "pre_order_id": ref.pre_order_id,
            "offer_id": ref.offer_id,
            "amount": amount.amount,
            "status": PaymentHistory.Status.SUCCEEDED,
            "processed_at": now,
            **also,
        },
    )
    return created


def book_authorization(ref: OrderRef, amount: Money, *, now: datetime) -> None:
    _enter(ref, Type.AUTHORIZATION, amount, now=now)


def book_release(ref: OrderRef, amount: Money, *, now: datetime) -> None:
    """A hold given back: nobody paid (DECISIONS X19)."""
    _enter(ref, Type.RELEASE, amount, now=now)


def book_capture(
    ref: OrderRef,
    amount: Money,
    fees: Fees,
    *,
    fee_rate: Decimal,
    transfer_id: str,
    now: datetime,
) -> None:
    """A charge with what is kept back of it and what goes to the restaurant."""
    cycle = billing_cycle(restaurant=ref.restaurant, now=now)
    if not _enter(
        ref,
        Type.CAPTURE,
        amount,
        now=now,
        cycle=cycle,
        platform_fee_amount=fees.revenue_share.amount,
        fee_rate=fee_rate,
        transfer_id=transfer_id,
    ):
        return
    _enter(ref, Type.FEE, fees.processing, now=now, cycle=cycle)
    payout = amount - fees.application_fee
    _enter(ref, Type.TRANSFER, payout, now=now, cycle=cycle, transfer_id=transfer_id)
    PlatformFee.objects.create(
        restaurant=ref.restaurant,
        pre_order_id=ref.pre_order_id,
        offer_id=ref.offer_id,
        order_amount=amount.amount,
        platform_fee_amount=fees.revenue_share.amount,
        fee_percentage=fee_rate,
        transfer_id=transfer_id,
        status=PaymentHistory.Status.SUCCEEDED,
        processing_date=now,
        payment_intent_id=ref.payment_intent_id,
    )
    _add_to_totals(ref.restaurant, cycle, amount, fees.revenue_share)


def book_refund(
    ref: OrderRef, amount: Money, revenue_share: Money, *, reference: str, now: datetime
) -> None:
    """Money given back after a charge; our share of it goes back too (DECISIONS X5)."""
    cycle = billing_cycle(restaurant=ref.restaurant, now=now)
    if _enter(
        ref,
        Type.REFUND,
        amount,
        now=now,
        cycle=cycle,
        platform_fee_amount=revenue_share.amount,
        reference=reference,
    ):
        _add_to_totals(ref.restaurant, cycle, Money(-amount.cents), Money(-revenue_share.cents))


def _add_to_totals(
    restaurant: Restaurant, cycle: MonthlyBillingCycle, revenue: Money, share: Money
) -> None:
    MonthlyBillingCycle.objects.filter(pk=cycle.pk).update(
        total_revenue=F("total_revenue") + revenue.amount,
        platform_fees=F("platform_fees") + share.amount,
    )
    Restaurant.objects.filter(pk=restaurant.pk).update(
        total_revenue_shared=F("total_revenue_shared") + share.amount
    )
