"""How often people looked at a special (decision 21).

A visit is one browser session that opened the page of a special while it could be ordered. Visits
are counted in the cache server, where counting costs next to nothing, and written down by the
minute. Nothing about the visitor is kept: no address, no cookie, no name.
"""

import re
from contextlib import suppress
from functools import cache as remembered

from django.conf import settings
from django.core.cache import caches
from django.db import connection, transaction
from redis import Redis
from redis.exceptions import ResponseError

from apps.common import rls
from apps.offers.presentation import Special

COUNTS, BEING_WRITTEN = "visits", "visits-being-written"
LINK_COUNTS = "link-visits"  # of share links; whose they are is for a higher room to say
SHARE_CODE = re.compile(r"[0-9a-f]{12}")
# Most robots run no script; these do.
ROBOTS = re.compile(r"bot\b|crawl|spider|preview|lighthouse|facebookexternalhit", re.IGNORECASE)


def is_counted(*, user_agent: str, wants_no_tracking: bool) -> bool:
    """Whether this visitor is a person who did not ask to be left out of all counting."""
    return bool(user_agent) and not wants_no_tracking and not ROBOTS.search(user_agent)


def count_visit(special: Special, *, via: str = "") -> None:
    """One more visit of the special today, by the restaurant's calendar; none once it is over.
    `via` is the code of the share link it came through, counted besides."""
    if special.is_open:
        if SHARE_CODE.fullmatch(via):
            field = f"{special.offer.restaurant_id}|{via}"
            counting_server().hincrby(counting_key(LINK_COUNTS), field, 1)
        day = special.now.astimezone(special.restaurant.zone).date()
        counting_server().hincrby(counting_key(COUNTS), f"{special.offer.pk}|{day.isoformat()}", 1)


_WRITE = """
INSERT INTO offers_offerviews (restaurant_id, offer_id, day, visits)
SELECT offer.restaurant_id, offer.id, counted.day, counted.visits
FROM unnest(%s::uuid[], %s::date[], %s::int[]) AS counted(offer_id, day, visits)
JOIN offers_specialoffer offer ON offer.id = counted.offer_id
ON CONFLICT (offer_id, day) DO UPDATE SET visits = offers_offerviews.visits + EXCLUDED.visits
"""


def record_visits() -> int:
    """Move the counts to the tables, in one statement; how many rows they went to.

    What is being written is first set aside under another name, so that visits go on being counted
    meanwhile; a worker that dies before it has written leaves it there for the next one. It is
    dropped before the rows are final: a fault in between loses a minute's visits, and none is ever
    counted twice.
    """
    server = counting_server()
    with rls.acting_as(rls.PLATFORM), transaction.atomic(), connection.cursor() as cursor:
        # One worker at a time, or the same counts would be written by two.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [BEING_WRITTEN])
        # Only where nothing was left behind, else that is written first; refused when nobody came.
        with suppress(ResponseError):
            server.renamenx(counting_key(COUNTS), counting_key(BEING_WRITTEN))
        counts = {
            str(field): int(number)
            for field, number in server.hgetall(counting_key(BEING_WRITTEN)).items()
        }
        if not counts:
            return 0
        fields = [field.split("|") for field in counts]
        offers, days = ([each[place] for each in fields] for place in (0, 1))
        cursor.execute(_WRITE, [offers, days, list(counts.values())])
        written: int = cursor.rowcount
        server.delete(counting_key(BEING_WRITTEN))
    return written


def counting_key(name: str) -> str:
    """The name of a hash of counts as the cache server has it."""
    return str(caches["default"].make_key(name))


def counting_server() -> Redis:
    """Where counting costs next to nothing."""
    return _connected(settings.REDIS_URL)


@remembered
def _connected(url: str) -> Redis:
    return Redis.from_url(url, decode_responses=True)
