"""The people of a restaurant, and the invitations to join them."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import rate_limits
from apps.accounts.client_address import client_address
from apps.accounts.models import User
from apps.accounts.services.accounts import account_for_email
from apps.common import clock
from apps.restaurants import selectors
from apps.restaurants.api.serializers.sign_in import AccountSerializer, OwnRestaurantSerializer
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.models import Invitation, Membership
from apps.restaurants.services import team

INVALID_EMAIL = "Please enter a valid email address"
UNKNOWN_ROLE = "Choose one of the roles: owner, manager or kitchen."
_MISSING = ("required", "null", "blank", "invalid")


def _role() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=Membership.Role.choices,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), UNKNOWN_ROLE),
    )


class MemberSerializer(serializers.Serializer[Membership]):
    id = serializers.UUIDField(source="user_id")
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class InvitationSerializer(serializers.Serializer[Invitation]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    expiresAt = serializers.DateTimeField(source="expires_at")


class TeamSerializer(serializers.Serializer[Any]):
    members = MemberSerializer(many=True)
    invitations = InvitationSerializer(many=True)


class InvitationInput(serializers.Serializer[Any]):
    email = serializers.EmailField(
        max_length=255, error_messages=dict.fromkeys((*_MISSING, "max_length"), INVALID_EMAIL)
    )
    role = _role()


class RoleInput(serializers.Serializer[Any]):
    role = _role()


class InvitedSerializer(serializers.Serializer[Any]):
    """What the link of a letter invites to."""

    restaurantName = serializers.CharField(source="restaurant.name")
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    expiresAt = serializers.DateTimeField(source="expires_at")
    hasAccount = serializers.SerializerMethodField(
        help_text="Whether the address has an account, which must sign in to accept."
    )

    def get_hasAccount(self, invitation: Invitation) -> bool:
        return account_for_email(invitation.email) is not None


class AcceptanceInput(serializers.Serializer[Any]):
    """Asked of an address without an account; left out by whoever is signed in."""

    name = serializers.CharField(
        max_length=100,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": "Use at most {max_length} characters."},
    )
    password = serializers.CharField(
        trim_whitespace=False, required=False, allow_blank=True, default=""
    )


class AcceptedSerializer(serializers.Serializer[Any]):
    user = AccountSerializer()
    restaurant = OwnRestaurantSerializer()


class TeamView(RestaurantView):
    """Who helps to run the restaurant, and who is invited to."""

    @extend_schema(responses=TeamSerializer)
    def get(self, request: Request) -> Response:
        found = selectors.team_of(self.restaurant, now=clock.now())
        return Response(TeamSerializer(found).data)


class MemberView(RestaurantView):
    """Give somebody another role, or take the role away, at once."""

    @extend_schema(request=RoleInput, responses=MemberSerializer)
    def put(self, request: Request, user_id: UUID) -> Response:
        form = RoleInput(data=request.data)
        form.is_valid(raise_exception=True)
        member = team.change_role(
            restaurant=self.restaurant, user_id=user_id, role=form.validated_data["role"]
        )
        return Response(MemberSerializer(member).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, user_id: UUID) -> Response:
        team.remove_member(restaurant=self.restaurant, user_id=user_id)
        return Response(status=204)


class InvitationsView(RestaurantView):
    """Invite somebody by mail; an open invitation of the same address ends."""

    @extend_schema(request=InvitationInput, responses={201: InvitationSerializer})
    def post(self, request: Request) -> Response:
        form = InvitationInput(data=request.data)
        form.is_valid(raise_exception=True)
        assert isinstance(request.user, User)  # RestaurantView
        invitation = team.invite(
            restaurant=self.restaurant, by=request.user, now=clock.now(), **form.validated_data
        )
        return Response(InvitationSerializer(invitation).data, status=201)


class InvitationView(RestaurantView):
    """Take an invitation back."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        team.revoke_invitation(
            restaurant=self.restaurant, invitation_id=invitation_id, now=clock.now()
        )
        return Response(status=204)


class InvitationByTokenView(APIView):
    """What the link of a letter invites to, and accepting it."""

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
