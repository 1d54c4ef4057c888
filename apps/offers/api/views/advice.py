"""Endpoint of the advisor: forecast for a special that is published or about to be."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.billing.services import next_share_rate
from apps.common import clock
from apps.common.errors import NotFound
from apps.common.money import Money
from apps.offers import selectors
from apps.offers.advisor import break_even, chance_of
from apps.offers.api.serializers.advice import Advice, AdviceQuery, AdviceSerializer
from apps.offers.locks import UNKNOWN_OFFER
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission


class AdviceView(RestaurantView):
    """The break-even of a special, and the chance that it reaches its minimum."""

    rights: ClassVar = {"GET": Permission.EDIT_OFFERS}

    @extend_schema(parameters=[AdviceQuery], responses=AdviceSerializer)
    def get(self, request: Request) -> Response:
        query = AdviceQuery(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        return Response(AdviceSerializer(self._advice(query.validated_data)).data)

    def _advice(self, query: dict[str, Any]) -> Advice:
        now = clock.now()
        restaurant, ordered = self.restaurant, 0
        share_rate = next_share_rate(restaurant, now=now)
        if "offer" in query:
            offer = selectors.offer_for_display(restaurant=restaurant, offer_id=query["offer"])
            if offer is None:
                raise NotFound(UNKNOWN_OFFER)
            share_rate, ordered = offer.revenue_share_rate, offer.ordered_portions
        costs = None
        if "fixedCost" in query or "portionCost" in query:
            costs = break_even(
                price=Money.of(query["price"]),
                tax_rate=restaurant.tax_rate,
                share_rate=share_rate,
                fixed_cost=Money.of(query.get("fixedCost", 0)),
                portion_cost=Money.of(query.get("portionCost", 0)),
                minimum=query["minimum"],
                maximum=query.get("maximum"),
                currency=restaurant.currency,
            )
        chance = chance_of(
            restaurant=restaurant, portions=query["minimum"], already_ordered=ordered, now=now
        )
        return Advice(costs, chance, restaurant.currency)
