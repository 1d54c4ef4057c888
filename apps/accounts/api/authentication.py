"""API authentication: a bearer token, or the session cookie that our own pages send."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from apps.accounts.models import BearerToken, User
from apps.accounts.rate_limits import REQUESTS_OF_TOKEN
from apps.accounts.services import issue_token, valid_token
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import Forbidden
from apps.common.request_log import note_forgery

SCHEME = "bearer"
TOO_SMALL = "This API token can't do that. Its scope is: {scope}."
_SCOPES = list(BearerToken.Scope.values)  # from the smallest to the largest


class ScopeTooSmall(Forbidden):
    """The token is valid, and its scope doesn't include this call."""

    code = ErrorCode.INSUFFICIENT_SCOPE

    def __init__(self, scope: str) -> None:
        super().__init__(TOO_SMALL.format(scope=scope))


def token_for_client(request: Request, user: User, *, now: datetime) -> str | None:
    """A new bearer token for a program that signs in. None for a page of ours, which uses the
    session's cookie and has no use for a token."""
    if request.headers.get("Sec-Fetch-Site") == "same-origin":
        return None
    return issue_token(user=user, now=now)


def default_scope(method: str) -> str:
    return BearerToken.Scope.READ if method in SAFE_METHODS else BearerToken.Scope.EVERYTHING


def bearer_token(request: Request) -> str | None:
    """The token in `Authorization: Bearer …`, or None without that header."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else None


class BearerTokenAuthentication(BaseAuthentication):
    """A bearer token, for what its scope allows.

    A view with `token_scope(method)` says which scope a method needs; other views need `read` for
    reading and `everything` for the rest.
    """

    def authenticate(self, request: Request) -> tuple[User, BearerToken] | None:
        token = bearer_token(request)
        if token is None:
            return None
        found = valid_token(token=token, now=clock.now())
        if found is None:
            note_forgery("token")
            raise AuthenticationFailed
        REQUESTS_OF_TOKEN.count(str(found.public_id))
        view: Any = (request.parser_context or {}).get("view")
        method = request.method or ""
        needed = getattr(view, "token_scope", default_scope)(method)
        if _SCOPES.index(needed) > _SCOPES.index(found.scope):
            raise ScopeTooSmall(found.get_scope_display())
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SameOriginSessionAuthentication(SessionAuthentication):
    """The session cookie, protected against cross-site requests.

    A write needs the CSRF token. A DELETE may instead show with `Origin` that it comes from our own
    page: the contract's DELETE calls carry no header of ours (DECISIONS X17), and a browser neither
    lets a page forge `Origin` nor sends a cross-site DELETE without it.
    """

    def enforce_csrf(self, request: Any) -> None:
        if request.method == "DELETE" and _is_own_origin(request):
            return
        super().enforce_csrf(request)


def _is_own_origin(request: Any) -> bool:
    origin = urlsplit(request.META.get("HTTP_ORIGIN", ""))
    return (origin.scheme, origin.netloc) == (request.scheme, request.get_host())
