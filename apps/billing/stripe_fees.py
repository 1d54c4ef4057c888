"""What Stripe's card processing and disputes cost the platform, from its balance transactions.

Restaurants pay a card processing fee of ours, which is in the ledger. What Stripe takes for the
same payments is the platform's cost, and only Stripe knows it: it depends on the card (decision
128).
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.db.models import Sum

from apps.billing.gateway import BalanceMovement
from apps.billing.models import StripeFee


def record_stripe_fees(movements: Iterable[BalanceMovement]) -> None:
    """Store the fees of these transactions, in one statement. One that is stored stays as it is:
    Stripe never changes a balance transaction's fee, and makes another one to return it."""
    fees = [
        StripeFee(
            movement_id=each.movement_id,
            kind=each.kind,
            source_id=each.source_id,
            payment_intent_id=each.intent_id,
            amount=each.stripe_fee.amount,
            currency=each.settled_currency,
            charged_at=each.created_at,
        )
        for each in movements
        if each.stripe_fee.cents
    ]
    if fees:
        StripeFee.objects.bulk_create(fees, ignore_conflicts=True)


def stripe_fees_between(first: date, last: date) -> list[tuple[str, Decimal]]:
    """What Stripe took on these days, in UTC, by settlement currency."""
    begins = datetime.combine(first, time(), UTC)
    ends = datetime.combine(last, time(), UTC) + timedelta(days=1)
    fees = StripeFee.objects.filter(charged_at__gte=begins, charged_at__lt=ends)
    groups = fees.values_list("currency").annotate(total=Sum("amount"))
    return sorted(groups)
