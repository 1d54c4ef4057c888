"""The account's bearer tokens: list and revoke."""

from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import serializers
from apps.accounts.api.authentication import bearer_token
from apps.accounts.api.views.account import AccountView
from apps.accounts.services.tokens import (
    digest_of,
    issue_token,
    revoke_listed_token,
    tokens_of,
)
from apps.accounts.step_up import require_step_up
from apps.common import clock
from apps.common.error_codes import ErrorCode


class TokensView(AccountView):
    """The valid tokens, newest first (a token itself is shown once), and creating one."""

    refusals: ClassVar = {
        "POST": (
            ErrorCode.REAUTHENTICATE,
            ErrorCode.CONFLICT,
        ),
    }

    @extend_schema(responses=serializers.TokensSerializer)
    def get(self, request: Request) -> Response:
        found = {"tokens": tokens_of(self.account, now=clock.now())}
        context = {"digest": digest_of(bearer_token(request) or "")}
        return Response(serializers.TokensSerializer(found, context=context).data)

    @extend_schema(
        request=serializers.TokenInput, responses={201: serializers.CreatedTokenSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a token. Needs a step-up (403 `reauthenticate`)."""
        require_step_up(request, self.account)
        form = serializers.TokenInput(data=request.data)
        form.is_valid(raise_exception=True)
        sent = form.validated_data
        token = issue_token(
            user=self.account,
            name=sent["name"],
            scope=sent["scope"],
            lifetime=timedelta(days=sent["days"]),
            now=clock.now(),
        )
        return Response({"token": token}, status=201)


class TokenView(AccountView):
    """Revoke a token. Its client has to sign in again."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        revoke_listed_token(user=self.account, token_id=token_id)
        return Response(status=204)
