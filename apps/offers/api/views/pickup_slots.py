"""Pick-up times of a special: the owner sets them, everybody sees what is left."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.offers import pickup_slots
from apps.offers.api import fields
from apps.offers.api.serializers import SpecialSerializer
from apps.offers.pickup_slots import SlotState, SlotTerms
from apps.offers.presentation import Special
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

NO_MOMENT = "Say when the pick-up time begins and when it ends."


def _moment(name: str) -> fields.MomentField:
    return fields.MomentField(
        source=name, error_messages=dict.fromkeys(("required", "null", "invalid"), NO_MOMENT)
    )


class OfferSlot(serializers.Serializer[SlotState]):
    """What a guest may choose; `left` null means without a limit."""

    id = serializers.IntegerField(source="slot.pk")
    startsAt = serializers.DateTimeField(source="slot.starts_at")
    endsAt = serializers.DateTimeField(source="slot.ends_at")
    # DRF's metaclass takes declared fields off the class, so its own `label` stays what it is.
    label = serializers.CharField()  # type: ignore[assignment]
    left = serializers.IntegerField(allow_null=True)


class SpecialWithSlots(SpecialSerializer):
    """One special with its pick-up times; none means at any time of the day."""

    pickup_slots = serializers.SerializerMethodField()

    @extend_schema_field(OfferSlot(many=True))
    def get_slots(self, special: Special) -> Any:
        found: Any = pickup_slots.slots_of(special.offer)
        return OfferSlot(found, many=True).data


class OwnSlot(OfferSlot):
    capacity = serializers.IntegerField(source="slot.capacity", allow_null=True)
    taken = serializers.IntegerField()


class OwnSlots(serializers.Serializer[Any]):
    pickup_slots = OwnSlot(many=True)


class SlotInput(serializers.Serializer[Any]):
    """Times without an offset are meant in the restaurant's zone."""

    startsAt = _moment("starts_at")
    endsAt = _moment("ends_at")
    capacity = fields.PortionsField(
        **fields.portions(
            "A pick-up time takes at least 1 portion, or is left without a limit.",
            required=False,
            allow_null=True,
        ),
        default=None,
    )


class SlotsInput(serializers.Serializer[Any]):
    """The slots are sent whole; an empty list means that guests come at any time of the day."""

    pickup_slots = serializers.ListField(
        child=SlotInput(),
        max_length=pickup_slots.MOST_SLOTS,
        error_messages={
            **dict.fromkeys(("required", "null", "not_a_list"), "Send the pick-up times."),
            "max_length": f"Set at most {pickup_slots.MOST_SLOTS} pick-up times.",
        },
    )


class SlotsView(RestaurantView):
    """The pick-up times of one special."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS, "PUT": Permission.EDIT_OFFERS}

    @extend_schema(responses=OwnSlots)
    def get(self, request: Request, offer_id: UUID) -> Response:
        found = pickup_slots.slots_for_restaurant(restaurant=self.restaurant, offer_id=offer_id)
        return Response(OwnSlots({"slots": found}).data)

    @extend_schema(request=SlotsInput, responses=OwnSlots)
    def put(self, request: Request, offer_id: UUID) -> Response:
        form = SlotsInput(data=request.data, context={"zone": self.restaurant.zone})
        form.is_valid(raise_exception=True)
        terms = [SlotTerms(**each) for each in form.validated_data["slots"]]
        found = pickup_slots.set_slots(
            restaurant=self.restaurant, offer_id=offer_id, terms=terms, now=clock.now()
        )
        return Response(OwnSlots({"slots": found}).data)
