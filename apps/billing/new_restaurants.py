"""How much a restaurant can hold and charge before its first payout arrived (decision 47).

A restaurant that nobody knows yet could take money and disappear; guests would claim it back from
the platform. The limit counts what is held or about to be, and what is charged and not refunded.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, Sum

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import ConnectAccount
from apps.billing.payouts import has_been_paid_out
from apps.common import formats
from apps.common.currencies import in_currency
from apps.common.errors import NotFound
from apps.common.money import Money
from apps.restaurants.models import Restaurant

NO_ACCOUNT = "{} has no payment account."
# Orders belong to a higher app, whose states can't be imported.
_AT_RISK = Q(payment_status__in=("authorized", "captured")) | Q(status="pending")


@dataclass(frozen=True, slots=True)
class NewRestaurantLimit:
    """`total` is the most, `used` what is held and charged now."""

    total: Money
    used: Money
    currency: str

    @property
    def left(self) -> Money:
        return Money(max(0, self.total.cents - self.used.cents))

    @property
    def sentence(self) -> str:
        """What it means, for the owner."""
        total, used = (formats.money(each, self.currency) for each in (self.total, self.used))
        return (
            f"Until your first payout arrives, guests can pre-order up to {total} in all at your "
            f"restaurant. {used} is held or charged now. The limit ends automatically with your "
            "first payout. Contact us if you need more before then."
        )


def new_restaurant_limit(
    restaurant: Restaurant, *, lock: bool = False
) -> NewRestaurantLimit | None:
    """The restaurant's limit, or None once a payout has arrived or where staff lifted it.

    With `lock`, nobody else orders there until the caller's transaction ends: guests of several
    specials together could exceed it otherwise. Taken after the locks of offers and orders.
    """
    account = getattr(restaurant, "connect_account", None)
    if (account and account.limit_lifted_at) or has_been_paid_out(restaurant.pk):
        return None
    if lock:
        lock_account(restaurant)
    orders = restaurant.pre_orders.filter(_AT_RISK)
    used = orders.aggregate(total=Sum(F("total_amount") - F("refunded_amount")))["total"]
    return NewRestaurantLimit(
        total=in_currency(settings.NEW_RESTAURANT_LIMIT, restaurant.currency),
        used=Money.of(used or 0),
        currency=restaurant.currency,
    )


def lock_account(restaurant: Restaurant) -> None:
    ConnectAccount.objects.select_for_update().filter(restaurant=restaurant).first()


@transaction.atomic
def lift_sales_limit(*, restaurant: Restaurant, now: datetime) -> None:
    """Let a new restaurant sell any amount before its first payout. Safe to repeat: the time stays.

    Raises NotFound if it has no payment account.
    """
    account = ConnectAccount.objects.select_for_update().filter(restaurant=restaurant).first()
    if account is None:
        raise NotFound(NO_ACCOUNT.format(restaurant))
    if account.limit_lifted_at is None:
        account.limit_lifted_at = now
        account.save(update_fields=["limit_lifted_at"])
        record(Kind.SALES_LIMIT_LIFTED, restaurant=restaurant)
