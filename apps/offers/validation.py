"""Validation rules of an offer's terms.

The API serializers check single values (a positive price, a date that parses). The rules here need
the clock, the restaurant's time zone, or two values at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.common.errors import FieldError
from apps.common.versions import version_of
from apps.offers.models import Photo, SpecialOffer
from apps.offers.serving import ServiceMode
from apps.offers.translations import Translations

# Card holds last seven days. The tolerance lets a form that was pre-filled with exactly seven days
# pass when it is submitted a few minutes later (DECISIONS X12).
MAX_OPEN_TIME = timedelta(days=7)
DEADLINE_TOLERANCE = timedelta(minutes=5)
MAX_SERVE_DATE_AHEAD = timedelta(days=365)
DEFAULT_MAX_PER_ORDER = 20
DEFAULT_FRIEND_HOURS = 24
MAX_FRIEND_HOURS = 72
MAX_MORE_PHOTOS = 5  # beside the first one

NOT_BELOW_REGULAR = "Special offer price must be less than regular price"
DEADLINE_TOO_FAR = (
    "Pre-order deadline cannot be more than 7 days from today. "
    "Credit card authorizations expire after 7 days."
)
DEADLINE_PASSED = "Pre-order deadline must be in the future"
SERVED_BEFORE_DEADLINE = "Serve date cannot be before the day of the pre-order deadline"
SERVED_TOO_LATE = "Serve date must be within one year"
# From the deadline, when guests are charged, to the payout (decision 46). The rest is for weekends.
HOLDING_MARGIN = timedelta(days=10)
SERVED_AFTER_HOLDING = (
    "Serve date must be within {days} days of the deadline. Stripe can't hold guests' payments "
    "longer in your country."
)
SERVING_WITHOUT_START = "Say when serving starts, or leave both times empty"
SERVING_ENDS_BEFORE_START = "Serving must end after it starts, on the same day"
SERVED_BEFORE_ORDERS_CLOSE = "The deadline for orders must be before serving ends"
MAXIMUM_BELOW_MINIMUM = "Maximum pre-orders must be at least the minimum"
ALTERNATIVE_MISSING = "Choose an alternative dish, or turn the alternative off"
INVALID_ALTERNATIVE = "Invalid alternative dish ID"
ALTERNATIVE_TOO_CHEAP = (
    "The alternative must cost at least {least}, the smallest amount a card can be charged"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferTerms:
    """Everything the owner decides about an offer.

    `serve_date` is a day in the restaurant's time zone, `deadline` an aware datetime; minimum and
    maximums are in portions, `max_preorders` None means no maximum.
    """

    name: str
    description: str = ""
    story: str = ""
    translations: Translations = field(default_factory=dict)
    regular_price: Decimal
    special_price: Decimal
    serve_date: date
    service_mode: str = ServiceMode.BOTH
    serve_from: time | None = None
    serve_until: time | None = None
    deadline: datetime
    min_preorders: int
    max_preorders: int | None = None
    max_per_order: int = DEFAULT_MAX_PER_ORDER
    friend_hours: int = DEFAULT_FRIEND_HOURS
    has_alternative: bool = False
    alternative_dish_id: UUID | None = None
    photo: Photo | None = None
    more_photos: tuple[Photo, ...] = ()  # beside the first one
    allergens: list[str] = field(default_factory=list)  # of `offers.dietary.Allergen`
    dietary: list[str] = field(default_factory=list)  # of `offers.dietary.Diet`

    @classmethod
    def of(cls, offer: SpecialOffer) -> "OfferTerms":
        """The offer's current terms."""
        more = tuple(each.photo for each in offer.more_photos.select_related("photo"))
        return cls(**{name: getattr(offer, name) for name in COLUMNS}, more_photos=more)

    @property
    def columns(self) -> dict[str, Any]:
        """The terms that are columns of the offer; `more_photos` are rows of their own."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = tuple(name for name in OfferTerms.__slots__ if name != "more_photos")


def terms_version(offer: SpecialOffer, more_photos: Sequence[Photo]) -> str:
    """A short hash of the offer's terms: it changes whenever somebody changes any of them."""
    columns = ["photo_id" if name == "photo" else name for name in COLUMNS]
    stated = [getattr(offer, name) for name in columns]
    return version_of([*stated, *(photo.pk for photo in more_photos)])


def validate_terms(
    terms: OfferTerms, *, now: datetime, zone: ZoneInfo, holding: timedelta
) -> list[FieldError]:
    """Everything that rules out publishing these terms at `now`; empty if nothing does.

    `holding` is how long the payment provider holds a charge before it is paid out.
    """
    longest = holding - HOLDING_MARGIN
    return [
        FieldError(field, message)
        for field, message, wrong in (
            (
                "specialOfferPrice",
                NOT_BELOW_REGULAR,
                terms.special_price >= terms.regular_price,
            ),
            ("preorderExpiresAt", DEADLINE_PASSED, terms.deadline <= now),
            (
                "preorderExpiresAt",
                DEADLINE_TOO_FAR,
                terms.deadline > now + MAX_OPEN_TIME + DEADLINE_TOLERANCE,
            ),
            ("specialServeDate", *_serve_date_error(terms, now=now, zone=zone)),
            ("serveUntil", *_serving_time_error(terms, zone=zone)),
            (
                "specialServeDate",
                SERVED_AFTER_HOLDING.format(days=longest.days),
                terms.serve_date > (terms.deadline.astimezone(zone) + longest).date(),
            ),
            (
                "maxPreorders",
                MAXIMUM_BELOW_MINIMUM,
                terms.max_preorders is not None and terms.max_preorders < terms.min_preorders,
            ),
            (
                "alternativeDishId",
                ALTERNATIVE_MISSING,
                terms.has_alternative and terms.alternative_dish_id is None,
            ),
        )
        if wrong
    ]


def _serve_date_error(terms: OfferTerms, *, now: datetime, zone: ZoneInfo) -> tuple[str, bool]:
    """Message and whether it applies. The deadline must precede the end of the serve day, so the
    form's defaults (deadline in 24 hours, served tomorrow) pass (DECISIONS X9)."""
    if terms.serve_date > (now + MAX_SERVE_DATE_AHEAD).date():
        return SERVED_TOO_LATE, True
    end = datetime.combine(terms.serve_date + timedelta(days=1), time(), zone)
    return SERVED_BEFORE_DEADLINE, terms.deadline >= end


def _serving_time_error(terms: OfferTerms, *, zone: ZoneInfo) -> tuple[str, bool]:
    """Message and whether it applies."""
    if terms.serve_until is None:
        return "", False
    if terms.serve_from is None:
        return SERVING_WITHOUT_START, True
    if terms.serve_until <= terms.serve_from:
        return SERVING_ENDS_BEFORE_START, True
    end = datetime.combine(terms.serve_date, terms.serve_until, zone)
    return SERVED_BEFORE_ORDERS_CLOSE, terms.deadline >= end


def _serves_all_of(old: OfferTerms, new: OfferTerms) -> bool:
    """Whether guests who ordered under `old` can still come when and how they meant to."""
    if new.service_mode not in (ServiceMode.BOTH, old.service_mode):
        return False
    starts = (new.serve_from or time.min) <= (old.serve_from or time.min)
    return starts and (new.serve_until or time.max) >= (old.serve_until or time.max)


# --- once guests have ordered ---------------------------------------------------------------------
STILL_ALLOWED = "You can still lower the price or the minimum, and change the text and the photo."


def changes_unfair_to_guests(old: OfferTerms, new: OfferTerms, *, taken: int) -> list[FieldError]:
    """Changes that guests who have already ordered didn't agree to (DECISIONS X10, X11).

    `taken` is how many portions are ordered or in checkout; the maximum can't drop below it.
    """
    return [
        FieldError(field, f"{reason} {STILL_ALLOWED}")
        for field, reason, wrong in (
            (
                "specialOfferPrice",
                "Guests have already ordered at this price, so you can't raise it.",
                new.special_price > old.special_price,
            ),
            (
                "price",
                "Guests have already ordered with this regular price shown, so you can't raise it.",
                new.regular_price > old.regular_price,
            ),
            (
                "specialServeDate",
                "Guests have already ordered for this day, so you can't change the serve date.",
                new.serve_date != old.serve_date,
            ),
            (
                "serveFrom",
                "Guests have already ordered for this time, so you can only serve longer, or add "
                "dine in or pickup.",
                not _serves_all_of(old, new),
            ),
            (
                "preorderExpiresAt",
                "Guests have already ordered with this deadline, so you can't change it.",
                new.deadline != old.deadline,
            ),
            (
                "minPreordersRequired",
                "Guests have already ordered with this minimum, so you can't raise it.",
                new.min_preorders > old.min_preorders,
            ),
            (
                "maxPreorders",
                f"{taken} {'portion is' if taken == 1 else 'portions are'} already ordered, "
                "so the maximum can't be lower.",
                new.max_preorders is not None and new.max_preorders < taken,
            ),
            (
                "alternativeDishId",
                "Guests have already ordered with this alternative, so you can't change it.",
                (new.has_alternative, new.alternative_dish_id)
                != (old.has_alternative, old.alternative_dish_id),
            ),
        )
        if wrong
    ]
