"""Profile updates. Each writes only the columns it names, so concurrent edits don't collide."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.currencies import least_charge
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.common.versions import require_version, version_of
from apps.restaurants import regions
from apps.restaurants.embed_sites import embed_sites_of
from apps.restaurants.entitlements import Feature, require
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Restaurant
from apps.restaurants.opening_day import opening_day_problem
from apps.restaurants.profile_completion import is_marketing_complete, is_profile_complete

CURRENCY_FIXED = "You can't change the currency once you have an order."
LOWEST_TAX_RATE, HIGHEST_TAX_RATE = Decimal(0), Decimal(30)  # percent
# What the forms of the profile change.
EDITED = (
    *("name", "owner_name", "description", "spanish_description"),
    *("phone", "website", "cuisine_type"),
    *("country", "street_address", "city", "state", "zip_code", "latitude", "longitude"),
    *("timezone", "currency", "tax_rate", "tax_number", "hours_of_operation", "social_media_links"),
    *("dine_in_note", "pickup_note", "spanish_dine_in_note", "spanish_pickup_note"),
)


def profile_version(restaurant: Restaurant) -> str:
    """Changes whenever somebody edits the profile."""
    return version_of([getattr(restaurant, name) for name in EDITED])


def embed_sites_version(restaurant: Restaurant) -> str:
    """Changes whenever somebody adds or removes a site."""
    return version_of(restaurant.embed_sites)


@transaction.atomic
def change_profile(
    *,
    restaurant: Restaurant,
    changes: Mapping[str, Any],
    version: str = "",
    now: datetime,
    by: User | None = None,
) -> Restaurant:
    """Write these columns and return the updated restaurant; `tax_rate` is in percent.

    Raises EditedMeanwhile if `version`, which the editor saw, is no longer `profile_version`.

    A new owner's name becomes the name of `by`'s account too, if that had none or the old one.
    Existing orders keep their tax (DECISIONS X4), and a new name doesn't change the web address.
    Changing the currency doesn't convert prices; it raises Conflict after the first order, or when
    an open special would cost less than a card can be charged in the new one.
    """
    own = _locked(restaurant)
    require_version(version, lambda: profile_version(own), name="Your profile")
    columns = dict(changes)
    if by and columns.get("owner_name") and by.name in ("", own.owner_name):
        User.objects.filter(pk=by.pk).update(name=columns["owner_name"])
        by.name = columns["owner_name"]
    if columns.get("currency", own.currency) != own.currency:
        _check_currency_can_change(own)
        _check_prices_can_be_charged(own, columns["currency"])
    tax_rate = columns.pop("tax_rate", None)
    if tax_rate is not None:
        columns["settings"] = {**own.settings, "taxRate": formats.percentage(tax_rate)}
    return _written(own, columns, now)


@transaction.atomic
def change_social_links(
    *, restaurant: Restaurant, links: Mapping[str, str], version: str = "", now: datetime
) -> Restaurant:
    """Replace all social media links. Raises EditedMeanwhile as `change_profile` does."""
    own = _locked(restaurant)
    require_version(version, lambda: profile_version(own), name="Your profile")
    return _written(own, {"social_media_links": dict(links)}, now)


@transaction.atomic
def change_embed_sites(
    *, restaurant: Restaurant, addresses: Sequence[str], version: str = "", now: datetime
) -> Restaurant:
    """Replace the sites that may show the specials in a frame.

    `version` is the `embed_sites_version` that the editor saw; empty for one that doesn't say.
    Raises Forbidden if the plan doesn't include embedding, EditedMeanwhile, and Invalid as
    `embed_sites_of`.
    """
    own = _locked(restaurant)
    require(own, Feature.EMBEDDING)
    require_version(version, lambda: embed_sites_version(own), name="Your list of sites")
    return _written(own, {"embed_sites": embed_sites_of(addresses)}, now)


@transaction.atomic
def change_display(
    *, restaurant: Restaurant, changes: Mapping[str, Any], now: datetime
) -> Restaurant:
    """Show or hide the map, opt in or out of marketing, and so on.

    Raises Invalid for an `opening_day` before today or more than a year ahead.
    """
    own = _locked(restaurant)
    if problem := opening_day_problem(changes.get("opening_day"), own.zone, now=now):
        raise Invalid(problem, fields=[FieldError("openingDay", problem)])
    return _written(own, changes, now)


def has_fixed_currency(restaurant: Restaurant) -> bool:
    """Whether there has ever been an order, whose amount depends on the currency."""
    return _rows(restaurant, "pre_orders").exists()


def _check_currency_can_change(own: Restaurant) -> None:
    """Raises Conflict if there is an order; otherwise keeps any from starting until commit.

    Publishing locks the restaurant's row and ordering locks the offer, so both wait for the locks
    taken here and then read the new currency (`offers.locks.reread_restaurant`).
    """
    if not has_fixed_currency(own):
        # Checked before locking too, so that busy restaurants with orders don't wait for locks.
        list(_rows(own, "special_offers").order_by("pk").select_for_update(no_key=True))
    if has_fixed_currency(own):
        raise Conflict(CURRENCY_FIXED, fields=[FieldError("currency", CURRENCY_FIXED)])


def least_price(own: Restaurant, currency: str) -> Money:
    """The smallest price in `currency` that can be charged, whatever currency arrives at the
    restaurant's bank."""
    account = getattr(own, "connect_account", None)
    country = regions.country_code(own.country)
    settled_in = account.currency if account else regions.SETTLEMENT_CURRENCIES.get(country, "")
    return least_charge(currency, settled_in=settled_in)


def _check_prices_can_be_charged(own: Restaurant, currency: str) -> None:
    least = least_price(own, currency)
    too_cheap = Q(special_price__lt=least.amount) | Q(
        has_alternative=True, alternative_dish__price__lt=least.amount
    )
    open_specials = _rows(own, "special_offers").filter(status__in=("active", "closing"))
    if name := open_specials.filter(too_cheap).values_list("name", flat=True).first():
        message = (
            f"A card can't be charged less than {formats.money(least, currency)}. Change the price "
            f"of {name} or its alternative first."
        )
        raise Conflict(message, fields=[FieldError("currency", message)])


def _rows(restaurant: Restaurant, name: str) -> QuerySet[Any]:
    """Rows of a reverse relation. Offers and orders are higher apps, which can't be imported."""
    rows: QuerySet[Any] = getattr(restaurant, name).all()
    return rows


def _locked(restaurant: Restaurant) -> Restaurant:
    """Lock the row until the transaction ends and return its current state."""
    # `no_key`, so that inserts that reference the restaurant don't wait.
    return Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)


def _written(own: Restaurant, columns: Mapping[str, Any], now: datetime) -> Restaurant:
    """Save the columns along with the two completion flags that depend on them."""
    changed = _changed_names(own, columns)
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
    if changed:
        record(Kind.SETTINGS_CHANGED, restaurant=own, fields=changed, now=now)
    transaction.on_commit(lambda: forget_hosts(own))
    return own


def _changed_names(own: Restaurant, columns: Mapping[str, Any]) -> list[str]:
    """The columns that get another value; for `settings`, the keys in it that do."""
    changed = {name for name, value in columns.items() if getattr(own, name) != value}
    if "settings" in changed:
        before, after = own.settings, columns["settings"]
        changed.remove("settings")
        changed |= {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return sorted(changed)
