"""What the demo consists of, in words; `restaurants.py` fills it in, `loading.py` carries it out.

Times are told from the moment the demo was first loaded, so a plan means the same on every restart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from apps.common.currencies import PLATFORM_CURRENCY

EVENING = time(18, 0)
QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class PlannedDish:
    """A dish of the menu; `plate` is the name of its painted picture."""

    name: str
    price: Decimal
    description: str
    plate: str = ""
    allergens: tuple[str, ...] = ()  # of `offers.diets`
    dietary: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedOffer:
    """A special and who ordered it.

    `opens` and `closes` are told from the demo's beginning; one that closes before it is history.
    `orders` are the portions of each order. `deleted` is taken down by its owner; `unpaid` is the
    order (counted from 0) whose card fails at the deadline, `refunded` the one given back later.
    `part_refunded` gets some of it back. `picked_up` lets the guests come: all but `no_show`.

    `waiting` are the portions of each guest in line for a full one.

    `slots` are pick-up times (from, to, portions) on the serve day, taken in turn; `wishes` are
    what guests wrote to the kitchen; `by_phone` is the order that was taken by phone.
    """

    name: str
    dish: str
    price: Decimal
    special: Decimal
    description: str
    minimum: int
    opens: timedelta
    closes: timedelta
    maximum: int | None = None
    served_after: int = 1  # days from the deadline's day to the serve day
    orders: tuple[int, ...] = ()
    alternative: str = ""
    deleted: bool = False
    unpaid: int | None = None
    refunded: int | None = None
    picked_up: bool = False
    no_show: int | None = None
    part_refunded: tuple[int, Decimal] | None = None
    slots: tuple[tuple[time, time, int], ...] = ()
    wishes: Mapping[int, str] = field(default_factory=dict)
    by_phone: int | None = None
    waiting: tuple[int, ...] = ()

    @property
    def is_history(self) -> bool:
        return self.deleted or self.closes < timedelta(0)

    def opened_at(self, beginning: datetime) -> datetime:
        return beginning + self.opens

    def deadline(self, beginning: datetime, zone: ZoneInfo) -> datetime:
        """In the evening of its day, or for one within a day at the next quarter of an hour."""
        moment = beginning + self.closes
        if abs(self.closes) >= timedelta(days=1):
            return datetime.combine(moment.astimezone(zone).date(), EVENING, zone)
        past = timedelta(minutes=moment.minute % 15, seconds=moment.second)
        return (moment - past).replace(microsecond=0) + QUARTER

    def serve_date(self, beginning: datetime, zone: ZoneInfo) -> date:
        local = self.deadline(beginning, zone).astimezone(zone)
        return local.date() + timedelta(days=self.served_after)


@dataclass(frozen=True)
class PlannedRestaurant:
    """A restaurant with its owner, menu and specials. `connected` ones can take payments; with
    `links` as well its set-up is complete."""

    subdomain: str
    name: str
    cuisine: str
    description: str
    tier: str
    timezone: str
    street: str
    city: str
    state: str
    zip_code: str
    phone: str
    owner_name: str
    owner_email: str
    owner_password: str
    connected: bool
    dishes: tuple[PlannedDish, ...]
    offers: tuple[PlannedOffer, ...]
    tax_rate: str = "8.00"
    country: str = "US"
    currency: str = PLATFORM_CURRENCY
    coordinates: tuple[str, str] = ("", "")
    hours: Mapping[str, list[dict[str, str]]] = field(default_factory=dict)  # as in opening_hours
    links: Mapping[str, str] = field(default_factory=dict)  # by platform


def span(opens: str, closes: str) -> dict[str, str]:
    return {"opens": opens, "closes": closes}


GUESTS = (
    "Amara Okafor",
    "Ben Whitaker",
    "Carmen Ruiz",
    "Daniel Park",
    "Elena Petrova",
    "Farid Haddad",
    "Grace Lindqvist",
    "Hugo Marchetti",
    "Ines Duarte",
    "Jonah Feldman",
    "Keiko Tanaka",
    "Liam O'Connor",
    "Maya Krishnan",
    "Noah Bergström",
    "Olivia Chen",
    "Priya Nair",
)


def guest_email(name: str) -> str:
    """An address that leads nowhere outside the demo."""
    letters = "".join(c if c.isascii() and c.isalpha() else "." for c in name.lower())
    return f"{letters.replace('..', '.')}@guests.demo.test"
