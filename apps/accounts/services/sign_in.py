"""Signing in (password, then the second factor if there is one), where to go afterwards, and
signing out."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.account.stages import LoginStageController
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.stages import AuthenticateStage
from django.conf import settings
from django.contrib.auth import authenticate, logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts import rate_limits
from apps.accounts.known_devices import known_device
from apps.accounts.models import User
from apps.accounts.services.accounts import account_for_email
from apps.accounts.services.passwords import LONGEST_PASSWORD
from apps.accounts.services.tokens import revoke_token
from apps.activity.kinds import Kind
from apps.activity.models import Outcome
from apps.activity.services import record, record_repeated
from apps.common.error_codes import ErrorCode
from apps.common.errors import DomainError, FieldError, Invalid

INVALID_LOGIN = "Invalid email or password"
CODE_NEEDED = "Enter the code from your authenticator app, or one of your recovery codes."
WRONG_CODE = "That code isn't right. Enter the code your app shows now, or a recovery code."


class InvalidLogin(Invalid):
    """Wrong email or password; the message doesn't say which (DECISIONS X41)."""

    code = ErrorCode.INVALID_LOGIN


class CodeNeeded(DomainError):
    """The password is correct, and the account has a second factor.

    The session remembers this for a while so that the second factor's page can finish signing in.
    An API client repeats the request with `code`.
    """

    code = ErrorCode.CODE_NEEDED

    def __init__(self, message: str = CODE_NEEDED) -> None:
        super().__init__(
            message, fields=[FieldError("code", message)], extra={"codeRequired": True}
        )


def sign_in(
    *,
    request: HttpRequest,
    email: str,
    password: str,
    address: str,
    code: str = "",
    destination: str | None = None,
) -> User:
    """Start a session under a new key for the active user with this email and password.

    `address` is the client's IP address, `code` the code of the second factor, `destination` where
    the second factor's page redirects to. Raises InvalidLogin, CodeNeeded, and TooManyAttempts
    (this IP address has tried too often, or somebody on this account: a browser that has signed in
    before has its own count).
    """
    rate_limits.SIGN_IN_BY_ADDRESS.count(address)
    # Whoever guesses from elsewhere must not lock out the account's own browsers.
    guesser = known_device(request, email=email) or email
    rate_limits.FAILED_SIGN_INS.check(guesser)
    user = None
    if (
        len(password) <= LONGEST_PASSWORD
    ):  # a longer one can't match, so don't spend time hashing it
        user = authenticate(request, email=email.strip(), password=password)
    if not isinstance(user, User):
        _note_failure(email, attempts=rate_limits.FAILED_SIGN_INS.record(guesser))
        raise InvalidLogin(INVALID_LOGIN, fields=[FieldError("email", INVALID_LOGIN)])
    rate_limits.FAILED_SIGN_INS.forget(guesser)
    login = Login(user=user, email=user.email, redirect_url=destination)
    perform_password_login(request, {"email": user.email}, login)
    waiting = LoginStageController.enter(request, AuthenticateStage.key)
    if waiting is not None:
        _finish_with_code(waiting, user, code)
    return user


def _note_failure(email: str, *, attempts: int) -> None:
    """Log a wrong password. Those for unknown emails are counted together, so that guessing at
    thousands of them leaves a handful of rows. It takes equally long whether or not there is an
    account."""
    account = account_for_email(email)
    key = str(account.pk) if account else "unknown"
    facts: dict[str, Any] = {"account": account, "outcome": Outcome.FAILURE}
    record_repeated(Kind.SIGN_IN_FAILED, key=key, **facts)
    if account and attempts == rate_limits.FAILED_SIGN_INS.times:
        record_repeated(Kind.LOCKED_OUT, key=key, **facts | {"outcome": Outcome.REFUSED})


def _finish_with_code(stage: AuthenticateStage, user: User, code: str) -> None:
    if not code:
        raise CodeNeeded
    form = AuthenticateForm(user=user, data={"code": code})
    if not form.is_valid():
        errors: list[ValidationError] = form.errors.as_data().get("code", [])
        if any(error.code == "too_many_login_attempts" for error in errors):
            raise rate_limits.TooManyAttempts(rate_limits.FAILED_SIGN_INS.window)
        raise CodeNeeded(WRONG_CODE)
    form.save()
    stage.exit()


def sign_out(*, request: HttpRequest, token: str | None = None) -> None:
    """End the session and revoke the bearer token, if given.

    The response has the browser forget what our pages stored (`SessionLimitsMiddleware`).
    """
    if token:
        revoke_token(token=token)
    if isinstance(request.user, User) and not token:
        record(Kind.SIGNED_OUT, account=request.user)
    logout(request)
    request.has_signed_out = True  # type: ignore[attr-defined]


def safe_destination(path: str | None) -> str:
    """`path` if it is a path on our own site, otherwise the dashboard.

    Rejects everything that could lead to another site, in any spelling a browser tolerates.
    """
    path = path or ""
    own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if own and not urlsplit(path).netloc else settings.LOGIN_REDIRECT_URL
