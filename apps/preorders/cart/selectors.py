"""What the cart in a browser shows about its specials."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from apps.common.money import Money
from apps.offers.card_terms import Instead, card_terms, charge_in_brief, several_card_terms
from apps.offers.pickup_slots import SlotState, slots_of
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.selectors import offers_by_ids
from apps.restaurants.models import Restaurant

MAX_CART_OFFERS = 20  # different specials
TOTAL_PLACEHOLDER = "%(total)s"  # filled in by the cart, which knows how many portions


@dataclass(frozen=True)
class CartOffer:
    """A special as it can be ordered now, or why it can't."""

    special: Special
    slots: list[SlotState]

    @property
    def refusal(self) -> str:
        """Why it can't be ordered; empty when it can."""
        if not self.special.is_open:
            return _("Orders for this special have closed.")
        if not self.special.preorders_open:
            return _("Pre-orders open soon")
        if not self.special.takes_orders:
            return _("Sold out")
        return ""

    @property
    def waitlist_path(self) -> str:
        """Where to wait for portions that become free; empty unless it is sold out."""
        is_full = self.special.is_ordering_open and not self.special.takes_orders
        return f"{self.special.path}?full=1#waiting-list" if is_full else ""

    @property
    def alternative_price(self) -> Money | None:
        return self.special.alternative_price

    @property
    def card_terms(self) -> str:
        """What happens to the card of a guest who pays nothing if the minimum is missed."""
        return card_terms(self.special.offer, self.special.now)

    @property
    def card_terms_with_alternative(self) -> str:
        """The same for a guest who chose the alternative, with TOTAL_PLACEHOLDER for its price."""
        instead = Instead(self.special.alternative, TOTAL_PLACEHOLDER)
        return card_terms(self.special.offer, self.special.now, instead=instead)

    @property
    def charge_in_brief(self) -> str:
        return charge_in_brief(self.special.offer)

    @property
    def charge_in_brief_with_alternative(self) -> str:
        """The same for a guest who chose the alternative, with TOTAL_PLACEHOLDER for its price."""
        instead = Instead(self.special.alternative, TOTAL_PLACEHOLDER)
        return charge_in_brief(self.special.offer, instead)

    @property
    def charge_once_met(self) -> str:
        """`charge_in_brief` for a guest whose portions meet the minimum."""
        offer = self.special.offer
        return charge_in_brief(offer, own=offer.min_preorders)

    @property
    def charge_once_met_with_alternative(self) -> str:
        offer, instead = self.special.offer, Instead(self.special.alternative, TOTAL_PLACEHOLDER)
        return charge_in_brief(offer, instead, own=offer.min_preorders)

    @property
    def portions_missing(self) -> int:
        """How many more must be ordered before it is on."""
        is_short = self.special.state == SeatsState.OPEN
        return self.special.needed if is_short else 0


def card_terms_of_several(offers: Iterable[CartOffer], now: datetime) -> str:
    """What happens to one card for all of these that can be ordered; empty without any."""
    possible = [each.special.offer for each in offers if not each.refusal]
    return several_card_terms(possible, now) if possible else ""


def offers_in_cart(
    *, restaurant: Restaurant, offer_ids: Collection[UUID], now: datetime
) -> list[CartOffer]:
    """The restaurant's specials with these ids; deleted ones are left out.

    One query, and two more for each special with pickup times.
    """
    offers = offers_by_ids(restaurant=restaurant, offer_ids=list(offer_ids)[:MAX_CART_OFFERS])
    specials = [Special(offer, now) for offer in offers]
    return [
        CartOffer(special, slots_of(special.offer) if special.takes_orders else [])
        for special in specials
        if not special.is_deleted
    ]
