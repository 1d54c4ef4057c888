"""Announcement texts, composed by rules from the current state of the specials (decision 20).

A special's state decides the tone: new, under way, nearly there, on, or about to close. Everything
in the text is true when it is composed; the owner can edit it before posting.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.common import formats
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

SHORT_LENGTH = 280  # Twitter's limit, in Twitter's characters
LINK_LENGTH = 23  # what any link counts on Twitter
MAX_LISTED_SPECIALS = 5
NEARLY_THERE_PORTIONS = 2  # missing to the minimum
MAX_DESCRIPTION_LENGTH = 140  # characters; longer sentences are left out
LINK = re.compile(r"https?://\S+")
# Code points that Twitter counts as one character; all others (emoji, Chinese, …) count as two.
SINGLE_WEIGHT_RANGES = ((0, 4351), (8192, 8205), (8208, 8223), (8242, 8247))


@dataclass(frozen=True, slots=True)
class Composed:
    """An announcement; `short` is its version for Twitter."""

    message: str
    short: str


def short_length(text: str) -> int:
    """The text's length as Twitter counts it: 23 for any link, two for an emoji."""
    rest, links = LINK.subn("", text)
    heavy = sum(not any(a <= ord(each) <= b for a, b in SINGLE_WEIGHT_RANGES) for each in rest)
    return len(rest) + heavy + links * LINK_LENGTH


def compose(restaurant: Restaurant, specials: Sequence[Special]) -> Composed:
    """Compose a text for at least one special, none of which is sold out."""
    if len(specials) == 1:
        return _compose_one(restaurant, specials[0])
    return _compose_several(restaurant, specials)


# --- one special ----------------------------------------------------------------------------------
def _compose_one(restaurant: Restaurant, special: Special) -> Composed:
    offer = special.offer
    opening, closing = _opening_and_closing(special)
    regular = formats.money(offer.regular_price, restaurant.currency)
    saving = f"instead of {regular} (save {special.saving_percent}%)"
    price = formats.money(offer.special_price, restaurant.currency)
    served = f"served {formats.day(offer.serve_date)}"
    sentences = [
        f"{opening} {offer.name} at {restaurant.name} for {price} {saving}, {served}.",
        _first_sentence(offer.description),
        closing,
    ]
    if special.alternative:
        sentences.append(
            f"If it doesn't reach the minimum, we'll make {special.alternative} instead."
        )
    message = " ".join(filter(None, sentences))
    short = _fitting(
        [
            f"{opening} {offer.name} at {restaurant.name}: {price} {saving}, {served}. {closing}",
            f"{opening} {offer.name} at {restaurant.name}: {price}, {served}. {special.sentence}.",
            f"{offer.name}: {price}, {served}. {special.sentence}.",
            f"{offer.name}: {price}, {served}.",
        ],
        special.url,
    )
    return Composed(f"{message}\n\n{special.url}", short)


def _opening_and_closing(special: Special) -> tuple[str, str]:
    """The first words of the text, and its last sentence."""
    offer, needed = special.offer, special.needed
    more = f"{needed} more and it's on"
    by = special.deadline
    if not special.preorders_open:  # DECISIONS X68
        return "Coming up:", f"Pre-orders open soon and close {by}."
    if special.state == SeatsState.ON:
        left = special.portions_left
        if left is not None:
            return "It's on!", f"{formats.count(left, 'portion')} left. Pre-order by {by}."
        return "It's on!", f"Pre-order by {by}."
    if needed <= NEARLY_THERE_PORTIONS and offer.ordered_portions:
        return f"{more}!", f"Pre-order by {by}. You pay only if it happens."
    if _is_last_call(special):
        return "Last call:", f"{more}. Pre-order by {by}. You pay only if it happens."
    if offer.ordered_portions:
        ordered = f"{offer.ordered_portions} of {offer.min_preorders} portions ordered"
        return "On its way:", f"{ordered}, {more}. Pre-order by {by}. You pay only if it happens."
    portions = formats.count(offer.min_preorders, "portion")
    verb = "is" if offer.min_preorders == 1 else "are"
    cooked = f"We'll cook it if {portions} {verb} ordered by {by}"
    return "New:", f"{cooked}. You pay only if it happens."


def _is_last_call(special: Special) -> bool:
    """Whether the special is in the last quarter of its time, be it an evening or a week."""
    offer = special.offer
    return offer.deadline - special.now < (offer.deadline - offer.created_at) / 4


def _first_sentence(text: str) -> str:
    """The description's first sentence; empty if it is too long."""
    first = re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
    if not first or len(first) > MAX_DESCRIPTION_LENGTH:
        return ""
    return first if first[-1] in ".!?" else f"{first}."


# --- several --------------------------------------------------------------------------------------
def _compose_several(restaurant: Restaurant, specials: Sequence[Special]) -> Composed:
    url = absolute_url("/specials", restaurant=restaurant)
    lines = [_line(special) for special in specials[:MAX_LISTED_SPECIALS]]
    if len(specials) > MAX_LISTED_SPECIALS:
        lines.append(f"• and {len(specials) - MAX_LISTED_SPECIALS} more")
    count = formats.count(len(specials), "special")
    opening = f"{count} at {restaurant.name}. We cook each one if enough of you order:"
    if all(special.preorders_open for special in specials):
        closing = "Pre-order now. You're only charged if it happens."
    else:
        closing = "Pre-orders open soon."
    names = [special.offer.name for special in specials]
    lowest = min(special.offer.special_price for special in specials)
    cheapest = formats.money(lowest, restaurant.currency)
    short = _fitting(
        [
            f"{opening} {_listing(names)}. {closing}",
            f"{opening} {_listing(names[:2])} and more. {closing}",
            f"{count} at {restaurant.name}, from {cheapest}. {closing}",
            f"{count} from {cheapest}. {closing}",
        ],
        url,
    )
    return Composed("\n".join([opening, "", *lines, "", closing, url]), short)


def _line(special: Special) -> str:
    offer = special.offer
    currency = special.restaurant.currency
    price = formats.money(offer.special_price, currency)
    regular = formats.money(offer.regular_price, currency)
    served = formats.day(offer.serve_date)
    return f"• {offer.name}, {price} instead of {regular}, {served}: {special.sentence}"


def _listing(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _fitting(attempts: Sequence[str], url: str) -> str:
    """The first attempt that fits together with the link; if none does, the last one, shortened."""
    for text in attempts:
        if short_length(f"{text} {url}") <= SHORT_LENGTH:
            return f"{text} {url}"
    words = attempts[-1].split()
    while words and short_length(f"{' '.join(words)}… {url}") > SHORT_LENGTH:
        words.pop()
    return f"{' '.join(words)}… {url}" if words else url
