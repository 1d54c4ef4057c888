"""How full an offer is, and the one sentence about it that every page, card, and email shows."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.offers.serving import has_begun
from apps.offers.states import OfferStatus


class SeatsState(StrEnum):
    OPEN = "open"  # still short of the minimum
    ON = "on"  # open, and the minimum is met or the restaurant has guaranteed it
    SOLD_OUT = "sold_out"
    DECIDING = "deciding"  # past the deadline, not settled yet
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Seats:
    """`portions_left` is None without a maximum; `per_order_limit` is in portions, too. Pages that
    follow the count show the `live_sentence`, which says what is reserved; emails and pictures are
    seen later."""

    state: SeatsState
    sentence: str
    live_sentence: str
    portions_left: int | None
    per_order_limit: int


def seats_of(offer: SpecialOffer, now: datetime, *, own: int = 0) -> Seats:
    """The offer's seats at `now`, from its cached counts, for a guest in whose own checkout `own`
    portions are.

    Portions in others' checkouts are reserved, so they don't count as left (DECISIONS X25).
    Progress toward the minimum counts only held cards (DECISIONS X13).
    """
    left = None
    limit = offer.max_per_order
    if offer.max_preorders is not None:
        left = max(0, offer.max_preorders - offer.reserved_portions + own)
        limit = min(limit, left)
    state = _state(offer, left, now)
    sentence = _sentence(state, offer, left, now)
    return Seats(state, sentence, _live_sentence(state, offer, sentence, own=own), left, limit)


def sentence_with_yours(offer: SpecialOffer, now: datetime, own: int) -> str:
    """The sentence for a guest in whose checkout `own` portions are; while the special is short,
    what these portions do for it. The page's script says the same
    (`frontend/src/lib/with-yours.ts`)."""
    seats = seats_of(offer, now, own=own)
    if seats.state == SeatsState.ON:
        return _("It's on")  # how many are left for others doesn't matter to this guest
    if seats.state != SeatsState.OPEN:
        return seats.sentence
    missing = offer.min_preorders - offer.ordered_portions - own
    if missing > 0:
        short = ngettext(
            "With yours, %(portions)s more and it's on",
            "With yours, %(portions)s more and it's on",
            missing,
        )
        return short % {"portions": missing}
    text = ngettext(
        "Your portion makes it happen!", "Your %(portions)s portions make it happen!", own
    )
    return text % {"portions": own}


def condition(offer: SpecialOffer) -> str:
    """`Goes ahead with 12 portions`, of a special that can't be ordered yet; empty if it does with
    any number."""
    if offer.goes_ahead:
        return ""
    return _("Goes ahead with %(portions)s") % {"portions": formats.portions(offer.min_preorders)}


def is_on(offer: SpecialOffer) -> bool:
    """Whether the special goes ahead unless guests cancel."""
    return offer.goes_ahead or offer.ordered_portions >= offer.min_preorders


def _state(offer: SpecialOffer, left: int | None, now: datetime) -> SeatsState:
    if offer.status == OfferStatus.SUCCEEDED:
        return SeatsState.SUCCEEDED
    if offer.status in (OfferStatus.FAILED, OfferStatus.DELETED):
        return SeatsState.FAILED
    if offer.status == OfferStatus.CLOSING or now >= offer.deadline:
        return SeatsState.DECIDING
    if left == 0:
        return SeatsState.SOLD_OUT
    return SeatsState.ON if is_on(offer) else SeatsState.OPEN


def _sentence(state: SeatsState, offer: SpecialOffer, left: int | None, now: datetime) -> str:
    match state:
        case SeatsState.OPEN:
            missing = offer.min_preorders - offer.ordered_portions
            text = ngettext(
                "%(portions)s more and it's on", "%(portions)s more and it's on", missing
            )
            return text % {"portions": missing}
        case SeatsState.ON if left is not None:
            text = ngettext("It's on. %(portions)s left", "It's on. %(portions)s left", left)
            return text % {"portions": formats.portions(left)}
        case SeatsState.ON:
            return _("It's on")
        case SeatsState.SOLD_OUT:
            return _sold_out_sentence(offer)
        case SeatsState.DECIDING:
            return _("Deciding now")
        case SeatsState.SUCCEEDED:
            return _("It went ahead") if has_begun(offer, now) else _("It's on")
        case SeatsState.FAILED:
            # Guests who agreed to the alternative dish may have been charged (DECISIONS X18).
            if offer.has_alternative:
                return _("Didn't reach its minimum")
            return _("Didn't reach its minimum. No one was charged")


def _live_sentence(state: SeatsState, offer: SpecialOffer, sentence: str, *, own: int) -> str:
    """Portions that others have reserved and not ordered yet count as missing, and aren't left: how
    many of the missing ones these are, or how many there are beside those that are left."""
    reserved = portions_being_ordered(offer) - own
    if reserved <= 0:
        return sentence
    if state == SeatsState.OPEN:
        missing = offer.min_preorders - offer.ordered_portions
        if reserved >= missing:
            text = ngettext(
                "%(sentence)s. It's being ordered",
                "%(sentence)s. They're being ordered",
                missing,
            )
        else:
            text = ngettext(
                "%(sentence)s. %(number)s\xa0of\xa0them is being ordered",
                "%(sentence)s. %(number)s\xa0of\xa0them are being ordered",
                reserved,
            )
    elif state == SeatsState.ON and offer.max_preorders is not None:
        text = ngettext(
            "%(sentence)s. %(number)s is being ordered",
            "%(sentence)s. %(number)s are being ordered",
            reserved,
        )
    else:
        return sentence
    return text % {"sentence": sentence, "number": reserved}


def _sold_out_sentence(offer: SpecialOffer) -> str:
    """Portions in a checkout, or reserved for friends, can open up again; the others are gone. Who
    has ordered reads first that it's on."""
    being_ordered = portions_being_ordered(offer)
    if not being_ordered:
        return _("It's on. Sold out")
    if is_on(offer):
        text = ngettext(
            "It's on. Last portion reserved",
            "It's on. Last %(number)s portions reserved",
            being_ordered,
        )
    else:
        text = ngettext(
            "Last portion reserved. It may open up",
            "Last %(number)s portions reserved. Some may open up",
            being_ordered,
        )
    return text % {"number": being_ordered}


# The seats graphic as data, for pages, emails, and the share picture to draw.
#
# The page's script redraws it by the same rules (`frontend/src/lib/seats.ts`).


MAX_SEAT_DOTS = 24  # of more, a bar is drawn


@dataclass(frozen=True, slots=True)
class Dot:
    """One seat; `is_being_ordered` means that somebody is giving a card for it, `is_own` that it is
    filled by the guest who looks."""

    filled: bool
    is_being_ordered: bool = False
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class SeatsDrawing:
    """Either `dots`, one per portion of the minimum and each one ordered beyond it, or a bar filled
    by `fill` percent of the minimum; `words` is the text alternative.
    """

    dots: tuple[Dot, ...]
    fill: float
    words: str

    @property
    def is_bar(self) -> bool:
        return not self.dots


def ordered_words(ordered: int, minimum: int) -> str:
    """`7 of 10 ordered`, then `11 ordered`, beside the drawing."""
    if ordered < minimum:
        facts = {"number": f"{ordered:,}", "minimum": f"{minimum:,}"}
        return _("%(number)s of %(minimum)s ordered") % facts
    text = ngettext("%(number)s ordered", "%(number)s ordered", ordered)
    return text % {"number": f"{ordered:,}"}


def portions_being_ordered(offer: SpecialOffer) -> int:
    """Portions reserved and not ordered yet, by the offer's cached counts: in open checkouts, for
    friends of a guest, or for whoever is first on the waitlist."""
    return max(0, offer.reserved_portions - offer.ordered_portions)


def draw_seats(
    filled: int, minimum: int, maximum: int | None, being_ordered: int = 0, own: int = 0
) -> SeatsDrawing:
    """The drawing for `filled` ordered portions and those `being_ordered` in checkouts. `maximum`
    None means no maximum; only the words name it. The guest's `own` ordered portions come first, so
    that they stay where they are when others order."""
    reserved = filled + being_ordered
    seats = max(minimum, filled)
    dots: tuple[Dot, ...] = ()
    if seats <= MAX_SEAT_DOTS:
        dots = tuple(
            Dot(i < filled, filled <= i < reserved, i < min(own, filled)) for i in range(seats)
        )
    words = _("%(filled)s ordered, %(minimum)s needed")
    if maximum is not None:
        words = _("%(filled)s ordered, %(minimum)s needed, %(maximum)s at most")
    return SeatsDrawing(
        dots=dots,
        fill=min(100.0, round(100 * filled / minimum, 1)),
        words=words % {"filled": filled, "minimum": minimum, "maximum": maximum}
        + _being_ordered_words(being_ordered),
    )


def _being_ordered_words(being_ordered: int) -> str:
    if not being_ordered:
        return ""
    text = ngettext(", %(number)s reserved", ", %(number)s reserved", being_ordered)
    return text % {"number": being_ordered}
