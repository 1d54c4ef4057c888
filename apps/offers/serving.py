"""When and how a special is served: the day, the hours, and the mode (decision 143).

`serving_of` is the one source of these words: pages, emails, the API, the share picture and the
calendar entry show what it says. Times are on the restaurant's clock.
"""

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats

if TYPE_CHECKING:
    from apps.offers.models import PickupSlot, SpecialOffer
else:
    PickupSlot = SpecialOffer = Any


class ServiceMode(models.TextChoices):
    """How a special is eaten."""

    DINE_IN = "dine_in", gettext_lazy("Dine in")
    PICKUP = "pickup", gettext_lazy("Pickup")
    BOTH = "both", gettext_lazy("Dine in or pickup")


@dataclass(frozen=True, slots=True)
class Serving:
    """When and how guests get a special, in the active language.

    `start` and `end` are aware; None where the restaurant named no time.
    """

    date: date
    mode: str
    start: datetime | None = None
    end: datetime | None = None

    @property
    def day(self) -> str:
        """`Wed, Nov 25`"""
        return formats.day(self.date)

    @property
    def short_day(self) -> str:
        """`Wed, Nov 25`, `mié 25 de nov`"""
        return formats.short_day(self.date)

    @property
    def time(self) -> str:
        """`7:00–9:00 PM`, `from 7:00 PM`; empty without times."""
        if self.start is None:
            return ""
        if self.end is None:
            return _("from %(time)s") % {"time": formats.time_of_day(self.start)}
        return formats.span(self.start, self.end)

    @property
    def when(self) -> str:
        """`Wed, Nov 25, 7:00–9:00 PM`"""
        return ", ".join(part for part in (self.day, self.time) if part)

    @property
    def parts(self) -> list[str]:
        """Day, times if there are any, and mode."""
        return [part for part in (self.short_day, self.time, self.mode) if part]

    @property
    def text(self) -> str:
        """`Wed, Nov 25 · 7:00–9:00 PM · Dine in`"""
        return " · ".join(self.parts)


def serving_of(offer: SpecialOffer, slot: PickupSlot | None = None) -> Serving:
    """When and how `offer` is served; with `slot`, at the pickup time a guest chose.

    Reads `offer.restaurant`.
    """
    zone = offer.restaurant.zone
    if slot is not None:
        start, end = slot.starts_at.astimezone(zone), slot.ends_at.astimezone(zone)
        return Serving(offer.serve_date, str(ServiceMode.PICKUP.label), start, end)

    def on_the_day(clock: time | None) -> datetime | None:
        return None if clock is None else datetime.combine(offer.serve_date, clock, zone)

    return Serving(
        offer.serve_date,
        str(ServiceMode(offer.service_mode).label),
        on_the_day(offer.serve_from),
        on_the_day(offer.serve_until),
    )
