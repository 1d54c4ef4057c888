"""The parts of what a guest reads, and what several of these texts need."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.common.money import Money
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus

# Kept by DECISIONS X20; the headline says what it means.
SUCCESS_TITLE = gettext_lazy("Payment Successful!")
CHECK_EVERY = 4  # seconds
CHECK_LATER = 60  # seconds, where nothing is about to happen
CANCELLED_TITLES = frozenset({OfferStatus.FAILED, OfferStatus.DELETED})


@dataclass(frozen=True, slots=True)
class OrderStatus:
    """`tone` is the notice's color; `refresh` is the seconds until the page reloads; `next_step`
    is the text of the button to `guest.changes.page_to_finish`, where a card can be added."""

    title: str
    headline: str
    text: str
    tone: str
    refresh: int | None = None
    next_step: str = ""


def in_currency(special: Special, amount: Decimal | Money) -> str:
    """The amount in the restaurant's currency."""
    return formats.money(amount, special.restaurant.currency)
