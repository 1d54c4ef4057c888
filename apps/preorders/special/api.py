"""The API of one special: its overview, editing it, and actions to help it succeed."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from apps.accounts.models import User
from apps.common import clock, formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import NotFound
from apps.common.versions import EditedMeanwhile
from apps.offers import menu
from apps.offers.api.serializers.menu import DishEditInput, DishSerializer
from apps.offers.api.serializers.specials import OfferEditInput, SpecialSerializer
from apps.offers.api.views.specials import DELETION, delete_special, displayed_special
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.selectors import offer_for_display
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.special import editing
from apps.preorders.special.messages import message_guests, preview_message
from apps.preorders.special.overview import offer_overview
from apps.preorders.special.rescue import RescueAction, preview_rescue, rescue_offer
from apps.preorders.special.serializers import (
    CancelledOfferSerializer,
    GuestMessageInput,
    GuestMessagePreviewSerializer,
    GuestMessageSerializer,
    GuestsToTellSerializer,
    OfferCancellationInput,
    OverviewSerializer,
    PromiseInput,
    RescueInput,
    TrialSerializer,
)
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services.profile import least_price


def serializer_context(membership: CurrentMembership) -> dict[str, Any]:
    """The serializer context: what this user can see and do."""
    return {
        "money": membership.can(Permission.SEE_LEDGER) or membership.can(Permission.EDIT_ORDERS),
        "rescue": membership.can(Permission.EDIT_OFFERS),
        "people": membership.can(Permission.SEE_ORDERS),
        "currency": membership.restaurant.currency,
    }


class OverviewView(RestaurantView):
    """An offer with its what-if preview or outcome, its timeline, and its change log."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=OverviewSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return overview_answer(self.membership, offer_id)


class OfferCancellationView(RestaurantView):
    """Cancel a special before its deadline: every hold is released, and every guest is told why.

    Repeating it changes nothing and returns the same.
    """

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {"POST": (ErrorCode.DEADLINE_PASSED,)}

    @extend_schema(request=OfferCancellationInput, responses=CancelledOfferSerializer)
    @idempotent
    def post(self, request: Request, offer_id: UUID) -> Response:
        self.membership.require(Permission.EDIT_ORDERS)
        form = OfferCancellationInput(data=request.data)
        form.is_valid(raise_exception=True)
        cancelled = cancel_offer(
            restaurant=self.restaurant,
            offer_id=offer_id,
            reason=form.validated_data["reason"],
            by=_name_of(request),
            is_reason_public=form.validated_data["isReasonPublic"],
            now=clock.now(),
        )
        answer = {
            "message": _cancelled(cancelled.orders),
            "offerName": cancelled.offer.name,
            "orders": cancelled.orders,
        }
        return Response(CancelledOfferSerializer(answer).data)


class GuestMessagesView(RestaurantView):
    """Email the guests of one special whose order stands."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT,)}

    @extend_schema(request=GuestMessageInput, responses={201: GuestMessageSerializer})
    @idempotent
    def post(self, request: Request, offer_id: UUID) -> Response:
        guests = message_guests(
            restaurant=self.restaurant,
            offer_id=offer_id,
            text=_valid(GuestMessageInput(data=request.data))["text"],
            by=_name_of(request),
            attempt=self.attempt,
            now=clock.now(),
        )
        answer = {"message": f"Emailed to {formats.count(guests, 'guest')}.", "guests": guests}
        return Response(GuestMessageSerializer(answer).data, status=201)


class GuestMessagePreviewView(RestaurantView):
    """What a message to the guests would look like; nothing is sent."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT,)}

    @extend_schema(request=GuestMessageInput, responses=GuestMessagePreviewSerializer)
    def post(self, request: Request, offer_id: UUID) -> Response:
        text = _valid(GuestMessageInput(data=request.data))["text"]
        preview = preview_message(restaurant=self.restaurant, offer_id=offer_id, text=text)
        return Response(GuestMessagePreviewSerializer(preview).data)


def _cancelled(orders: int) -> str:
    if not orders:
        return "Special canceled. Nobody had ordered."
    ended = formats.count(orders, "order")
    return (
        f"Special canceled, and {ended} with it. Holds are being released, and guests get an email."
    )


def overview_answer(membership: CurrentMembership, offer_id: UUID) -> Response:
    overview = offer_overview(restaurant=membership.restaurant, offer_id=offer_id, now=clock.now())
    if overview is None:
        raise NotFound(UNKNOWN_OFFER)
    return Response(OverviewSerializer(overview, context=serializer_context(membership)).data)


class RescueView(RestaurantView):
    """Preview (GET) or execute (POST) an action that helps an open offer succeed."""

    rights: ClassVar = {"GET": Permission.EDIT_OFFERS, "POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "GET": (ErrorCode.DEADLINE_PASSED,),
        "POST": (ErrorCode.DEADLINE_PASSED,),
    }

    @extend_schema(parameters=[RescueInput], responses=TrialSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        if offer_for_display(restaurant=self.restaurant, offer_id=offer_id) is None:
            raise NotFound(UNKNOWN_OFFER)
        trial = preview_rescue(
            restaurant=self.restaurant,
            offer_id=offer_id,
            action=self._asked(request.query_params.dict()),
            now=clock.now(),
        )
        return Response(TrialSerializer(trial, context=serializer_context(self.membership)).data)

    @extend_schema(request=RescueInput, responses=OverviewSerializer)
    @idempotent
    def post(self, request: Request, offer_id: UUID) -> Response:
        assert isinstance(request.user, User)  # RestaurantView
        rescue_offer(
            restaurant=self.restaurant,
            offer_id=offer_id,
            action=self._asked(request.data),
            by=request.user.name or request.user.email,
            now=clock.now(),
        )
        return overview_answer(self.membership, offer_id)

    def _asked(self, data: Any) -> RescueAction:
        form = RescueInput(data=data, context={"zone": self.restaurant.zone})
        form.is_valid(raise_exception=True)
        return form.requested_action()


class DishView(RestaurantView):
    """Change or delete a special, at the URL that the edit form uses. Guests who ordered are told
    by email if the dish, its allergens, or its dietary tags change."""

    rights: ClassVar = {"PUT": Permission.EDIT_OFFERS, "DELETE": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "PUT": (
            ErrorCode.DEADLINE_PASSED,
            ErrorCode.HAS_ORDERS,
            ErrorCode.EDITED_MEANWHILE,
            ErrorCode.CONFLICT,
        ),
        "DELETE": (
            ErrorCode.HAS_ORDERS,
            ErrorCode.DEADLINE_PASSED,
        ),
    }

    @extend_schema(request=OfferEditInput, responses=SpecialSerializer)
    def put(self, request: Request, offer_id: UUID) -> Response:
        context = {
            "zone": self.restaurant.zone,
            "currency": self.restaurant.currency,
            "least": least_price(self.restaurant, self.restaurant.currency),
        }
        # With a version, the body names only what changes.
        changed_only = isinstance(request.data, dict) and "version" in request.data
        changes = _valid(OfferEditInput(data=request.data, partial=changed_only, context=context))
        try:
            editing.edit_special(
                restaurant=self.restaurant,
                offer_id=offer_id,
                version=changes.pop("version", ""),
                changes=changes,
                now=clock.now(),
                by=_name_of(request),
            )
        except EditedMeanwhile as refusal:
            raise refusal.with_current(self._current(offer_id)) from None
        return Response(self._current(offer_id))

    def _current(self, offer_id: UUID) -> Any:
        return SpecialSerializer(displayed_special(self.restaurant, offer_id)).data

    @extend_schema(responses=DELETION)
    def delete(self, request: Request, offer_id: UUID) -> Response:
        return delete_special(self.restaurant, offer_id, request)


class DishChangeView(RestaurantView):
    """How many guests would be told if a special became this; nothing is changed."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=PromiseInput, responses=GuestsToTellSerializer)
    def post(self, request: Request, offer_id: UUID) -> Response:
        changes = _valid(PromiseInput(data=request.data))
        notified = editing.preview_edit(
            restaurant=self.restaurant, offer_id=offer_id, changes=changes
        )
        return Response(GuestsToTellSerializer({"guests": notified}).data)


class MenuDishView(RestaurantView):
    """Change a dish of the regular menu, or delete it. Guests who chose it as their alternative are
    told by email if it changes."""

    rights: ClassVar = {"PATCH": Permission.EDIT_OFFERS, "DELETE": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "PATCH": (
            ErrorCode.EDITED_MEANWHILE,
            ErrorCode.CONFLICT,
        ),
        "DELETE": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=DishEditInput, responses=DishSerializer)
    def patch(self, request: Request, dish_id: UUID) -> Response:
        changes = _valid(DishEditInput(data=request.data))
        try:
            dish = editing.edit_menu_dish(
                restaurant=self.restaurant,
                dish_id=dish_id,
                version=changes.pop("version", ""),
                changes=changes,
                now=clock.now(),
                by=_name_of(request),
            )
        except EditedMeanwhile as refusal:
            current = menu.dish_by_id(restaurant=self.restaurant, dish_id=dish_id)
            raise refusal.with_current(DishSerializer(current).data) from None
        return Response(DishSerializer(dish).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, dish_id: UUID) -> Response:
        menu.delete_dish(restaurant=self.restaurant, dish_id=dish_id, now=clock.now())
        return Response(status=204)


class MenuDishChangeView(RestaurantView):
    """How many guests would be told if a dish of the menu became this; nothing is changed."""

    rights: ClassVar = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(request=PromiseInput, responses=GuestsToTellSerializer)
    def post(self, request: Request, dish_id: UUID) -> Response:
        changes = _valid(PromiseInput(data=request.data))
        notified = editing.preview_dish_edit(
            restaurant=self.restaurant, dish_id=dish_id, changes=changes
        )
        return Response(GuestsToTellSerializer({"guests": notified}).data)


def _valid(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


def _name_of(request: Request) -> str:
    return getattr(request.user, "name", "") or str(request.user)
