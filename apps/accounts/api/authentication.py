"""API authentication: a bearer token, or the session cookie that our own pages send."""

from typing import Any
from urllib.parse import urlsplit

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.services import user_for_token
from apps.common import clock

SCHEME = "bearer"


def bearer_token(request: Request) -> str | None:
    """The token in `Authorization: Bearer …`, or None without that header."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else None


class BearerTokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, str] | None:
        token = bearer_token(request)
        if token is None:
            return None
        user = user_for_token(token=token, now=clock.now())
        if user is None:
            raise AuthenticationFailed
        return user, token

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
