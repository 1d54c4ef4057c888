"""What the cart in a browser shows of the specials in it (R140, R141)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from apps.common.money import Money
from apps.offers.pickup_slots import SlotState, slots_of
from apps.offers.presentation import Special
from apps.offers.selectors import offers_by_ids
from apps.restaurants.models import Restaurant

MAX_CART_OFFERS = 20  # of different specials; more is nobody's meal


@dataclass(frozen=True)
class CartOffer:
    """A special as it can be ordered now, or why it cannot."""

    special: Special
    slots: list[SlotState]

    @property
    def refusal(self) -> str:
        """Why it cannot be ordered any more; nothing when it can."""
        if not self.special.is_open:
            return _("Pre-orders for this special have closed.")
        if not self.special.preorders_open:
            return _("Pre-orders open soon")
        if not self.special.takes_orders:
            return _("Sold out")
        return ""

    @property
    def alternative_price(self) -> Money | None:
        return self.special.alternative_price


def offers_in_cart(
    *, restaurant: Restaurant, offer_ids: Collection[UUID], now: datetime
) -> list[CartOffer]:
    """The restaurant's specials with these ids; one that is not there any more is left out.

    One statement, and two more for each special with pick-up times.
    """
    offers = offers_by_ids(restaurant=restaurant, offer_ids=list(offer_ids)[:MAX_CART_OFFERS])
    specials = [Special(offer, now) for offer in offers]
    return [
        CartOffer(special, slots_of(special.offer) if special.takes_orders else [])
        for special in specials
        if not special.is_deleted
    ]
