"""The API of the dashboard's first view."""

from datetime import datetime
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.preorders.manage.serializers.today import TodaySerializer
from apps.preorders.manage.today import today_for_restaurant
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import CurrentMembership, Permission


def today_data(membership: CurrentMembership, *, now: datetime) -> dict[str, Any]:
    """How specials just ended and the money, as much of it as this member sees."""
    sees_money = membership.can(Permission.SEE_LEDGER)
    restaurant = membership.restaurant
    found = today_for_restaurant(restaurant=restaurant, now=now, with_money=sees_money)
    context = {"money": sees_money, "currency": restaurant.currency}
    return dict(TodaySerializer(found, context=context).data)


class TodayView(RestaurantView):
    """How the specials of the last day ended, what is held and charged, and the next payout."""

    rights: ClassVar = {"GET": Permission.SEE_OFFERS}

    @extend_schema(responses=TodaySerializer)
    def get(self, request: Request) -> Response:
        return Response(today_data(self.membership, now=clock.now()))
