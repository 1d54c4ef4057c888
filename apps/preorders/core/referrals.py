"""Who brought whom: every order has a share link, and what comes through it is counted for it.

The link is a special's own address with the order's code behind it (`?ref=…`). It says nothing of
the diner, sets no cookie and changes nothing on the page; the code travels in the order form
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
from apps.preorders.models.querysets import AUTHORIZED_OR_CAPTURED, PreOrderQuerySet
from apps.restaurants.hosts import absolute_url

BEING_WRITTEN = "link-visits-being-written"
CODE = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class ReferralTotals:
    """What came through share links: visits, and orders with their portions whose money is held or
    taken."""

    visits: int
    orders: int
    portions: int


def referral_url(order: PreOrder) -> str:
    """The link this order's diner passes on."""
    path = f"/specials/{order.offer_id}?ref={order.share_code}"
    return absolute_url(path, restaurant=order.offer.restaurant)


def count_referrals(order: PreOrder) -> int:
    """How many orders came through this order's link and stand."""
    return _referred_by(order).filter(AUTHORIZED_OR_CAPTURED).count()


def referred_orders(order: PreOrder) -> list[PreOrder]:
    """The orders that came through this order's link, the first one first."""
    return list(_referred_by(order).order_by("created_at", "pk")[:100])


def referral_totals(offer: SpecialOffer) -> ReferralTotals:
    """What share links brought to one offer."""
    orders = PreOrder.objects.filter(offer=offer)
    counted = orders.aggregate(
        visits=Sum("link_visits"),
        orders=Count("pk", filter=AUTHORIZED_OR_CAPTURED & Q(referred_by__isnull=False)),
        portions=Sum("quantity", filter=AUTHORIZED_OR_CAPTURED & Q(referred_by__isnull=False)),
    )
    return ReferralTotals(counted["visits"] or 0, counted["orders"], counted["portions"] or 0)


def referrer_for(offer: SpecialOffer, *, via: str, email: str) -> PreOrder | None:
    """The order whose link a diner with this address came through; None for a code that is not one
    of this restaurant's, and for the diner's own."""
    if not CODE.fullmatch(via):
        return None
    found = PreOrder.objects.filter(restaurant_id=offer.restaurant_id, share_code=via).first()
    is_own = found is not None and found.customer_email.lower() == email.lower()
    return None if is_own else found


def referral_code_of(request: HttpRequest) -> str:
    """The code an order form was sent with: its own field, which the page's script fills in, else
    that of the address the form stood at, which works without a script."""
    page = urlsplit(request.headers.get("Referer", ""))
    asked = parse_qs(page.query).get("via", [""])[0] if page.netloc == request.get_host() else ""
    via = request.POST.get("via") or asked
    return via if CODE.fullmatch(via) else ""


_WRITE = """
UPDATE preorders_preorder AS shared SET link_visits = shared.link_visits + counted.visits
FROM unnest(%s::uuid[], %s::text[], %s::int[]) AS counted(restaurant_id, code, visits)
WHERE shared.restaurant_id = counted.restaurant_id AND shared.share_code = counted.code
"""


def record_link_visits() -> int:
    """Move what was counted to the orders, in one statement and with the discipline of
    `visits.write_down_visits`; how many orders it went to."""
    server, written_key = counting_server(), counting_key(BEING_WRITTEN)
    with rls.acting_as(rls.PLATFORM), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [BEING_WRITTEN])
        with suppress(ResponseError):
            server.renamenx(counting_key(LINK_COUNTS), written_key)
        counts = {str(field): int(number) for field, number in server.hgetall(written_key).items()}
        if not counts:
            return 0
        fields = [field.split("|") for field in counts]
        restaurants, codes = ([each[place] for each in fields] for place in (0, 1))
        cursor.execute(_WRITE, [restaurants, codes, list(counts.values())])
        written: int = cursor.rowcount
        server.delete(written_key)
    return written


def _referred_by(order: PreOrder) -> PreOrderQuerySet:
    """Without the diner's own: a cart may learn who orders only after it has begun."""
    return PreOrder.objects.filter(referred_by=order).exclude(
        customer_email__iexact=order.customer_email
    )
