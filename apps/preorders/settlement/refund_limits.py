"""Limits of refunds that a restaurant requests (decision 47).

A large one is confirmed by typing its amount a second time. One that the restaurant's balance at
Stripe doesn't cover is paid by the platform until the next orders fill it, up to a limit that
counts all it has advanced for the restaurant. Above that, staff decide.
"""

import logging
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.conf import settings

from apps.billing.account_alarms import raise_account_alarm
from apps.billing.balances import read_balance
from apps.billing.gateway import GatewayError
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory
from apps.common import formats
from apps.common.currencies import in_currency
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError
from apps.common.money import Money
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus

logger = logging.getLogger(__name__)

BALANCE_MAX_AGE = timedelta(seconds=60)


class NeedsConfirmation(Conflict):
    """A refund of this size is confirmed with its amount."""

    code = ErrorCode.CONFIRMATION_REQUIRED

    def __init__(self, message: str) -> None:
        super().__init__(
            message,
            fields=[FieldError("confirmAmount", message)],
            extra={"needsConfirmation": True},
        )


def needs_confirmation(back: Money, currency: str) -> bool:
    return back > in_currency(settings.REFUND_CONFIRMED_ABOVE, currency)


def check_confirmed(back: Money, confirmed: Money | None, currency: str) -> None:
    """Raise NeedsConfirmation unless a large refund was confirmed with exactly its amount."""
    if not needs_confirmation(back, currency) or confirmed == back:
        return
    shown = formats.money(back, currency)
    if confirmed is None:
        raise NeedsConfirmation(
            f"This refunds {shown}. Open the order and type the amount again to confirm it."
        )
    raise NeedsConfirmation(f"That isn't {shown}. Type the amount of the refund again.")


class NotCovered(Conflict):
    """The platform would have to advance too much for a refund."""

    def __init__(self, order: PreOrder, short: str) -> None:
        super().__init__(
            f"Your Stripe balance is {short} too low for this refund, so nothing was refunded yet. "
            "We've told our staff, who can release it. Contact us, or wait until more orders have "
            "been charged and try again."
        )
        self.order, self.short = order, short


def check_covered(order: PreOrder, less_payout: Money, *, funds: Decimal) -> None:
    """Raise NotCovered if the platform would have to advance too much; `funds` is what
    `read_funds` returned.

    The account stays locked until the caller's transaction ends, so that of several refunds at
    once each counts those before it. Taken after the order's lock.
    """
    accounts = ConnectAccount.objects.select_for_update()
    account = accounts.filter(restaurant_id=order.restaurant_id).first()
    if account is None:
        return
    advance = shortfall(order, less_payout, funds=funds)
    if advance > in_currency(settings.REFUND_ADVANCE_LIMIT, account.currency).amount:
        raise NotCovered(order, formats.money(advance, account.currency))


def tell_staff(refusal: NotCovered, *, now: datetime) -> None:
    """Raise the alarm, once the refused refund's transaction is over."""
    raise_account_alarm(
        refusal.order.restaurant_id,
        Discrepancy.Kind.REFUND_HELD,
        f"A refund of order {refusal.order.code} would leave the balance {refusal.short} below "
        "zero",
        now=now,
    )


def shortfall(order: PreOrder, less_payout: Money, *, funds: Decimal) -> Decimal:
    """How far below zero the account's balance is after this refund and those in progress, in the
    account's currency; 0 if the balance covers them.

    What Stripe converted and we haven't read yet hasn't been paid out either, so it covers its own
    refund.
    """
    taken = _settled(order, less_payout.amount) + _in_progress(order)
    return max(Decimal(0), taken - funds)


def read_funds(restaurant_id: UUID, *, now: datetime) -> Decimal:
    """What the restaurant's account has and will have, in its currency; the stored balance if it
    was just read, or if Stripe doesn't answer.

    Reads it from Stripe, so call it outside of transactions.
    """
    account = ConnectAccount.objects.filter(restaurant_id=restaurant_id).first()
    if account is None:
        return Decimal(0)
    if not _is_fresh(account, now):
        try:
            balance = read_balance(account, now=now)
        except GatewayError as error:
            logger.warning("balance of %s cannot be read: %s", account.account_id, error)
        else:
            return balance.available + balance.pending
    return account.available_balance + account.pending_balance


def _is_fresh(account: ConnectAccount, now: datetime) -> bool:
    """Whether the balance was just read, and no refund was made since."""
    read_at = account.balance_read_at
    if read_at is None or now - read_at > BALANCE_MAX_AGE:
        return False
    return not PaymentOperation.objects.filter(
        restaurant_id=account.restaurant_id, kind=OperationKind.REFUND, finished_at__gte=read_at
    ).exists()


def _settled(order: PreOrder, amount: Decimal) -> Decimal:
    """An amount of this order in the account's currency."""
    paid = PaymentHistory.objects.filter(
        pre_order=order, transaction_type=PaymentHistory.Type.TRANSFER
    ).select_related("conversion")
    entry = paid.first()
    if entry is None or entry.settled is None or not entry.amount:
        return Decimal(0)
    return (amount * entry.settled / entry.amount).quantize(Decimal("0.01"))


def _in_progress(order: PreOrder) -> Decimal:
    """What refunds of the restaurant's other orders, requested and not made yet, can take."""
    pending = PaymentOperation.objects.filter(
        restaurant_id=order.restaurant_id,
        kind=OperationKind.REFUND,
        state=OperationStatus.PENDING,
    ).exclude(pre_order=order)
    return sum(
        (
            _settled(
                each.pre_order,
                each.amount or each.pre_order.total_amount - each.pre_order.refunded_amount,
            )
            for each in pending.select_related("pre_order")
        ),
        Decimal(0),
    )
