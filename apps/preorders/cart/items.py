"""A cart's items, validated: each open, at the price that was shown (DECISIONS X23, X4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.utils.translation import gettext as _

from apps.common import formats, rls
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import DomainError, FieldError, Invalid, NotFound
from apps.common.money import Money
from apps.offers.locks import lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.serving import check_service_mode
from apps.preorders.checkout.acceptance import PRICE_CHANGED, agreed_alternative, check_open
from apps.preorders.checkout.services import GuestDetails, OrderRequest, starter_of
from apps.preorders.core.pricing import Price, price_order
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class CartEntry:
    """One cart item. `price` is the price of one portion as shown; the rest is as in
    `begin_order`."""

    offer_id: UUID
    quantity: int
    price: Decimal | None = None
    note: str = ""
    slot_id: int | None = None
    alternative_consent: bool = False
    service_mode: str = ""
    friends_link: str = ""
    shows_first_name: bool = False


@dataclass(frozen=True, slots=True)
class PricedItem:
    """An item with its position in the cart, its offer, and its price."""

    index: int
    item: CartEntry
    offer: SpecialOffer
    price: Price
    request: OrderRequest


def merge_items(items: Sequence[CartEntry]) -> dict[int, CartEntry]:
    """Items of the same special with the same options become one, at the first one's position."""
    first_index: dict[UUID, int] = {}
    merged: dict[int, CartEntry] = {}
    for index, item in enumerate(items):
        first = first_index.setdefault(item.offer_id, index)
        known = merged.get(first)
        if known is None:
            merged[index] = item
        elif replace(known, quantity=item.quantity) == item:
            merged[first] = replace(known, quantity=known.quantity + item.quantity)
        else:
            message = _("This special is in your cart twice. Combine its portions.")
            raise Invalid.because([FieldError(f"items.{index}.dishId", message)])
    return merged


def price_items(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    guest: GuestDetails,
    now: datetime,
    referral_code: str,
) -> list[PricedItem]:
    """Each item with its offer, locked, open, and at the price that was shown."""
    offers = {offer.pk: offer for offer in lock_offers(item.offer_id for item in items.values())}
    _check_all_there(restaurant, items, offers)
    cart_items, errors = [], []
    for index, item in items.items():
        offer = offers[item.offer_id]
        try:
            check_open(offer, now)
            check_service_mode(offer, item.service_mode)
            friend_of = starter_of(item.friends_link, offer)
        except DomainError as error:
            raise error_of_item(index, offer, error, "dishId") from error
        price = price_order(offer, item.quantity)
        if item.price is not None and item.price != price.unit.amount:
            message = _(
                "%(name)s is now %(price)s a portion. Reload the page to see the new price."
            ) % {
                "name": offer.spoken_name,
                "price": formats.money(price.unit, offer.restaurant.currency),
            }
            errors.append(FieldError(f"items.{index}.price", message, FieldErrorCode.CHANGED))
        agreed = agreed_alternative(offer) if item.alternative_consent else None
        request = OrderRequest(
            item.quantity,
            guest,
            item.note,
            agreed,
            item.slot_id,
            referral_code=friend_of.share_code if friend_of else referral_code,
            friend_of=friend_of,
            shows_first_name=friend_of is not None and item.shows_first_name,
            service_mode=item.service_mode,
        )
        cart_items.append(PricedItem(index, item, offer, price, request))
    if errors:
        raise Invalid(PRICE_CHANGED, code=ErrorCode.PRICE_CHANGED, fields=errors)
    return cart_items


def _check_all_there(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    offers: Mapping[UUID, SpecialOffer],
) -> None:
    missing = {item.offer_id: index for index, item in items.items() if item.offer_id not in offers}
    if not missing:
        return
    with rls.acting_as(rls.PLATFORM):
        elsewhere = SpecialOffer.objects.filter(pk__in=list(missing)).values_list("pk", flat=True)
        foreign = [missing[offer_id] for offer_id in elsewhere]
    if foreign and restaurant is not None:
        message = _(
            "A cart can hold specials from only one restaurant. Order from %(restaurant)s first, "
            "then from the other."
        ) % {"restaurant": restaurant.name}
        raise Invalid.because([FieldError(f"items.{min(foreign)}.dishId", message)])
    raise NotFound(_("We couldn't find this special. Check the link and try again."))


def check_total(items: Sequence[PricedItem], claimed: Money | None) -> None:
    """With or without tax; a client that rounds the tax once, on the sum, is right too."""
    subtotal = sum((item.price.subtotal for item in items), Money(0))
    total = sum((item.price.total for item in items), Money(0))
    rounded_once = subtotal + subtotal.percent(items[0].price.tax_rate)
    if claimed is not None and claimed not in (subtotal, total, rounded_once):
        message = _("The total is now %(total)s with tax. Reload the page to see it.") % {
            "total": formats.money(total, items[0].offer.restaurant.currency)
        }
        raise Invalid(
            PRICE_CHANGED,
            code=ErrorCode.PRICE_CHANGED,
            fields=[FieldError("total", message, FieldErrorCode.CHANGED)],
        )


def error_of_item(index: int, offer: SpecialOffer, error: DomainError, field: str) -> DomainError:
    """The same error, for one item of several."""
    message = f"{offer.spoken_name}: {error.message}"
    names = [problem.field for problem in error.fields] or [field]
    fields = [FieldError(f"items.{index}.{name}", message) for name in names]
    return type(error)(message, code=error.code, fields=fields)
