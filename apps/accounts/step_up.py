"""Step-up: recent proof of who is using the session, required for what an intruder would do first.

django-allauth records in the session how its user has proven who they are
(https://docs.allauth.org/en/latest/account/reauthentication.html). Signing in counts, and so does
proving it once more on the page at `REAUTHENTICATE_URL`. Where a second factor is on, only the
factor counts. A bearer token proves nothing: it can be copied (decision 56).
"""

import time
from typing import Any

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.two_factor import has_second_factor
from apps.common.error_codes import ErrorCode
from apps.common.errors import Forbidden

REAUTHENTICATE_URL = "/account/again"
SECOND_FACTOR = "mfa"  # allauth's name of the method
CONFIRM_FIRST = "Confirm it's you first. Then try again."
NO_TOKENS = "You can't do this with an API token. Sign in on the website."


class ReauthenticationRequired(Forbidden):
    """Whoever is signed in has to prove again who they are, at `reauthenticateUrl`."""

    code = ErrorCode.REAUTHENTICATE

    def __init__(self, message: str = CONFIRM_FIRST) -> None:
        super().__init__(message, extra={"reauthenticateUrl": REAUTHENTICATE_URL})


def is_by_token(request: HttpRequest | Request) -> bool:
    """Whether the request is a program's, made with a bearer token."""
    return request.headers.get("Authorization", "").lower().startswith("bearer ")


def has_passed_second_factor(request: HttpRequest | Request, user: User) -> bool:
    """Whether this session was signed in to, or confirmed since, with a second factor."""
    return any(each["method"] == SECOND_FACTOR for each in _proofs(request, user))


def has_stepped_up(request: HttpRequest | Request, user: User) -> bool:
    """Whether this session has a proof of at most `ACCOUNT_REAUTHENTICATION_TIMEOUT` seconds."""
    proofs = _proofs(request, user)
    if has_second_factor(user):
        proofs = [each for each in proofs if each["method"] == SECOND_FACTOR]
    if not proofs:
        return False
    age = time.time() - proofs[-1]["at"]  # allauth stamps its records with the system's time
    return bool(age < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)


def require_step_up(request: HttpRequest | Request, user: User) -> None:
    """Raises ReauthenticationRequired without a recent proof, and for every bearer token."""
    if is_by_token(request):
        raise ReauthenticationRequired(NO_TOKENS)
    if not has_stepped_up(request, user):
        raise ReauthenticationRequired


def _proofs(request: HttpRequest | Request, user: User) -> list[dict[str, Any]]:
    plain = request._request if isinstance(request, Request) else request
    if is_by_token(plain) or not hasattr(plain, "session"):
        return []
    return list(get_authentication_records(plain, user))
