"""The seats in an email, as rows of table cells, which every email program can draw."""

from typing import Any

from django.utils.translation import ngettext

from apps.offers.models import SpecialOffer
from apps.offers.seats import Dot, SeatsDrawing, draw_seats
from apps.offers.states import UNDECIDED, OfferStatus
from apps.restaurants.branding import ACCENT

MOST_SEATS_IN_A_ROW = 12  # what fits a phone's width
HERB, ENDED = "#2c6a3b", "#8f857a"


def seats_layout(
    offer: SpecialOffer, *, accent: str = "", sentence: str = "", leads: bool = False
) -> dict[str, Any]:
    """The seats and their sentence, for the layout; `accent` is the restaurant's own color,
    `sentence` replaces what is said of every special, and seats that lead stand above the text."""
    ordered, minimum = offer.ordered_portions, offer.min_preorders
    drawing = draw_seats(ordered, minimum, offer.max_preorders)
    is_on = offer.goes_ahead or ordered >= minimum or offer.status == OfferStatus.SUCCEEDED
    has_ended = offer.status not in UNDECIDED and not is_on
    color = ENDED if has_ended else accent or ACCENT
    seats = {
        "percent": round(drawing.fill) if drawing.is_bar else None,
        "rows": _rows(drawing),
        "leads": leads,
        "herb": is_on,
        "ended": has_ended,
        "color": HERB if is_on else color,
        "sentence": sentence or _sentence(offer, is_on=is_on),
    }
    return {"seats": seats, "seats_sentence": seats["sentence"]}


def _sentence(offer: SpecialOffer, *, is_on: bool) -> str:
    ordered, minimum = offer.ordered_portions, offer.min_preorders
    if is_on:
        text = ngettext(
            "It's on: %(ordered)s portion ordered", "It's on: %(ordered)s portions ordered", ordered
        )
    elif offer.status in UNDECIDED:
        text = ngettext(
            "%(ordered)s of %(minimum)s portion ordered so far",
            "%(ordered)s of %(minimum)s portions ordered so far",
            minimum,
        )
    else:
        text = ngettext(
            "%(ordered)s of %(minimum)s portion ordered",
            "%(ordered)s of %(minimum)s portions ordered",
            minimum,
        )
    return text % {"ordered": ordered, "minimum": minimum}


def _rows(drawing: SeatsDrawing) -> list[tuple[Dot, ...]]:
    """As few rows as fit, of even length: 20 seats are ten and ten."""
    dots = drawing.dots
    rows = -(-len(dots) // MOST_SEATS_IN_A_ROW)
    length = -(-len(dots) // rows) if rows else 1
    return [dots[start : start + length] for start in range(0, len(dots), length)]
