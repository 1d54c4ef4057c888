"""The browser or API client of one person at one host."""

import time
from importlib import import_module
from typing import Any

from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY,
    AUTHENTICATION_METHODS_SESSION_KEY,
)
from allauth.account.internal.userkit import user_id_to_str
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, user_logged_in
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.http import HttpRequest
from django.test import Client
from django.utils.crypto import get_random_string

from apps.accounts.session_limits import BEGAN, SEEN
from apps.accounts.two_factor import has_second_factor
from apps.restaurants.hosts import restaurant_host
from apps.restaurants.models import Restaurant
from tests.described import check_described

JSON = "application/json"


class ApiClient(Client):
    """Django's test client that sends JSON bodies and names its host."""

    def __init__(self, *, host: str | None = None, **options: Any) -> None:
        super().__init__(headers={"host": host or settings.ROOT_DOMAIN}, **options)

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        if request.get("PATH_INFO", "").startswith("/api/"):
            check_described(request["REQUEST_METHOD"], response)
        return response

    # The ignores: Django's own Client and RequestFactory disagree on what follows `content_type`.

    def post(  # type: ignore[override]
        self, path: str, data: Any = None, content_type: str = JSON, **extra: Any
    ) -> Any:
        return super().post(path, {} if data is None else data, content_type, **extra)

    def put(  # type: ignore[override]
        self, path: str, data: Any = None, content_type: str = JSON, **extra: Any
    ) -> Any:
        return super().put(path, {} if data is None else data, content_type, **extra)

    def patch(  # type: ignore[override]
        self, path: str, data: Any = None, content_type: str = JSON, **extra: Any
    ) -> Any:
        return super().patch(path, {} if data is None else data, content_type, **extra)

    def upload(self, path: str, files: dict[str, Any]) -> Any:
        """A multipart form, as a browser's file field sends it."""
        return super().post(path, files)


class Visitors:
    """Makes the clients of a test: `api()` is an anonymous visitor, `api(user)` a signed-in
    user."""

    def __call__(
        self,
        user: Any = None,
        *,
        at: Restaurant | None = None,
        host: str | None = None,
        check_csrf: bool = False,
        signed_in_ago: float = 0,
    ) -> ApiClient:
        """A client at the platform's host, at a restaurant's (`at=`), or at any host (`host=`).

        A user signed in `signed_in_ago` seconds ago, with the second factor if there is one.
        """
        client = ApiClient(host=restaurant_host(at) if at else host, enforce_csrf_checks=check_csrf)
        if user is not None:
            _sign_in(client, user, ago=signed_in_ago)
        return client


def _sign_in(client: Client, user: Any, *, ago: float) -> None:
    """Do what `force_login`, `record_sign_in`, and the first request after them do, in 5 statements
    instead of 22, because half of all tests begin with it."""
    user.backend = settings.AUTHENTICATION_BACKENDS[0]
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.update(
        {
            SESSION_KEY: user._meta.pk.value_to_string(user),
            BACKEND_SESSION_KEY: user.backend,
            HASH_SESSION_KEY: user.get_session_auth_hash(),
            BEGAN: time.time(),
            SEEN: time.time(),
            **signed_in_session(user, ago=ago),
        }
    )
    session._session_key = get_random_string(32, VALID_KEY_CHARS)
    session.save(must_create=True)
    request = HttpRequest()
    request.session, request.user = session, user
    user_logged_in.send(sender=type(user), request=request, user=user)
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key


def record_sign_in(client: Client, user: Any, *, ago: float = 0, by_factor: Any = None) -> None:
    """Record in the session how its user signed in, as django-allauth does."""
    session = client.session
    session.update(signed_in_session(user, ago=ago, by_factor=by_factor))
    session.save()


def signed_in_session(user: Any, *, ago: float = 0, by_factor: Any = None) -> dict[str, Any]:
    """What django-allauth records in the session of someone who signed in."""
    methods = ["password"]
    if has_second_factor(user) if by_factor is None else by_factor:
        methods.append("mfa")
    return {
        AUTHENTICATION_METHODS_SESSION_KEY: [
            {"method": method, "at": time.time() - ago} for method in methods
        ],
        _AUTHENTICATION_METHODS_USER_SESSION_KEY: user_id_to_str(user),
    }
