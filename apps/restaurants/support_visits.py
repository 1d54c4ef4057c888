"""Middleware that makes a support visit read-only, on every page and in the API (decision 91).

Two fences, both here: no request that could change something reaches its view, and the others run
in a transaction in which PostgreSQL refuses every write.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db import InternalError
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import SimpleTemplateResponse

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.common import clock
from apps.common.read_only import is_refused_write, read_only
from apps.common.views import support_visit_refused
from apps.restaurants.middleware import tenant_of
from apps.restaurants.services.support import end_visit, visit_under_way

SESSION_KEY = "support_visit"
# Set beside the session, so that pages of the cache, which have no banner, aren't served.
MARKER_COOKIE = "support_visit"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# What can still be posted: the end of the visit, and of the session.
ENDINGS = frozenset({"support-visit-end", "logout", "account_logout"})
OVER = "The support visit is over."


class SupportVisitMiddleware:
    """Finds the visit of this session, ends it when its time is over, and fences it in.

    It comes last, so that what other middlewares write (sessions, the activity log) is outside.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        visit_id = _visit_id(request)
        if visit_id is None:
            return self.get_response(request)
        user, staff = request.user, None
        if isinstance(user, User) and has_staff_access(request, user):
            staff = user
        visit = visit_under_way(visit_id=visit_id, staff=staff, now=clock.now())
        if visit is None:
            request.session.pop(SESSION_KEY, None)
            messages.info(request, OVER)
        request.support_visit = visit  # type: ignore[attr-defined]
        response = self.get_response(request)
        if SESSION_KEY not in request.session:
            if visit is not None:  # who signs out ends it as well
                end_visit(visit_id=visit_id, now=clock.now())
            response.delete_cookie(MARKER_COOKIE)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, named: Any
    ) -> HttpResponseBase | None:
        if getattr(request, "support_visit", None) is None:
            return None
        match = request.resolver_match
        if request.method not in SAFE_METHODS:
            is_ending = match is not None and match.url_name in ENDINGS
            return None if is_ending else support_visit_refused(request)
        try:
            with read_only():
                response: HttpResponseBase = view(request, *args, **named)
                if isinstance(response, SimpleTemplateResponse):
                    response.render()
        except InternalError as error:
            if not is_refused_write(error):
                raise
            return support_visit_refused(request)
        if response.streaming and not isinstance(response, FileResponse):
            # It would be made after the fence, and an export of guests' data isn't looking.
            response.close()
            return support_visit_refused(request)
        return response


def _visit_id(request: HttpRequest) -> UUID | None:
    """The visit that the session is in, without looking at sessions of those who have none."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or tenant_of(request) is not None:
        return None
    found = request.session.get(SESSION_KEY)
    return UUID(found) if found else None
