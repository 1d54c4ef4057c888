"""Error pages (under /api/ the same errors are JSON), uploaded images on the local disk, and the
addresses that forms post to."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from django.views.static import serve

from apps.common import languages
from apps.common.api import errors
from apps.common.error_codes import ErrorCode
from apps.common.links import platform_url

View = Callable[..., HttpResponse]


def form_target(page: Callable[..., str]) -> Callable[[View], View]:
    """Marks a view that a form posts to and that shows the form's errors at its own address.

    A GET (a reload, a copied address, or a change of language) redirects to `page(**path
    arguments)`, with the query string.
    """

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def answer(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, **arguments)
            query = request.META.get("QUERY_STRING", "")
            return HttpResponseRedirect(f"{page(**arguments)}{'?' if query else ''}{query}")

        return answer

    return decorate


CSRF_MESSAGE = gettext_lazy("This page has been open for too long. Reload it and try again.")


def _failure(
    request: HttpRequest,
    code: ErrorCode,
    title: str,
    message: str,
    *,
    home_url: str = "/",
) -> HttpResponse:
    """The error response; the page links to `home_url`."""
    if request.path.startswith("/api/"):
        return JsonResponse(errors.body(code, message), status=code.status)
    context = {"title": title, "message": message, "home_url": home_url}
    return render(request, "errors/error.html", context, status=code.status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(
        request,
        ErrorCode.MALFORMED,
        _("That didn't work"),
        _("We couldn't read that request. Go back and try again."),
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _failure(request, ErrorCode.CSRF_FAILED, _("Please reload this page"), str(CSRF_MESSAGE))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(
        request,
        ErrorCode.FORBIDDEN,
        _("No access"),
        _("You don't have permission to do that."),
    )


def support_visit_refused(request: HttpRequest) -> HttpResponse:
    """Staff who look at a restaurant as its owner tried to change something."""
    return _failure(
        request,
        ErrorCode.SUPPORT_VISIT,
        "Nothing was changed",
        "You can't change anything during a support visit. End the visit first.",
    )


def too_large(request: HttpRequest) -> HttpResponse:
    return _failure(
        request, ErrorCode.TOO_LARGE, _("That request is too large"), str(errors.TOO_LARGE)
    )


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """For django-allauth's pages, whose limits are per minute."""
    response = _failure(
        request,
        ErrorCode.TOO_MANY_ATTEMPTS,
        _("Too many attempts"),
        _("Wait a minute, then try again."),
    )
    response.headers["Retry-After"] = "60"
    return response


class RestaurantClosed(Http404):
    """The request is about a suspended or closed restaurant: the 404 page says so."""

    def __init__(self, restaurant: Any) -> None:
        super().__init__(str(restaurant))
        self.restaurant = restaurant


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The 404 page.

    On the platform's host it leads visitors who aren't signed in to the start page (DECISIONS
    X45); on a restaurant's host it is a page of the restaurant.
    """
    restaurant = getattr(request, "tenant", None)
    if isinstance(exception, RestaurantClosed):
        return restaurant_closed(request, exception.restaurant)
    if restaurant is not None and restaurant.status != "active":
        return restaurant_closed(request, restaurant)
    if request.path.startswith("/api/"):
        return JsonResponse(errors.body(ErrorCode.NOT_FOUND, str(errors.NOT_FOUND)), status=404)
    if restaurant is not None:
        return _not_found_page(request, "errors/restaurant_404.html", {"restaurant": restaurant})
    if _is_anonymous(request):
        languages.activate_guest_language(request)
        return _not_found_page(request, "errors/platform_404.html", {"led_to": "/"})
    return _not_found_page(request, "errors/platform_404.html", {})


def _not_found_page(request: HttpRequest, template: str, facts: dict[str, Any]) -> HttpResponse:
    context = {"title": _("Page not found"), "message": str(errors.NOT_FOUND), **facts}
    return render(request, template, context, status=404)


def closed_title(restaurant: Any) -> str:
    """That the restaurant is suspended, or closed for good."""
    if restaurant.status == "suspended":
        return _("%(restaurant)s isn't taking orders right now") % {"restaurant": restaurant.name}
    return _("%(restaurant)s is no longer on Fully Booked") % {"restaurant": restaurant.name}


def restaurant_closed(request: HttpRequest, restaurant: Any) -> HttpResponse:
    """The page of a restaurant that is suspended, or closed for good."""
    is_suspended = restaurant.status == "suspended"
    title = closed_title(restaurant)
    if request.path.startswith("/api/"):
        return JsonResponse(errors.body(ErrorCode.NOT_FOUND, title), status=404)
    context = {
        "restaurant": restaurant,
        "title": title,
        "is_suspended": is_suspended,
        "home_url": platform_url("/patron"),
    }
    return render(request, "errors/restaurant_closed.html", context, status=404)


def restaurant_not_found(request: HttpRequest) -> HttpResponse:
    """The page of a host that is no restaurant's: mistyped, or given up."""
    with translation.override(languages.language_wanted(request)):
        return _failure(
            request,
            ErrorCode.NOT_FOUND,
            _("Restaurant Not Found"),
            _(
                "This restaurant could not be found or is not available. Check the address, or "
                "ask the restaurant for its link."
            ),
            home_url=platform_url("/"),
        )


def _is_anonymous(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and not user.is_authenticated


def server_error(request: HttpRequest) -> HttpResponse:
    return _failure(
        request,
        ErrorCode.INTERNAL_ERROR,
        _("Something went wrong"),
        _("We've been notified. This page didn't charge anything. Try again in a minute."),
    )


ONE_YEAR_SECONDS = 365 * 24 * 60 * 60


@require_safe
def uploaded_picture(request: HttpRequest, path: str) -> HttpResponseBase:
    """One image. Its content never changes, so browsers can cache it for a year."""
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    if isinstance(response, FileResponse):
        response.headers["Cache-Control"] = f"public, max-age={ONE_YEAR_SECONDS}, immutable"
    return response


# The names we give our files; nothing else below MEDIA_ROOT is served.
UPLOADED_PICTURE_PATTERN = (
    r"^media/(?P<path>photos/[0-9a-f-]{36}/[0-9a-f-]{36}/\d+\.(?:avif|webp|jpg))\Z"
)
