"""Template tags for the parts of a special that every page shows: seats, photo, structured data."""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Protocol
from uuid import UUID

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.template import Context
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.money import Money
from apps.offers.card_terms import CardStep, Instead, split_opening
from apps.offers.card_terms import card_steps as steps_of_card
from apps.offers.dietary import Diet
from apps.offers.images import PhotoSources
from apps.offers.models import SpecialOffer
from apps.offers.opening import when_in_short
from apps.offers.presentation import Special
from apps.offers.seats import (
    SeatsState,
    draw_seats,
    ordered_words,
    portions_being_ordered,
)
from apps.offers.sold_dishes import SoldDish
from apps.offers.storefront import next_specials as to_order_next
from apps.offers.storefront import open_specials
from apps.restaurants.models import Restaurant

register = template.Library()


class Pictured(Protocol):
    """Something with a name and a picture: a special or a dish."""

    @property
    def name(self) -> str: ...

    @property
    def picture(self) -> PhotoSources | None: ...


# Two lines of a card on a phone, three of a wide row.
_CARD_LENGTH, _ROW_LENGTH = 88, 220

# Characters that could end the script element from inside a JSON string.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@register.simple_tag
def whatsapp_url(special: Special, link: str = "") -> str:
    """`{% whatsapp_url special share_url %}`: opens WhatsApp with a text about the special."""
    return special.whatsapp_url(link)


@register.filter
def strong_opening(text: str) -> SafeString:
    """The card's terms with `No charge today.` in bold."""
    opening, rest = split_opening(text)
    return format_html("<strong>{}</strong>{}", opening, rest) if opening else escape(text)


@register.inclusion_tag("components/seats.html")
def seats(special: Special, size: str = "", sentence: str = "", own: int = 0) -> dict[str, Any]:
    """`{% seats special %}`: the seats and their sentence; with `size="counted"` the count beside
    them, as have `size="small"`, for a card, and `size="large"`, for the special's own page.
    `size="closed"` leaves the sentence to screen readers, because a notice says it beside them.

    `sentence` replaces the special's own sentence; the page's script leaves it alone. `own` is how
    many of the ordered portions are the guest's, whose order's page it is: once the special is on,
    what others have reserved doesn't matter there, and `changed-parts.ts` follows the sentence.
    """
    offer = special.offer
    if special.are_times_full and not sentence:
        sentence = _("Every time is full right now")
    being_ordered = portions_being_ordered(offer) - special.own if special.is_open else 0
    is_in = own and special.state == SeatsState.ON
    return {
        "special": special,
        "offer": offer,
        "drawing": draw_seats(
            offer.ordered_portions, offer.min_preorders, offer.max_preorders, being_ordered, own
        ),
        "own": own,
        "being_ordered": being_ordered,
        "small": size == "small",
        "is_large": size == "large",
        "is_counted": size in ("small", "large", "counted"),
        "ordered": ordered_words(offer.ordered_portions, offer.min_preorders),
        "is_closed": size == "closed",
        "sentence": sentence or (special.sentence if is_in else special.seats.live_sentence),
        "is_live": not sentence,
    }


@register.simple_tag
def card_steps(
    special: Special, quantity: int, total: Money, alternative_total: Money | None = None
) -> list[CardStep]:
    """`{% card_steps special form.portions price.total alternative_total as steps %}`: the card's
    terms in the order form; the second total is that of the alternative a guest can choose."""
    currency = special.restaurant.currency
    return steps_of_card(
        special.offer,
        special.now,
        total=formats.money(total, currency),
        quantity=quantity,
        alternative=None
        if alternative_total is None
        else Instead(special.alternative, formats.money(alternative_total, currency)),
    )


@register.filter
def of_special(orders: Mapping[UUID, Any] | None, special: Special) -> Any:
    """`{{ unfinished|of_special:special }}`: of the guest's own orders by special, this one's."""
    return orders.get(special.offer.pk) if orders else None


@register.filter
def first_sentence(text: str) -> str:
    """`{{ special.description|first_sentence }}`: what a card says of a dish, in whole words."""
    sentence = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    return textwrap.shorten(sentence, _CARD_LENGTH, placeholder="…")


@register.filter
def after_first_sentence(text: str) -> str:
    """The rest of a text whose first sentence stands elsewhere, where that one isn't cut."""
    first, *rest = re.split(r"(?<=[.!?])\s", text, maxsplit=1)
    return rest[0] if rest and first_sentence(text) == " ".join(first.split()) else text


@register.filter
def in_brief(text: str) -> str:
    """`{{ special.description|in_brief }}`: what a wide row says of a dish, in whole words."""
    return textwrap.shorten(text, _ROW_LENGTH, placeholder="…")


@register.inclusion_tag("components/photo.html")
def photo(
    shown: Pictured, sizes: str = "100vw", eager: bool = False, beside_name: bool = False
) -> dict[str, Any]:
    """The photo, or a drawn plate without one. `sizes` as in HTML; `eager` if above the fold. A
    screen reader passes over one that stands beside the dish's name, which says the same:
    https://www.w3.org/WAI/tutorials/images/decorative/"""
    alt = "" if beside_name else shown.name
    return {"picture": shown.picture, "alt": alt, "sizes": sizes, "eager": eager}


@register.inclusion_tag("components/next_specials.html")
def next_specials(
    restaurant: Restaurant,
    instead_of: Special | None = None,
    ordered: Iterable[SpecialOffer] = (),
    *,
    or_menu: bool = False,
) -> dict[str, Any]:
    """`{% next_specials restaurant %}`: the next two specials that take orders, for a page that
    has nothing to order itself; `instead_of` is the special of that page, `ordered` what its guest
    has ordered. Where none takes orders, there is nothing, or the ways to the menu (`or_menu`)
    and to the specials that are open but full."""
    found = open_specials(restaurant, clock.now())
    page = [instead_of.offer] if instead_of else []
    others = to_order_next(found, without=[*page, *ordered])
    return {
        "specials": others,
        "restaurant": restaurant,
        "or_menu": or_menu,
        "any_open": any(each.offer not in page for each in found),
    }


@register.inclusion_tag("components/dish_marks.html")
def dish_marks(
    dish: SoldDish, lost: Iterable[str] = (), *, can_be_ordered: bool = True
) -> dict[str, Any]:
    """What a dish contains and whom it suits, each with an icon and a word. `lost` is what an
    alternative doesn't suit, unlike its special. Of a dish that can be ordered, it is said that no
    allergens are listed, which doesn't mean that it has none."""
    return {
        "diets": dish.suits,
        "contains": dish.contains,
        "lost": lost,
        "is_unlisted": can_be_ordered and not dish.contains,
    }


@register.inclusion_tag("components/diet_filter.html", takes_context=True)
def diet_filter(context: Context, *lists: Iterable[Any]) -> dict[str, Any]:
    """A choice among the diets that some of these specials and dishes suit, but not all of them:
    `{% diet_filter specials dishes %}`, once on a page. What it hides has `data-diet`. `?diet=` in
    the page's address is the choice that a guest comes back to."""
    suits = [set(each.diet_values) for each in chain(*lists)]
    offered = set().union(*suits) - (set.intersection(*suits) if suits else set())
    return {
        "diets": [(each.value, each.label) for each in Diet if each.value in offered],
        "chosen": context["request"].GET.get("diet"),
        "has_scripts": "previewed_brand" not in context,
    }


@register.filter
def opens(special: Special) -> str:
    """When it can be ordered, of one that can't be yet: `Opens Tue, Dec 1 (planned)`."""
    return when_in_short(special.offer, now=special.now)


@register.simple_tag
def diets_of_none(dishes: Iterable[Any]) -> str:
    """For `data-diet` of the words that say that none of these suits the chosen diet."""
    suited = {value for each in dishes for value in each.diet_values}
    return " ".join(each.value for each in Diet if each.value not in suited)


@register.simple_tag
def json_ld(data: dict[str, Any]) -> SafeString:
    """Structured data for search engines. A data block needs no CSP nonce."""
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False).translate(_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))
