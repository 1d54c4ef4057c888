"""The API of an account's own data. It needs a session with a recent step-up."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api.views.account import AccountView
from apps.accounts.services import sign_out
from apps.accounts.step_up import require_step_up
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.privacy.account_data import download_account_data
from apps.privacy.account_deletion import delete_account, deletion_plan


class AffectedRestaurant(serializers.Serializer):  # type: ignore[type-arg]
    """A restaurant of the account."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()


class DeletionProblem(serializers.Serializer):  # type: ignore[type-arg]
    """What has to happen first, and the page where."""

    message = serializers.CharField()
    url = serializers.CharField()


class DeletionPlanSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """What deleting the account does."""

    canDelete = serializers.BooleanField(source="can_delete")
    leaves = AffectedRestaurant(many=True)
    closes = AffectedRestaurant(many=True)
    problems = DeletionProblem(many=True)


class DeletionInput(serializers.Serializer):  # type: ignore[type-arg]
    """`closeRestaurants`: the ids of all restaurants in `closes` of the plan."""

    closeRestaurants = serializers.ListField(
        child=serializers.UUIDField(), default=list, max_length=100
    )


class AccountDataView(AccountView):
    """Everything stored about the signed-in account."""

    refusals: ClassVar = {"GET": (ErrorCode.REAUTHENTICATE,)}

    @extend_schema(responses={200: dict})
    def get(self, request: Request) -> Response:
        require_step_up(request, self.account)
        return Response(download_account_data(self.account))


class AccountDeletionView(AccountView):
    """Delete the signed-in account."""

    refusals: ClassVar = {
        "GET": (ErrorCode.REAUTHENTICATE,),
        "POST": (ErrorCode.REAUTHENTICATE, ErrorCode.CONFLICT),
    }

    @extend_schema(
        responses=DeletionPlanSerializer,
        description="Preview: restaurants left and closed, and what has to happen first.",
    )
    def get(self, request: Request) -> Response:
        require_step_up(request, self.account)
        plan = deletion_plan(user=self.account, now=clock.now())
        return Response(DeletionPlanSerializer(plan).data)

    @extend_schema(
        request=DeletionInput,
        responses={204: None},
        description="409 while something has to happen first. You can't undo the deletion.",
    )
    def post(self, request: Request) -> Response:
        require_step_up(request, self.account)
        wanted = DeletionInput(data=request.data)
        wanted.is_valid(raise_exception=True)
        closes = set(wanted.validated_data["closeRestaurants"])
        delete_account(user=self.account, closes=closes, now=clock.now())
        sign_out(request=request._request)
        return Response(status=204)
