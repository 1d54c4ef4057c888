"""Signing in and out: the password first, then the second factor where there is one."""

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.account.stages import LoginStageController
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.stages import AuthenticateStage
from django.contrib.auth import authenticate, logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from apps.accounts import rate_limits
from apps.accounts.models import User
from apps.accounts.services.passwords import LONGEST_PASSWORD
from apps.accounts.services.tokens import revoke_token
from apps.common.errors import DomainError, FieldError, Invalid

INVALID_LOGIN = "Invalid email or password"  # T68
CODE_NEEDED = "Enter the code from your authenticator app, or one of your recovery codes."
WRONG_CODE = "That code is not right. Enter the one your app shows now, or a recovery code."


class InvalidLogin(Invalid):
    """The same words whether the account or the password is unknown (DECISIONS X41)."""

    status = 401
    code = "invalid_login"


class CodeNeeded(DomainError):
    """The password is right and the account has a second factor.

    The session remembers the password's success for a while, so the page of the second factor can
    finish signing in; a program sends the same request again with `code`.
    """

    status = 401
    code = "code_needed"

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
    """Start a session, under a new key, for the active user with this e-mail and password.

    `address` is where the attempt comes from, `code` the second factor's, `destination` where the
    second factor's page goes on to. Raises InvalidLogin, CodeNeeded, and TooManyAttempts when this
    address or this account has tried too often lately.
    """
    rate_limits.SIGN_IN_BY_ADDRESS.count(address)
    rate_limits.FAILED_SIGN_INS.check(email)
    user = None
    if len(password) <= LONGEST_PASSWORD:  # hashing more is work that cannot succeed
        user = authenticate(request, email=email.strip(), password=password)
    if not isinstance(user, User):
        rate_limits.FAILED_SIGN_INS.record(email)
        raise InvalidLogin(INVALID_LOGIN, fields=[FieldError("email", INVALID_LOGIN)])
    rate_limits.FAILED_SIGN_INS.forget(email)
    login = Login(user=user, email=user.email, redirect_url=destination)
    perform_password_login(request, {"email": user.email}, login)
    waiting = LoginStageController.enter(request, AuthenticateStage.key)
    if waiting is not None:
        _finish_with_code(waiting, user, code)
    return user


def _finish_with_code(stage: AuthenticateStage, user: User, code: str) -> None:
    if not code:
        raise CodeNeeded
    form = AuthenticateForm(user=user, data={"code": code})
    if not form.is_valid():
        faults: list[ValidationError] = form.errors.as_data().get("code", [])
        if any(fault.code == "too_many_login_attempts" for fault in faults):
            raise rate_limits.TooManyAttempts(rate_limits.FAILED_SIGN_INS.window)
        raise CodeNeeded(WRONG_CODE)
    form.save()
    stage.exit()


def sign_out(*, request: HttpRequest, token: str | None = None) -> None:
    """End the session and, when one was used, revoke the bearer token."""
    if token:
        revoke_token(token=token)
    logout(request)
