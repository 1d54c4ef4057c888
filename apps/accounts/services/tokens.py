"""Bearer tokens of API clients: hashed, expiring, revocable (DECISIONS X51)."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Q, QuerySet

from apps.accounts.models import BearerToken, User
from apps.activity.kinds import Kind
from apps.activity.selectors import has_used_token_from
from apps.activity.services import record
from apps.common.client_address import client_address, truncated
from apps.common.errors import Conflict, NotFound
from apps.common.request_log import current_request

TOKEN_BYTES = 32
MAX_TOKENS = 100  # valid ones per account; a client that needs more never reuses one
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
    with transaction.atomic():
        made = BearerToken.objects.create(
            user=user,
            name=name,
            scope=scope,
            digest=digest_of(token),
            created_at=now,
            expires_at=now + (lifetime or settings.BEARER_TOKEN_LIFETIME),
        )
        about = ("token", made.public_id)
        record(Kind.TOKEN_CREATED, account=user, actor=user, about=about, scope=scope, now=now)
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
    if BearerToken.objects.filter(stale, pk=found.pk).update(last_used_at=now):
        _note_address(found, now)
    return found


def _note_address(token: BearerToken, now: datetime) -> None:
    """Log the first use of a token from another network, which may be the use of a copied one."""
    request = current_request()
    address = truncated(client_address(request)) if request else ""
    user, about = token.user, ("token", token.public_id)
    if address and not has_used_token_from(
        account_id=user.pk, token_id=token.public_id, address=address
    ):
        record(Kind.TOKEN_AT_NEW_ADDRESS, account=user, actor=user, about=about, now=now)


def tokens_of(user: User, *, now: datetime) -> QuerySet[BearerToken]:
    """The user's valid tokens, newest first."""
    return BearerToken.objects.filter(user=user, expires_at__gt=now).order_by("-created_at", "-pk")


def revoke_token(*, token: str) -> None:
    for found in BearerToken.objects.filter(digest=digest_of(token)).select_related("user"):
        _revoke(found, by=found.user)


def _revoke(token: BearerToken, *, by: User | None = None) -> None:
    with transaction.atomic():
        about = ("token", token.public_id)
        token.delete()
        record(Kind.TOKEN_REVOKED, account=token.user, actor=by, about=about)


def revoke_listed_token(*, user: User, token_id: UUID) -> None:
    """Revoke one of the user's tokens. Raises NotFound for any other token."""
    found = BearerToken.objects.filter(user=user, public_id=token_id).first()
    if found is None:
        raise NotFound(UNKNOWN_TOKEN)
    _revoke(found)


def revoke_all_tokens(*, user: User) -> None:
    with transaction.atomic():
        revoked, _ = BearerToken.objects.filter(user=user).delete()
        if revoked:
            record(Kind.TOKENS_REVOKED, account=user, count=revoked)
