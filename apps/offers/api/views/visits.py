"""Endpoint that counts visits to a special's page."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.throttles import AddressThrottle
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.errors import NotFound
from apps.offers import selectors, visits
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.presentation import Special
from apps.restaurants.api.views.base import PublicRestaurantView
from apps.restaurants.models import Restaurant

REFERRAL_CODE = OpenApiParameter("ref", str, description="Code of the share link the visitor used.")


class VisitThrottle(AddressThrottle):
    """Limits how many visits one IP address can add."""

    limit = Limit("visits", times=60, window=60)


class SpecialSeenView(PublicRestaurantView):
    """Count a visit, once per browser session. Visitors who opt out of tracking aren't counted."""

    authentication_classes = []
    throttle_classes = [VisitThrottle]
    not_found = UNKNOWN_OFFER

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return selectors.restaurant_of_offer(self.kwargs["offer_id"])

    @extend_schema(parameters=[REFERRAL_CODE], request=None, responses={204: None})
    def post(self, request: Request, offer_id: UUID) -> Response:
        offer = selectors.offer_for_display(restaurant=self.restaurant, offer_id=offer_id)
        if offer is None:
            raise NotFound(UNKNOWN_OFFER)
        opts_out = "1" in (request.headers.get("DNT"), request.headers.get("Sec-GPC"))
        agent = request.headers.get("User-Agent", "")
        if visits.is_counted(user_agent=agent, wants_no_tracking=opts_out):
            referral_code = request.query_params.get("ref", "")
            visits.count_visit(Special(offer, clock.now()), referral_code=referral_code)
        return Response(status=204)
