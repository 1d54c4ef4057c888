"""The types of the demo's plan. `restaurants/` fills them in; `loading.py` creates the rows.

Times are relative to the moment the demo was first loaded, so a plan means the same after every
restart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from apps.common.currencies import PLATFORM_CURRENCY
from apps.offers.serving import ServiceMode

EVENING = time(18, 0)
QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class PlannedDish:
    """A dish on the menu; `image` is the name of its file in `images/`, without the extension."""

    name: str
    price: Decimal
    description: str
    image: str = ""
    allergens: tuple[str, ...] = ()  # of `offers.diets`
    dietary: tuple[str, ...] = ()
    spanish: Mapping[str, str] = field(default_factory=dict)  # name and description


@dataclass(frozen=True)
class PlannedCampaign:
    """An email about a special to all followers, this long after it was published. Those who
    clicked opened it, too; the product itself finds who ordered afterward."""

    sent_after: timedelta
    opened_by: tuple[str, ...]
    clicked_by: tuple[str, ...]


@dataclass(frozen=True)
class PlannedOffer:
    """A special and its orders.

    `opens` and `closes` are relative to the demo's start; an offer that closes before it is
    history. `orders` holds the portions of each order; other fields name an order by its index.
    `unpaid` is the order whose card fails at the deadline, `refunded` the one refunded in full,
    `part_refunded` the one refunded in part, `by_phone` the one taken by phone. With `picked_up`
    every guest picks up except `no_show`. `deleted` means that the owner took the special down.

    `liked` holds the guests' answers after the meal, in the order in which they ordered: whether
    each would order it again; None for no answer. `waiting` holds the portions of each guest on the
    waitlist of a full special. `slots` are pick-up times (from, to, portions) on the serve day,
    assigned in turn. `wishes` are notes to the kitchen. An open special has a `campaign`, or
    repeats every week (`weekly`).
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
    service_mode: ServiceMode = ServiceMode.BOTH
    served: tuple[time, time] | None = None  # from, until
    story: str = ""
    spanish: Mapping[str, str] = field(default_factory=dict)  # name, description and story
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
    liked: tuple[bool | None, ...] = ()
    campaign: PlannedCampaign | None = None
    weekly: bool = False

    @property
    def is_history(self) -> bool:
        return self.deleted or self.closes < timedelta(0)

    def opened_at(self, beginning: datetime) -> datetime:
        return beginning + self.opens

    def deadline(self, beginning: datetime, zone: ZoneInfo) -> datetime:
        """At 6 PM of its day; if that is less than a day away, at the next quarter hour instead."""
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
    """A restaurant with its owner, menu, and specials.

    A `connected` one can take payments; one with `links` as well has completed its setup.
    `followers` follow it on its public page, beside every other guest of its past specials;
    `unconfirmed` haven't pressed the link of their email, `unsubscribed` don't follow any more.
    """

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
    shows_ratings: bool = False
    opens_in: int | None = None  # days until it plans to take orders
    accent: str = ""  # of the restaurant's look, `#rrggbb`; needs a plan with branding and a logo
    coordinates: tuple[str, str] = ("", "")
    hours: Mapping[str, list[dict[str, str]]] = field(default_factory=dict)  # as in opening_hours
    dine_in_note: str = ""
    pickup_note: str = ""
    spanish_notes: tuple[str, str] = ("", "")  # the same two in Spanish
    spanish_description: str = ""
    links: Mapping[str, str] = field(default_factory=dict)  # by platform
    followers: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    unsubscribed: tuple[str, ...] = ()

    def opening_day(self, beginning: datetime) -> date | None:
        if self.opens_in is None:
            return None
        return beginning.astimezone(ZoneInfo(self.timezone)).date() + timedelta(days=self.opens_in)


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
    """An address that exists only in the demo."""
    characters = "".join(c if c.isascii() and c.isalpha() else "." for c in name.lower())
    return f"{characters.replace('..', '.')}@guests.demo.test"
