"""Where the page of a special says that it was looked at."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from apps.common import clock
from apps.common.errors import NotFound
from apps.offers import selectors, visits
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.presentation import Special
from apps.restaurants.api.views.base import PublicRestaurantView
from apps.restaurants.models import Restaurant

VIA = OpenApiParameter("via", str, description="The code of the share link it came through.")


class SpecialSeenView(PublicRestaurantView):
    """Count a visit, once per browser session; who asks not to be tracked is not counted."""

    authentication_classes = []
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "visits"
    not_found = UNKNOWN_OFFER

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return selectors.restaurant_of_offer(self.kwargs["offer_id"])

    @extend_schema(parameters=[VIA], request=None, responses={204: None})
    def post(self, request: Request, offer_id: UUID) -> Response:
        offer = selectors.offer_for_display(restaurant=self.restaurant, offer_id=offer_id)
        if offer is None:
            raise NotFound(UNKNOWN_OFFER)
        says_no = "1" in (request.headers.get("DNT"), request.headers.get("Sec-GPC"))
        agent = request.headers.get("User-Agent", "")
        if visits.is_counted(user_agent=agent, wants_no_tracking=says_no):
            via = request.query_params.get("via", "")
            visits.count_visit(Special(offer, clock.now()), via=via)
        return Response(status=204)
