"""Everything the cart shows about its specials, in one answer."""

from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock, formats
from apps.common.errors import FieldError, Invalid
from apps.offers.api.slots import OfferSlot
from apps.offers.api.views import RID
from apps.offers.selectors import restaurant_of_offer
from apps.preorders.cart_offers import MOST_LINES, CartOffer, offers_in_cart
from apps.restaurants.api.views import PublicRestaurantView
from apps.restaurants.models import Restaurant

IDS = OpenApiParameter(
    "ids", str, required=True, description="Ids of specials, separated by commas."
)


class Alternative(serializers.Serializer[CartOffer]):
    """The alternative dish and its price, for guests who choose it (DECISIONS X18)."""

    name = serializers.CharField(source="special.alternative")
    price = serializers.DecimalField(10, 2, source="alternative_price.amount")


class CartOfferShape(serializers.Serializer[CartOffer]):
    id = serializers.UUIDField(source="special.offer.pk")
    name = serializers.CharField(source="special.name")
    path = serializers.CharField(source="special.path")
    price = serializers.DecimalField(10, 2, source="special.offer.special_price")
    served = serializers.SerializerMethodField(help_text="The serve date, formatted.")
    refusal = serializers.CharField(help_text="Why it can't be ordered now; empty if it can.")
    perOrderLimit = serializers.IntegerField(source="special.per_order_limit")
    minPreordersRequired = serializers.IntegerField(source="special.offer.min_preorders")
    condition = serializers.CharField(
        source="special.card_terms", help_text="What happens to the guest's card, in words."
    )
    slots = OfferSlot(many=True)
    alternative = serializers.SerializerMethodField()

    def get_served(self, each: CartOffer) -> str:
        return formats.day(each.special.offer.serve_date)

    @extend_schema_field(Alternative(allow_null=True))
    def get_alternative(self, each: CartOffer) -> Any:
        return None if each.alternative_price is None else Alternative(each).data


class CartOffers(serializers.Serializer[Any]):
    taxRate = serializers.DecimalField(5, 2, help_text="Percent.")
    cardScriptUrl = serializers.CharField(
        allow_blank=True, help_text="Empty for Stripe's own script."
    )
    offers = CartOfferShape(many=True)


def _ids(text: str) -> list[UUID]:
    try:
        found = [UUID(word) for word in text.split(",") if word.strip()]
    except ValueError:
        found = []
    if not 1 <= len(found) <= MOST_LINES:
        raise Invalid.because(
            [FieldError("ids", f"`ids` must be 1 to {MOST_LINES} ids of specials.")]
        )
    return found


class CartOffersView(PublicRestaurantView):
    """The specials of a cart as they can be ordered now; deleted ones are left out."""

    authentication_classes = []

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        try:
            first = UUID(request.query_params.get("ids", "").partition(",")[0])
        except ValueError:
            return None  # `get` reports the error
        return restaurant_of_offer(first)

    @extend_schema(parameters=[IDS, RID], responses=CartOffers)
    def get(self, request: Request) -> Response:
        offers = offers_in_cart(
            restaurant=self.restaurant,
            offer_ids=_ids(request.query_params.get("ids", "")),
            now=clock.now(),
        )
        answer = {
            "taxRate": self.restaurant.tax_rate,
            "cardScriptUrl": "" if settings.CARD_SCRIPT_IS_STRIPES else settings.STRIPE_JS_URL,
            "offers": offers,
        }
        return Response(CartOffers(answer).data)
