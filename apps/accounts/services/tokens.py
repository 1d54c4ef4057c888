"""Bearer tokens of API clients: hashed, expiring, revocable (DECISIONS X51)."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q, QuerySet

from apps.accounts.models import BearerToken, User
from apps.common.errors import Conflict, NotFound

TOKEN_BYTES = 32
MAX_TOKENS = 100  # valid ones of an account; more are a client that never reuses one
SIGN_IN_NAME = "Sign-in"
# How long a token made on the account page can work, in days.
LIFETIMES_DAYS = (30, 90, 365)
TOO_MANY = "You have too many API tokens. Revoke some on your account page first."
UNKNOWN_TOKEN = "We couldn't find that token. Reload the page."


def digest_of(token: str) -> str:
    """SHA-256 of a token. Tokens are long and random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(
    *,
    user: User,
    now: datetime,
    name: str = SIGN_IN_NAME,
    scope: str = BearerToken.Scope.EVERYTHING,
    lifetime: timedelta | None = None,
) -> str:
    """Create a bearer token and return it; only its hash is stored.

    `lifetime` is 30 days unless given (X51). Raises Conflict when the account has `MAX_TOKENS`.
    """
    if BearerToken.objects.filter(user=user, expires_at__gt=now).count() >= MAX_TOKENS:
        raise Conflict(TOO_MANY)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    BearerToken.objects.create(
        user=user,
        name=name,
        scope=scope,
        digest=digest_of(token),
        created_at=now,
        expires_at=now + (lifetime or settings.BEARER_TOKEN_LIFETIME),
    )
    return token


def valid_token(*, token: str, now: datetime) -> BearerToken | None:
    """The token with its user, or None if it is unknown, expired, or revoked, or the user is
    inactive."""
    try:
        found = BearerToken.objects.select_related("user").get(
            digest=digest_of(token), expires_at__gt=now, user__is_active=True
        )
    except ObjectDoesNotExist:
        return None
    # Shown on the account page only, so one write per minute is precise enough.
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now.replace(second=0, microsecond=0))
    BearerToken.objects.filter(stale, pk=found.pk).update(last_used_at=now)
    return found


def tokens_of(user: User, *, now: datetime) -> QuerySet[BearerToken]:
    """The user's valid tokens, newest first."""
    return BearerToken.objects.filter(user=user, expires_at__gt=now).order_by("-created_at", "-pk")


def revoke_token(*, token: str) -> None:
    BearerToken.objects.filter(digest=digest_of(token)).delete()


def revoke_listed_token(*, user: User, token_id: UUID) -> None:
    """Revoke one of the user's tokens. Raises NotFound for any other token."""
    deleted, _ = BearerToken.objects.filter(user=user, public_id=token_id).delete()
    if not deleted:
        raise NotFound(UNKNOWN_TOKEN)


def revoke_all_tokens(*, user: User) -> None:
    BearerToken.objects.filter(user=user).delete()
