"""Who has a second factor, and who must have one before acting as the platform's staff."""

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings

from apps.accounts.models import User
from apps.common.errors import Forbidden

SET_IT_UP = "Staff need a second factor. Add one on your account page, then come back."
NOT_STAFF = "You may not do that with this account."
_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def has_second_factor(user: User) -> bool:
    """An authenticator app or a passkey; recovery codes alone are none."""
    return bool(is_mfa_enabled(user, _FACTORS))


def has_staff_access(user: User) -> bool:
    """Whether this account may do what staff may: it is staff's and has a second factor.

    The demo's own staff account does without, in the demo alone.
    """
    if not user.is_staff or not user.is_active:
        return False
    in_demo = settings.DEMO and user.email.lower() == settings.DEMO_STAFF_EMAIL
    return in_demo or has_second_factor(user)


def require_staff(user: object) -> None:
    """Raises Forbidden, which says to set up a second factor where that is all that is missing."""
    if not isinstance(user, User) or not user.is_staff:
        raise Forbidden(NOT_STAFF)
    if not has_staff_access(user):
        raise Forbidden(SET_IT_UP)
