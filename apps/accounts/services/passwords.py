"""Choosing a password, changing it and getting back in without it (DECISIONS X39).

However a password changes, what the old one opened is shut: every session but the one at work, and
every bearer token but the one that asked.
"""

from dataclasses import dataclass

from allauth.account.forms import UserTokenForm, default_token_generator
from allauth.account.internal.flows import password_change, password_reset
from allauth.account.internal.flows.email_verification import verify_email_indirectly
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from apps.accounts import rate_limits
from apps.accounts.models import User
from apps.accounts.services.tokens import revoke_all_tokens
from apps.common.errors import FieldError, Invalid

SHORTEST_AT_REGISTRATION = 6  # C21
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128

TOO_SHORT_AT_REGISTRATION = "Password must be at least 6 characters"  # V32
TOO_SHORT = "Password must be at least 8 characters long"  # V44
TOO_LONG = "Password must not exceed 128 characters"  # V42
TOO_COMMON = "This password is one of the first that others try. Choose another one."
REQUIRED_TITLE = "Password Required"  # V43, T74
REQUIRED = "Please enter a new password."
TOO_SHORT_TITLE = "Password Too Short"
TOO_SHORT_SENTENCE = "Password must be at least 8 characters long."
INVALID_RESET = "This reset link is invalid or has expired. Request a new one."  # T62


@dataclass(frozen=True, slots=True)
class PasswordError:
    """What is wrong with a password somebody wants: a headline, and the sentence for the field."""

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


def password_error(
    password: str, *, shortest: int = SHORTEST_PASSWORD, too_short: str = TOO_SHORT
) -> str | None:
    """The sentence to refuse this password with, or None when it will do."""
    if len(password) < shortest:
        return too_short
    if len(password) > LONGEST_PASSWORD:
        return TOO_LONG
    return TOO_COMMON if _is_common(password) else None


def new_password_error(password: str) -> PasswordError | None:
    """The same for the dialogs that set a password, with their headlines (V43, T74)."""
    if not password:
        return PasswordError(REQUIRED_TITLE, REQUIRED)
    if len(password) < SHORTEST_PASSWORD:
        return PasswordError(TOO_SHORT_TITLE, TOO_SHORT_SENTENCE)
    sentence = password_error(password)
    return PasswordError(sentence, sentence) if sentence else None


def store_password(*, user: User, password: str, stored_token: str | None = None) -> None:
    """Write the hash and revoke the tokens. The sessions end by themselves: each one remembers
    which password it was opened with."""
    user.set_password(password)
    user.save(update_fields=["password"])
    revoke_all_tokens(user=user, stored_token=stored_token)


def set_password(
    *, request: HttpRequest, user: User, password: str, stored_token: str | None = None
) -> None:
    """A first or a new password for the person who asks, who stays signed in (A23).

    Raises Invalid with the words of T74, and TooManyAttempts.
    """
    fault = new_password_error(password)
    if fault:
        raise fault.raised()
    rate_limits.PASSWORD_CHANGES.count(str(user.pk))
    had_one = user.has_usable_password()
    store_password(user=user, password=password, stored_token=stored_token)
    # Keeps this session under a new key, ends the others, and writes the letter.
    if had_one:
        password_change.finalize_password_change(request, user)
    else:
        password_change.finalize_password_set(request, user)


# --- forgotten ------------------------------------------------------------------------------------
def reset_token(user: User) -> str:
    """What the link in the letter carries; it ends with the password, the e-mail or an hour."""
    return f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"


def user_for_reset(email: str) -> User | None:
    """Whose password a letter to this address may reset."""
    found = filter_users_by_email(email.strip(), is_active=True, prefer_verified=True)
    return found[0] if found else None


def user_for_reset_token(token: str) -> User | None:
    """Whose link this is, or None when it is not one, was used or has expired."""
    uid, _, key = token.partition("-")
    form = UserTokenForm(data={"uidb36": uid, "key": key})
    if "\x00" in token or not form.is_valid():
        return None
    user = form.reset_user
    return user if isinstance(user, User) and user.is_active else None


def reset_password(*, request: HttpRequest, token: str, password: str) -> User:
    """Choose a new password with the link of a letter. Every session and every token ends.

    Having read the letter proves the address too. Raises Invalid.
    """
    user = user_for_reset_token(token)
    if user is None:
        raise Invalid(INVALID_RESET, fields=[FieldError("token", INVALID_RESET)])
    sentence = password_error(password)
    if sentence:
        raise Invalid(sentence, fields=[FieldError("password", sentence)])
    password_reset.reset_password(user, password)
    verify_email_indirectly(request, user, user.email)
    password_reset.finalize_password_reset(request, user, user.email)
    rate_limits.FAILED_SIGN_INS.forget(user.email)
    return user
