"""API views of the cart's checkout: start, confirm, status, retry, abandon."""

from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.serializers import take_proof
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.ids import parse_uuid
from apps.common.money import Money
from apps.offers.selectors import restaurant_of_offer
from apps.preorders.cart.confirmation import (
    CartOutcome,
    abandon_cart,
    cart_outcome,
    confirm_cart,
    retry_cart_item,
)
from apps.preorders.cart.items import CartEntry
from apps.preorders.cart.offer_serializers import CartOffersSerializer
from apps.preorders.cart.selectors import MAX_CART_OFFERS, card_terms_of_several, offers_in_cart
from apps.preorders.cart.serializers import (
    STAYS,
    CartRefused,
    CartRequest,
    CartResult,
    CartStarted,
    ConfirmRequest,
    RetryRequest,
    RetryStarted,
)
from apps.preorders.cart.services import begin_cart, resume_cart
from apps.preorders.checkout.limits import (
    CHECKOUT_REFUSALS,
    CheckoutThrottle,
    PreOrderThrottle,
    can_read_stripe,
    check_start,
    origin_of,
)
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.access import (
    give_access_to_checkout,
    give_access_to_sender,
    is_checkouts_sender,
)
from apps.preorders.models import Cart
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.api.views.base import PublicRestaurantView
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant


def _guest(sent: dict[str, Any]) -> GuestDetails | None:
    return GuestDetails(**sent["guest"]) if sent["guest"] else None


def _claimed_total(sent: dict[str, Any]) -> Money | None:
    """The total that the client showed, in decimals or in cents."""
    if sent["totalAmount"] is not None:
        return Money.of(sent["totalAmount"])
    return None if sent["total"] is None else Money(sent["total"])


class MultiOfferPaymentIntentView(PublicRestaurantView):
    """Start a cart: the browser confirms `clientSecret` with a card, then confirms the checkout."""

    throttle_classes = [PreOrderThrottle]
    restaurant_required = False
    refusals: ClassVar = {
        "POST": CHECKOUT_REFUSALS,
    }

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        sent = request.data
        items = sent.get("items") if isinstance(sent, dict) else None
        first = items[0] if isinstance(items, list) and items else None
        offer_id = parse_uuid(first.get("dishId")) if isinstance(first, dict) else None
        return restaurant_of_offer(offer_id) if offer_id else None

    @extend_schema(request=CartRequest, responses={201: CartStarted})
    @idempotent
    def post(self, request: Request) -> Response:
        form = CartRequest(data=request.data)
        form.is_valid(raise_exception=True)
        wanted, now = dict(form.validated_data), clock.now()
        guest = _guest(wanted)
        origin = origin_of(request._request, take_proof(wanted), now=now)
        if self.restaurant is not None:
            email = guest.email if guest else ""
            check_start(origin, restaurant_id=self.restaurant.pk, email=email)
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
                    service_mode=each["serviceMode"],
                    friends_link=each["friendsLink"],
                    shows_first_name=each["showFirstName"],
                )
                for each in wanted["items"]
            ],
            guest=guest,
            referral_code=wanted["ref"],
            claimed_total=_claimed_total(wanted),
            origin=origin,
            now=now,
            attempt=self.attempt,
        )
        response = Response(CartStarted(begun).data, status=201)
        if begun.cart.created_at == now:
            give_access_to_checkout(response, begun.cart.pk, now=now)
        if tenant_of(request._request) is None:
            return response
        for order in begun.items:
            give_access_to_sender(response, order, now=now)
        return response


class _CheckoutView(PublicRestaurantView):
    """One checkout by its id; anyone who knows the id can act on it."""

    stays_open = True
    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        found = Cart.objects.filter(pk=self.kwargs["checkout_id"]).select_related("restaurant")
        cart = found.first()
        return cart.restaurant if cart else None

    def result(self, outcome: CartOutcome) -> Any:
        """The answer. The browser that started the cart is told the card, and elsewhere than on the
        restaurant's host the orders' links let it change them."""
        now, request = clock.now(), self.request._request
        context = {
            "now": now,
            "is_sender": is_checkouts_sender(request, outcome.cart.pk, now=now),
            "is_elsewhere": tenant_of(request) is None,
        }
        return CartResult(outcome, context=context).data


class CheckoutView(_CheckoutView):
    """Read the status of a cart, or abandon it."""

    refusals: ClassVar = {
        "DELETE": (
            ErrorCode.ALREADY_ORDERED,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(responses=CartResult)
    def get(self, request: Request, checkout_id: UUID) -> Response:
        fresh = can_read_stripe(request._request, f"cart:{checkout_id}")
        outcome = cart_outcome(cart_id=checkout_id, now=clock.now(), fresh=fresh)
        return Response(self.result(outcome))

    @extend_schema(responses={204: None, 409: CartRefused})
    def delete(self, request: Request, checkout_id: UUID) -> Response:
        left = abandon_cart(cart_id=checkout_id, now=clock.now())
        if left is not None:
            raise Conflict(
                str(STAYS), code=ErrorCode.ALREADY_ORDERED, extra=dict(CartResult(left).data)
            )
        return Response(status=204)


class CheckoutResumeView(_CheckoutView):
    """Begin again where no card was given yet, in another tab: the same secret, with the items that
    still wait for a card. Safe to repeat."""

    throttle_classes = [CheckoutThrottle]
    refusals: ClassVar = {
        "POST": (
            ErrorCode.SOLD_OUT,
            ErrorCode.CONFLICT,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=None, responses=CartStarted)
    def post(self, request: Request, checkout_id: UUID) -> Response:
        return Response(CartStarted(resume_cart(cart_id=checkout_id, now=clock.now())).data)


class CheckoutConfirmView(_CheckoutView):
    """After the browser confirmed the card: hold each item's total. Safe to repeat."""

    throttle_classes = [CheckoutThrottle]
    refusals: ClassVar = {
        "POST": (
            ErrorCode.ORDERS_CLOSED,
            ErrorCode.CONFLICT,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=ConfirmRequest, responses=CartResult)
    def post(self, request: Request, checkout_id: UUID) -> Response:
        form = ConfirmRequest(data=request.data)
        form.is_valid(raise_exception=True)
        guest = _guest(form.validated_data)
        outcome = confirm_cart(cart_id=checkout_id, guest=guest, now=clock.now())
        return Response(self.result(outcome))


class CheckoutRetryView(_CheckoutView):
    """Retry one item: the browser confirms this secret with the guest, then the checkout."""

    throttle_classes = [CheckoutThrottle]
    refusals: ClassVar = {
        "POST": (
            ErrorCode.ORDERS_CLOSED,
            ErrorCode.SOLD_OUT,
            ErrorCode.ALREADY_ORDERED,
            ErrorCode.CONFLICT,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=RetryRequest, responses=RetryStarted)
    @idempotent
    def post(self, request: Request, checkout_id: UUID, order_id: UUID) -> Response:
        form = RetryRequest(data=request.data)
        form.is_valid(raise_exception=True)
        retry = retry_cart_item(
            cart_id=checkout_id,
            order_id=order_id,
            another_card=form.validated_data["anotherCard"],
            now=clock.now(),
        )
        return Response(RetryStarted(retry).data)


# Everything the cart shows about its specials, in one answer.


IDS = OpenApiParameter(
    "ids", str, required=True, description="Ids of specials, separated by commas."
)


def _ids(text: str) -> list[UUID]:
    try:
        found = [UUID(word) for word in text.split(",") if word.strip()]
    except ValueError:
        found = []
    if not 1 <= len(found) <= MAX_CART_OFFERS:
        raise Invalid.because(
            [FieldError("ids", f"`ids` must be 1 to {MAX_CART_OFFERS} ids of specials.")]
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

    @extend_schema(parameters=[IDS], responses=CartOffersSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers = offers_in_cart(
            restaurant=self.restaurant,
            offer_ids=_ids(request.query_params.get("ids", "")),
            now=now,
        )
        account = getattr(self.restaurant, "connect_account", None)
        answer = {
            "taxRate": self.restaurant.tax_rate,
            "asksForPhone": self.restaurant.asks_for_phone,
            "currency": self.restaurant.currency,
            "cardScriptUrl": "" if settings.CARD_SCRIPT_IS_STRIPES else settings.STRIPE_JS_URL,
            "publishableKey": settings.STRIPE_PUBLISHABLE_KEY,
            "restaurantName": self.restaurant.name,
            "address": self.restaurant.address,
            "onBehalfOf": account.account_id if account else "",
            "cardTerms": card_terms_of_several(offers, now),
            "offers": offers,
        }
        return Response(CartOffersSerializer(answer).data)
