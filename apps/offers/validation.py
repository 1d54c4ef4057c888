"""What an offer may say: the form's rules in the specification's words, decided here.

Those about one value alone (a positive price, a date that parses) are the API's serializer's; here
are the ones that need the clock, the restaurant's zone, or two values at once.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.common.errors import FieldError
from apps.offers.models import Photo, SpecialOffer

# A card's hold lasts seven days; a deadline pre-filled with exactly that must pass a few minutes
# later (DECISIONS X12).
MAX_AUTHORIZATION_AGE = timedelta(days=7)
SKEW = timedelta(minutes=5)
FARTHEST_SERVE_DATE = timedelta(days=365)
DEFAULT_MAX_PER_ORDER = 20

NOT_BELOW_REGULAR = "Special offer price must be less than regular price"  # V4
DEADLINE_TOO_FAR = (  # V8
    "Pre-order deadline cannot be more than 7 days from today. "
    "Credit card authorizations expire after 7 days."
)
DEADLINE_PASSED = "Pre-order deadline must be in the future"
SERVED_BEFORE_DEADLINE = "Serve date cannot be before the day of the pre-order deadline"
SERVED_TOO_LATE = "Serve date must be within a year from today"
MAXIMUM_BELOW_MINIMUM = "Maximum pre-orders must be at least the minimum"
ALTERNATIVE_MISSING = "Choose the alternative dish, or switch the alternative off"
INVALID_ALTERNATIVE = "Invalid alternative dish ID"  # V9


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferTerms:
    """Everything the owner decides about an offer. `serve_date` is a day in the restaurant's zone,
    `deadline` an aware moment; `max_preorders` None means no cap."""

    name: str
    description: str = ""
    regular_price: Decimal
    special_price: Decimal
    serve_date: date
    deadline: datetime
    min_preorders: int
    max_preorders: int | None = None
    max_per_order: int = DEFAULT_MAX_PER_ORDER
    has_alternative: bool = False
    alternative_dish_id: UUID | None = None
    photo: Photo | None = None
    allergens: list[str] = field(default_factory=list)  # of `offers.diets.Allergen`
    dietary: list[str] = field(default_factory=list)  # of `offers.diets.Diet`

    @classmethod
    def of(cls, offer: SpecialOffer) -> "OfferTerms":
        """The terms as they stand."""
        return cls(**{name: getattr(offer, name) for name in cls.__slots__})


def validate_terms(terms: OfferTerms, *, now: datetime, zone: ZoneInfo) -> list[FieldError]:
    """What is wrong with the terms for publication at `now`; empty when nothing is."""
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
                terms.deadline > now + MAX_AUTHORIZATION_AGE + SKEW,
            ),
            ("specialServeDate", *_serve_date_fault(terms, now=now, zone=zone)),
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


def _serve_date_fault(terms: OfferTerms, *, now: datetime, zone: ZoneInfo) -> tuple[str, bool]:
    """A dish may be cooked until the end of its day, so that is what the deadline must precede:
    the form's defaults (deadline in 24 hours, served tomorrow) pass (DECISIONS X9)."""
    if terms.serve_date > (now + FARTHEST_SERVE_DATE).date():
        return SERVED_TOO_LATE, True
    end = datetime.combine(terms.serve_date + timedelta(days=1), time(), zone)
    return SERVED_BEFORE_DEADLINE, terms.deadline >= end


# --- once people have pre-ordered -----------------------------------------------------------------
STILL_ALLOWED = (
    "You may still lower the price or the minimum, and change the words and the picture."
)


def changes_unfair_to_guests(old: OfferTerms, new: OfferTerms, *, taken: int) -> list[FieldError]:
    """Changes that people who have pre-ordered did not agree to (DECISIONS X10, X11).

    `taken` is how many portions are booked or in checkout: a cap may move, but not below them.
    """
    return [
        FieldError(field, f"{reason} {STILL_ALLOWED}")
        for field, reason, wrong in (
            (
                "specialOfferPrice",
                "People have pre-ordered at this price, so it cannot rise.",
                new.special_price > old.special_price,
            ),
            (
                "price",
                "People have pre-ordered with this regular price in view, so it cannot rise.",
                new.regular_price > old.regular_price,
            ),
            (
                "specialServeDate",
                "People have pre-ordered for this day, so the serve date stays.",
                new.serve_date != old.serve_date,
            ),
            (
                "preorderExpiresAt",
                "People have pre-ordered until this deadline, so it stays.",
                new.deadline != old.deadline,
            ),
            (
                "minPreordersRequired",
                "People have pre-ordered with this minimum, so it cannot rise.",
                new.min_preorders > old.min_preorders,
            ),
            (
                "maxPreorders",
                f"{taken} portions are taken already, so the maximum cannot be lower.",
                new.max_preorders is not None and new.max_preorders < taken,
            ),
            (
                "alternativeDishId",
                "People have pre-ordered with this alternative, so it stays.",
                (new.has_alternative, new.alternative_dish_id)
                != (old.has_alternative, old.alternative_dish_id),
            ),
        )
        if wrong
    ]
