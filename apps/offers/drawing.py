"""The seats graphic as data, for pages, emails, and the share picture to draw.

The page's script redraws it by the same rules (`frontend/src/lib/seats.ts`).
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

MAX_SEAT_DOTS = 24  # with more seats, a bar is drawn


@dataclass(frozen=True, slots=True)
class Place:
    """One seat; `extra` means it is beyond the minimum."""

    filled: bool
    extra: bool


@dataclass(frozen=True, slots=True)
class SeatsDrawing:
    """Either `places`, one dot per seat, or a bar with `fill` and `tick` in percent of its length.

    The tick marks the minimum; with dots it follows dot number `tick_after`. `words` is the
    text alternative.
    """

    places: tuple[Place, ...]
    tick_after: int
    has_end: bool
    fill: float
    tick: float
    words: str

    @property
    def is_bar(self) -> bool:
        return not self.places


def draw_seats(filled: int, minimum: int, maximum: int | None) -> SeatsDrawing:
    """The drawing for `filled` ordered portions. `maximum` None means no maximum."""
    room = maximum if maximum is not None else max(minimum, filled)
    places: tuple[Place, ...] = ()
    if room <= MAX_SEAT_DOTS:
        places = tuple(Place(i < filled, i >= minimum) for i in range(room))
    words = _("%(filled)s of %(minimum)s pre-orders needed")
    if maximum is not None:
        words = _("%(filled)s of %(minimum)s pre-orders needed, %(maximum)s at most")
    return SeatsDrawing(
        places=places,
        tick_after=minimum,
        has_end=maximum is not None,
        fill=_share(filled, room),
        tick=_share(minimum, room),
        words=words % {"filled": filled, "minimum": minimum, "maximum": maximum},
    )


def _share(count: int, room: int) -> float:
    return min(100.0, round(100 * count / room, 1))
