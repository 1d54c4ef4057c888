"""From host to tenant, and from tenant to what the database lets a request see."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django_tenants.middleware.main import TenantMainMiddleware

from apps.common import rls
from apps.common.links import url_at
from apps.common.views import page_not_found
from apps.restaurants.hosts import is_platform_host, new_host_for, restaurant_for_host
from apps.restaurants.models import Restaurant


class TenantMiddleware(TenantMainMiddleware):
    """django-tenants' host routing for the pool model: the search path is never touched.

    A restaurant's host sets `request.tenant`, serves the restaurant's urls and acts as that
    restaurant for the whole request; one it had until lately redirects. The platform's host has
    no `tenant` and starts as nobody; the view acts as whom it finds out (a member's restaurant,
    `?rid=`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)

    def __call__(self, request: HttpRequest) -> Any:
        try:
            asked: str = self.hostname_from_request(request)  # type: ignore[no-untyped-call]
        except DisallowedHost:
            return HttpResponseBadRequest("Bad host name.")
        hostname = asked.lower().rstrip(".")
        if is_platform_host(hostname):
            with rls.acting_as(None):
                return self.get_response(request)
        restaurant = restaurant_for_host(hostname)
        if restaurant is None:
            new_host = new_host_for(hostname)
            return _moved(request, new_host) if new_host else page_not_found(request)
        restaurant.domain_url = hostname  # type: ignore[assignment]  # django-tenants: None
        request.tenant = restaurant  # type: ignore[attr-defined]
        request.urlconf = settings.RESTAURANT_URLCONF
        with rls.acting_as(restaurant):
            return self.get_response(request)


def _moved(request: HttpRequest, new_host: str) -> HttpResponse:
    """The same page at the restaurant's present host. Not for ever: in a month the old address may
    be another restaurant's, and a browser keeps what is permanent."""
    location = url_at(new_host, request.get_full_path())
    return HttpResponse(status=HTTPStatus.TEMPORARY_REDIRECT, headers={"Location": location})


def tenant_of(request: HttpRequest) -> Restaurant | None:
    """The restaurant whose host was asked, or None on the platform's host."""
    return getattr(request, "tenant", None)
