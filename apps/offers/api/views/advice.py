"""The advisor's endpoint: what to expect of a special, published or about to be."""

from dataclasses import dataclass
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.billing.services import next_share_rate
from apps.common import clock
from apps.common.errors import NotFound
from apps.common.money import Money
from apps.offers import selectors
from apps.offers.advisor import BreakEven, Chance, break_even, chance_of
from apps.offers.api import fields
from apps.offers.locks import UNKNOWN_OFFER
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class AdviceQuery(serializers.Serializer[Any]):
    """The special as typed so far. Costs are for the break-even, which is not told without any."""

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
        **fields.amount("The cost of a portion", missing="Enter its cost", least="0.00"),
    )
    offer = serializers.UUIDField(
        required=False,
        help_text="A special that is published: its fees and its booked portions are counted.",
        error_messages={"invalid": UNKNOWN_OFFER},
    )

    def to_internal_value(self, data: Any) -> Any:
        # An emptied field of the form is one that is not there.
        return super().to_internal_value({name: data[name] for name in data if data[name] != ""})


class BreakEvenSerializer(serializers.Serializer[BreakEven]):
    portions = serializers.IntegerField(
        allow_null=True, help_text="Null when no number of portions carries the cost."
    )
    leftPerPortion = serializers.DecimalField(10, 2, source="left.amount")
    sentence = serializers.CharField()
    warning = serializers.CharField(allow_blank=True)


class ChanceSerializer(serializers.Serializer[Chance]):
    percent = serializers.IntegerField(
        allow_null=True, help_text="Null when there is too little to go by."
    )
    sentence = serializers.CharField()
    evidence = serializers.CharField(allow_blank=True)
    ownOffers = serializers.IntegerField(source="own.offers")
    otherOffers = serializers.IntegerField(source="others.offers")


@dataclass(frozen=True, slots=True)
class Advice:
    break_even: BreakEven | None
    chance: Chance


class AdviceSerializer(serializers.Serializer[Advice]):
    breakEven = BreakEvenSerializer(source="break_even", allow_null=True)
    chance = ChanceSerializer()


class AdviceView(RestaurantView):
    """From how many portions on a special carries its cost, and how likely its minimum is."""

    rights: ClassVar = {"GET": Permission.EDIT_OFFERS}

    @extend_schema(parameters=[AdviceQuery], responses=AdviceSerializer)
    def get(self, request: Request) -> Response:
        asked = AdviceQuery(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        return Response(AdviceSerializer(self._advice(asked.validated_data)).data)

    def _advice(self, asked: dict[str, Any]) -> Advice:
        now = clock.now()
        restaurant, booked = self.restaurant, 0
        share_rate = next_share_rate(restaurant, now=now)
        if "offer" in asked:
            offer = selectors.offer_for_display(restaurant=restaurant, offer_id=asked["offer"])
            if offer is None:
                raise NotFound(UNKNOWN_OFFER)
            share_rate, booked = offer.revenue_share_rate, offer.ordered_portions
        costs = None
        if "fixedCost" in asked or "portionCost" in asked:
            costs = break_even(
                price=Money.of(asked["price"]),
                tax_rate=restaurant.tax_rate,
                share_rate=share_rate,
                fixed_cost=Money.of(asked.get("fixedCost", 0)),
                portion_cost=Money.of(asked.get("portionCost", 0)),
                minimum=asked["minimum"],
                maximum=asked.get("maximum"),
                currency=restaurant.currency,
            )
        chance = chance_of(restaurant=restaurant, portions=asked["minimum"], booked=booked, now=now)
        return Advice(costs, chance)
