"""The cart (A39) and its checkout: begun, confirmed in the browser, told of, given up."""

from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from apps.common import clock, formats
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.money import Money
from apps.offers.api.views.pickup_slots import OfferSlot
from apps.offers.api.views.specials import RID
from apps.offers.selectors import restaurant_of_offer
from apps.preorders.cart import serializers as shapes
from apps.preorders.cart.confirmation import (
    abandon_cart,
    cart_outcome,
    confirm_cart,
    retry_cart_item,
)
from apps.preorders.cart.selectors import MAX_CART_OFFERS, CartOffer, offers_in_cart
from apps.preorders.cart.services import CartEntry, begin_cart
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.guest.api import _uuid
from apps.preorders.models import Cart
from apps.restaurants.api.views.base import PublicRestaurantView
from apps.restaurants.models import Restaurant


def _customer(sent: dict[str, Any]) -> GuestDetails | None:
    return GuestDetails(**sent["customer"]) if sent["customer"] else None


class MultiOfferPaymentIntentView(PublicRestaurantView):
    """Begin a cart: the browser confirms `clientSecret` with a card, then confirms the checkout."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "pre_orders"
    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        sent = request.data
        items = sent.get("items") if isinstance(sent, dict) else None
        first = items[0] if isinstance(items, list) and items else None
        offer_id = _uuid(first.get("dishId")) if isinstance(first, dict) else None
        return restaurant_of_offer(offer_id) if offer_id else None

    @extend_schema(request=shapes.CartRequest, responses={201: shapes.CartStarted})
    def post(self, request: Request) -> Response:
        form = shapes.CartRequest(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        begun = begin_cart(
            restaurant=self.restaurant,
            items=[
                CartEntry(
                    offer_id=each["dishId"],
                    quantity=each["quantity"],
                    price=each["price"],
                    note=each["note"],
                    slot_id=each["slotId"],
                    alternative_consent=each["alternativeConsent"],
                )
                for each in wanted["items"]
            ],
            customer=_customer(wanted),
            via=wanted["via"],
            claimed_total=None if wanted["total"] is None else Money(wanted["total"]),
            now=clock.now(),
        )
        return Response(shapes.CartStarted(begun).data, status=201)


class _CheckoutView(PublicRestaurantView):
    """About one checkout, by its id; whoever knows it may act on it."""

    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        found = Cart.objects.filter(pk=self.kwargs["checkout_id"]).select_related("restaurant")
        cart = found.first()
        return cart.restaurant if cart else None


class CheckoutView(_CheckoutView):
    """How a cart stands; and the way back from its payment."""

    @extend_schema(responses=shapes.CartResult)
    def get(self, request: Request, checkout_id: UUID) -> Response:
        return Response(shapes.CartResult(cart_outcome(cart_id=checkout_id, now=clock.now())).data)

    @extend_schema(responses={204: None, 409: shapes.CartRefused})
    def delete(self, request: Request, checkout_id: UUID) -> Response:
        left = abandon_cart(cart_id=checkout_id, now=clock.now())
        if left is not None:
            raise Conflict(str(shapes.STAYS), extra=dict(shapes.CartResult(left).data))
        return Response(status=204)


class CheckoutConfirmView(_CheckoutView):
    """Once the browser has confirmed: hold what each line costs. Safe to send again."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "pre_orders"

    @extend_schema(request=shapes.ConfirmRequest, responses=shapes.CartResult)
    def post(self, request: Request, checkout_id: UUID) -> Response:
        form = shapes.ConfirmRequest(data=request.data)
        form.is_valid(raise_exception=True)
        customer = _customer(form.validated_data)
        outcome = confirm_cart(cart_id=checkout_id, customer=customer, now=clock.now())
        return Response(shapes.CartResult(outcome).data)


class CheckoutRetryView(_CheckoutView):
    """One line again, with its diner there: the browser confirms this secret, then the checkout."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "pre_orders"

    @extend_schema(request=None, responses=shapes.RetryStarted)
    def post(self, request: Request, checkout_id: UUID, order_id: UUID) -> Response:
        retry = retry_cart_item(cart_id=checkout_id, order_id=order_id, now=clock.now())
        return Response(shapes.RetryStarted(retry).data)


# What the cart shows of its specials, in one answer (R140, R141).


IDS = OpenApiParameter("ids", str, required=True, description="Ids of specials with commas.")


class Alternative(serializers.Serializer[CartOffer]):
    """What is served for how much instead, to whoever agrees to it (DECISIONS X18)."""

    name = serializers.CharField(source="special.alternative")
    price = serializers.DecimalField(10, 2, source="alternative_price.amount")


class CartOfferSerializer(serializers.Serializer[CartOffer]):
    id = serializers.UUIDField(source="special.offer.pk")
    name = serializers.CharField(source="special.name")
    path = serializers.CharField(source="special.path")
    price = serializers.DecimalField(10, 2, source="special.offer.special_price")
    served = serializers.SerializerMethodField(help_text="The serve day in words.")
    refusal = serializers.CharField(help_text="Why it cannot be ordered now; else empty.")
    perOrderLimit = serializers.IntegerField(source="special.per_order_limit")
    minPreordersRequired = serializers.IntegerField(source="special.offer.min_preorders")
    condition = serializers.CharField(
        source="special.condition", help_text="When the held card is charged, in words."
    )
    slots = OfferSlot(many=True)
    alternative = serializers.SerializerMethodField()

    def get_served(self, each: CartOffer) -> str:
        return formats.day(each.special.offer.serve_date)

    @extend_schema_field(Alternative(allow_null=True))
    def get_alternative(self, each: CartOffer) -> Any:
        return None if each.alternative_price is None else Alternative(each).data


class CartOffersSerializer(serializers.Serializer[Any]):
    taxRate = serializers.DecimalField(5, 2, help_text="Per cent.")
    cardScriptUrl = serializers.CharField(
        allow_blank=True, help_text="Empty for Stripe's own script."
    )
    offers = CartOfferSerializer(many=True)


def _ids(text: str) -> list[UUID]:
    try:
        found = [UUID(word) for word in text.split(",") if word.strip()]
    except ValueError:
        found = []
    if not 1 <= len(found) <= MAX_CART_OFFERS:
        raise Invalid.because(
            [FieldError("ids", f"Name 1 to {MAX_CART_OFFERS} specials by their ids.")]
        )
    return found


class CartOffersView(PublicRestaurantView):
    """The specials in a cart as they can be ordered now; one that is gone is left out."""

    authentication_classes = []

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        try:
            first = UUID(request.query_params.get("ids", "").partition(",")[0])
        except ValueError:
            return None  # said properly once it is known whom the question is for
        return restaurant_of_offer(first)

    @extend_schema(parameters=[IDS, RID], responses=CartOffersSerializer)
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
        return Response(CartOffersSerializer(answer).data)
