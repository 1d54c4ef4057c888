"""What to draw of the seats, whoever draws it: a page's spans, a letter's table cells.

The page's script redraws by the same rules (`frontend/src/lib/seats.ts`).
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

MOST_DOTS = 24  # more places than this are a bar


@dataclass(frozen=True, slots=True)
class Place:
    """One seat; `extra` is one beyond the minimum. The tick stands before the first extra one."""

    filled: bool
    extra: bool


@dataclass(frozen=True, slots=True)
class SeatsDrawing:
    """Up to 24 `places`, else a bar: `fill` and `tick` on a scale of 100."""

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
    """The drawing for so many booked portions, with its words for those who do not see it."""
    room = maximum if maximum is not None else max(minimum, filled)
    places: tuple[Place, ...] = ()
    if room <= MOST_DOTS:
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
