"""From host to tenant, and from tenant to what the database lets a request see."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django_tenants.middleware.main import TenantMainMiddleware

from apps.common import rls
from apps.common.views import page_not_found
from apps.restaurants.hosts import is_platform_host, restaurant_for_host
from apps.restaurants.models import Restaurant


class TenantMiddleware(TenantMainMiddleware):
    """django-tenants' host routing for the pool model: the search path is never touched.

    A restaurant's host sets `request.tenant`, serves the restaurant's urls and acts as that
    restaurant for the whole request. The platform's host has no `tenant` and starts as nobody; the
    view acts as whom it finds out (a member's restaurant, `?rid=`).
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
            return page_not_found(request)
        restaurant.domain_url = hostname  # type: ignore[assignment]  # django-tenants: None
        request.tenant = restaurant  # type: ignore[attr-defined]
        request.urlconf = settings.RESTAURANT_URLCONF
        with rls.acting_as(restaurant):
            return self.get_response(request)


def tenant_of(request: HttpRequest) -> Restaurant | None:
    """The restaurant whose host was asked, or None on the platform's host."""
    return getattr(request, "tenant", None)
