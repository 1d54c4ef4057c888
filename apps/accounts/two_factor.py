"""Second factors: who has one."""

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled

from apps.accounts.models import User

FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def has_second_factor(user: User) -> bool:
    """Whether the user has an authenticator app or a passkey. Recovery codes don't count."""
    return bool(is_mfa_enabled(user, FACTORS))
