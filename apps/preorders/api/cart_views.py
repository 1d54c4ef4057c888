"""API views of the cart's checkout: start, confirm, status, retry, abandon."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from apps.common import clock
from apps.common.errors import Conflict
from apps.common.money import Money
from apps.offers.selectors import restaurant_of_offer
from apps.preorders.api import cart_shapes as shapes
from apps.preorders.api.views import _uuid
from apps.preorders.models import Cart
from apps.preorders.services.cart import Item, begin_cart
from apps.preorders.services.cart_confirming import (
    abandon_cart,
    cart_outcome,
    confirm_cart,
    retry_line,
)
from apps.preorders.services.checkout import Customer
from apps.restaurants.api.views import PublicRestaurantView
from apps.restaurants.models import Restaurant


def _customer(sent: dict[str, Any]) -> Customer | None:
    return Customer(**sent["customer"]) if sent["customer"] else None


class MultiOfferPaymentIntentView(PublicRestaurantView):
    """Start a cart: the browser confirms `clientSecret` with a card, then confirms the checkout."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "pre_orders"
    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        sent = request.data
        items = sent.get("items") if isinstance(sent, dict) else None
        first = items[0] if isinstance(items, list) and items else None
        offer_id = _uuid(first.get("dishId")) if isinstance(first, dict) else None
        return restaurant_of_offer(offer_id) if offer_id else None

    @extend_schema(request=shapes.CartRequest, responses={201: shapes.CartBegun})
    def post(self, request: Request) -> Response:
        form = shapes.CartRequest(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        begun = begin_cart(
            restaurant=self.restaurant,
            items=[
                Item(
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
        return Response(shapes.CartBegun(begun).data, status=201)


class _CheckoutView(PublicRestaurantView):
    """One checkout by its id; anyone who knows the id can act on it."""

    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        found = Cart.objects.filter(pk=self.kwargs["checkout_id"]).select_related("restaurant")
        cart = found.first()
        return cart.restaurant if cart else None


class CheckoutView(_CheckoutView):
    """The status of a cart, and abandoning it."""

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
    """After the browser confirmed the card: hold each item's total. Safe to repeat."""

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
    """Retry one item: the browser confirms this secret with the guest, then the checkout."""

    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "pre_orders"

    @extend_schema(request=None, responses=shapes.RetryBegun)
    def post(self, request: Request, checkout_id: UUID, order_id: UUID) -> Response:
        retry = retry_line(cart_id=checkout_id, order_id=order_id, now=clock.now())
        return Response(shapes.RetryBegun(retry).data)
