"""The account's bearer tokens: what they are doing, and ending one."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import serializers
from apps.accounts.api.authentication import bearer_token
from apps.accounts.api.views.account import AccountView
from apps.accounts.services.tokens import digest_of, revoke_listed_token, tokens_of
from apps.common import clock


class TokensView(AccountView):
    """The tokens that still open something, the newest first; none of them readable."""

    @extend_schema(responses=serializers.TokensSerializer)
    def get(self, request: Request) -> Response:
        found = {"tokens": tokens_of(self.account, now=clock.now())}
        context = {"digest": digest_of(bearer_token(request) or "")}
        return Response(serializers.TokensSerializer(found, context=context).data)


class TokenView(AccountView):
    """Revoke one; whoever uses it has to sign in again."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        revoke_listed_token(user=self.account, token_id=token_id)
        return Response(status=204)
