"""Visit counts of specials (decision 21).

A visit is one browser session that opened a special's page while it could be ordered. Visits are
counted on the cache server, where counting is cheap, and moved to the database every minute.
Nothing about the visitor is stored: no address, no cookie, no name.
"""

import re
from contextlib import suppress
from functools import cache as memoize

from django.conf import settings
from django.core.cache import caches
from django.db import connection, transaction
from redis import Redis
from redis.exceptions import ResponseError

from apps.common import rls
from apps.offers.presentation import Special

VISIT_COUNTS, COUNTS_BEING_SAVED = "visits", "visits-being-written"
LINK_COUNTS = "link-visits"  # visits through share links; preorders knows whose links they are
SHARE_CODE = re.compile(r"[0-9a-f]{12}")
# Most bots run no scripts; these do.
BOT_USER_AGENT = re.compile(
    r"bot\b|crawl|spider|preview|lighthouse|facebookexternalhit", re.IGNORECASE
)


def is_counted(*, user_agent: str, wants_no_tracking: bool) -> bool:
    """Whether the visitor is a person (not a bot) who didn't opt out of tracking."""
    return bool(user_agent) and not wants_no_tracking and not BOT_USER_AGENT.search(user_agent)


def count_visit(special: Special, *, referral_code: str = "") -> None:
    """Count one visit, on today's date in the restaurant's time zone, if the special is open.

    `referral_code` is the code of the share link the visitor used; it is counted separately.
    """
    if special.is_open:
        if SHARE_CODE.fullmatch(referral_code):
            field = f"{special.offer.restaurant_id}|{referral_code}"
            counting_server().hincrby(counting_key(LINK_COUNTS), field, 1)
        day = special.now.astimezone(special.restaurant.zone).date()
        counting_server().hincrby(
            counting_key(VISIT_COUNTS), f"{special.offer.pk}|{day.isoformat()}", 1
        )


_INSERT_VISITS = """
INSERT INTO offers_offerviews (restaurant_id, offer_id, day, visits)
SELECT offer.restaurant_id, offer.id, counted.day, counted.visits
FROM unnest(%s::uuid[], %s::date[], %s::int[]) AS counted(offer_id, day, visits)
JOIN offers_specialoffer offer ON offer.id = counted.offer_id
ON CONFLICT (offer_id, day) DO UPDATE SET visits = offers_offerviews.visits + EXCLUDED.visits
"""


def record_visits() -> int:
    """Move the counts to the database in one statement; returns how many rows were written.

    The counts are first renamed, so new visits go on being counted. A worker that dies before it
    has written them leaves them for the next one. They are deleted just before the transaction
    commits: a failure in between loses a minute of visits, but none is ever counted twice.
    """
    server = counting_server()
    with rls.acting_as(rls.PLATFORM), transaction.atomic(), connection.cursor() as cursor:
        # One worker at a time, or two would write the same counts.
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [COUNTS_BEING_SAVED]
        )
        # Counts left behind are written first. Redis raises if there is nothing to rename.
        with suppress(ResponseError):
            server.renamenx(counting_key(VISIT_COUNTS), counting_key(COUNTS_BEING_SAVED))
        counts = {
            str(field): int(number)
            for field, number in server.hgetall(counting_key(COUNTS_BEING_SAVED)).items()
        }
        if not counts:
            return 0
        fields = [field.split("|") for field in counts]
        offers, days = ([each[index] for each in fields] for index in (0, 1))
        cursor.execute(_INSERT_VISITS, [offers, days, list(counts.values())])
        written: int = cursor.rowcount
        server.delete(counting_key(COUNTS_BEING_SAVED))
    return written


def counting_key(name: str) -> str:
    """The cache server's key for a hash of counts."""
    return str(caches["default"].make_key(name))


def counting_server() -> Redis:
    """A client of the cache server."""
    return _connected(settings.REDIS_URL)


@memoize
def _connected(url: str) -> Redis:
    return Redis.from_url(url, decode_responses=True)
