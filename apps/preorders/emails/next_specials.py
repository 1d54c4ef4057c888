"""The specials that can be ordered now, at the end of an email about one that can't."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.emails import one_line
from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.offers.storefront import next_specials, open_specials
from apps.preorders.emails.dinner import when_layout
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PreOrderStatus
from apps.restaurants.models import Restaurant


class NextSpecials:
    """Reads each restaurant's open specials once, for all emails that a worker sends in a row."""

    def __init__(self) -> None:
        self._found: dict[UUID, list[Special]] = {}

    def layout(self, restaurant: Restaurant, *, without: Sequence[SpecialOffer]) -> dict[str, Any]:
        """Two of them as the layout shows them, in the active language; nothing without any, and
        while the restaurant is suspended or closed."""
        if restaurant.status != Restaurant.Status.ACTIVE:
            return {}
        if restaurant.pk not in self._found:
            self._found[restaurant.pk] = open_specials(restaurant, clock.now())
        specials = next_specials(self._found[restaurant.pk], without=without)
        return {
            "next_title": _("You can order now at %(name)s") % {"name": one_line(restaurant.name)},
            "next_specials": [{**special_row(each), "url": each.url} for each in specials],
        }


def also_ordered(order: PreOrder) -> list[SpecialOffer]:
    """What the order's guest has ordered in the same cart and not canceled."""
    if order.cart_id is None:
        return []
    others = PreOrder.objects.filter(cart=order.cart_id).exclude(pk=order.pk)
    live = others.exclude(status=PreOrderStatus.CANCELLED)
    return [each.offer for each in live.select_related("offer")]


def special_row(special: Special) -> dict[str, Any]:
    """A special as a row of the layout, without the URL it leads to."""
    offer, currency = special.offer, special.restaurant.currency
    prices = {
        "price": formats.money(offer.special_price, currency),
        "regular": formats.money(offer.regular_price, currency),
    }
    return {
        "name": one_line(offer.spoken_name),
        "photo": special.picture_url,
        **when_layout(special.serving),
        "sum": _("%(price)s instead of %(regular)s") % prices,
        "terms": f"{special.sentence}.",
    }
