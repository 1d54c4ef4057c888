"""The restaurant's web address: is it free, and take it (A24, A26)."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.client_address import client_address
from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.errors import FieldError, Forbidden
from apps.restaurants import subdomains
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.hosts import absolute_url
from apps.restaurants.services import addresses, onboarding

CHECKS = Limit("subdomain-checks", times=120, window=60)
OTHER_EMAIL = "Enter the e-mail of the account you are signed in with."


class AvailabilitySerializer(serializers.Serializer[Any]):
    available = serializers.BooleanField()
    message = serializers.CharField(allow_blank=True, help_text="Why not.")
    suggestion = serializers.CharField(allow_blank=True, help_text="A free one like it.")


class SubdomainInput(serializers.Serializer[Any]):
    subdomain = serializers.CharField(
        max_length=100,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), addresses.NOT_AVAILABLE
        ),
        help_text="3 to 50 letters, digits and hyphens; capitals are read as small letters.",
    )
    email = serializers.CharField(
        max_length=255,
        error_messages=dict.fromkeys(
            ("required", "null", "blank", "invalid", "max_length"), OTHER_EMAIL
        ),
        help_text="The signed-in account's own (X47).",
    )


class ChosenSubdomainSerializer(serializers.Serializer[Any]):
    subdomain = serializers.CharField()
    publicUrl = serializers.URLField()


class SubdomainCheckView(PublicRestaurantView):
    """Whether a subdomain could be had just now; to its restaurant's people their own is free.

    A courtesy for forms: saving decides (X48).
    """

    restaurant_required = False

    @extend_schema(
        parameters=[OpenApiParameter("subdomain", str, required=True)],
        responses=AvailabilitySerializer,
    )
    def get(self, request: Request) -> Response:
        CHECKS.count(client_address(request._request))
        typed = subdomains.normalize(request.query_params.get("subdomain", ""))
        own = self.restaurant if self.is_own else None
        now = clock.now()
        faults = subdomains.validate_subdomain(typed)
        available = not faults and addresses.is_free(typed, now=now, restaurant=own)
        answer = {
            "available": available,
            "message": ""
            if available
            else subdomains.describe_errors(faults) or addresses.NOT_AVAILABLE,
            "suggestion": "" if available else addresses.propose_subdomain(typed[:100], now=now),
        }
        return Response(AvailabilitySerializer(answer).data)


class SubdomainView(RestaurantView):
    """Move the restaurant to another subdomain; the old one leads there for 30 days (X67)."""

    @extend_schema(request=SubdomainInput, responses=ChosenSubdomainSerializer)
    def put(self, request: Request) -> Response:
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
