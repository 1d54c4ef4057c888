"""Referrals: every order has a share link, and orders placed through it are counted.

The link is the special's address with the order's code appended (`?ref=…`). It reveals nothing
about the guest, sets no cookie and changes nothing on the page; the order form carries the code
(decision 28).
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from django.db import connection, transaction
from django.db.models import Count, Q, Sum
from django.http import HttpRequest
from redis.exceptions import ResponseError

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.visits import LINK_COUNTS, counting_key, counting_server
from apps.preorders.models import PreOrder
from apps.preorders.models.querysets import HELD_OR_CAPTURED_Q, PreOrderQuerySet
from apps.restaurants.hosts import absolute_url

BEING_WRITTEN = "link-visits-being-written"
CODE = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class ReferralTotals:
    """Visits through share links, and the orders and portions from them whose payment is held or
    charged."""

    visits: int
    orders: int
    portions: int


def referral_url(order: PreOrder) -> str:
    """The link for this order's guest to share."""
    path = f"/specials/{order.offer_id}?ref={order.share_code}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def count_referrals(order: PreOrder) -> int:
    """How many orders came through this order's link and are held or charged."""
    return _referred_by(order).filter(HELD_OR_CAPTURED_Q).count()


def referred_orders(order: PreOrder) -> list[PreOrder]:
    """The orders that came through this order's link, oldest first."""
    return list(_referred_by(order).order_by("created_at", "pk")[:100])


def referral_totals(offer: SpecialOffer) -> ReferralTotals:
    """What one offer gained through share links."""
    orders = PreOrder.objects.filter(offer=offer)
    counted = orders.aggregate(
        visits=Sum("link_visits"),
        orders=Count("pk", filter=HELD_OR_CAPTURED_Q & Q(referred_by__isnull=False)),
        portions=Sum("quantity", filter=HELD_OR_CAPTURED_Q & Q(referred_by__isnull=False)),
    )
    return ReferralTotals(counted["visits"] or 0, counted["orders"], counted["portions"] or 0)


def referrer_for(offer: SpecialOffer, *, referral_code: str, email: str) -> PreOrder | None:
    """The order whose share link this guest came through; None for a code that is not one of this
    restaurant's, and for the guest's own."""
    if not CODE.fullmatch(referral_code):
        return None
    found = PreOrder.objects.filter(
        restaurant_id=offer.restaurant_id, share_code=referral_code
    ).first()
    is_own = found is not None and found.customer_email.lower() == email.lower()
    return None if is_own else found


def referral_code_of(request: HttpRequest) -> str:
    """The share code of a posted order form: from its field, which the page's script fills in, else
    from the page's address, which works without JavaScript."""
    page = urlsplit(request.headers.get("Referer", ""))
    asked = parse_qs(page.query).get("ref", [""])[0] if page.netloc == request.get_host() else ""
    referral_code = request.POST.get("ref") or asked
    return referral_code if CODE.fullmatch(referral_code) else ""


_WRITE = """
UPDATE preorders_preorder AS shared SET link_visits = shared.link_visits + counted.visits
FROM unnest(%s::uuid[], %s::text[], %s::int[]) AS counted(restaurant_id, code, visits)
WHERE shared.restaurant_id = counted.restaurant_id AND shared.share_code = counted.code
"""


def record_link_visits() -> int:
    """Add the counted visits to their orders in one statement, safely like
    `visits.record_visits`; returns the number of orders."""
    server, written_key = counting_server(), counting_key(BEING_WRITTEN)
    with rls.acting_as(rls.PLATFORM), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [BEING_WRITTEN])
        with suppress(ResponseError):
            server.renamenx(counting_key(LINK_COUNTS), written_key)
        counts = {str(field): int(number) for field, number in server.hgetall(written_key).items()}
        if not counts:
            return 0
        fields = [field.split("|") for field in counts]
        restaurants, codes = ([each[index] for each in fields] for index in (0, 1))
        cursor.execute(_WRITE, [restaurants, codes, list(counts.values())])
        written: int = cursor.rowcount
        server.delete(written_key)
    return written


def _referred_by(order: PreOrder) -> PreOrderQuerySet:
    """Excludes the guest's own orders: a cart may learn who orders only after it has begun."""
    return PreOrder.objects.filter(referred_by=order).exclude(
        customer_email__iexact=order.customer_email
    )
