"""Serializers of the team: members, invitations, and roles."""

from typing import Any

from rest_framework import serializers

from apps.accounts.services.accounts import account_for_email
from apps.common.api.fields import NameField
from apps.restaurants.api.serializers.sign_in import AccountSerializer, OwnRestaurantSerializer
from apps.restaurants.models import Invitation, Membership

INVALID_EMAIL = "Please enter a valid email address"
UNKNOWN_ROLE = "Choose a role: owner, manager, or kitchen."
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
    """An invitation, as its link shows it."""

    restaurantName = serializers.CharField(source="restaurant.name")
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    expiresAt = serializers.DateTimeField(source="expires_at")
    hasAccount = serializers.SerializerMethodField(
        help_text="Whether the email already has an account, which must sign in to accept."
    )

    def get_hasAccount(self, invitation: Invitation) -> bool:
        return account_for_email(invitation.email) is not None


class AcceptanceInput(serializers.Serializer[Any]):
    """The name and password of a new account; omitted by somebody who is signed in."""

    name = NameField(
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
