"""Presentation of a special: every figure and text that pages, emails, and the API show of it.

Nothing here queries the database; the selector loads what is needed (`for_display`).
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urljoin

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.common.money import Money
from apps.offers.card_terms import Instead, card_terms, charge_condition
from apps.offers.dietary import Diet, suited_diets, tag_labels
from apps.offers.images import DishPicture, MorePicture, PhotoSources, photo_sources
from apps.offers.models import Photo, SpecialOffer
from apps.offers.opening import when_it_opens
from apps.offers.seats import Seats, SeatsState, condition, portions_being_ordered, seats_of
from apps.offers.serving import Serving, serving_of
from apps.offers.sold_dishes import SoldDish, dish_now
from apps.offers.states import OfferStatus
from apps.restaurants.branding import brand_of
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

NEAR_DEADLINE = timedelta(hours=24)  # from here on the countdown is highlighted

# Characters of the id in a short link: unique within a restaurant for all practical purposes.
SHORT_LENGTH = 8


@dataclass(frozen=True)
class Special:
    """An offer as it is at `now`. `are_times_full`, which `storefront.with_times` finds out, means
    that portions are left, but none at any pickup time. `own` are portions reserved for the guest
    who looks, so they're left for this one."""

    offer: SpecialOffer
    now: datetime
    are_times_full: bool = False
    own: int = 0

    @property
    def restaurant(self) -> Restaurant:
        return self.offer.restaurant

    @property
    def name(self) -> str:
        """In the active language, as are the description and the story."""
        return self.offer.spoken_name

    @property
    def description(self) -> str:
        return self.offer.spoken_description

    @property
    def story(self) -> str:
        return self.offer.spoken_story

    @cached_property
    def dish(self) -> SoldDish:
        """The dish as guests are shown it."""
        return dish_now(self.offer)

    @property
    def alternative_dish(self) -> SoldDish:
        """What guests get who agree to the alternative; without a name if there is none."""
        return dish_now(self.offer, alternative=True)

    @property
    def lost_diets(self) -> list[str]:
        """The diets that the special suits and its alternative doesn't, in words."""
        if not self.alternative:
            return []
        still_suited = suited_diets(self.alternative_dish.diet_values)
        lost = set(self.diet_values) - still_suited - {Diet.SPICY}
        return tag_labels(Diet, lost)

    @property
    def diet_values(self) -> tuple[str, ...]:
        """Of `offers.dietary.Diet`."""
        return self.dish.diet_values

    @cached_property
    def seats(self) -> Seats:
        return seats_of(self.offer, self.now, own=self.own)

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
    def was_served(self) -> bool:
        """Whether the day it is served is over, where the restaurant is."""
        return self.offer.serve_date < self.now.astimezone(self.restaurant.zone).date()

    @property
    def is_today(self) -> bool:
        """Whether it is the day it is served, where the restaurant is."""
        return self.offer.serve_date == self.now.astimezone(self.restaurant.zone).date()

    @property
    def is_being_served(self) -> bool:
        """Whether it is the day, and not after the serving hours, if there are any."""
        end = self.serving.end
        return self.is_today and (end is None or self.now < end)

    @property
    def is_ordering_open(self) -> bool:
        """Open, and the restaurant takes orders; it may still be sold out."""
        is_active = self.restaurant.status == Restaurant.Status.ACTIVE
        return is_active and self.is_open and self.preorders_open

    @property
    def opens_later(self) -> bool:
        """Open, but its restaurant doesn't take orders yet."""
        return self.is_open and not self.preorders_open

    @property
    def takes_orders(self) -> bool:
        return self.is_ordering_open and self.per_order_limit > 0 and not self.are_times_full

    @property
    def preorders_open(self) -> bool:
        """Whether the restaurant can be paid (DECISIONS X68)."""
        account = getattr(self.restaurant, "connect_account", None)
        return account is not None and account.charges_enabled

    @property
    def portions_left(self) -> int | None:
        return self.seats.portions_left

    @property
    def being_ordered(self) -> int:
        """Portions reserved in open checkouts, for friends, and for the waitlist."""
        return portions_being_ordered(self.offer)

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
    def serving(self) -> Serving:
        """When and how guests get it."""
        return serving_of(self.offer)

    @cached_property
    def more_photos(self) -> list[Photo]:
        """The photos beside the first one; a query of its own unless read `with_more_photos`."""
        rows: list[dict[str, Any]] | None = getattr(self.offer, "more_photo_rows", None)
        if rows is not None:
            return [Photo(**row) for row in rows]
        more = self.offer.more_photos.select_related("photo")
        return [each.photo for each in more]

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
        return card_terms(self.offer, self.now, instead=self.instead)

    @property
    def instead(self) -> Instead | None:
        return None if self.alternative_price is None else Instead(self.alternative)

    @property
    def charge_condition(self) -> str:
        """Of `card_terms`, when the card is charged and on what condition."""
        return charge_condition(self.offer, self.now)

    @property
    def alternative(self) -> str:
        """Name of the dish served if the minimum is missed, in the active language; empty without
        one."""
        dish = self.offer.alternative_dish
        return dish.spoken_name if self.offer.has_alternative and dish else ""

    @property
    def alternative_photo(self) -> DishPicture | None:
        """The alternative with its photo; None without one. Reads `alternative_dish.photo`."""
        dish = self.offer.alternative_dish
        if not self.alternative or dish is None or dish.photo is None:
            return None
        return DishPicture(self.alternative, photo_sources(dish.photo))

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
    def is_alternative_at_menu_price(self) -> bool:
        """Whether `alternative_price` is what guests read on the menu."""
        dish = self.offer.alternative_dish
        if dish is None or dish.hidden_at is not None:
            return False
        return self.alternative_price == Money.of(dish.price)

    @property
    def path(self) -> str:
        return f"/specials/{self.offer.pk}"

    @property
    def url(self) -> str:
        return absolute_url(self.path, restaurant=self.restaurant)

    @property
    def short_url(self) -> str:
        """The address to print and to type; it leads to `url`."""
        return absolute_url(f"/s/{self.offer.pk.hex[:SHORT_LENGTH]}", restaurant=self.restaurant)

    @cached_property
    def picture(self) -> PhotoSources | None:
        return photo_sources(self.offer.photo)

    @property
    def more_pictures(self) -> list[MorePicture]:
        """The photos beside the first one, to show."""
        shown = self.more_photos
        return [
            MorePicture(self.name, number, photo_sources(photo))
            for number, photo in enumerate(shown, start=2)
        ]

    @property
    def picture_url(self) -> str:
        """Absolute URL of the JPEG, for other sites; empty without a photo."""
        return urljoin(self.url, self.picture.url) if self.picture else ""

    @property
    def share_picture_url(self) -> str:
        """URL of the share picture; it changes whenever the picture does."""
        return f"{self.url}/share.jpg?v={self.share_version}"

    @property
    def oembed_url(self) -> str:
        """Where programs that make a preview of the special's link ask (https://oembed.com)."""
        query = urlencode({"url": self.url})
        return absolute_url(f"/oembed?{query}", restaurant=self.restaurant)

    @cached_property
    def share_version(self) -> str:
        """A short hash of everything the share picture shows."""
        offer = self.offer
        shown = (
            self.restaurant.name, self.restaurant.currency, self.name, offer.special_price,
            offer.regular_price, offer.photo_id, offer.ordered_portions, offer.min_preorders,
            offer.max_preorders, self.summary, self.serving.when,
            self.takes_orders and self.deadline, brand_of(self.restaurant).accent_light,
        )  # fmt: skip
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]

    @property
    def summary(self) -> str:
        """The sentence about its seats, or that nobody can order it yet."""
        if not self.opens_later:
            return self.sentence
        return when_it_opens(self.offer, self.deadline, now=self.now)

    @property
    def pitch(self) -> str:
        """One line for previews and search results, for somebody who hasn't ordered."""
        if not self.is_open:
            return f"{self.sentence}."
        terms = {
            SeatsState.OPEN: _("Order by %(deadline)s. You pay only if it's on."),
            SeatsState.ON: _("Order by %(deadline)s; cancel free until then."),
            SeatsState.SOLD_OUT: _("The waitlist closes %(deadline)s."),
        }[SeatsState(self.state)]
        text = _("%(gap)s. Save %(percent)s%%, served %(day)s. %(terms)s")
        text %= {
            "gap": self.summary,
            "percent": self.saving_percent,
            "day": self.serving.when,
            "terms": "" if self.opens_later else terms % {"deadline": self.deadline},
        }
        return f"{self._condition}{text}".strip()

    @property
    def _condition(self) -> str:
        text = condition(self.offer) if self.opens_later else ""
        return f"{text}. " if text else ""

    @property
    def gap(self) -> str:
        """How close it is, to send to a friend; how many are left may be others by then."""
        is_on = self.state == SeatsState.ON and not self.opens_later
        return _("It's on") if is_on else self.summary

    @property
    def prices(self) -> dict[str, str]:
        """`price` and `regular`, in words."""
        offer, currency = self.offer, self.restaurant.currency
        return {
            "price": formats.money(offer.special_price, currency),
            "regular": formats.money(offer.regular_price, currency),
        }

    @property
    def share_text(self) -> str:
        """What a guest sends beside the link."""
        text = _("%(dish)s at %(restaurant)s, %(day)s: %(price)s instead of %(regular)s. %(gap)s")
        text += ". " + _("Order by %(deadline)s") if self.takes_orders else ""
        is_short = self.takes_orders and self.state == SeatsState.OPEN
        terms = _("%(gap)s, and you pay only then.").removesuffix(".") if is_short else "%(gap)s"
        return text % {
            "dish": self.name,
            "deadline": self.deadline,
            "restaurant": self.restaurant.name,
            "day": self.serving.when,
            "gap": self._condition + terms % {"gap": self.gap},
            **self.prices,
        }

    def whatsapp_url(self, link: str = "") -> str:
        """Opens WhatsApp with a text that leads to the special, or to a guest's own `link` to it:
        https://faq.whatsapp.com/5913398998672934"""
        return "https://wa.me/?" + urlencode({"text": f"{self.share_text}: {link or self.url}"})

    @property
    def directions_url(self) -> str:
        return directions_url(self.restaurant)


def directions_url(restaurant: Restaurant) -> str:
    """URL of a maps search for the restaurant's name and address."""
    query = urlencode({"api": 1, "query": f"{restaurant.name}, {restaurant.address}"})
    return f"https://www.google.com/maps/search/?{query}"
