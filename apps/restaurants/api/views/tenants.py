"""Tenant endpoints: register a business with its restaurant, and list tenants (DECISIONS X35)."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import bot_check, rate_limits
from apps.accounts.api.authentication import token_for_client
from apps.accounts.api.serializers import take_proof
from apps.accounts.models import User
from apps.accounts.services.accounts import rate_limited_discovery
from apps.accounts.staff_access import has_staff_access
from apps.common import clock
from apps.common.api.query import CURSOR, limit_parameter, read_flag, read_limit
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.restaurants import selectors
from apps.restaurants.api.serializers.tenants import (
    RegisteredTenantSerializer,
    TenantInput,
    TenantsSerializer,
)
from apps.restaurants.services import businesses


class RegisterTenantView(APIView):
    """Register a business with its restaurant; when signed in, add it to your account."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.BOT_SUSPECTED,
            ErrorCode.ALREADY_REGISTERED,
            ErrorCode.SUBDOMAIN_TAKEN,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(request=TenantInput, responses={201: RegisteredTenantSerializer})
    def post(self, request: Request) -> Response:
        address = client_address(request._request)
        rate_limits.REGISTRATION_BY_ADDRESS.count(address)
        user = request.user if isinstance(request.user, User) else None
        form = TenantInput(data=request.data, context={"signed_in": user is not None})
        form.is_valid(raise_exception=True)
        sent, now = dict(form.validated_data), clock.now()
        proof = take_proof(sent)
        if user is None:
            bot_check.check_form(proof, address=address, now=now)
        with rate_limited_discovery(address):
            owner, restaurant = businesses.register_business(
                request=request._request,
                user=user,
                slug=sent["tenantSlug"],
                subdomain=sent["subdomain"] or None,
                email=sent["email"],
                password=sent["password"],
                name=sent["name"],
                restaurant_name=sent["restaurantName"],
                country=sent["country"],
                state=sent["state"],
                details={
                    "business_name": sent["tenantName"],
                    "street_address": sent["streetAddress"],
                    "city": sent["city"],
                    "zip_code": sent["zipCode"],
                    "phone": sent["phone"],
                },
                now=now,
            )
        answer = {"tenant": restaurant, "token": token_for_client(request, owner, now=now)}
        return Response(RegisteredTenantSerializer(answer).data, status=201)


class TenantsView(APIView):
    """Active tenants; staff see all, and `mine` limits the list to your own."""

    refusals: ClassVar = {
        "GET": (ErrorCode.INVALID_CURSOR,),
    }

    @extend_schema(
        parameters=[
            OpenApiParameter("search", str, description="Words in the name or slug."),
            OpenApiParameter("mine", bool, description="Only those of the signed-in account."),
            CURSOR,
            limit_parameter(),
        ],
        responses=TenantsSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = request.query_params
        user = request.user if isinstance(request.user, User) else None
        page = selectors.tenants_for(
            user=user,
            as_staff=user is not None and has_staff_access(request, user),
            mine=read_flag(request, "mine"),
            search=asked.get("search", ""),
            cursor=asked.get("cursor"),
            limit=read_limit(request),
        )
        return Response(TenantsSerializer(page).data)
