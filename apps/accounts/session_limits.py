"""How long a session lasts: since it was last used, and since its user signed in (decision 56).

django-allauth lists sessions (https://docs.allauth.org/en/latest/usersessions/introduction.html).
Its own tracking writes a row in every request, so this notes the last use every few minutes only.
"""

import time
from collections.abc import Callable

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.accounts.models import User
from apps.common.client_address import client_address

BEGAN, SEEN = "session_began", "session_seen"  # Unix times, by the system's clock
NOTED_EVERY = 5 * 60  # seconds
# What a browser forgets at sign-out. Not the cookies: those of all our hosts would go, and with
# them guests' access to their orders and the cookie by which `known_devices` knows an owner's
# browser. https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Clear-Site-Data
FORGOTTEN = '"cache", "storage"'


class SessionLimitsMiddleware:
    """Signs out sessions past their idle or absolute limit, and notes when one is used.

    Signing out leaves nothing in the browser. Somebody whose session expired finds their drafts
    again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and isinstance(request.user, User):
            _check(request, request.user)
        response = self.get_response(request)
        if getattr(request, "has_signed_out", False):
            response.headers["Clear-Site-Data"] = FORGOTTEN
        return response


def _check(request: HttpRequest, user: User) -> None:
    now, session = time.time(), request.session
    began = session.setdefault(BEGAN, now)
    seen = session.get(SEEN, now)
    idle, absolute = settings.STAFF_SESSION_LIMITS if user.is_staff else settings.SESSION_LIMITS
    if now - seen > idle.total_seconds() or now - began > absolute.total_seconds():
        logout(request)
    elif SEEN not in session or now - seen > NOTED_EVERY:
        session[SEEN] = now
        UserSession.objects.filter(session_key=session.session_key).update(
            last_seen_at=timezone.now(), ip=client_address(request) or "0.0.0.0"
        )
