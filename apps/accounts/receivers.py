"""Receivers of django-allauth's signals about second factors; connected when the app is ready.

See https://docs.allauth.org/en/latest/mfa/signals.html.
"""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa import signals
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.services.tokens import revoke_all_tokens
from apps.accounts.step_up import SECOND_FACTOR
from apps.accounts.two_factor import FACTORS


def guard_account(
    sender: Any, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """End what was opened without the account's first factor: other sessions and bearer tokens.

    This session has just used the new factor, so it counts as having passed it.
    """
    if authenticator.type not in FACTORS:
        return
    record_authentication(request, user, method=SECOND_FACTOR, type=authenticator.type)
    others = Authenticator.objects.filter(user=user, type__in=FACTORS).exclude(pk=authenticator.pk)
    if not others.exists():
        revoke_all_tokens(user=user)
        own = request.session.session_key
        for session in UserSession.objects.filter(user=user).exclude(session_key=own):
            session.end()


def connect() -> None:
    signals.authenticator_added.connect(guard_account, dispatch_uid="accounts.guard_account")
