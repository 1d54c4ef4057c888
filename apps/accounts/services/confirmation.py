"""Showing that an address is one's own, before there is an account or after (S22, S27, D24).

A link works once and for 24 hours, whatever it was sent for.
"""

import secrets
from datetime import datetime
from urllib.parse import urlencode

from allauth.account.internal.flows.email_verification import verify_email
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from apps.accounts import emails as accounts_emails
from apps.accounts.models import EmailConfirmation, User
from apps.accounts.services.accounts import AlreadyRegistered, account_for_email, is_confirmed
from apps.accounts.services.tokens import TOKEN_BYTES, digest_of
from apps.common.errors import FieldError, Invalid

SENT = "We sent you a letter with a link. Open it within 24 hours to go on."
INVALID_LINK = "Invalid Confirmation Link"  # T66
LINK_ENDED = "This link is wrong, used or older than 24 hours. Ask for a new one."
LINK_PATH = "/verify-email"


class InvalidLink(Invalid):
    code = "invalid_link"

    def __init__(self) -> None:
        super().__init__(INVALID_LINK, fields=[FieldError("token", LINK_ENDED)])


def request_confirmation(*, email: str, now: datetime) -> None:
    """Send a link to this address, which has no account or one that is not confirmed yet.

    Raises AlreadyRegistered for any other, and tells the account's owner by letter: they may have
    forgotten that they have one, or somebody else may be trying.
    """
    address = email.strip().lower()
    user = account_for_email(address)
    if user is not None and is_confirmed(user):
        accounts_emails.queue_email(accounts_emails.ALREADY_REGISTERED, to=address)
        raise AlreadyRegistered
    send_link(email=address, now=now, has_account=user is not None)


def is_pending(email: str) -> bool:
    """Whether a letter went to this address already, so that another one may follow it."""
    return EmailConfirmation.objects.filter(email=email.strip().lower()).exists()


def send_link(*, email: str, now: datetime, has_account: bool) -> None:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    EmailConfirmation.objects.create(
        email=email,
        digest=digest_of(token),
        created_at=now,
        expires_at=now + settings.EMAIL_CONFIRMATION_LIFETIME,
    )
    link = f"{LINK_PATH}?{urlencode({'token': token, 'email': email})}"
    kind = accounts_emails.CONFIRM_ACCOUNT if has_account else accounts_emails.CONFIRM_ADDRESS
    accounts_emails.queue_email(kind, to=email, path=link)


def use_link(*, email: str, token: str, now: datetime) -> str:
    """Spend the link; answers the address it confirms. Raises InvalidLink.

    Two requests with one link: the row can be deleted once.
    """
    address = email.strip().lower()
    found = EmailConfirmation.objects.filter(
        email=address, digest=digest_of(token), expires_at__gt=now
    )
    spent, _ = found.delete()
    if not spent:
        raise InvalidLink
    EmailConfirmation.objects.filter(email=address).delete()  # earlier letters to it
    return address


def confirm_account(*, request: HttpRequest, user: User) -> None:
    """Mark the account's e-mail as confirmed."""
    address, _ = EmailAddress.objects.get_or_create(
        user=user, email=user.email.lower(), defaults={"primary": True}
    )
    if not address.verified:
        verify_email(request, address)


@transaction.atomic
def replace_unconfirmed(*, user: User, email: str, now: datetime) -> None:
    """Another address for an account that has not shown any to be its own: at once, since there is
    none to keep, and with a letter to the new one. Raises AlreadyRegistered."""
    address = email.strip().lower()
    other = account_for_email(address)
    if other is not None and other != user:
        raise AlreadyRegistered
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=address, primary=True)
    user.email = address
    user.save(update_fields=["email"])
    send_link(email=address, now=now, has_account=True)


def forget_expired(*, now: datetime) -> int:
    """Delete the links whose time is over; how many there were."""
    ended, _ = EmailConfirmation.objects.filter(expires_at__lte=now).delete()
    return ended
