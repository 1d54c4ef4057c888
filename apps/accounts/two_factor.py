"""Second factors: who has one, and the rule that platform staff need one."""

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings

from apps.accounts.models import User

_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def has_second_factor(user: User) -> bool:
    """Whether the user has an authenticator app or a passkey. Recovery codes don't count."""
    return bool(is_mfa_enabled(user, _FACTORS))


def has_staff_access(user: User) -> bool:
    """Whether this account has staff rights now: it is active staff and has a second factor.

    Only the demo's own staff account works without one, and only in the demo.
    """
    if not user.is_staff or not user.is_active:
        return False
    in_demo = settings.DEMO and user.email.lower() == settings.DEMO_STAFF_EMAIL
    return in_demo or has_second_factor(user)
