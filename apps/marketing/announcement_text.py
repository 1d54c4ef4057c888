"""The text of an announcement, written by rules from the specials as they stand (decision 20).

Each special has a voice that follows from its facts: new, under way, nearly there, on, or about to
close. Everything said is true at the moment of writing; the owner reads and changes it before it
goes anywhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.common import formats
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

SHORT_LENGTH = 280  # what Twitter takes
LINK_LENGTH = 23  # what any link counts there
LISTED = 5
NEARLY = 2  # portions
LINK = re.compile(r"https?://\S+")
# What counts as one character there; everything else (emoji, Chinese, …) counts as two.
LIGHT = ((0, 4351), (8192, 8205), (8208, 8223), (8242, 8247))


@dataclass(frozen=True, slots=True)
class Composed:
    """`short` says the same within what Twitter takes."""

    message: str
    short: str


def short_length(text: str) -> int:
    """How long Twitter finds a text: a link counts as 23 characters, an emoji as two."""
    rest, links = LINK.subn("", text)
    heavy = sum(not any(a <= ord(each) <= b for a, b in LIGHT) for each in rest)
    return len(rest) + heavy + links * LINK_LENGTH


def compose(restaurant: Restaurant, specials: Sequence[Special]) -> Composed:
    """A text for these specials, of which there is at least one; all of them take orders."""
    if len(specials) == 1:
        return _of_one(restaurant, specials[0])
    return _of_several(restaurant, specials)


# --- one special ----------------------------------------------------------------------------------
def _of_one(restaurant: Restaurant, special: Special) -> Composed:
    offer = special.offer
    opening, closing = _voice(special)
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
        sentences.append(f"If it does not come together: {special.alternative}.")
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


def _voice(special: Special) -> tuple[str, str]:
    """How the text begins, and what it asks for."""
    offer, needed = special.offer, special.needed
    more = f"{needed} more and it's on"
    by = special.deadline
    if not special.preorders_open:  # DECISIONS X68
        return "Coming up:", f"Pre-orders open soon; the deadline is {by}."
    if special.state == SeatsState.ON:
        left = special.portions_left
        if left is not None:
            return "It's on!", f"{formats.count(left, 'portion')} left, until {by}."
        return "It's on!", f"Pre-order until {by}."
    if needed <= NEARLY and offer.ordered_portions:
        return f"{more}!", f"Pre-order by {by}. You pay only if it happens."
    if _is_last_call(special):
        return "Last call:", f"{more}. Pre-orders close {by}; you pay only if it happens."
    if offer.ordered_portions:
        booked = f"{offer.ordered_portions} of {offer.min_preorders} portions are booked"
        return "On its way:", f"{booked}: {more}. Pre-order by {by}; you pay only if it happens."
    portions = formats.count(offer.min_preorders, "portion")
    verb = "is" if offer.min_preorders == 1 else "are"
    cooked = f"We cook it once {portions} {verb} booked by {by}"
    return "New:", f"{cooked}. Your card is held and charged only if it happens."


def _is_last_call(special: Special) -> bool:
    """The last quarter of the time it was given, whether that is an evening or a week."""
    offer = special.offer
    return offer.deadline - special.now < (offer.deadline - offer.created_at) / 4


def _first_sentence(text: str) -> str:
    """Of the description, when it is short enough to help."""
    first = re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
    if not first or len(first) > 140:
        return ""
    return first if first[-1] in ".!?" else f"{first}."


# --- several --------------------------------------------------------------------------------------
def _of_several(restaurant: Restaurant, specials: Sequence[Special]) -> Composed:
    url = absolute_url("/specials", restaurant=restaurant)
    lines = [_line(special) for special in specials[:LISTED]]
    if len(specials) > LISTED:
        lines.append(f"• and {len(specials) - LISTED} more")
    count = formats.count(len(specials), "special")
    opening = f"{count} at {restaurant.name}, cooked when enough of you book:"
    if all(special.preorders_open for special in specials):
        closing = "Pre-order now; you pay only for what happens."
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
    """The first attempt that fits with its link; the last one is cut at a word when none does."""
    for text in attempts:
        if short_length(f"{text} {url}") <= SHORT_LENGTH:
            return f"{text} {url}"
    words = attempts[-1].split()
    while words and short_length(f"{' '.join(words)}… {url}") > SHORT_LENGTH:
        words.pop()
    return f"{' '.join(words)}… {url}" if words else url
