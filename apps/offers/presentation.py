"""Presentation of a special: every figure and text that pages, emails, and the API show of it.

Nothing here queries the database; the selector loads what is needed (`for_display`).
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urljoin

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.common.money import Money
from apps.offers.card_terms import Instead, card_terms, charge_condition
from apps.offers.dietary import Allergen, Diet, tag_labels
from apps.offers.images import photo_avif_srcset, photo_jpeg, photo_srcset
from apps.offers.models import Dish, OfferVersion, Photo, SpecialOffer
from apps.offers.seats import Seats, seats_of
from apps.offers.states import OfferStatus
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

NEAR_DEADLINE = timedelta(hours=24)  # from here on the countdown is highlighted
SCHEMA_ORG_DIETS = {
    Diet.VEGETARIAN: "VegetarianDiet",
    Diet.VEGAN: "VeganDiet",
    Diet.GLUTEN_FREE: "GlutenFreeDiet",
    Diet.DAIRY_FREE: "LowLactoseDiet",
    Diet.HALAL: "HalalDiet",
    Diet.KOSHER: "KosherDiet",
}


@dataclass(frozen=True, slots=True)
class PhotoSources:
    """A photo's URLs: AVIF and WebP in several widths, and one JPEG at `url` as the fallback.

    `width` and `height` are in pixels.
    """

    url: str
    avif_srcset: str
    srcset: str
    width: int
    height: int


def photo_sources(photo: Photo | None) -> PhotoSources | None:
    """The photo's URLs for pages; None without a photo, and pages draw a plate instead."""
    if photo is None:
        return None
    return PhotoSources(
        photo_jpeg(photo),
        photo_avif_srcset(photo),
        photo_srcset(photo),
        photo.width,
        photo.height,
    )


@dataclass(frozen=True)
class SoldDish:
    """A dish as it is described to guests: now, or in the version an order was made of."""

    name: str
    description: str = ""
    allergen_values: tuple[str, ...] = ()  # of `offers.dietary.Allergen`
    diet_values: tuple[str, ...] = ()  # of `offers.dietary.Diet`
    photo: Photo | None = None

    @cached_property
    def picture(self) -> PhotoSources | None:
        return photo_sources(self.photo)

    @property
    def contains(self) -> str:
        """The allergens in words, `Eggs, gluten and milk`; empty without any."""
        return in_words(tag_labels(Allergen, self.allergen_values))

    @property
    def diets(self) -> str:
        return ", ".join(tag_labels(Diet, self.diet_values))

    def differs_from(self, other: "SoldDish") -> bool:
        """Whether guests must be told that one became the other (decision 49): any change of
        allergens, diets, name or description except case, punctuation and spaces. Not the photo."""
        return self._promise != other._promise

    def only_warns_beside(self, before: "SoldDish") -> bool:
        """Whether this only adds allergens or drops dietary tags: good to know, however late."""
        return (
            (_letters(self.name), _letters(self.description))
            == (_letters(before.name), _letters(before.description))
            and set(self.allergen_values) >= set(before.allergen_values)
            and set(self.diet_values) <= set(before.diet_values)
        )

    @property
    def fingerprint(self) -> str:
        """Identifies the promise: an order form sends back the one its guest was shown."""
        names, described, allergens, diets = self._promise
        text = json.dumps([names, described, sorted(allergens), sorted(diets)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def _promise(self) -> tuple[str, str, frozenset[str], frozenset[str]]:
        tags = frozenset(self.allergen_values), frozenset(self.diet_values)
        return (_letters(self.name), _letters(self.description), *tags)


def dish_sold(
    version: OfferVersion, *, alternative: bool = False, pictured: bool = False
) -> SoldDish:
    """The special of a version, or its alternative, which has no name if there was none.

    Its photo is read only if it is `pictured`.
    """
    if alternative:
        return SoldDish(
            version.alternative_name,
            version.alternative_description,
            tuple(version.alternative_allergens),
            tuple(version.alternative_dietary),
            version.alternative_photo if pictured else None,
        )
    return SoldDish(
        version.name,
        version.description,
        tuple(version.allergens),
        tuple(version.dietary),
        version.photo if pictured else None,
    )


def dish_now(offer: SpecialOffer, *, alternative: bool = False) -> SoldDish:
    """What the offer, or its alternative, is described as now, without its photo."""
    dish = offer.alternative_dish if alternative and offer.has_alternative else None
    return as_sold(dish if alternative else offer)


def as_sold(dish: SpecialOffer | Dish | None) -> SoldDish:
    """A dish as it would be sold now; without a name if there is none."""
    if dish is None:
        return SoldDish("")
    return SoldDish(dish.name, dish.description, tuple(dish.allergens), tuple(dish.dietary))


def describe_changes(before: SoldDish, after: SoldDish) -> list[str]:
    """What guests must know of the difference, a sentence for each, in the active language."""
    nothing = _("nothing named")
    pairs = (
        (_("Dish: %(after)s. You ordered: %(before)s."), before.name, after.name),
        (
            _("Contains: %(after)s. When you ordered: %(before)s."),
            before.contains or nothing,
            after.contains or nothing,
        ),
        (
            _("Dietary tags: %(after)s. When you ordered: %(before)s."),
            before.diets or nothing,
            after.diets or nothing,
        ),
        (
            _("Description: “%(after)s” When you ordered: “%(before)s”"),
            before.description,
            after.description,
        ),
    )
    return [
        text % {"before": old, "after": new}
        for text, old, new in pairs
        if _letters(old) != _letters(new)
    ]


def in_words(labels: list[str]) -> str:
    """`Eggs, gluten and milk`; empty without labels."""
    return str(get_text_list(labels, _("and"))).capitalize() if labels else ""


def _letters(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())


@dataclass(frozen=True)
class Special:
    """An offer as it is at `now`."""

    offer: SpecialOffer
    now: datetime

    @property
    def restaurant(self) -> Restaurant:
        return self.offer.restaurant

    @property
    def name(self) -> str:
        return self.offer.name

    @cached_property
    def dish(self) -> SoldDish:
        """The dish as guests are shown it."""
        return dish_now(self.offer)

    @cached_property
    def seats(self) -> Seats:
        return seats_of(self.offer, self.now)

    @property
    def state(self) -> str:
        return self.seats.state

    @property
    def sentence(self) -> str:
        return self.seats.sentence

    @property
    def is_open(self) -> bool:
        """Published and before its deadline; it may still be sold out."""
        return self.offer.status == OfferStatus.ACTIVE and self.now < self.offer.deadline

    @property
    def is_deleted(self) -> bool:
        return self.offer.status == OfferStatus.DELETED

    @property
    def takes_orders(self) -> bool:
        return self.is_open and self.preorders_open and self.per_order_limit > 0

    @property
    def preorders_open(self) -> bool:
        """Whether the restaurant can be paid (DECISIONS X68)."""
        account = getattr(self.restaurant, "connect_account", None)
        return account is not None and account.charges_enabled

    @property
    def portions_left(self) -> int | None:
        return self.seats.portions_left

    @property
    def per_order_limit(self) -> int:
        return self.seats.per_order_limit

    @property
    def needed(self) -> int:
        """Portions still missing to the minimum."""
        return max(0, self.offer.min_preorders - self.offer.ordered_portions)

    @property
    def remaining(self) -> str:
        """Text of the column 'Specials Remaining': portions needed or left (DECISIONS X14)."""
        if self.state == "sold_out":
            return self.sentence
        if self.state == "open":
            text = ngettext("%(portions)s more needed", "%(portions)s more needed", self.needed)
            return text % {"portions": self.needed}
        if self.portions_left is not None:
            left = self.portions_left
            text = ngettext("It's on — %(portions)s left", "It's on — %(portions)s left", left)
            return text % {"portions": formats.portions(left)}
        return _("It's on — still open")

    @property
    def saving(self) -> Money:
        return Money.of(self.offer.regular_price) - Money.of(self.offer.special_price)

    @property
    def saving_percent(self) -> int:
        """The saving in percent of the regular price, rounded half up."""
        share = Decimal(self.saving.cents * 100) / Money.of(self.offer.regular_price).cents
        return int(share + Decimal("0.5"))

    @property
    def time_left(self) -> str:
        return formats.time_left((self.offer.deadline - self.now).total_seconds())

    @property
    def is_near(self) -> bool:
        return timedelta() < self.offer.deadline - self.now <= NEAR_DEADLINE

    @property
    def deadline_iso(self) -> str:
        return self.offer.deadline.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def deadline(self) -> str:
        return formats.moment(self.offer.deadline, self.restaurant.zone)

    @property
    def card_terms(self) -> str:
        """What happens to the card of a guest who orders now."""
        instead = None if self.alternative_price is None else Instead(self.alternative)
        return card_terms(self.offer, self.now, instead=instead)

    @property
    def alternative(self) -> str:
        """Name of the dish served if the minimum is missed; empty without one."""
        dish = self.offer.alternative_dish
        return dish.name if self.offer.has_alternative and dish else ""

    @property
    def unit_cents(self) -> int:
        return Money.of(self.offer.special_price).cents

    @property
    def alternative_price(self) -> Money | None:
        """Price per portion of the alternative dish for guests who agree to it now: never more than
        the special's price, which is what is held (DECISIONS X18). None if there is no alternative
        to agree to, as for a guaranteed offer."""
        dish = self.offer.alternative_dish
        if not self.alternative or dish is None or self.offer.goes_ahead:
            return None
        return min(Money.of(dish.price), Money.of(self.offer.special_price))

    @property
    def path(self) -> str:
        return f"/specials/{self.offer.pk}"

    @property
    def url(self) -> str:
        return absolute_url(self.path, restaurant=self.restaurant)

    @cached_property
    def picture(self) -> PhotoSources | None:
        return photo_sources(self.offer.photo)

    @property
    def picture_url(self) -> str:
        """Absolute URL of the JPEG, for other sites; empty without a photo."""
        return urljoin(self.url, self.picture.url) if self.picture else ""

    @property
    def share_picture_url(self) -> str:
        """URL of the share picture; it changes whenever the picture does."""
        return f"{self.url}/share.jpg?v={self.share_version}"

    @cached_property
    def share_version(self) -> str:
        """A short hash of everything the share picture shows."""
        offer = self.offer
        shown = (
            self.restaurant.name, self.restaurant.currency, offer.name, offer.special_price,
            offer.regular_price, offer.photo_id, offer.ordered_portions, offer.min_preorders,
            offer.max_preorders, self.sentence,
        )  # fmt: skip
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]

    @property
    def pitch(self) -> str:
        """One line for previews and search results."""
        text = _("%(gap)s. Save %(percent)s%%, served %(day)s. %(condition)s")
        return text % {
            "gap": self.sentence,
            "percent": self.saving_percent,
            "day": formats.day(self.offer.serve_date),
            "condition": charge_condition(self.offer, self.now),
        }

    @property
    def directions_url(self) -> str:
        return directions_url(self.restaurant)

    def structured_data(self) -> dict[str, Any]:
        """The special as schema.org data: an Offer of a MenuItem by a Restaurant."""
        data: dict[str, Any] = {
            "@context": "https://schema.org",
            "@type": "Offer",
            "url": self.url,
            "price": f"{self.offer.special_price:.2f}",
            "priceCurrency": self.restaurant.currency.upper(),
            "availability": f"https://schema.org/{self._availability()}",
            "availabilityEnds": self.deadline_iso,
            "validThrough": self.deadline_iso,
            "itemOffered": {
                "@type": "MenuItem",
                "name": self.offer.name,
                "description": self.offer.description,
            },
            "offeredBy": restaurant_data(self.restaurant),
        }
        if self.picture_url:
            data["itemOffered"]["image"] = self.picture_url
        return data

    def _availability(self) -> str:
        if not self.is_open:
            return "Discontinued"
        return "PreOrder" if self.per_order_limit else "SoldOut"


def directions_url(restaurant: Restaurant) -> str:
    """URL of a maps search for the restaurant's name and address."""
    query = urlencode({"api": 1, "query": f"{restaurant.name}, {restaurant.address}"})
    return f"https://www.google.com/maps/search/?{query}"


def restaurant_data(restaurant: Restaurant) -> dict[str, Any]:
    """The restaurant as schema.org data, without empty fields."""
    data = {
        "@type": "Restaurant",
        "name": restaurant.name,
        "url": absolute_url("/specials", restaurant=restaurant),
        "telephone": restaurant.phone,
        "servesCuisine": restaurant.cuisine_type,
        "address": restaurant.address,
    }
    return {key: value for key, value in data.items() if value}


def menu_data(
    restaurant: Restaurant, specials: list[Special], dishes: Iterable[Dish] = ()
) -> dict[str, Any]:
    """The restaurant as schema.org data, with specials and regular dishes as menu sections."""
    sections = [
        _section(_("Special offers"), [_special_item(special) for special in specials]),
        _section(_("Regular menu"), [_dish_item(dish, restaurant) for dish in dishes]),
    ]
    return {
        "@context": "https://schema.org",
        **restaurant_data(restaurant),
        "hasMenu": {
            "@type": "Menu",
            "hasMenuSection": [section for section in sections if section["hasMenuItem"]],
        },
    }


def _section(name: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"@type": "MenuSection", "name": name, "hasMenuItem": items}


def _special_item(special: Special) -> dict[str, Any]:
    return {
        "@type": "MenuItem",
        "name": special.offer.name,
        "description": special.offer.description,
        "offers": {
            "@type": "Offer",
            "url": special.url,
            "price": f"{special.offer.special_price:.2f}",
            "priceCurrency": special.restaurant.currency.upper(),
            "validThrough": special.deadline_iso,
        },
    }


def _dish_item(dish: Dish, restaurant: Restaurant) -> dict[str, Any]:
    item: dict[str, Any] = {
        "@type": "MenuItem",
        "name": dish.name,
        "description": dish.description,
        "offers": {
            "@type": "Offer",
            "price": f"{dish.price:.2f}",
            "priceCurrency": restaurant.currency.upper(),
        },
    }
    diets = [SCHEMA_ORG_DIETS[diet] for diet in dish.dietary if diet in SCHEMA_ORG_DIETS]
    if diets:
        item["suitableForDiet"] = [f"https://schema.org/{diet}" for diet in diets]
    return item
