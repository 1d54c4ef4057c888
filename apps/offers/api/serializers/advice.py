"""Serializers of the advisor's forecast."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from apps.offers.advisor import BreakEven, Chance
from apps.offers.api import fields
from apps.offers.locks import UNKNOWN_OFFER


class AdviceQuery(serializers.Serializer[Any]):
    """The special as entered so far. Without any cost, the answer has no break-even."""

    price = fields.AmountField(**fields.amount("Price", missing="Price must be a positive number"))
    minimum = fields.PortionsField(**fields.portions("The minimum must be at least 1"))
    maximum = fields.PortionsField(
        required=False, **fields.portions("The maximum must be at least 1")
    )
    fixedCost = fields.AmountField(
        required=False,
        **fields.amount("The fixed cost", missing="Enter the fixed cost", least="0.00"),
    )
    portionCost = fields.AmountField(
        required=False,
        **fields.amount("The cost per portion", missing="Enter the cost per portion", least="0.00"),
    )
    offer = serializers.UUIDField(
        required=False,
        help_text="A published special: its own fee rate and ordered portions are used.",
        error_messages={"invalid": UNKNOWN_OFFER},
    )

    def to_internal_value(self, data: Any) -> Any:
        # An empty field counts as missing.
        return super().to_internal_value({name: data[name] for name in data if data[name] != ""})


class BreakEvenSerializer(serializers.Serializer[BreakEven]):
    portions = serializers.IntegerField(
        allow_null=True, help_text="Null if no number of portions covers the cost."
    )
    leftPerPortion = serializers.DecimalField(10, 2, source="left.amount")
    sentence = serializers.CharField()
    warning = serializers.CharField(allow_blank=True)


class ChanceSerializer(serializers.Serializer[Chance]):
    percent = serializers.IntegerField(
        allow_null=True, help_text="Null if there are too few comparable specials."
    )
    sentence = serializers.CharField()
    evidence = serializers.CharField(allow_blank=True)
    ownOffers = serializers.IntegerField(source="own.offers")
    otherOffers = serializers.IntegerField(source="others.offers")


@dataclass(frozen=True, slots=True)
class Advice:
    break_even: BreakEven | None
    chance: Chance
    currency: str


class AdviceSerializer(serializers.Serializer[Advice]):
    breakEven = BreakEvenSerializer(source="break_even", allow_null=True)
    currency = serializers.CharField(help_text="The currency of the amounts, such as `usd`.")
    chance = ChanceSerializer()
