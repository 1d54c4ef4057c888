"""The API of the owner's page of one offer: its overview, and actions to help it succeed."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.common import clock
from apps.common.errors import NotFound
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.selectors import offer_for_display
from apps.preorders.special.overview import offer_overview
from apps.preorders.special.rescue import RescueAction, preview_rescue, rescue_offer
from apps.preorders.special.serializers import OverviewSerializer, RescueInput, TrialSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import CurrentMembership, Permission


def serializer_context(membership: CurrentMembership) -> dict[str, Any]:
    """The serializer context: what this user can see and do."""
    return {
        "money": membership.can(Permission.SEE_LEDGER) or membership.can(Permission.EDIT_ORDERS),
        "rescue": membership.can(Permission.EDIT_OFFERS),
        "people": membership.can(Permission.SEE_ORDERS),
    }


class OverviewView(RestaurantView):
    """An offer with its what-if preview or outcome, its timeline and its change log."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=OverviewSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return overview_answer(self.membership, offer_id)


def overview_answer(membership: CurrentMembership, offer_id: UUID) -> Response:
    overview = offer_overview(restaurant=membership.restaurant, offer_id=offer_id, now=clock.now())
    if overview is None:
        raise NotFound(UNKNOWN_OFFER)
    return Response(OverviewSerializer(overview, context=serializer_context(membership)).data)


class RescueView(RestaurantView):
    """Preview (GET) or execute (POST) an action that helps an open offer succeed."""

    rights: ClassVar = {"GET": Permission.EDIT_OFFERS, "POST": Permission.EDIT_OFFERS}

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
