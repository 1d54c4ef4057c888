"""Team endpoints: members, roles, and invitations."""

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import rate_limits
from apps.accounts.models import User
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.restaurants import selectors
from apps.restaurants.api.serializers.team import (
    AcceptanceInput,
    AcceptedSerializer,
    InvitationInput,
    InvitationSerializer,
    InvitedSerializer,
    MemberSerializer,
    RoleInput,
    TeamSerializer,
)
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.services import team


def _person(request: Request) -> User:
    assert isinstance(request.user, User)  # RestaurantView
    return request.user


class TeamView(RestaurantView):
    """The team members and open invitations."""

    @extend_schema(responses=TeamSerializer)
    def get(self, request: Request) -> Response:
        found = selectors.team_of(self.restaurant, now=clock.now())
        return Response(TeamSerializer(found).data)


class MemberView(RestaurantView):
    """Change a member's role, or remove the member, effective immediately."""

    step_up = ("PATCH", "DELETE")
    refusals: ClassVar = {
        "PATCH": (ErrorCode.CONFLICT,),
        "DELETE": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=RoleInput, responses=MemberSerializer)
    def patch(self, request: Request, user_id: UUID) -> Response:
        form = RoleInput(data=request.data)
        form.is_valid(raise_exception=True)
        member = team.change_role(
            restaurant=self.restaurant,
            user_id=user_id,
            role=form.validated_data["role"],
            by=_person(request),
            now=clock.now(),
        )
        return Response(MemberSerializer(member).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, user_id: UUID) -> Response:
        team.remove_member(
            restaurant=self.restaurant, user_id=user_id, by=_person(request), now=clock.now()
        )
        return Response(status=204)


class InvitationsView(RestaurantView):
    """Invite someone by email. Replaces an open invitation to the same address."""

    step_up = ("POST",)
    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFIRM_EMAIL,
            ErrorCode.CONFLICT,
            ErrorCode.TOO_MANY_ATTEMPTS,
            ErrorCode.UNAVAILABLE,
        ),
    }

    @extend_schema(request=InvitationInput, responses={201: InvitationSerializer})
    def post(self, request: Request) -> Response:
        form = InvitationInput(data=request.data)
        form.is_valid(raise_exception=True)
        invitation = team.invite(
            restaurant=self.restaurant,
            by=_person(request),
            ip_address=client_address(request._request),
            now=clock.now(),
            **form.validated_data,
        )
        return Response(InvitationSerializer(invitation).data, status=201)


class InvitationView(RestaurantView):
    """Revoke an invitation."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        team.revoke_invitation(
            restaurant=self.restaurant, invitation_id=invitation_id, now=clock.now()
        )
        return Response(status=204)


class InvitationByTokenView(APIView):
    """View or accept an invitation through its link."""

    refusals: ClassVar = {
        "GET": (ErrorCode.TOO_MANY_ATTEMPTS,),
        "POST": (
            ErrorCode.FORBIDDEN,
            ErrorCode.TOO_MANY_ATTEMPTS,
        ),
    }

    @extend_schema(responses=InvitedSerializer)
    def get(self, request: Request, token: str) -> Response:
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        invitation = team.invitation_for_token(token=token, now=clock.now())
        return Response(InvitedSerializer(invitation).data)

    @extend_schema(request=AcceptanceInput, responses=AcceptedSerializer)
    def post(self, request: Request, token: str) -> Response:
        rate_limits.LINKS_BY_ADDRESS.count(client_address(request._request))
        form = AcceptanceInput(data=request.data)
        form.is_valid(raise_exception=True)
        user, restaurant = team.accept_invitation(
            request=request._request,
            user=request.user if isinstance(request.user, User) else None,
            token=token,
            now=clock.now(),
            **form.validated_data,
        )
        return Response(AcceptedSerializer({"user": user, "restaurant": restaurant}).data)
