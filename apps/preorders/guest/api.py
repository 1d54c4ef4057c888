"""API views: pre-orders and the email opt-in."""

from typing import ClassVar
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.serializers import take_proof
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import NotFound
from apps.common.ids import parse_uuid
from apps.offers.selectors import restaurant_of_offer
from apps.offers.storefront import special_on_show
from apps.preorders.checkout.acceptance import NO_FRIENDS_LINK
from apps.preorders.checkout.limits import (
    CHECKOUT_REFUSALS,
    PreOrderThrottle,
    check_start,
    origin_of,
)
from apps.preorders.checkout.serializers import PreOrderRequest, PreOrderStarted
from apps.preorders.checkout.services import GuestDetails, begin_order
from apps.preorders.core import selectors
from apps.preorders.core.access import give_access_to_sender
from apps.preorders.core.friends import friends_of, starter_for_token
from apps.preorders.emails.preferences import subscribe_by_order
from apps.preorders.guest import serializers
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.api.views.base import NO_SUCH_RESTAURANT, PublicRestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import active_restaurant_by_id

NO_ORDER = "No pre-order information found"


class PreOrdersView(PublicRestaurantView):
    """Start a pre-order: the guest enters a card at the answer's `checkoutUrl`."""

    throttle_classes = [PreOrderThrottle]
    restaurant_required = False
    refusals: ClassVar = {
        "POST": CHECKOUT_REFUSALS,
    }

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        sent = request.data
        offer_id = parse_uuid(sent.get("dishId")) if isinstance(sent, dict) else None
        return restaurant_of_offer(offer_id) if offer_id else None

    @extend_schema(request=PreOrderRequest, responses={201: PreOrderStarted})
    @idempotent
    def post(self, request: Request) -> Response:
        form = PreOrderRequest(data=request.data)
        form.is_valid(raise_exception=True)
        wanted, now = dict(form.validated_data), clock.now()
        origin = origin_of(request._request, take_proof(wanted), now=now)
        if self.restaurant is not None:
            check_start(origin, restaurant_id=self.restaurant.pk, email=wanted["customerEmail"])
        order = begin_order(
            offer_id=wanted["dishId"],
            quantity=wanted["quantity"],
            guest=GuestDetails(
                name=wanted["customerName"],
                email=wanted["customerEmail"],
                phone=wanted["customerPhone"],
            ),
            claimed_total=wanted["totalAmount"],
            alternative_consent=wanted["alternativeConsent"],
            note=wanted["note"],
            slot_id=wanted["slotId"],
            service_mode=wanted["serviceMode"],
            referral_code=wanted["ref"],
            friends_link=wanted["friendsLink"],
            shows_first_name=wanted["showFirstName"],
            origin=origin,
            now=now,
        )
        response = Response(PreOrderStarted(order).data, status=201)
        give_access_to_sender(response, order, now=now)
        return response


class PreOrderView(PublicRestaurantView):
    """One order by its id or its checkout session's id; the answer has no personal data."""

    stays_open = True
    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        order = selectors.order_by_reference(self.kwargs["reference"])
        return order.offer.restaurant if order else None

    @extend_schema(responses=serializers.PreOrderDetail)
    def get(self, request: Request, reference: str) -> Response:
        order = selectors.order_by_reference(reference)
        if order is None:
            raise NotFound(NO_ORDER)
        return Response(serializers.PreOrderDetail(order).data)


class FriendsView(PublicRestaurantView):
    """What a guest reserves for friends, for anyone with their link. Order it with the end of
    the link as `friendsLink` of `POST /api/pre-orders`."""

    restaurant_required = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return restaurant_of_offer(self.kwargs["offer_id"])

    @extend_schema(responses=serializers.PartyForFriends)
    def get(self, request: Request, offer_id: UUID, friends_link: str) -> Response:
        now = clock.now()
        shown = special_on_show(self.restaurant, offer_id, now) if self.restaurant else None
        starter = starter_for_token(friends_link, offer=shown.offer) if shown else None
        if shown is None or starter is None:
            raise NotFound(str(NO_FRIENDS_LINK))
        party = friends_of(starter, now=now)
        return Response(serializers.PartyForFriends(party, context={"special": shown}).data)


class EmailSubscriptionView(PublicRestaurantView):
    """Subscribe an order's email address to the restaurant's news, or unsubscribe it."""

    authentication_classes = []
    throttle_classes = [PreOrderThrottle]
    restaurant_required = False
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        sent = request.data
        asked = sent.get("restaurantId") if isinstance(sent, dict) else None
        return active_restaurant_by_id(str(asked))

    @extend_schema(request=serializers.EmailSubscription, responses=serializers.EmailSubscribed)
    def post(self, request: Request) -> Response:
        form = serializers.EmailSubscription(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        if self.restaurant is None or wanted["restaurantId"] != self.restaurant.pk:
            raise NotFound(str(NO_SUCH_RESTAURANT))
        choice = subscribe_by_order(
            restaurant_id=self.restaurant.pk,
            order_id=wanted["preorderId"],
            wants_news=wanted["optIn"],
            now=clock.now(),
        )
        message = _("You're subscribed.") if choice.news else _("You're unsubscribed.")
        return Response({"optIn": choice.news, "message": message})
