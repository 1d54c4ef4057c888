"""The API of devices at pickup that may be offline: the day's list, and their check-ins."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.preorders.manage.api.orders import OwnOrdersView
from apps.preorders.manage.check_ins import CheckIn, check_in, pickup_list
from apps.preorders.manage.serializers.orders import CheckInsAnswer, PickupListSerializer
from apps.preorders.manage.serializers.requests import CheckInsInput
from apps.restaurants.permissions import Permission


class PickupListView(OwnOrdersView):
    """Today's orders, judged as a look-up would, for a device to keep while it is offline."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}

    @extend_schema(responses=PickupListSerializer)
    def get(self, request: Request) -> Response:
        context = self.serializer_context()
        now = context["now"]
        day = now.astimezone(self.restaurant.zone).date()
        listed = {
            "day": day,
            "read_at": now,
            "orders": pickup_list(restaurant=self.restaurant, day=day, now=now),
        }
        return Response(PickupListSerializer(listed, context=context).data)


class CheckInsView(OwnOrdersView):
    """Mark orders as picked up that a device handed over, perhaps a while ago. Each check-in is
    answered by itself: it counted, the order was picked up before, or it can't be."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=CheckInsInput, responses=CheckInsAnswer)
    def post(self, request: Request) -> Response:
        sent = CheckInsInput(data=request.data)
        sent.is_valid(raise_exception=True)
        results = check_in(
            restaurant=self.restaurant,
            check_ins=[CheckIn(**each) for each in sent.validated_data["check_ins"]],
            by=self.by,
            now=clock.now(),
        )
        return Response(CheckInsAnswer({"results": results}).data)
