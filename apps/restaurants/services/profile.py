"""What an owner changes of the restaurant's profile: each change touches what it names alone, so
that two people who edit at once lose nothing of each other's (A20–A22)."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from apps.common.errors import Conflict, FieldError
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Restaurant
from apps.restaurants.profile_completion import is_marketing_complete, is_profile_complete

CURRENCY_FIXED = (
    "The currency is fixed since the first order: what was ordered and paid is counted in it."
)
LOWEST_TAX_RATE, HIGHEST_TAX_RATE = Decimal(0), Decimal(30)


@transaction.atomic
def change_profile(
    *, restaurant: Restaurant, changes: Mapping[str, Any], now: datetime
) -> Restaurant:
    """Write these columns and no others; `tax_rate`, in per cent, goes to the settings.

    Orders that are placed keep the tax they were placed with (DECISIONS X4), and the web address
    stays what it is under another name. Prices keep their numbers in another currency, which can be
    chosen until the first order; Conflict afterwards. Answers the restaurant as it is now.
    """
    own = _locked(restaurant)
    columns = dict(changes)
    if columns.get("currency", own.currency) != own.currency:
        _check_currency_may_change(own)
    tax_rate = columns.pop("tax_rate", None)
    if tax_rate is not None:
        columns["settings"] = {**own.settings, "taxRate": f"{tax_rate:.2f}"}
    return _written(own, columns, now)


@transaction.atomic
def change_social_links(
    *, restaurant: Restaurant, links: Mapping[str, str], now: datetime
) -> Restaurant:
    """Replace all links; a platform without one is left out (V18)."""
    return _written(_locked(restaurant), {"social_media_links": dict(links)}, now)


@transaction.atomic
def change_display(
    *, restaurant: Restaurant, changes: Mapping[str, bool], now: datetime
) -> Restaurant:
    """Show or hide the map (A22), and say that there is to be no marketing (D30.4)."""
    return _written(_locked(restaurant), changes, now)


def has_fixed_currency(restaurant: Restaurant) -> bool:
    """Whether there has ever been an order: its amount says nothing without the currency."""
    return _rows(restaurant, "pre_orders").exists()


def _check_currency_may_change(own: Restaurant) -> None:
    """An order is begun under its offer's lock. With the restaurant's row locked nothing is
    published, and with every offer locked nothing is ordered, until the change is committed; who
    waited for it reads the new currency (`offers.locks.read_currency`)."""
    if not has_fixed_currency(own):
        # Asked before the locks too: where there are orders, others may hold them in their turn.
        list(_rows(own, "special_offers").order_by("pk").select_for_update(no_key=True))
    if has_fixed_currency(own):
        raise Conflict(CURRENCY_FIXED, fields=[FieldError("currency", CURRENCY_FIXED)])


def _rows(restaurant: Restaurant, name: str) -> QuerySet[Any]:
    """Offers and orders are other rooms', which this one does not know; their rows lead here."""
    rows: QuerySet[Any] = getattr(restaurant, name).all()
    return rows


def _locked(restaurant: Restaurant) -> Restaurant:
    """The row as it is now, until the transaction's end: what others wrote meanwhile included."""
    # Its key stays free: whatever else names the restaurant need not wait.
    return Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)


def _written(own: Restaurant, columns: Mapping[str, Any], now: datetime) -> Restaurant:
    """The columns, and whether the profile and the marketing are complete with them."""
    for name, value in columns.items():
        setattr(own, name, value)
    own.profile_completed = is_profile_complete(own)
    own.marketing_completed = is_marketing_complete(own)
    Restaurant.objects.filter(pk=own.pk).update(
        **columns,
        profile_completed=own.profile_completed,
        marketing_completed=own.marketing_completed,
        updated_at=now,
    )
    transaction.on_commit(lambda: forget_hosts(own))
    return own
