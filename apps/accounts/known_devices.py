"""Browsers that an account has signed in from before, known by a signed cookie.

A known browser has a limit of its own, so nobody can lock an owner out by guessing passwords
elsewhere. The cookie doesn't sign anybody in; the password still decides.
"""

import secrets

from django.conf import settings
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User
from apps.common.signing import timestamp_signer

LIFETIME_SECONDS = 180 * 24 * 60 * 60
_PURPOSE = "accounts.known_devices"


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let this browser be known to the account, after a complete sign-in."""
    if known_device(request, email=user.email):
        return
    response.set_cookie(
        settings.KNOWN_DEVICE_COOKIE_NAME,
        timestamp_signer(_PURPOSE).sign_object(
            [str(user.pk), user.email.lower(), secrets.token_urlsafe(16)]
        ),
        max_age=LIFETIME_SECONDS,
        path="/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_device(request: HttpRequest, *, email: str) -> str:
    """An id of this browser if the account with this email has signed in from it; otherwise
    empty."""
    try:
        account, known_email, device = timestamp_signer(_PURPOSE).unsign_object(
            request.COOKIES.get(settings.KNOWN_DEVICE_COOKIE_NAME, ""), max_age=LIFETIME_SECONDS
        )
    except (BadSignature, ValueError, TypeError):
        return ""
    return f"{account}:{device}" if known_email == email.strip().lower() else ""
