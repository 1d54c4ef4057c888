"""Row locks of offers and of the menu. The order everywhere is offer → pre-order → primary key;
the menu comes after an offer."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from apps.common.errors import NotFound
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.restaurants.models import Restaurant

UNKNOWN_OFFER = "We could not find that special. It may have been deleted."


def lock_offer(offer_id: UUID) -> SpecialOffer:
    """The offer with its restaurant and payment account; the offer alone is locked, until the
    caller's transaction ends.

    Raises SpecialOffer.DoesNotExist (also for another restaurant's), and TransactionManagementError
    outside a transaction, where a lock would mean nothing.
    """
    offers = SpecialOffer.objects.select_related("restaurant__connect_account")
    return offers.select_for_update(of=("self",)).get(pk=offer_id)


def lock_own_offer(
    restaurant: Restaurant, offer_id: UUID, *, even_deleted: bool = False
) -> SpecialOffer:
    """An offer of the restaurant's as `lock_offer` gives it. Raises NotFound for another's, and for
    one that is deleted where that is not asked for."""
    try:
        offer = lock_offer(offer_id)
    except SpecialOffer.DoesNotExist:
        raise NotFound(UNKNOWN_OFFER) from None
    is_gone = offer.status == OfferStatus.DELETED and not even_deleted
    if is_gone or offer.restaurant_id != restaurant.pk:
        raise NotFound(UNKNOWN_OFFER)
    return offer


def lock_offers(offer_ids: Iterable[UUID]) -> list[SpecialOffer]:
    """Several offers as `lock_offer` gives one, locked in the order of their keys, in which they
    are returned. One that is not there is left out."""
    offers = SpecialOffer.objects.select_related("restaurant__connect_account")
    locked = offers.select_for_update(of=("self",)).filter(pk__in=list(offer_ids))
    return list(locked.order_by("pk"))


def read_currency(offer: SpecialOffer) -> None:
    """What a locked offer's restaurant charges in now. A lock that had to wait brings the
    restaurant as it was before (PostgreSQL re-reads only the row it waited for)."""
    offer.restaurant.refresh_from_db(fields=["currency"])


def lock_menu(restaurant: Restaurant) -> None:
    """Until the caller's transaction ends nobody else adds to this menu or puts it in order.

    A lock of the restaurant's key alone: orders and offers, which refer to the restaurant, and its
    settings do not wait for it.
    """
    key = f"menu:{restaurant.pk}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])
