"""Whether anything of the restaurant's changed since a page last looked (two statements)."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.db.models import Model, OuterRef, QuerySet, Subquery

from apps.billing.models import PaymentHistory
from apps.offers.models import SpecialOffer
from apps.preorders.models import OrderEmail, OrderNote, PreOrder, PreOrderTransition
from apps.restaurants.models import Restaurant

OFFERS_WATCHED = 50  # the newest; older ones are history
_OF_AN_OFFER = (
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
    """A word that changes with every order, note, letter, payment and offer of the restaurant.

    The newest row of each kind, each read from the end of an index; offers are changed in place,
    so what can change about the newest of them is compared instead.
    """
    newest = Restaurant.objects.filter(pk=restaurant.pk).values_list(
        *(Subquery(_newest(rows.filter(restaurant=OuterRef("pk")), by)) for rows, by in _WATCHED)
    )
    offers = SpecialOffer.objects.filter(restaurant=restaurant).order_by("-deadline", "pk")
    shown = offers.values_list(*_OF_AN_OFFER)[:OFFERS_WATCHED]
    return _token([*newest, *shown])


_WATCHED: Sequence[tuple[QuerySet[Any], str]] = (
    (PreOrder.objects.all(), "created_at"),
    (PreOrderTransition.objects.all(), "pk"),
    (OrderNote.objects.all(), "pk"),
    (OrderEmail.objects.filter(sent_at__isnull=False), "sent_at"),
    (PaymentHistory.objects.all(), "processed_at"),
)


def _newest(rows: QuerySet[Model], by: str) -> QuerySet[Any, Any]:
    return rows.order_by(f"-{by}").values(by)[:1]


def _token(rows: Sequence[Any]) -> str:
    return hashlib.blake2s(repr(rows).encode(), digest_size=8).hexdigest()
