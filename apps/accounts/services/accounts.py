"""Creating accounts, along with the EmailAddress rows django-allauth needs."""

from uuid import UUID

from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common.errors import Conflict, FieldError

ALREADY_REGISTERED = "Email Already Registered"
# Shown with the headline above: what to do next.
KNOWN_ADDRESS = "You already have an account. Sign in, or reset your password."


class AlreadyRegistered(Conflict):
    """The email has an account. Only revealed behind the bot check and rate limits (X41)."""

    code = "already_registered"

    def __init__(self) -> None:
        super().__init__(ALREADY_REGISTERED, fields=[FieldError("email", KNOWN_ADDRESS)])


def account_for_email(email: str) -> User | None:
    """The account with this email, regardless of case."""
    try:
        return User.objects.get_by_natural_key(email.strip())
    except User.DoesNotExist:
        return None


def create_account(
    *, email: str, name: str, password: str | None = None, confirmed: bool, role: str = "user"
) -> User:
    """Create an account; without `password`, it has none until one is set.

    `confirmed` means that the email is known to be theirs. Raises AlreadyRegistered, also when a
    concurrent request created the account first.
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
    """Whether at least one of the accounts has a confirmed email (DECISIONS X40)."""
    confirmed = EmailAddress.objects.filter(user__in=users, primary=True, verified=True)
    return bool(confirmed.exists())


def welcome(*, request: HttpRequest, user: User) -> None:
    """Sign in a new account under a new session key.

    Also sends the confirmation email if the email isn't confirmed yet.
    """
    complete_signup(request, user=user, email_verification=None)
    record_authentication(request, user, method="signup")
