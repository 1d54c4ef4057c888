"""Signing in and out, and the tokens of API clients."""

import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q
from django.http import HttpRequest

from apps.accounts import limits
from apps.accounts.models import BearerToken, User
from apps.common.errors import FieldError, Invalid

INVALID_LOGIN = "Invalid email or password"  # T68
TOKEN_BYTES = 32
LONGEST_PASSWORD = 128  # DECISIONS X39


class InvalidLogin(Invalid):
    """The same words whether the account or the password is unknown (DECISIONS X41)."""

    status = 401
    code = "invalid_login"


def sign_in(*, request: HttpRequest, email: str, password: str, address: str) -> User:
    """Start a session, under a new key, for the active user with this e-mail and password.

    `address` is where the attempt comes from. Raises InvalidLogin, and TooManyAttempts when this
    address or this account has tried too often lately.
    """
    limits.check_address(address)
    limits.check_account(email)
    user = None
    if len(password) <= LONGEST_PASSWORD:  # hashing more is work that cannot succeed
        user = authenticate(request, username=email.strip(), password=password)
    if not isinstance(user, User):
        limits.count_failure(email)
        raise InvalidLogin(INVALID_LOGIN, fields=[FieldError("email", INVALID_LOGIN)])
    limits.forget_failures(email)
    login(request, user)
    request.session.cycle_key()  # also when the same person signs in again
    return user


def sign_out(*, request: HttpRequest, token: str | None = None) -> None:
    """End the session and, when one was used, revoke the bearer token."""
    if token:
        revoke_token(token=token)
    logout(request)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(*, user: User, now: datetime) -> str:
    """A new bearer token, readable only in this answer; expires after 30 days (DECISIONS X51)."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    BearerToken.objects.create(
        user=user,
        digest=_digest(token),
        created_at=now,
        expires_at=now + settings.BEARER_TOKEN_LIFETIME,
    )
    return token


def user_for_token(*, token: str, now: datetime) -> User | None:
    """Whose token this is, or None when it is unknown, expired, revoked or its user inactive."""
    try:
        found = BearerToken.objects.select_related("user").get(
            digest=_digest(token), expires_at__gt=now, user__is_active=True
        )
    except ObjectDoesNotExist:
        return None
    # Last use is for people to read on their account page: one write a minute is precise enough.
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now.replace(second=0, microsecond=0))
    BearerToken.objects.filter(stale, pk=found.pk).update(last_used_at=now)
    return found.user


def revoke_token(*, token: str) -> None:
    BearerToken.objects.filter(digest=_digest(token)).delete()


def revoke_all_tokens(*, user: User) -> None:
    """After a password change no older client stays signed in."""
    BearerToken.objects.filter(user=user).delete()
