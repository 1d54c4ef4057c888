"""What restaurants have in their accounts at Stripe, and what happens when one owes.

A destination charge's transfer can be reversed whatever the balance, so refunds and disputes after
a payout make it negative, and the platform, which is liable for these accounts, pays until it is
filled: https://docs.stripe.com/connect/account-balances
"""

import logging
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Exists, OuterRef

from apps.billing import stripe_gateway as gateway
from apps.billing.account_alarms import close_account_alarm, raise_account_alarm
from apps.billing.gateway import Balance, GatewayError
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory
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
    return balance


def amount_owed(available: Decimal, pending: Decimal) -> Decimal:
    """What the account lacks once everything pending has arrived; 0 if nothing."""
    return max(Decimal(0), -(available + pending))


def read_balances(*, now: datetime) -> None:
    """Read the balances of accounts that money went through, the longest unread first."""
    used = PaymentHistory.objects.filter(
        restaurant_id=OuterRef("restaurant_id"),
        transaction_type=PaymentHistory.Type.TRANSFER,
    )
    accounts = ConnectAccount.objects.filter(Exists(used)).exclude(
        balance_read_at__gt=now - READ_AGAIN_AFTER
    )
    for account in accounts.order_by("balance_read_at")[:BATCH_SIZE]:
        try:
            read_balance(account, now=now)
        except GatewayError as error:
            logger.warning("balance of %s cannot be read: %s", account.account_id, error)
