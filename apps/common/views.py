"""The pages that stand in for a failure; the API answers the same in its one error shape."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.api import errors

CSRF_MESSAGE = gettext_lazy("This page has been open for too long. Reload it and try again.")


def _failure(
    request: HttpRequest, status: int, title: str, message: str, *, led_to: str = ""
) -> HttpResponse:
    """The page, which leads on to `led_to` by itself where that is given."""
    if request.path.startswith("/api/"):
        return JsonResponse(errors.body(message), status=status)
    context = {"title": title, "message": message, "led_to": led_to}
    return render(request, "errors/error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(
        request,
        400,
        _("That didn't work"),
        _("We couldn't read that request. Go back and try again."),
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _failure(request, 403, _("Reload this page"), str(CSRF_MESSAGE))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(
        request,
        403,
        _("You don't have access"),
        _("Your account doesn't have permission to do that."),
    )


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """For the pages of django-allauth, whose limits count in minutes."""
    response = _failure(
        request,
        429,
        _("Too many attempts"),
        _("Wait a minute, then try again."),
    )
    response.headers["Retry-After"] = "60"
    return response


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """On the platform's host a visitor who is not signed in is led on to the start page
    (DECISIONS X45); a restaurant's host has a start page of its own, linked from here."""
    is_visitor = getattr(request, "tenant", None) is None and _is_anonymous(request)
    return _failure(
        request,
        404,
        _("Page not found"),
        str(errors.NOT_FOUND),
        led_to="/" if is_visitor else "",
    )


def _is_anonymous(request: HttpRequest) -> bool:
    # Without a user the host is nobody's: leading on from there would lead to itself.
    user = getattr(request, "user", None)
    return user is not None and not user.is_authenticated


def server_error(request: HttpRequest) -> HttpResponse:
    return _failure(
        request,
        500,
        _("Something went wrong"),
        _("We've been notified. This page didn't charge you anything. Try again in a minute."),
    )
