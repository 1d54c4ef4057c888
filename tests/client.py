"""The browser or API client of one person at one host."""

from typing import Any

from django.conf import settings
from django.test import Client

from apps.restaurants.hosts import restaurant_host
from apps.restaurants.models import Restaurant

JSON = "application/json"


class ApiClient(Client):
    """Django's test client that sends JSON bodies and names its host."""

    def __init__(self, *, host: str | None = None, **options: Any) -> None:
        super().__init__(headers={"host": host or settings.ROOT_DOMAIN}, **options)

    # The ignores: Django's own Client and RequestFactory disagree on what follows `content_type`.

    def post(  # type: ignore[override]
        self, path: str, data: Any = None, content_type: str = JSON, **extra: Any
    ) -> Any:
        return super().post(path, {} if data is None else data, content_type, **extra)

    def put(  # type: ignore[override]
        self, path: str, data: Any = None, content_type: str = JSON, **extra: Any
    ) -> Any:
        return super().put(path, {} if data is None else data, content_type, **extra)

    def upload(self, path: str, files: dict[str, Any]) -> Any:
        """A multipart form, as a browser's file field sends it."""
        return super().post(path, files)


class Visitors:
    """Makes the clients of a test: `api()` is a passer-by, `api(user)` somebody signed in."""

    def __call__(
        self,
        user: Any = None,
        *,
        at: Restaurant | None = None,
        host: str | None = None,
        check_csrf: bool = False,
    ) -> ApiClient:
        """At the platform's host, at a restaurant's (`at=`), or at any (`host=`)."""
        client = ApiClient(host=restaurant_host(at) if at else host, enforce_csrf_checks=check_csrf)
        if user is not None:
            client.force_login(user)
        return client
