"""Email confirmation, before or after there is an account.

A link works once, for 24 hours.
"""

import secrets
from datetime import datetime
from urllib.parse import urlencode

from allauth.account import signals
from allauth.account.internal.flows.email_verification import verify_email
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from apps.accounts import emails as accounts_emails
from apps.accounts.models import EmailConfirmation, User
from apps.accounts.services.accounts import AlreadyRegistered, account_for_email, is_confirmed
from apps.accounts.services.tokens import TOKEN_BYTES, digest_of
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid

SENT = "Check your email for a link. It works for 24 hours."
INVALID_LINK = "Invalid Confirmation Link"
LINK_ENDED = "This link is invalid, used, or more than 24 hours old. Request a new one."
LINK_PATH = "/verify-email"


class InvalidLink(Invalid):
    code = ErrorCode.INVALID_LINK

    def __init__(self) -> None:
        super().__init__(INVALID_LINK, fields=[FieldError("token", LINK_ENDED)])


def request_confirmation(*, email: str, now: datetime) -> None:
    """Send a confirmation link, if the email has no account or an unconfirmed one.

    Otherwise raises AlreadyRegistered and emails the account's owner, who may have forgotten the
    account or may want to know that someone else is trying.
    """
    address = email.strip().lower()
    user = account_for_email(address)
    if user is not None and is_confirmed(user):
        accounts_emails.queue_email(accounts_emails.ALREADY_REGISTERED, to=address)
        raise AlreadyRegistered
    send_link(email=address, now=now, has_account=user is not None)


def is_pending(email: str) -> bool:
    """Whether a confirmation email was already sent to this address."""
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
    """Use up the link and return the email it confirms. Raises InvalidLink.

    Of two requests with the same link, only one can delete the row.
    """
    address = email.strip().lower()
    found = EmailConfirmation.objects.filter(
        email=address, digest=digest_of(token), expires_at__gt=now
    )
    spent, _ = found.delete()
    if not spent:
        raise InvalidLink
    EmailConfirmation.objects.filter(email=address).delete()  # earlier links to the same address
    return address


def confirm_account(*, request: HttpRequest, user: User) -> None:
    """Mark the account's email as confirmed."""
    address, _ = EmailAddress.objects.get_or_create(
        user=user, email=user.email.lower(), defaults={"primary": True}
    )
    if not address.verified:
        verify_email(request, address)


@transaction.atomic
def replace_unconfirmed(*, request: HttpRequest, user: User, email: str, now: datetime) -> None:
    """Change the email of an account whose email was never confirmed.

    The change takes effect immediately, and a confirmation link goes to the new email. Raises
    AlreadyRegistered.
    """
    address = email.strip().lower()
    other = account_for_email(address)
    if other is not None and other != user:
        raise AlreadyRegistered
    former = EmailAddress.objects.filter(user=user, primary=True).first()
    EmailAddress.objects.filter(user=user).delete()
    current = EmailAddress.objects.create(user=user, email=address, primary=True)
    user.email = address
    user.save(update_fields=["email"])
    signals.email_changed.send(
        sender=User,
        request=request,
        user=user,
        from_email_address=former,
        to_email_address=current,
    )
    send_link(email=address, now=now, has_account=True)
