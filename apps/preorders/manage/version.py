"""A version token that tells pages whether a restaurant's data changed, with two queries."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.db.models import Model, OuterRef, QuerySet, Subquery

from apps.billing.models import PaymentHistory
from apps.offers.models import SpecialOffer
from apps.preorders.models import Email, OrderNote, PreOrder, PreOrderTransition
from apps.restaurants.models import Restaurant

MAX_WATCHED_OFFERS = 50  # the newest; older ones rarely change
_OFFER_COLUMNS = (
    *("pk", "name", "status", "deadline", "serve_date", "special_price", "regular_price"),
    *(
        "min_preorders",
        "max_preorders",
        "ordered_portions",
        "reserved_portions",
        "restaurant_portions",
    ),
    *("goes_ahead", "photo_id"),
)


def version_for_restaurant(restaurant: Restaurant) -> str:
    """A token that changes with every order, note, email, payment, and offer of the restaurant.

    It reads the newest row of each kind from the end of an index. Offers are updated in place, so
    it compares the columns of the newest offers that can change.
    """
    newest = Restaurant.objects.filter(pk=restaurant.pk).values_list(
        *(Subquery(_newest(rows.filter(restaurant=OuterRef("pk")), by)) for rows, by in _WATCHED)
    )
    offers = SpecialOffer.objects.filter(restaurant=restaurant).order_by("-deadline", "pk")
    shown = offers.values_list(*_OFFER_COLUMNS)[:MAX_WATCHED_OFFERS]
    return _digest([*newest, *shown])


_WATCHED: Sequence[tuple[QuerySet[Any], str]] = (
    (PreOrder.objects.all(), "created_at"),
    (PreOrderTransition.objects.all(), "pk"),
    (OrderNote.objects.all(), "pk"),
    (Email.objects.filter(sent_at__isnull=False), "sent_at"),
    (PaymentHistory.objects.all(), "processed_at"),
)


def _newest(rows: QuerySet[Model], by: str) -> QuerySet[Any, Any]:
    return rows.order_by(f"-{by}").values(by)[:1]


def _digest(rows: Sequence[Any]) -> str:
    return hashlib.blake2s(repr(rows).encode(), digest_size=8).hexdigest()
