"""Serializers of what the cart in a browser shows about its specials."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.fields import PercentageField
from apps.offers.api.serializers.pickup_slots import OfferSlot
from apps.offers.images import photo_url
from apps.offers.models import Photo
from apps.offers.serving import ServiceMode
from apps.offers.sold_dishes import SoldDish
from apps.preorders.cart.selectors import CartOffer

THUMBNAIL_WIDTH = 240  # pixels, for 72 on the densest screens


def thumbnail_url(photo: Photo | None) -> str | None:
    return photo_url(photo, THUMBNAIL_WIDTH) if photo else None


def _note_warnings(dish: SoldDish) -> list[dict[str, Any]]:
    found = dish.note_warnings
    return [{"allergen": name, "words": words.split(",")} for name, words in found]


class NoteWarning(serializers.Serializer[Any]):
    allergen = serializers.CharField(help_text="In words, in lower case.")
    words = serializers.ListField(child=serializers.CharField())


class DietMark(serializers.Serializer[Any]):
    name = serializers.CharField(source="label", help_text="In words.")
    isPlants = serializers.BooleanField(
        source="is_plants", help_text="It says that there is no meat in it."
    )


class Alternative(serializers.Serializer[CartOffer]):
    """The alternative dish and its price, for guests who choose it (DECISIONS X18)."""

    name = serializers.CharField(source="special.alternative")
    price = serializers.DecimalField(10, 2, source="alternative_price.amount")
    isMenuPrice = serializers.BooleanField(source="special.is_alternative_at_menu_price")
    contains = serializers.CharField(
        source="special.alternative_dish.contains",
        help_text="Its allergens, in words; empty without any.",
    )
    diets = DietMark(
        many=True, source="special.alternative_dish.suits", help_text="Its dietary tags."
    )
    lostDiets = serializers.ListField(
        child=serializers.CharField(),
        source="special.lost_diets",
        help_text="The special's dietary tags that it doesn't suit, in words.",
    )
    noteWarnings = serializers.SerializerMethodField(
        help_text="Each allergen, and by which words a guest's note may mention it."
    )
    cardTerms = serializers.CharField(
        source="card_terms_with_alternative",
        help_text="What happens to the card of a guest who chose it, in words, with `%(total)s` "
        "where the price of all its portions belongs.",
    )
    chargeInBrief = serializers.CharField(
        source="charge_in_brief_with_alternative",
        help_text="When it is charged, in a few words, with `%(total)s` as in `cardTerms`.",
    )
    chargeOnceMet = serializers.CharField(
        source="charge_once_met_with_alternative",
        help_text="The same for a guest whose portions meet the minimum.",
    )

    @extend_schema_field(NoteWarning(many=True))
    def get_noteWarnings(self, each: CartOffer) -> Any:
        return _note_warnings(each.special.alternative_dish)


class CartOfferSerializer(serializers.Serializer[CartOffer]):
    id = serializers.UUIDField(source="special.offer.pk")
    name = serializers.CharField(source="special.name")
    path = serializers.CharField(source="special.path")
    price = serializers.DecimalField(10, 2, source="special.offer.special_price")
    imageUrl = serializers.SerializerMethodField()
    contains = serializers.CharField(
        source="special.dish.contains", help_text="Its allergens, in words; empty without any."
    )
    diets = DietMark(many=True, source="special.dish.suits", help_text="Its dietary tags.")
    noteWarnings = serializers.SerializerMethodField(
        help_text="Each allergen, and by which words a guest's note may mention it."
    )
    served = serializers.SerializerMethodField(help_text="When and how it is served, in words.")
    seatsSentence = serializers.CharField(
        source="special.sentence", help_text="How close it is to being on, in words."
    )
    portionsMissing = serializers.IntegerField(
        source="portions_missing", help_text="How many more must be ordered before it is on."
    )
    serviceMode = serializers.ChoiceField(ServiceMode.choices, source="special.offer.service_mode")
    refusal = serializers.CharField(help_text="Why it can't be ordered now; empty if it can.")
    waitlistPath = serializers.CharField(source="waitlist_path", help_text="Empty unless sold out.")
    perOrderLimit = serializers.IntegerField(source="special.per_order_limit")
    minPreordersRequired = serializers.IntegerField(source="special.offer.min_preorders")
    cardTerms = serializers.CharField(
        source="card_terms",
        help_text="What happens to the card of a guest who orders only this, without the "
        "alternative, in words.",
    )
    chargeInBrief = serializers.CharField(
        source="charge_in_brief",
        help_text="When the card is charged for it, and if on what condition, in a few words.",
    )
    chargeOnceMet = serializers.CharField(
        source="charge_once_met",
        help_text="The same for a guest whose portions meet the minimum.",
    )
    slots = OfferSlot(many=True)
    alternative = serializers.SerializerMethodField()

    def get_imageUrl(self, each: CartOffer) -> str | None:
        return thumbnail_url(each.special.offer.photo)

    @extend_schema_field(NoteWarning(many=True))
    def get_noteWarnings(self, each: CartOffer) -> Any:
        return _note_warnings(each.special.dish)

    def get_served(self, each: CartOffer) -> str:
        return each.special.serving.text

    @extend_schema_field(Alternative(allow_null=True))
    def get_alternative(self, each: CartOffer) -> Any:
        return None if each.alternative_price is None else Alternative(each).data


class CartOffersSerializer(serializers.Serializer[Any]):
    taxRate = PercentageField()
    asksForPhone = serializers.BooleanField(help_text="Whether the guest must give a phone number.")
    currency = serializers.CharField(help_text="The currency of all amounts, such as `usd`.")
    cardScriptUrl = serializers.CharField(
        allow_blank=True, help_text="Empty for Stripe's own script."
    )
    publishableKey = serializers.CharField(
        help_text="For Stripe.js, to show wallets before an order is started."
    )
    restaurantName = serializers.CharField(help_text="Whom a wallet names.")
    address = serializers.CharField(
        allow_blank=True, help_text="Where it is served; empty if not known."
    )
    onBehalfOf = serializers.CharField(
        allow_blank=True,
        help_text="The Stripe account that cards are held for, which Stripe.js needs to show "
        "wallets; empty while the restaurant can't be paid.",
    )
    cardTerms = serializers.CharField(
        allow_blank=True,
        help_text="What happens to one card for several of these, in words; each says when it is "
        "charged (`chargeInBrief`). Empty if none can be ordered.",
    )
    offers = CartOfferSerializer(many=True)
