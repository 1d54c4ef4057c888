"""When and how a special is served: the day, the hours, and the mode (decisions 143, 166), and what
the restaurant says about a guest's arrival (decision 170).

`serving_of` is the one source of these words: pages, emails, the API, the share picture and the
calendar entry show what it says. Times are on the restaurant's clock.
"""

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.common.errors import FieldError, Invalid
from apps.common.languages import spoken

if TYPE_CHECKING:
    from apps.offers.models import PickupSlot, SpecialOffer
    from apps.restaurants.models import Restaurant
else:
    PickupSlot = Restaurant = SpecialOffer = Any


class ServiceMode(models.TextChoices):
    """How a special is eaten."""

    DINE_IN = "dine_in", gettext_lazy("Dine in")
    PICKUP = "pickup", gettext_lazy("Pickup")
    BOTH = "both", gettext_lazy("Dine in or pickup")


class ServiceChoice(models.TextChoices):
    """What a guest chooses of a special that is served both ways."""

    DINE_IN = ServiceMode.DINE_IN.value, ServiceMode.DINE_IN.label
    PICKUP = ServiceMode.PICKUP.value, ServiceMode.PICKUP.label


MODE_REQUIRED = gettext_lazy("Choose dine in or pickup.")
_ONLY = {
    ServiceMode.DINE_IN: gettext_lazy("This special is dine-in only."),
    ServiceMode.PICKUP: gettext_lazy("This special is pickup only."),
}


def mode_of(offer: SpecialOffer, chosen: str, *, has_slot: bool) -> ServiceMode:
    """How an order of `offer` is eaten: as the guest chose. Without a choice, a pickup time means
    pickup where both are possible, and `both` stays open."""
    if not chosen and has_slot and offer.service_mode == ServiceMode.BOTH:
        return ServiceMode.PICKUP
    return ServiceMode(chosen or offer.service_mode)


def check_service_mode(offer: SpecialOffer, chosen: str) -> None:
    """Raise Invalid if `offer` isn't served in the mode a guest chose; empty fits every special."""
    if chosen and offer.service_mode not in (ServiceMode.BOTH, chosen):
        message = str(_ONLY[ServiceMode(offer.service_mode)])
        raise Invalid.because([FieldError("serviceMode", message)])


@dataclass(frozen=True, slots=True)
class ArrivalNote:
    """What a restaurant tells guests about their table, or about the pickup (decision 170).

    `choice` is the mode it is for; `name` says so where the other one is possible, too.
    """

    choice: str
    name: str
    text: str

    def __str__(self) -> str:
        """`Ask for Luisa.`, `Dine in: Ask for Luisa.`"""
        return f"{self.name}: {self.text}" if self.name else self.text


def arrival_notes(restaurant: Restaurant, mode: ServiceMode) -> tuple[ArrivalNote, ...]:
    """The notes for guests who come in this mode, without empty ones; in Spanish where that is the
    active language and the restaurant has written them in it."""
    texts = {
        ServiceMode.DINE_IN: restaurant.dine_in_note,
        ServiceMode.PICKUP: restaurant.pickup_note,
    }
    if spoken() == "es":
        texts = {
            ServiceMode.DINE_IN: restaurant.spanish_dine_in_note or restaurant.dine_in_note,
            ServiceMode.PICKUP: restaurant.spanish_pickup_note or restaurant.pickup_note,
        }
    is_either = mode == ServiceMode.BOTH
    return tuple(
        ArrivalNote(each.value, str(each.label) if is_either else "", text)
        for each, text in texts.items()
        if text and mode in (ServiceMode.BOTH, each)
    )


@dataclass(frozen=True, slots=True)
class Serving:
    """When and how guests get a special, in the active language.

    `start` and `end` are aware; None where the restaurant named no time.
    """

    date: date
    mode: str
    start: datetime | None = None
    end: datetime | None = None
    notes: tuple[ArrivalNote, ...] = ()

    @property
    def day(self) -> str:
        """`Wed, Nov 25`, `mié 25 nov`"""
        return formats.day(self.date)

    @property
    def time(self) -> str:
        """`7:00–9:00 PM`, `from 7:00 PM`; empty without times."""
        if self.start is None:
            return ""
        if self.end is None:
            return _("from %(time)s") % {"time": formats.time_of_day(self.start)}
        return formats.span(self.start, self.end)

    @property
    def between(self) -> str:
        """`between 7:00 and 9:00 PM on Wed, Nov 25`, in a sentence; empty without both times."""
        return self._between(_("between %(first)s and %(last)s on %(day)s"))

    @property
    def any_time(self) -> str:
        """`any time between 7:00 and 9:00 PM`, where the day is known; empty without both times."""
        return self._between(_("any time between %(first)s and %(last)s"))

    def _between(self, words: str) -> str:
        if self.start is None or self.end is None:
            return ""
        first, last = formats.ends(self.start, self.end)
        return words % {"first": first, "last": last, "day": self.day}

    @property
    def when(self) -> str:
        """`Wed, Nov 25, 7:00–9:00 PM`"""
        return ", ".join(part for part in (self.day, self.time) if part)

    @property
    def parts(self) -> list[str]:
        """Day, as a line begins, times if there are any, and mode."""
        return [part for part in (capfirst(self.day), self.time, self.mode) if part]

    @property
    def text(self) -> str:
        """`Wed, Nov 25 · 7:00–9:00 PM · Dine in`"""
        return " · ".join(self.parts)


def serving_of(
    offer: SpecialOffer, slot: PickupSlot | None = None, chosen_mode: str = ""
) -> Serving:
    """When and how `offer` is served; with `slot`, at the pickup time a guest chose, and with
    `chosen_mode`, in that mode alone, as `mode_of` says.

    Without hours of its own, an offer read `for_display` is served from its first pickup time to
    the end of its last one. Reads `offer.restaurant`.
    """
    zone = offer.restaurant.zone
    mode = mode_of(offer, chosen_mode, has_slot=slot is not None)
    notes = arrival_notes(offer.restaurant, mode)

    def on_the_day(clock: time | None) -> datetime | None:
        return None if clock is None else datetime.combine(offer.serve_date, clock, zone)

    start, end = on_the_day(offer.serve_from), on_the_day(offer.serve_until)
    if slot is not None:
        start, end = slot.starts_at.astimezone(zone), slot.ends_at.astimezone(zone)
    elif start is None and (first := getattr(offer, "first_slot_at", None)):
        last: datetime = getattr(offer, "last_slot_ends_at")  # noqa: B009 -- an annotation
        start, end = first.astimezone(zone), last.astimezone(zone)
    return Serving(offer.serve_date, str(mode.label), start, end, notes)


def has_begun(offer: SpecialOffer, now: datetime) -> bool:
    """Whether `offer` is being served or was; one without times, once its day is over."""
    start = serving_of(offer).start
    if start is not None:
        return now >= start
    return now.astimezone(offer.restaurant.zone).date() > offer.serve_date
