"""Opening an account, with the addresses django-allauth keeps beside it."""

from uuid import UUID

from allauth.account.internal.flows.signup import complete_signup
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common.errors import Conflict, FieldError

ALREADY_REGISTERED = "Email Already Registered"  # T64
# Beside the headline: what the person can do about it.
KNOWN_ADDRESS = "There is an account with this e-mail. Sign in, or reset your password."


class AlreadyRegistered(Conflict):
    """The e-mail has an account; said only behind the bot check and the limits (X41)."""

    code = "already_registered"

    def __init__(self) -> None:
        super().__init__(ALREADY_REGISTERED, fields=[FieldError("email", KNOWN_ADDRESS)])


def account_for_email(email: str) -> User | None:
    """The account whose e-mail this is, whatever its case."""
    try:
        return User.objects.get_by_natural_key(email.strip())
    except User.DoesNotExist:
        return None


def create_account(
    *, email: str, name: str, password: str | None = None, confirmed: bool, role: str = "user"
) -> User:
    """A new account; without a password until one is set.

    `confirmed` says that the person has shown the address to be theirs. Raises AlreadyRegistered,
    also when another request was first by a moment.
    """
    address = email.strip().lower()
    if account_for_email(address) is not None:
        raise AlreadyRegistered
    try:
        with transaction.atomic():
            user = User(email=address, name=name.strip(), role=role)
            user.set_password(password)
            user.save(force_insert=True)
            EmailAddress.objects.create(user=user, email=address, verified=confirmed, primary=True)
    except IntegrityError as error:
        raise AlreadyRegistered from error
    return user


def is_confirmed(*users: User | UUID) -> bool:
    """Whether an account's e-mail has been shown to be its owner's (DECISIONS X40); one of them."""
    confirmed = EmailAddress.objects.filter(user__in=users, primary=True, verified=True)
    return bool(confirmed.exists())


def welcome(*, request: HttpRequest, user: User) -> None:
    """Sign a new account in, under a new session key.

    An address that is not confirmed yet gets its letter on the way.
    """
    complete_signup(request, user=user, email_verification=None)
