"""The parts of what a guest reads, and what several of these texts need."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.common.money import Money
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from apps.preorders.core.selectors import cancellation_of_order
from apps.preorders.models import PreOrder

# Kept by DECISIONS X20; the headline says what it means.
SUCCESS_TITLE = gettext_lazy("Payment Successful!")
# After the deadline, before the decision: open checkouts are waited for (`CHECKOUT_GRACE`).
ORDERS_CLOSED = gettext_lazy("Orders have closed. The result usually comes within a minute.")
CHECK_EVERY = 4  # seconds
CHECK_LATER = 60  # seconds, where nothing is about to happen
# The headlines of the page and of the email alike.
CANCELED = gettext_lazy("Order canceled. You weren't charged")
CALLED_OFF = gettext_lazy("%(name)s canceled %(dish)s. You weren't charged")
FELL_SHORT = gettext_lazy("Not this time. You weren't charged")
CANCELLED_TITLES = frozenset({OfferStatus.FAILED, OfferStatus.DELETED})


def canceled(order: PreOrder, special: Special) -> str:
    """The headline of a canceled order: whoever canceled the special is named."""
    found = cancellation_of_order(order)
    if not found.with_special:
        return str(CANCELED)
    facts = {"name": found.speaker(special.restaurant), "dish": order.sold.spoken_name}
    return str(CALLED_OFF) % facts


@dataclass(frozen=True, slots=True)
class NextMoment:
    """What a guest has to do by then, such as `Pay by Tue, Nov 24, 6:00 PM EST`."""

    text: str
    at: str  # in UTC, for the page's countdown
    time_left: str


def next_moment(text: str, at: datetime, special: Special) -> NextMoment:
    """`text` names `%(moment)s`, which is on the restaurant's clock."""
    moment = formats.moment(at, special.restaurant.zone)
    says = text % {"moment": formats.unbroken(moment)}
    left = formats.time_left((at - special.now).total_seconds())
    return NextMoment(says, at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), left)


@dataclass(frozen=True, slots=True)
class OrderStatus:
    """`why` says that the restaurant or the platform canceled it where the headline doesn't, and
    `reason` is what `speaker`, one of them, wrote about it, before `text`; `tone` is the notice's
    color; `refresh` is the seconds until the page reloads; `next_step` is the text of the
    button to `guest.changes.page_to_finish`, where a card can be added; `moment` is what the guest
    has to do, and by when; `below_its_dish` is the headline where the dish is named just above it;
    `is_about_meal`: the headline is, so the question how it was comes before the text;
    `made_it_happen`: this order met the minimum."""

    title: str
    headline: str
    text: str
    tone: str
    refresh: int | None = None
    next_step: str = ""
    moment: NextMoment | None = None
    below_its_dish: str = ""
    is_about_meal: bool = False
    made_it_happen: bool = False
    why: str = ""
    reason: str = ""
    speaker: str = ""

    @property
    def sentences(self) -> list[str]:
        """The headline's sentences; a line breaks between them first."""
        return re.split(r"(?<=[.!?]) ", self.headline)


def counting_orders(terms: str) -> OrderStatus:
    """Between the deadline and the decision; `terms` is what happens to the card."""
    return OrderStatus(
        str(SUCCESS_TITLE),
        _("We're counting the orders"),
        f"{ORDERS_CLOSED} {terms}",
        "honey",
        refresh=CHECK_EVERY,
    )


def in_currency(special: Special, amount: Decimal | Money) -> str:
    """The amount in the restaurant's currency."""
    return formats.money(amount, special.restaurant.currency)
