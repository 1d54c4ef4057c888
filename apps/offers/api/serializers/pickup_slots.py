"""Serializers of a special's pickup times."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.offers import pickup_slots
from apps.offers.api import fields
from apps.offers.api.serializers.specials import SpecialSerializer
from apps.offers.pickup_slots import SlotState
from apps.offers.presentation import Special

TIME_REQUIRED = "Enter a start and an end time."


def _moment(name: str) -> fields.MomentField:
    return fields.MomentField(
        source=name, error_messages=dict.fromkeys(("required", "null", "invalid"), TIME_REQUIRED)
    )


class OfferSlot(serializers.Serializer[SlotState]):
    """A pickup time a guest can choose; `left` null means no limit."""

    id = serializers.IntegerField(source="slot.pk")
    startsAt = serializers.DateTimeField(source="slot.starts_at")
    endsAt = serializers.DateTimeField(source="slot.ends_at")
    # DRF's metaclass removes declared fields from the class, so its own `label` is unaffected.
    label = serializers.CharField()  # type: ignore[assignment]
    left = serializers.IntegerField(allow_null=True)


class SpecialWithSlots(SpecialSerializer):
    """A special with its pickup times; without any, guests come at any time of the day."""

    slots = serializers.SerializerMethodField()

    @extend_schema_field(OfferSlot(many=True))
    def get_slots(self, special: Special) -> Any:
        of_offer: Any = pickup_slots.slots_of(special.offer)
        return OfferSlot(of_offer, many=True).data


class OwnSlot(OfferSlot):
    capacity = serializers.IntegerField(source="slot.capacity", allow_null=True)
    taken = serializers.IntegerField()


class OwnSlots(serializers.Serializer[Any]):
    slots = OwnSlot(many=True)
    version = serializers.SerializerMethodField(
        help_text="Changes whenever somebody changes the times or limits."
    )

    def get_version(self, current: dict[str, list[SlotState]]) -> str:
        return pickup_slots.slots_version(current["slots"])


class SlotInput(serializers.Serializer[Any]):
    """A pickup time. Times without an offset are in the restaurant's zone."""

    startsAt = _moment("starts_at")
    endsAt = _moment("ends_at")
    capacity = fields.PortionsField(
        **fields.portions(
            "The limit must be at least 1 portion, or leave it empty for no limit.",
            required=False,
            allow_null=True,
        ),
        default=None,
    )


class SlotsInput(serializers.Serializer[Any]):
    """All pickup times; an empty list means that guests come at any time of the day."""

    version = serializers.CharField(
        required=False,
        max_length=16,
        help_text="The `version` that the change is of: 409 if the times were changed since.",
    )
    slots = serializers.ListField(
        child=SlotInput(),
        max_length=pickup_slots.MAX_SLOTS,
        error_messages={
            **dict.fromkeys(("required", "null", "not_a_list"), "Send the pickup times as a list."),
            "max_length": f"Set at most {pickup_slots.MAX_SLOTS} pickup times.",
        },
    )
