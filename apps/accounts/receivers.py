"""Receivers of django-allauth's signals; connected when the app is ready.

They guard an account that gets its first second factor, and log what django-allauth does by itself.
See https://docs.allauth.org/en/latest/account/signals.html, and mfa and socialaccount beside it.
"""

from typing import Any

from allauth.account import signals as account_signals
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa import signals
from allauth.mfa.models import Authenticator
from allauth.socialaccount import signals as social_signals
from allauth.usersessions.models import UserSession
from django.http import HttpRequest

from apps.accounts import emails as accounts_emails
from apps.accounts.known_devices import known_device
from apps.accounts.models import User
from apps.accounts.services.tokens import revoke_all_tokens
from apps.accounts.step_up import SECOND_FACTOR
from apps.accounts.two_factor import FACTORS
from apps.activity.kinds import Kind
from apps.activity.models import Outcome
from apps.activity.selectors import has_signed_in_like_this
from apps.activity.services import record, record_repeated
from apps.common.browsers import browser_name
from apps.common.client_address import client_address, truncated


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


# --- the activity log -----------------------------------------------------------------------------
def log_sign_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Log a complete sign-in; from a new device, tell the account's owner."""
    records = get_authentication_records(request, user)
    method = records[-1]["method"] if records else "other"
    address = truncated(client_address(request))
    device = browser_name(request.headers.get("User-Agent", ""))
    like_this = has_signed_in_like_this(account=user, device=device, address=address)
    is_new = like_this is False and not known_device(request, email=user.email)
    kind = Kind.NEW_DEVICE if is_new else Kind.SIGNED_IN
    record(kind, account=user, actor=user, method=method)
    if is_new:
        accounts_emails.queue_notice(accounts_emails.NEW_DEVICE, to=user.email, device=device)


def log_second_factor(sender: Any, user: User, authenticator: Authenticator, **_: Any) -> None:
    is_codes = authenticator.type == Authenticator.Type.RECOVERY_CODES
    kind = Kind.RECOVERY_CODES_CREATED if is_codes else Kind.SECOND_FACTOR_ADDED
    record(kind, account=user, type=str(authenticator.type))


def log_second_factor_removed(
    sender: Any, user: User, authenticator: Authenticator, **_: Any
) -> None:
    record(Kind.SECOND_FACTOR_REMOVED, account=user, type=str(authenticator.type))


def log_wrong_code(sender: Any, user: User, **_: Any) -> None:
    record_repeated(
        Kind.SECOND_FACTOR_FAILED, key=str(user.pk), account=user, outcome=Outcome.FAILURE
    )


def log_social_sign_up(sender: Any, user: User, **extra: Any) -> None:
    """Log an account that django-allauth created. `services.accounts` logs those that we create."""
    if "sociallogin" in extra:
        provider = extra["sociallogin"].account.provider
        record(Kind.ACCOUNT_CREATED, account=user, actor=user, provider=provider)


def log_social_account(sender: Any, sociallogin: Any, **_: Any) -> None:
    provider = sociallogin.account.provider
    record(Kind.SOCIAL_ACCOUNT_ADDED, account=sociallogin.user, provider=provider)


def log_social_account_removed(sender: Any, socialaccount: Any, **_: Any) -> None:
    provider = socialaccount.provider
    record(Kind.SOCIAL_ACCOUNT_REMOVED, account=socialaccount.user, provider=provider)


def log_email_confirmed(sender: Any, email_address: Any, **_: Any) -> None:
    record(Kind.EMAIL_CONFIRMED, account=email_address.user)


def log_email_changed(sender: Any, user: User, **_: Any) -> None:
    record(Kind.EMAIL_CHANGED, account=user)


def connect() -> None:
    signals.authenticator_added.connect(guard_account, dispatch_uid="accounts.guard_account")
    for signal, receiver in (
        (account_signals.user_logged_in, log_sign_in),
        (account_signals.user_signed_up, log_social_sign_up),
        (account_signals.email_confirmed, log_email_confirmed),
        (account_signals.email_changed, log_email_changed),
        (signals.authenticator_added, log_second_factor),
        (signals.authenticator_reset, log_second_factor),
        (signals.authenticator_removed, log_second_factor_removed),
        (signals.authentication_failed, log_wrong_code),
        (social_signals.social_account_added, log_social_account),
        (social_signals.social_account_removed, log_social_account_removed),
    ):
        signal.connect(receiver, dispatch_uid=f"accounts.{receiver.__name__}.{id(signal)}")
