"""The pages that stand in for a failure; the API answers the same in its one error shape."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from apps.common.api import errors

CSRF_MESSAGE = "This page has been open for too long. Reload it and try again."


def _failure(request: HttpRequest, status: int, title: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse(errors.body(message), status=status)
    return render(request, "errors/error.html", {"title": title, "message": message}, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(
        request, 400, "That did not work", "The request could not be read. Go back and try again."
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _failure(request, 403, "Please reload", CSRF_MESSAGE)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(request, 403, "Not with this account", "You may not do that with this account.")


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _failure(request, 404, "Nothing on this table", errors.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    return _failure(
        request,
        500,
        "Something broke in our kitchen",
        "We have been told. Nothing was charged by this page. Try again in a minute.",
    )
