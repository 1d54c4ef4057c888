"""Passwords: rules, setting and changing one, and resetting a forgotten one (DECISIONS X39).

Every password change ends all other sessions and revokes all other bearer tokens.
"""

from dataclasses import dataclass

from allauth.account.forms import UserTokenForm, default_token_generator
from allauth.account.internal.flows import password_change, password_reset
from allauth.account.internal.flows.email_verification import verify_email_indirectly
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from apps.accounts import rate_limits
from apps.accounts.breached_passwords import is_breached
from apps.accounts.models import User
from apps.accounts.services.accounts import is_confirmed
from apps.accounts.services.tokens import revoke_all_tokens
from apps.accounts.step_up import is_by_token, require_step_up
from apps.accounts.two_factor import has_second_factor
from apps.activity.kinds import Kind
from apps.activity.models import Outcome
from apps.activity.services import record, record_repeated
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid
from apps.common.request_log import account_id_of, current_request

SHORTEST_AT_REGISTRATION = 6
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128

TOO_SHORT_AT_REGISTRATION = "Password must be at least 6 characters"
TOO_SHORT = "Password must be at least 8 characters long"
TOO_LONG = "Password must not exceed 128 characters"
TOO_COMMON = "That password is too common. Choose another."
TOO_OBVIOUS = "That password is too easy to guess for this site. Choose another."
BREACHED = "That password was part of a data breach. Choose another."
# A password that is one of these with only digits and signs added is refused (OWASP ASVS 5, 6.1.2).
OBVIOUS_WORDS = frozenset(
    [
        "admin",
        "administrator",
        "chef",
        "dinner",
        "fullybooked",
        "fullybookedadmin",
        "guest",
        "kitchen",
        "manager",
        "menu",
        "myrestaurant",
        "order",
        "orders",
        "owner",
        "password",
        "preorder",
        "preorders",
        "restaurant",
        "restaurantowner",
        "special",
        "specials",
        "staff",
        "welcome",
    ]
)
REQUIRED_TITLE = "Password Required"
REQUIRED = "Please enter a new password."
TOO_SHORT_TITLE = "Password Too Short"
TOO_SHORT_SENTENCE = "Password must be at least 8 characters long."
WRONG_PASSWORD = "That's not your current password. Try again."
INVALID_RESET = "This reset link is invalid or has expired. Request a new one."


@dataclass(frozen=True, slots=True)
class PasswordError:
    """Why a new password is rejected: a headline, and the message for its field."""

    title: str
    sentence: str

    def raised(self, field: str = "password") -> Invalid:
        return Invalid(self.title, fields=[FieldError(field, self.sentence)])


def _is_common(password: str) -> bool:
    try:
        CommonPasswordValidator().validate(password)
    except ValidationError:
        return True
    return False


def _is_obvious(password: str) -> bool:
    return "".join(filter(str.isalpha, password.lower())) in OBVIOUS_WORDS


def password_error(
    password: str, *, shortest: int = SHORTEST_PASSWORD, too_short: str = TOO_SHORT
) -> str | None:
    """The error message for this password, or None if it is acceptable.

    `shortest` is in characters and `too_short` the message below it.
    """
    if len(password) < shortest:
        return too_short
    if len(password) > LONGEST_PASSWORD:
        return TOO_LONG
    if _is_common(password):
        return TOO_COMMON
    if _is_obvious(password):
        return TOO_OBVIOUS
    return BREACHED if is_breached(password) else None


def new_password_error(password: str) -> PasswordError | None:
    """Like `password_error`, for the dialogs that set a password and show a headline too."""
    if not password:
        return PasswordError(REQUIRED_TITLE, REQUIRED)
    if len(password) < SHORTEST_PASSWORD:
        return PasswordError(TOO_SHORT_TITLE, TOO_SHORT_SENTENCE)
    sentence = password_error(password)
    return PasswordError(sentence, sentence) if sentence else None


def store_password(*, user: User, password: str) -> None:
    """Save the password hash and revoke all bearer tokens.

    Sessions end by themselves: each contains a hash of the password it was created with.
    """
    request = current_request()
    is_reset = request is not None and not account_id_of(request)
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        revoke_all_tokens(user=user)
        record(Kind.PASSWORD_RESET if is_reset else Kind.PASSWORD_CHANGED, account=user)


def set_password(
    *, request: HttpRequest, user: User, password: str, current_password: str = ""
) -> None:
    """Set or change the signed-in user's password. They stay signed in.

    Needs the current password or a step-up; where a second factor is on, a step-up. Raises Invalid
    (with the headline of the password dialogs), ReauthenticationRequired, and TooManyAttempts.
    """
    error = new_password_error(password)
    if error:
        raise error.raised()
    rate_limits.PASSWORD_CHANGES.count(str(user.pk))
    had_one = user.has_usable_password()
    if not (had_one and current_password and _is_enough(request, user, current_password)):
        require_step_up(request, user)
    store_password(user=user, password=password)
    # Keeps this session under a new key, ends the others, and sends the email.
    if had_one:
        password_change.finalize_password_change(request, user)
    else:
        password_change.finalize_password_set(request, user)


def _drop_what_others_attached(user: User) -> None:
    """Remove second factors and social accounts of an account that was never confirmed.

    Until its email is confirmed, an account may belong to somebody else who typed the address.
    Whoever reads that mailbox takes the account over with a reset, so nothing that was attached
    before stays.
    """
    for rows, kind in (
        (Authenticator.objects.filter(user=user), Kind.SECOND_FACTOR_REMOVED),
        (SocialAccount.objects.filter(user=user), Kind.SOCIAL_ACCOUNT_REMOVED),
    ):
        with transaction.atomic():
            count, _ = rows.delete()
            if count:
                record(kind, account=user, count=count)


def _is_enough(request: HttpRequest, user: User, current_password: str) -> bool:
    """Whether the current password is right and proves enough. Raises Invalid for a wrong one."""
    if is_by_token(request) or has_second_factor(user):
        return False
    rate_limits.FAILED_SIGN_INS.check(user.email)
    if not user.check_password(current_password[: LONGEST_PASSWORD + 1]):
        rate_limits.FAILED_SIGN_INS.record(user.email)
        record_repeated(
            Kind.CONFIRMATION_FAILED, key=str(user.pk), account=user, outcome=Outcome.FAILURE
        )
        raise Invalid(WRONG_PASSWORD, fields=[FieldError("currentPassword", WRONG_PASSWORD)])
    return True


# --- reset ----------------------------------------------------------------------------------------
def reset_token(user: User) -> str:
    """The token of a reset link. A changed password or email, or one hour, invalidates it."""
    return f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"


def user_for_reset(email: str) -> User | None:
    """The account whose password can be reset through this email, or None."""
    found = filter_users_by_email(email.strip(), is_active=True, prefer_verified=True)
    return found[0] if found else None


def user_for_reset_token(token: str) -> User | None:
    """The account of this reset token, or None if it is invalid, used, or expired."""
    uid, _, key = token.partition("-")
    form = UserTokenForm(data={"uidb36": uid, "key": key})
    if "\x00" in token or not form.is_valid():
        return None
    user = form.reset_user
    return user if isinstance(user, User) and user.is_active else None


def reset_password(*, request: HttpRequest, token: str, password: str) -> User:
    """Choose a new password with a reset link. Ends every session and bearer token.

    Also confirms the email, since the link was read there. Raises Invalid.
    """
    user = user_for_reset_token(token)
    if user is None:
        raise Invalid(
            INVALID_RESET, code=ErrorCode.INVALID_LINK, fields=[FieldError("token", INVALID_RESET)]
        )
    sentence = password_error(password)
    if sentence:
        raise Invalid(sentence, fields=[FieldError("password", sentence)])
    if not is_confirmed(user):
        _drop_what_others_attached(user)
    password_reset.reset_password(user, password)
    verify_email_indirectly(request, user, user.email)
    password_reset.finalize_password_reset(request, user, user.email)
    rate_limits.FAILED_SIGN_INS.forget(user.email)
    return user
