"""API of a special's pickup times."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.versions import EditedMeanwhile
from apps.offers import pickup_slots
from apps.offers.api.serializers.pickup_slots import OwnSlots, SlotsInput
from apps.offers.pickup_slots import SlotTerms
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class SlotsView(RestaurantView):
    """Read and replace the pickup times of a special."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS, "PUT": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "PUT": (ErrorCode.CONFLICT, ErrorCode.EDITED_MEANWHILE),
    }

    @extend_schema(responses=OwnSlots)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(self._current(offer_id))

    @extend_schema(request=SlotsInput, responses=OwnSlots)
    def put(self, request: Request, offer_id: UUID) -> Response:
        form = SlotsInput(data=request.data, context={"zone": self.restaurant.zone})
        form.is_valid(raise_exception=True)
        terms = [SlotTerms(**each) for each in form.validated_data["slots"]]
        try:
            pickup_slots.set_slots(
                restaurant=self.restaurant,
                offer_id=offer_id,
                terms=terms,
                version=form.validated_data.get("version", ""),
                now=clock.now(),
            )
        except EditedMeanwhile as refusal:
            raise refusal.with_current(self._current(offer_id)) from None
        return Response(self._current(offer_id))

    def _current(self, offer_id: UUID) -> Any:
        slots = pickup_slots.slots_for_restaurant(restaurant=self.restaurant, offer_id=offer_id)
        return OwnSlots({"slots": slots}).data
