"""The request under way, its id, and one log line per request.

The line names the route, not the path: paths hold order links, queries hold tokens. The id is in
every log line, in the response, and in the tasks that the request queues (`config/celery.py`).
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.functional import SimpleLazyObject, empty
from rest_framework.settings import api_settings

from apps.common import measurements, traces

HEADER = "X-Request-ID"
_ACCEPTED = re.compile(r"[A-Za-z0-9_-]{8,64}")
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_request_id: ContextVar[str] = ContextVar("request_id", default="")
_task_id: ContextVar[str] = ContextVar("task_id", default="")

logger = logging.getLogger("access")


def current_request() -> HttpRequest | None:
    """The request under way, or None in tasks and commands."""
    return _request.get()


def note_forgery(what: str) -> None:
    """Remember that this request came with a token, link, or signature that is not valid; `what`
    is a code. The security log has it once the answer is known (`apps/activity/middleware.py`)."""
    if (request := _request.get()) is not None:
        request.forged = what  # type: ignore[attr-defined]


def current_request_id() -> str:
    """The id of the request, also in the tasks it queued; empty elsewhere."""
    return _request_id.get()


def current_task_id() -> str:
    """The id of the background task under way; empty elsewhere."""
    return _task_id.get()


def continue_request(request_id: str, *, task_id: str = "") -> None:
    """For a worker: what follows in this thread belongs to this request and task; empty for
    none."""
    _request_id.set(request_id)
    _task_id.set(task_id)


def new_request_id() -> str:
    return uuid.uuid4().hex


def account_id_of(request: HttpRequest) -> str:
    """The id of the signed-in account, if this request has looked it up; empty otherwise."""
    user = request.__dict__.get("user")
    if user is None or (isinstance(user, SimpleLazyObject) and user._wrapped is empty):
        return ""
    return str(user.pk) if user.is_authenticated else ""


def restaurant_id_of(request: HttpRequest) -> str:
    """The id of the restaurant the request is about: a view's, otherwise the host's."""
    restaurant = getattr(request, "asked_restaurant", None) or getattr(request, "tenant", None)
    return str(restaurant.pk) if restaurant is not None else ""


def route_of(request: HttpRequest) -> str:
    """The pattern that the path matched, such as `order/<str:token>`. Never the path itself."""
    match = getattr(request, "resolver_match", None)
    if match is None:
        if request.path_info.startswith((settings.STATIC_URL, settings.MEDIA_URL)):
            return "(file)"
        try:
            # Answered from the page cache, before Django looked for a view.
            match = resolve(request.path_info, getattr(request, "urlconf", None))
        except Resolver404:
            return "(none)"
    return f"/{match.route}"


class RequestLogMiddleware:
    """Gives the request its id and logs one line when it is answered. Comes first.

    A proxy's `X-Request-ID` is taken over only where proxies are trusted.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = _given_id(request) or new_request_id()
        tokens = _request.set(request), _request_id.set(request_id)
        try:
            with traces.span("request") as attributes:
                response = self.get_response(request)
                if traces.is_on():
                    _describe(request, response, attributes)
            response.headers[HEADER] = request_id
            seconds = time.perf_counter() - started
            _log(request, response, seconds=seconds)
            if measurements.is_on():
                measurements.request_answered(
                    route=route_of(request),
                    method=request.method or "",
                    status=response.status_code,
                    seconds=seconds,
                )
        finally:
            _request.reset(tokens[0])
            _request_id.reset(tokens[1])
        return response


def _describe(request: HttpRequest, response: HttpResponse, attributes: traces.Attributes) -> None:
    """https://opentelemetry.io/docs/specs/semconv/http/http-spans/"""
    route = route_of(request)
    method = request.method if request.method in measurements.METHODS else "_OTHER"
    attributes["name"] = f"{method} {route}"
    attributes["http.route"] = route
    attributes["http.request.method"] = str(method)
    attributes["http.response.status_code"] = response.status_code
    attributes["fully_booked.request_id"] = current_request_id()
    attributes["fully_booked.restaurant_id"] = restaurant_id_of(request)


def _given_id(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "") if api_settings.NUM_PROXIES else ""
    return given if _ACCEPTED.fullmatch(given) else ""


def _log(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    if not logger.isEnabledFor(logging.INFO):
        return
    line: dict[str, Any] = {
        "message": "request",
        "method": request.method,
        "route": route_of(request),
        "status": response.status_code,
        "duration_ms": round(seconds * 1000, 1),
        "account_id": account_id_of(request),
        "restaurant_id": restaurant_id_of(request),
    }
    logger.info(line)
