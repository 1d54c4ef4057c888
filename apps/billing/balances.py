"""What restaurants have in their accounts at Stripe, and what happens when one owes.

A destination charge's transfer can be reversed whatever the balance, so refunds and disputes after
a payout make it negative, and the platform, which is liable for these accounts, pays until it is
filled: https://docs.stripe.com/connect/account-balances
"""

import logging
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Sum
from django.db.models.functions import Coalesce

from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import close_account_alarm, raise_account_alarm
from apps.billing.gateway import Balance, GatewayError
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory, Payout
from apps.common import formats

logger = logging.getLogger(__name__)

READ_AGAIN_AFTER = timedelta(hours=6)
BATCH_SIZE = 200


def read_balance(account: ConnectAccount, *, now: datetime) -> Balance:
    """Read the account's balance from Stripe, store it, and raise or close the alarm.

    Raises GatewayError if Stripe doesn't answer.
    """
    balance = gateway.account_balance(account.account_id, currency=account.currency)
    ConnectAccount.objects.filter(pk=account.pk).update(
        available_balance=balance.available,
        pending_balance=balance.pending,
        balance_read_at=now,
    )
    if owed := amount_owed(balance.available, balance.pending):
        raise_account_alarm(
            account.restaurant_id,
            Discrepancy.Kind.NEGATIVE,
            f"The account's balance is {formats.money(-owed, account.currency)}",
            now=now,
        )
    else:
        close_account_alarm(account.restaurant_id, Discrepancy.Kind.NEGATIVE, now=now)
    compare_balance(account, balance, now=now)
    return balance


def expected_balance(account: ConnectAccount) -> Decimal | None:
    """What the ledger and the payouts say the account has; None while a conversion isn't read."""
    entries = PaymentHistory.objects.filter(restaurant_id=account.restaurant_id)
    moved = entries.exclude(settled_currency="")
    if moved.filter(settled_amount=None, conversion=None).exists():
        return None
    sums = moved.aggregate(
        total=Sum(Coalesce("settled_amount", "conversion__amount"), default=Decimal(0))
    )
    left = Payout.objects.filter(
        restaurant_id=account.restaurant_id, status__in=(Payout.Status.SENT, Payout.Status.PAID)
    )
    paid: Decimal = left.aggregate(total=Sum("amount", default=Decimal(0)))["total"]
    return Decimal(sums["total"]) - paid


def compare_balance(account: ConnectAccount, balance: Balance, *, now: datetime) -> None:
    """Raise an alarm if Stripe's balance isn't the ledger's, twice in a row by the same amount.

    Once proves nothing: a charge can be on its way into the ledger. Converted money isn't
    compared, because Stripe converts refunds at another day's rate (decision 48).
    """
    restaurant_id, kind = account.restaurant_id, Discrepancy.Kind.BALANCE
    expected = expected_balance(account)
    if expected is None or account.currency != account.restaurant.currency:
        return
    found = balance.available + balance.pending
    difference = found - expected
    if not difference:
        close_account_alarm(restaurant_id, kind, now=now)
    elif difference == account.balance_difference:
        raise_account_alarm(
            restaurant_id,
            kind,
            f"Stripe's balance is {formats.money(found, account.currency)}, the ledger says "
            f"{formats.money(expected, account.currency)}",
            now=now,
        )
    if difference != account.balance_difference:
        # Read again soon, and not only in hours.
        ConnectAccount.objects.filter(pk=account.pk).update(
            balance_difference=difference,
            balance_read_at=None if difference else now,
        )
        account.balance_difference = difference


def amount_owed(available: Decimal, pending: Decimal) -> Decimal:
    """What the account lacks once everything pending has arrived; 0 if nothing."""
    return max(Decimal(0), -(available + pending))


def read_balances(*, now: datetime) -> None:
    """Read the balances of accounts that money went through, the longest unread first."""
    used = PaymentHistory.objects.filter(
        restaurant_id=OuterRef("restaurant_id"),
        transaction_type=PaymentHistory.Type.TRANSFER,
    )
    accounts = (
        ConnectAccount.objects.select_related("restaurant")
        .filter(Exists(used))
        .exclude(balance_read_at__gt=now - READ_AGAIN_AFTER)
        .order_by(F("balance_read_at").asc(nulls_first=True))
    )
    for account in accounts[:BATCH_SIZE]:
        try:
            read_balance(account, now=now)
        except GatewayError as error:
            logger.warning("balance of %s cannot be read: %s", account.account_id, error)
