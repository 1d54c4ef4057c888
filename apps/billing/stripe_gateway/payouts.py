"""Balances of connected accounts, and payouts from them to their banks."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import stripe

from apps.billing.gateway import Balance, PayoutSnapshot, PayoutStatus
from apps.billing.stripe_gateway.client import id_of, our_errors, read
from apps.common.currencies import smallest_units, units_of

# Of every payout we request: what it is to us, so that it is found again after a lost answer.
OUR_NAME = "payout"
_STATUSES = {
    "pending": PayoutStatus.SENT,
    "in_transit": PayoutStatus.SENT,
    "paid": PayoutStatus.PAID,
    "failed": PayoutStatus.FAILED,
    "canceled": PayoutStatus.FAILED,
}


def account_balance(account_id: str, *, currency: str) -> Balance:
    """What the account has in this currency, which is its own."""
    with our_errors():
        balance = stripe.Balance.retrieve(stripe_account=account_id)
        return Balance(_total(balance.available, currency), _total(balance.pending, currency))


def _total(parts: Any, currency: str) -> Decimal:
    return units_of(sum(each.amount for each in parts if each.currency == currency), currency)


def create_payout(
    account_id: str, *, amount: Decimal, currency: str, name: str, key: str
) -> PayoutSnapshot:
    """Pay out from the account's available balance. `name` is ours, for `find_payouts`.

    Raises Refused, among others with `balance_insufficient` and `payouts_not_allowed`:
    https://docs.stripe.com/error-codes
    """
    with our_errors():
        payout = stripe.Payout.create(
            amount=smallest_units(amount, currency),
            currency=currency,
            metadata={OUR_NAME: name},
            stripe_account=account_id,
            idempotency_key=key,
        )
        return _snapshot(payout)


def retrieve_payout(account_id: str, payout_id: str) -> PayoutSnapshot:
    with our_errors():
        return _snapshot(stripe.Payout.retrieve(payout_id, stripe_account=account_id))


def find_payouts(account_id: str, *, name: str, since: datetime) -> list[PayoutSnapshot]:
    """The account's payouts with our name, newest first; `since` is when we first asked."""
    with our_errors():
        page = stripe.Payout.list(
            created={"gte": int(since.timestamp()) - 60}, limit=100, stripe_account=account_id
        )
        found = (_snapshot(payout) for payout in page.auto_paging_iter())
        return [payout for payout in found if payout.key == name]


def settled_amount(account_id: str, transfer_id: str) -> tuple[Decimal, str] | None:
    """What a destination charge's transfer added to the account, after our fee, and in which
    currency; None if Stripe doesn't say yet.

    https://docs.stripe.com/api/balance_transactions/object
    """
    with our_errors():
        payment = id_of(stripe.Transfer.retrieve(transfer_id).destination_payment)
        page = stripe.BalanceTransaction.list(source=payment, stripe_account=account_id)
        for transaction in page.auto_paging_iter():
            if transaction.type == "payment":
                return units_of(transaction.net, transaction.currency), transaction.currency
    return None


def _snapshot(payout: Any) -> PayoutSnapshot:
    currency = read(payout, "currency")
    return PayoutSnapshot(
        payout_id=read(payout, "id"),
        status=_STATUSES[read(payout, "status")],
        amount=units_of(read(payout, "amount"), currency),
        currency=currency,
        arrives_on=_day(read(payout, "arrival_date")),
        key=read(payout, "metadata", OUR_NAME) or "",
        failure_code=read(payout, "failure_code") or "",
    )


def _day(timestamp: int) -> date:
    return datetime.fromtimestamp(timestamp, UTC).date()
