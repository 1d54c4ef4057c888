"""Tenant middleware: from host to restaurant, and from restaurant to row-level security."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django_tenants.middleware.main import TenantMainMiddleware

from apps.common import rls
from apps.common.links import url_at
from apps.common.views import restaurant_closed, restaurant_not_found
from apps.restaurants.hosts import is_platform_host, new_host_for, restaurant_for_host
from apps.restaurants.models import Restaurant

View = TypeVar("View", bound=Callable[..., Any])


def stays_open(view: View) -> View:
    """Mark a view that also answers on the host of a suspended or closed restaurant, because guests
    who ordered before need it (decision 85). API views set an attribute of the same name.
    """
    view.stays_open = True  # type: ignore[attr-defined]
    return view


class TenantMiddleware(TenantMainMiddleware):
    """django-tenants' host routing, adapted to the pool model: the search path never changes.

    A restaurant's host sets `request.tenant`, uses the restaurant URLs, and acts as that restaurant
    for the whole request; a former host redirects. While the restaurant is suspended or closed,
    only views marked with `stays_open` answer; every other address shows that it is. The platform's
    host sets no `tenant` and starts without access to any restaurant's rows; the view then acts as
    a member's restaurant or `?rid=`.
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
            return _moved(request, new_host) if new_host else restaurant_not_found(request)
        if _belongs_elsewhere(request, restaurant, hostname):
            return _moved(request, restaurant.domain)
        restaurant.domain_url = hostname  # type: ignore[assignment]  # django-tenants: None
        request.tenant = restaurant  # type: ignore[attr-defined]
        request.urlconf = settings.RESTAURANT_URLCONF
        with rls.acting_as(restaurant):
            return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        restaurant = tenant_of(request)
        if restaurant is None or restaurant.status == Restaurant.Status.ACTIVE:
            return None
        of_api = getattr(view, "view_class", None)
        is_open = getattr(of_api or view, "stays_open", False)
        return None if is_open else restaurant_closed(request, restaurant)


def _belongs_elsewhere(request: HttpRequest, restaurant: Restaurant, hostname: str) -> bool:
    """Whether this page's one address is on the restaurant's own domain (decision 122).

    Only requests for pages are redirected: forms that are sent, and the API, answer on either host.
    """
    is_page = request.method in {"GET", "HEAD"} and not request.path.startswith("/api/")
    return is_page and restaurant.domain not in {"", hostname}


def _moved(request: HttpRequest, new_host: str) -> HttpResponse:
    """Redirect to the same page on the current host.

    Temporary, because browsers cache permanent redirects and another restaurant may have the old
    address in a month.
    """
    location = url_at(new_host, request.get_full_path())
    return HttpResponse(status=HTTPStatus.TEMPORARY_REDIRECT, headers={"Location": location})


def tenant_of(request: HttpRequest) -> Restaurant | None:
    """The restaurant of the request's host, or None on the platform's host."""
    return getattr(request, "tenant", None)
