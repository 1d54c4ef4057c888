"""Creating accounts, along with the EmailAddress rows django-allauth needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from apps.accounts import emails as accounts_emails
from apps.accounts import rate_limits
from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import Conflict, FieldError

ALREADY_REGISTERED = "Email Already Registered"
# Shown with the headline above: what to do next.
KNOWN_ADDRESS = "You already have an account. Sign in, or reset your password."


class AlreadyRegistered(Conflict):
    """The email has an account. Only revealed behind the bot check and rate limits (X41)."""

    code = ErrorCode.ALREADY_REGISTERED

    def __init__(self) -> None:
        super().__init__(
            ALREADY_REGISTERED, fields=[FieldError("email", KNOWN_ADDRESS, FieldErrorCode.TAKEN)]
        )


@contextmanager
def rate_limited_discovery(network: str) -> Iterator[None]:
    """Around registering: an IP address that has found a few existing accounts learns of no more.

    Raises TooManyAttempts whether or not the email is known.
    """
    rate_limits.KNOWN_EMAILS_BY_ADDRESS.check(network)
    try:
        yield
    except AlreadyRegistered:
        rate_limits.KNOWN_EMAILS_BY_ADDRESS.record(network)
        raise


@contextmanager
def telling_owner(email: str) -> Iterator[None]:
    """Around registering, outside its transaction: tell the owner of a known email, who may have
    forgotten the account or want to know that someone else is trying."""
    try:
        yield
    except AlreadyRegistered:
        if rate_limits.EMAILS_PER_RECIPIENT.record(email) <= rate_limits.EMAILS_PER_RECIPIENT.times:
            accounts_emails.queue_email(
                accounts_emails.ALREADY_REGISTERED, to=email.strip().lower()
            )
        raise


def account_for_email(email: str) -> User | None:
    """The account with this email, regardless of case."""
    try:
        return User.objects.get_by_natural_key(email.strip())
    except User.DoesNotExist:
        return None


def create_account(
    *,
    email: str,
    name: str,
    password: str | None = None,
    confirmed: bool,
    role: str = "user",
    by: User | None = None,
) -> User:
    """Create an account; without `password`, it has none until one is set.

    `confirmed` means that the email is known to be theirs. `by` is the member of staff who creates
    it for somebody. Raises AlreadyRegistered, even if a concurrent request created the account
    first.
    """
    address = email.strip().lower()
    user = User(email=address, name=name.strip(), role=role)
    user.set_password(password)  # first, so that a known address takes as long to refuse
    if account_for_email(address) is not None:
        raise AlreadyRegistered
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            EmailAddress.objects.create(user=user, email=address, verified=confirmed, primary=True)
            # Without `by`, staff are created by a command.
            actor = by or (None if user.is_staff else user)
            record(Kind.ACCOUNT_CREATED, account=user, actor=actor, role=role)
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
