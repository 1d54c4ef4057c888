"""Announcement texts, composed by rules from the current state of the specials (decision 20).

A special's state decides how the text opens: new, under way, nearly there, on, or about to close.
The owner chooses the tone and the language. Everything in the text is true when it is composed; the
owner can edit it before posting.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from django.db import models
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.common import formats
from apps.common.languages import ENGLISH
from apps.offers.opening import when_it_opens
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


class Tone(models.TextChoices):
    FRIENDLY = "friendly", "Friendly"
    LIVELY = "lively", "Playful"
    PLAIN = "plain", "Just the facts"


class _State(Enum):
    """The state of a special, which decides what the text says about it."""

    COMING = auto()  # the restaurant can't be paid yet (DECISIONS X68)
    NEW = auto()
    UNDER_WAY = auto()
    NEARLY_THERE = auto()
    LAST_CALL = auto()
    ON = auto()


# How a text begins. For a special that is nearly there it begins with what is missing.
_OPENINGS: dict[Tone, dict[_State, Promise]] = {
    Tone.FRIENDLY: {
        _State.COMING: gettext_lazy("Coming up:"),
        _State.NEW: gettext_lazy("New:"),
        _State.UNDER_WAY: gettext_lazy("On its way:"),
        _State.LAST_CALL: gettext_lazy("Last call:"),
        _State.ON: gettext_lazy("It's on!"),
    },
    Tone.LIVELY: {
        _State.COMING: gettext_lazy("Save some room:"),
        _State.NEW: gettext_lazy("Who's hungry?"),
        _State.UNDER_WAY: gettext_lazy("The table is filling up:"),
        _State.LAST_CALL: gettext_lazy("Don't say nobody told you:"),
        _State.ON: gettext_lazy("We're cooking!"),
    },
}


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


def compose(
    restaurant: Restaurant,
    specials: Sequence[Special],
    *,
    tone: str = Tone.FRIENDLY,
    language: str = ENGLISH,
) -> Composed:
    """Compose a text for at least one special, none of which is sold out."""
    with translation.override(language):
        if len(specials) == 1:
            return _compose_one(restaurant, specials[0], Tone(tone))
        return _compose_several(restaurant, specials)


# --- one special ----------------------------------------------------------------------------------
def _compose_one(restaurant: Restaurant, special: Special, tone: Tone) -> Composed:
    state = _state_of(special)
    facts = _facts(restaurant, special)
    facts["closing"] = _closing(state, special, facts, tone)
    alternative = ""
    if special.alternative:
        alternative = _("If it doesn't reach the minimum, we'll make %(alternative)s instead.")
        alternative %= {"alternative": special.alternative}
    shortest = [
        _("%(dish)s: %(price)s, served %(day)s. %(gap)s.") % facts,
        _("%(dish)s: %(price)s, served %(day)s.") % facts,
    ]
    if tone == Tone.PLAIN:
        lines = [
            _("%(dish)s at %(restaurant)s") % facts,
            _("%(price)s instead of %(regular)s (save %(percent)s%%), served %(day)s") % facts,
            facts["closing"],
            alternative,
        ]
        message = "\n".join(filter(None, lines))
        short = _("%(dish)s at %(restaurant)s: %(price)s, served %(day)s. %(closing)s") % facts
        return Composed(f"{message}\n\n{special.url}", _fitting([short, *shortest], special.url))
    facts["opening"] = _opening(state, special, tone)
    sentences = [
        _(
            "%(opening)s %(dish)s at %(restaurant)s for %(price)s instead of %(regular)s"
            " (save %(percent)s%%), served %(day)s."
        )
        % facts,
        _first_sentence(special.offer.description),
        facts["closing"],
        alternative,
    ]
    attempts = [
        _(
            "%(opening)s %(dish)s at %(restaurant)s: %(price)s instead of %(regular)s"
            " (save %(percent)s%%), served %(day)s. %(closing)s"
        )
        % facts,
        _("%(opening)s %(dish)s at %(restaurant)s: %(price)s, served %(day)s. %(gap)s.") % facts,
        *shortest,
    ]
    message = " ".join(filter(None, sentences))
    return Composed(f"{message}\n\n{special.url}", _fitting(attempts, special.url))


def _facts(restaurant: Restaurant, special: Special) -> dict[str, str]:
    offer = special.offer
    return {
        "dish": offer.spoken_name,
        "restaurant": restaurant.name,
        "price": formats.money(offer.special_price, restaurant.currency),
        "regular": formats.money(offer.regular_price, restaurant.currency),
        "percent": str(special.saving_percent),
        "day": formats.day(offer.serve_date),
        "deadline": special.deadline,
        "gap": special.sentence,
        "more": _more(special),
    }


def _more(special: Special) -> str:
    text = ngettext(
        "%(portions)s more and it's on", "%(portions)s more and it's on", special.needed
    )
    return text % {"portions": special.needed}


def _state_of(special: Special) -> _State:
    offer = special.offer
    if not special.preorders_open:
        return _State.COMING
    if special.state == SeatsState.ON:
        return _State.ON
    if special.needed <= NEARLY_THERE_PORTIONS and offer.ordered_portions:
        return _State.NEARLY_THERE
    if _is_last_call(special):
        return _State.LAST_CALL
    return _State.UNDER_WAY if offer.ordered_portions else _State.NEW


def _opening(state: _State, special: Special, tone: Tone) -> str:
    if state is _State.NEARLY_THERE:
        return _("%(more)s!") % {"more": _more(special)}
    return str(_OPENINGS[tone][state])


def _closing(state: _State, special: Special, facts: dict[str, str], tone: Tone) -> str:
    """What is missing and until when, and what happens to a card."""
    offer = special.offer
    if tone == Tone.PLAIN and state is _State.NEARLY_THERE:
        state = _State.LAST_CALL  # no opening says what is missing
    match state:
        case _State.ON if tone == Tone.PLAIN:
            return _("%(gap)s. Pre-order by %(deadline)s.") % facts
        case _State.COMING:
            return f"{when_it_opens(offer, special.deadline, now=special.now)}."
        case _State.ON if special.portions_left is not None:
            left = formats.portions(special.portions_left)
            text = ngettext(
                "%(portions)s left. Pre-order by %(deadline)s.",
                "%(portions)s left. Pre-order by %(deadline)s.",
                special.portions_left,
            )
            return text % {**facts, "portions": left}
        case _State.ON:
            return _("Pre-order by %(deadline)s.") % facts
        case _State.NEARLY_THERE:
            return _("Pre-order by %(deadline)s. You pay only if it happens.") % facts
        case _State.LAST_CALL:
            return _("%(more)s. Pre-order by %(deadline)s. You pay only if it happens.") % facts
        case _State.UNDER_WAY:
            text = ngettext(
                "%(ordered)s of %(minimum)s portion ordered, %(more)s. Pre-order by %(deadline)s."
                " You pay only if it happens.",
                "%(ordered)s of %(minimum)s portions ordered, %(more)s. Pre-order by %(deadline)s."
                " You pay only if it happens.",
                offer.min_preorders,
            )
            counts = {"ordered": offer.ordered_portions, "minimum": offer.min_preorders}
            return text % {**facts, **counts}
        case _State.NEW:
            text = ngettext(
                "We'll cook it if %(portions)s is ordered by %(deadline)s."
                " You pay only if it happens.",
                "We'll cook it if %(portions)s are ordered by %(deadline)s."
                " You pay only if it happens.",
                offer.min_preorders,
            )
            return text % {**facts, "portions": formats.portions(offer.min_preorders)}


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
    """A list has one tone: the facts of each special, and what happens to a card."""
    url = absolute_url("/specials", restaurant=restaurant)
    lines = [_line(special) for special in specials[:MAX_LISTED_SPECIALS]]
    if len(specials) > MAX_LISTED_SPECIALS:
        rest = len(specials) - MAX_LISTED_SPECIALS
        lines.append(
            ngettext("• and %(number)s more", "• and %(number)s more", rest) % {"number": rest}
        )
    names = [special.name for special in specials]
    lowest = min(special.offer.special_price for special in specials)
    facts = {
        "number": len(specials),
        "restaurant": restaurant.name,
        "cheapest": formats.money(lowest, restaurant.currency),
        "first": ", ".join(names[:2]),
        "dishes": _("%(dishes)s and %(last)s")
        % {"dishes": ", ".join(names[:-1]), "last": names[-1]},
        "closing": _("Pre-order now. You're only charged if it happens.")
        if all(special.preorders_open for special in specials)
        else _("Pre-orders open soon."),
    }
    facts["opening"] = (
        _("%(number)s specials at %(restaurant)s. We cook each one if enough of you order:") % facts
    )
    short = _fitting(
        [
            _("%(opening)s %(dishes)s. %(closing)s") % facts,
            _("%(opening)s %(first)s and more. %(closing)s") % facts,
            _("%(number)s specials at %(restaurant)s, from %(cheapest)s. %(closing)s") % facts,
            _("%(number)s specials from %(cheapest)s. %(closing)s") % facts,
        ],
        url,
    )
    parts = [str(facts["opening"]), "", *lines, "", str(facts["closing"]), url]
    return Composed("\n".join(parts), short)


def _line(special: Special) -> str:
    text = _("• %(dish)s, %(price)s instead of %(regular)s, %(day)s: %(gap)s")
    return text % _facts(special.restaurant, special)


def _fitting(attempts: Sequence[str], url: str) -> str:
    """The first attempt that fits together with the link; if none does, the last one, shortened."""
    for text in attempts:
        if short_length(f"{text} {url}") <= SHORT_LENGTH:
            return f"{text} {url}"
    words = attempts[-1].split()
    while words and short_length(f"{' '.join(words)}… {url}") > SHORT_LENGTH:
        words.pop()
    return f"{' '.join(words)}… {url}" if words else url
