"""User administration: accounts of everybody, for staff (decision 86)."""

from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.staff import StaffView
from apps.accounts.models import User
from apps.admin_ops import users
from apps.common import clock
from apps.common.api.fields import NameField
from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode

TOTAL = "X-Total-Count"
FILL_IN = "Please fill in all fields"
INVALID_EMAIL = "Enter a valid email address."
INVALID_ROLE = "Choose admin, user, or editor."
_MISSING: Any = dict.fromkeys(("required", "null", "blank"), FILL_IN)


class ListedUserSerializer(serializers.Serializer[Any]):
    """An account."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=User.Role.choices)
    isActive = serializers.BooleanField(source="is_active", help_text="Whether it can sign in.")


class UserInput(serializers.Serializer[Any]):
    """What staff can set on an account; all three are needed."""

    name = NameField(max_length=100, error_messages=_MISSING)
    email = serializers.EmailField(
        max_length=255, error_messages=_MISSING | {"invalid": INVALID_EMAIL}
    )
    role = serializers.CharField(
        max_length=20,
        error_messages=_MISSING,
        help_text="admin, user, or editor; case doesn't matter.",
    )

    def validate_role(self, role: str) -> str:
        wanted = role.lower()
        if wanted not in User.Role.values:
            raise serializers.ValidationError(INVALID_ROLE)
        return wanted


class UserChange(UserInput):
    """The same, and whether the account can sign in; left out, that doesn't change."""

    isActive = serializers.BooleanField(source="is_active", required=False)


class UsersView(StaffView):
    """All accounts, and new ones."""

    step_up = ("POST",)
    refusals: ClassVar = {
        "GET": (ErrorCode.INVALID_CURSOR,),
        "POST": (ErrorCode.ALREADY_REGISTERED, ErrorCode.UNAVAILABLE),
    }

    @extend_schema(
        parameters=[
            OpenApiParameter("search", str, description="Words in the name or email."),
            CURSOR,
            limit_parameter(),
        ],
        responses=ListedUserSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """All accounts, newest first.

        `X-Total-Count` has the number of matching accounts, and `Link` the next page.
        """
        asked = request.query_params
        search = asked.get("search", "")
        page = users.users_for_staff(
            search=search, cursor=asked.get("cursor"), limit=read_limit(request)
        )
        response = Response(ListedUserSerializer(page.users, many=True).data)
        response[TOTAL] = str(page.total)
        if page.next_cursor:
            following = {"search": search, "limit": asked.get("limit", "")}
            query = {name: value for name, value in following.items() if value}
            url = f"{request.path}?{urlencode({**query, 'cursor': page.next_cursor})}"
            response["Link"] = f'<{url}>; rel="next"'
        return response

    @extend_schema(request=UserInput, responses={201: ListedUserSerializer})
    def post(self, request: Request) -> Response:
        """Create an account. Its owner gets an email to choose a password."""
        form = UserInput(data=request.data)
        form.is_valid(raise_exception=True)
        user = users.create_user(**form.validated_data, by=self.staff)
        return Response(ListedUserSerializer(user).data, status=201)


class UserView(StaffView):
    """One account."""

    step_up = ("PUT", "DELETE")
    refusals: ClassVar = {
        "PUT": (ErrorCode.ALREADY_REGISTERED, ErrorCode.CONFLICT, ErrorCode.UNAVAILABLE),
        "DELETE": (ErrorCode.CONFLICT, ErrorCode.UNAVAILABLE),
    }

    @extend_schema(responses=ListedUserSerializer)
    def get(self, request: Request, user_id: UUID) -> Response:
        """One account."""
        return Response(ListedUserSerializer(users.user_for_staff(user_id)).data)

    @extend_schema(request=UserChange, responses=ListedUserSerializer)
    def put(self, request: Request, user_id: UUID) -> Response:
        """Edit an account, deactivate it, or let it sign in again."""
        form = UserChange(data=request.data)
        form.is_valid(raise_exception=True)
        user = users.edit_user(
            request=request._request,
            user_id=user_id,
            **form.validated_data,
            by=self.staff,
            now=clock.now(),
        )
        return Response(ListedUserSerializer(user).data)

    @extend_schema(responses={204: OpenApiResponse(description="Deleted.")})
    def delete(self, request: Request, user_id: UUID) -> Response:
        """Delete an account, as its owner can."""
        users.delete_user(user_id=user_id, by=self.staff, now=clock.now())
        return Response(status=204)
