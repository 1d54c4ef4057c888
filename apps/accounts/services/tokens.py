"""The bearer tokens of API clients: hashed, expiring, revocable (DECISIONS X51)."""

import hashlib
import secrets
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q, QuerySet

from apps.accounts.models import BearerToken, User
from apps.common.errors import NotFound

TOKEN_BYTES = 32
UNKNOWN_TOKEN = "We could not find that token among yours. Reload the list."


def digest_of(token: str) -> str:
    """What is kept of a secret that is long and random: no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(*, user: User, now: datetime) -> str:
    """A new bearer token, readable only in this answer; expires after 30 days (DECISIONS X51)."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    BearerToken.objects.create(
        user=user,
        digest=digest_of(token),
        created_at=now,
        expires_at=now + settings.BEARER_TOKEN_LIFETIME,
    )
    return token


def user_for_token(*, token: str, now: datetime) -> User | None:
    """Whose token this is, or None when it is unknown, expired, revoked or its user inactive."""
    try:
        found = BearerToken.objects.select_related("user").get(
            digest=digest_of(token), expires_at__gt=now, user__is_active=True
        )
    except ObjectDoesNotExist:
        return None
    # Last use is for people to read on their account page: one write a minute is precise enough.
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now.replace(second=0, microsecond=0))
    BearerToken.objects.filter(stale, pk=found.pk).update(last_used_at=now)
    return found.user


def tokens_of(user: User, *, now: datetime) -> QuerySet[BearerToken]:
    """The tokens that still open something, the newest first."""
    return BearerToken.objects.filter(user=user, expires_at__gt=now).order_by("-created_at", "-pk")


def revoke_token(*, token: str) -> None:
    BearerToken.objects.filter(digest=digest_of(token)).delete()


def revoke_listed_token(*, user: User, token_id: UUID) -> None:
    """Raises NotFound when the user has no such token, whether or not somebody else has."""
    deleted, _ = BearerToken.objects.filter(user=user, public_id=token_id).delete()
    if not deleted:
        raise NotFound(UNKNOWN_TOKEN)


def revoke_all_tokens(*, user: User, stored_token: str | None = None) -> None:
    """After a password change no older client stays signed in, save the one that asked for it."""
    others = BearerToken.objects.filter(user=user)
    if stored_token:
        others = others.exclude(digest=digest_of(stored_token))
    others.delete()
