"""Ending sessions: one device, all others, or all."""

from allauth.usersessions.internal.flows.sessions import end_other_sessions
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from apps.accounts.models import BearerToken, User
from apps.accounts.services.tokens import revoke_all_tokens
from apps.activity.kinds import Kind
from apps.activity.services import record


@transaction.atomic
def end_session(session: UserSession) -> None:
    """Sign out the device of this session."""
    session.end()
    record(Kind.SESSION_ENDED, account=session.user)


@transaction.atomic
def end_other_sessions_and_tokens(*, request: HttpRequest, user: User) -> None:
    """Sign out all devices but the request's, and revoke every bearer token."""
    revoke_all_tokens(user=user)
    end_other_sessions(request, user)
    record(Kind.SESSIONS_ENDED, account=user)


@transaction.atomic
def end_all_sessions_and_tokens(*, user: User) -> int:
    """Sign out every device of the account and revoke its bearer tokens. Returns how many."""
    sessions = list(UserSession.objects.filter(user=user))
    count = len(sessions) + BearerToken.objects.filter(user=user).count()
    revoke_all_tokens(user=user)
    for session in sessions:
        session.end()  # together with what the cache has of it
    if count:
        record(Kind.SESSIONS_ENDED, account=user, count=count)
    return count
