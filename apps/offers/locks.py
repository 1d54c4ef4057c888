"""Row locks of offers and menus.

Locks are always taken in the order offer, pre-order, primary key; the menu comes after an offer.

An offer's lock keeps out everyone else who takes it, but not rows that only refer to the offer: FOR
NO KEY UPDATE doesn't block the check of a foreign key
(https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS).
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from apps.common.db.composed import composed_once
from apps.common.errors import NotFound
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.restaurants.models import Restaurant

UNKNOWN_OFFER = "We couldn't find that special. It may have been deleted."


def lock_offer(offer_id: UUID) -> SpecialOffer:
    """The offer with its restaurant and payment account. Locks only the offer's row, until the
    caller's transaction ends.

    Raises SpecialOffer.DoesNotExist, also for another restaurant's offer, and
    TransactionManagementError outside a transaction.
    """
    offers = SpecialOffer.objects.select_related("restaurant__connect_account")
    return offers.select_for_update(of=("self",), no_key=True).get(pk=offer_id)


def lock_own_offer(
    restaurant: Restaurant, offer_id: UUID, *, even_deleted: bool = False
) -> SpecialOffer:
    """Like `lock_offer`, for one of the restaurant's own offers. Raises NotFound for another's, and
    for a deleted one unless `even_deleted`."""
    try:
        offer = lock_offer(offer_id)
    except SpecialOffer.DoesNotExist:
        raise NotFound(UNKNOWN_OFFER) from None
    is_gone = offer.status == OfferStatus.DELETED and not even_deleted
    if is_gone or offer.restaurant_id != restaurant.pk:
        raise NotFound(UNKNOWN_OFFER)
    return offer


def lock_offers(offer_ids: Iterable[UUID]) -> list[SpecialOffer]:
    """Like `lock_offer` for several offers, locked and returned in the order of their primary keys.
    Offers that don't exist are left out."""
    offers = SpecialOffer.objects.select_related("restaurant__connect_account")
    locked = offers.select_for_update(of=("self",), no_key=True).filter(pk__in=list(offer_ids))
    return list(locked.order_by("pk"))


def reread_restaurant(offer: SpecialOffer) -> None:
    """Refresh the currency and status of a locked offer's restaurant. After waiting for a lock,
    PostgreSQL re-reads only the locked row, so the joined restaurant may be out of date."""
    ((currency, status),) = _currency_and_status(offer.restaurant_id)
    offer.restaurant.currency, offer.restaurant.status = currency, status


@composed_once
def _currency_and_status(restaurant_id: UUID) -> "QuerySet[Restaurant, tuple[str, str]]":
    return Restaurant.objects.filter(pk=restaurant_id).values_list("currency", "status")


def lock_menu(restaurant: Restaurant) -> None:
    """Let nobody else add to this menu or reorder it until the caller's transaction ends.

    An advisory lock, so orders, offers, and settings of the restaurant don't wait for it.
    """
    key = f"menu:{restaurant.pk}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
