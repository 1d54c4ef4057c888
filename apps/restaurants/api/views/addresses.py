"""Web addresses: check whether a subdomain is available, and choose one."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Forbidden
from apps.restaurants import subdomains
from apps.restaurants.api.serializers.addresses import (
    OTHER_EMAIL,
    AvailabilitySerializer,
    ChosenSubdomainSerializer,
    SubdomainInput,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.hosts import absolute_url
from apps.restaurants.services import addresses, onboarding

SUBDOMAIN_CHECKS = Limit("subdomain-checks", times=120, window=60)
SUBDOMAIN_CHANGES = Limit("subdomain-changes", times=30, window=60 * 60)  # per IP address


class SubdomainCheckView(RestaurantView):
    """Whether a subdomain is available. Your own counts as available.

    For feedback in forms only: saving decides (DECISIONS X48).
    """

    refusals: ClassVar = {"GET": (ErrorCode.TOO_MANY_ATTEMPTS,)}

    @extend_schema(
        parameters=[OpenApiParameter("subdomain", str, required=True)],
        responses=AvailabilitySerializer,
    )
    def get(self, request: Request) -> Response:
        SUBDOMAIN_CHECKS.count(client_address(request._request))
        typed = subdomains.normalize(request.query_params.get("subdomain", ""))
        own, now = self.restaurant, clock.now()
        errors = subdomains.validate_subdomain(typed)
        available = not errors and addresses.is_free(typed, now=now, restaurant=own)
        answer = {
            "available": available,
            "message": ""
            if available
            else subdomains.describe_errors(errors) or addresses.NOT_AVAILABLE,
            "suggestion": "" if available else addresses.propose_subdomain(typed[:100], now=now),
        }
        return Response(AvailabilitySerializer(answer).data)


class SubdomainView(RestaurantView):
    """Change the subdomain. The old one redirects for 30 days (DECISIONS X67)."""

    refusals: ClassVar = {
        "PUT": (
            ErrorCode.SUBDOMAIN_TAKEN,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(request=SubdomainInput, responses=ChosenSubdomainSerializer)
    def put(self, request: Request) -> Response:
        SUBDOMAIN_CHANGES.count(client_address(request._request))
        form = SubdomainInput(data=request.data)
        form.is_valid(raise_exception=True)
        assert isinstance(request.user, User)  # RestaurantView
        if form.validated_data["email"].strip().lower() != request.user.email.lower():
            raise Forbidden(OTHER_EMAIL, fields=[FieldError("email", OTHER_EMAIL)])
        moved = addresses.claim_subdomain(
            restaurant=self.restaurant,
            subdomain=subdomains.normalize(form.validated_data["subdomain"]),
            now=clock.now(),
        )
        onboarding.note_subdomain_chosen(restaurant=moved)
        answer = {
            "subdomain": moved.subdomain,
            "publicUrl": absolute_url("/", restaurant=moved),
        }
        return Response(ChosenSubdomainSerializer(answer).data)
