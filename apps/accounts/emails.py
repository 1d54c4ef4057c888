"""The letters about an account: which there are, and handing one to a worker.

What a letter says stands in `templates/accounts/emails/<kind>.txt`; a worker writes and sends it.
"""

from dataclasses import dataclass
from email.utils import parseaddr
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from apps.common.emails import EmailAction, platform_email
from apps.common.errors import Unavailable
from apps.common.links import platform_url

NOT_SENT = "We could not send the letter just now. Try again in a minute."

CONFIRM_ADDRESS = "confirm_address"
CONFIRM_ACCOUNT = "confirm_account"
CONFIRM_CHANGE = "confirm_change"
ALREADY_REGISTERED = "already_registered"
RESET_PASSWORD = "reset_password"
PASSWORD_CHANGED = "password_changed"
EMAIL_CHANGED = "email_changed"
SIGN_IN_CHANGED = "sign_in_changed"
WRITE_TO_US = "mailto:"  # whom our letters come from


@dataclass(frozen=True, slots=True)
class AccountEmail:
    """A letter's button, where it leads unless the letter brings a link, and why one gets it."""

    button: str
    path: str
    reason: str


_YOURS = "You get this letter because this address belongs to an account at Fully Booked."
_TYPED = "You get this letter because somebody typed this address at Fully Booked."
EMAIL_TEMPLATES = {
    CONFIRM_ADDRESS: AccountEmail("Confirm your address", "/", _TYPED),
    CONFIRM_ACCOUNT: AccountEmail("Confirm your address", "/", _YOURS),
    CONFIRM_CHANGE: AccountEmail("Use this address", "/account", _TYPED),
    ALREADY_REGISTERED: AccountEmail("Sign in", "/login", _TYPED),
    RESET_PASSWORD: AccountEmail("Choose a new password", "/login", _YOURS),
    PASSWORD_CHANGED: AccountEmail("Reset your password", "/forgot-password", _YOURS),
    EMAIL_CHANGED: AccountEmail("Write to us", WRITE_TO_US, _YOURS),
    SIGN_IN_CHANGED: AccountEmail("See your account", "/account", _YOURS),
}


def queue_email(kind: str, *, to: str, path: str = "", **facts: str) -> None:
    """Let a worker send the letter, once what it tells of is committed.

    `path` is where its button leads on the platform's host. Raises Unavailable when the queue does
    not answer: the person can ask again.
    """
    transaction.on_commit(partial(_enqueue, "accounts.send_letter", kind, to, path, facts))


def queue_password_reset(email: str) -> None:
    """Let a worker look whether this address has an account, and write to it if so.

    Here every address costs the same, so the answer's time tells nothing (DECISIONS X41).
    """
    _enqueue("accounts.send_password_reset", email)


def _enqueue(task: str, *args: object) -> None:
    try:
        current_app.tasks[task].delay(*args)
    except OperationalError as error:
        raise Unavailable(NOT_SENT) from error


def send_email(kind: str, *, to: str, path: str = "", facts: dict[str, str] | None = None) -> None:
    """Write the letter and give it to the mail server."""
    what = EMAIL_TEMPLATES[kind]
    target = path or what.path
    url = (
        f"{WRITE_TO_US}{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
        if target == WRITE_TO_US
        else platform_url(target)
    )
    platform_email(
        f"accounts/emails/{kind}.txt",
        to=to,
        action=EmailAction(what.button, url),
        reason=what.reason,
        facts=facts,
    ).send()
