"""Account emails: their kinds, queueing them, and sending them from a worker.

The text of each kind is in `templates/accounts/emails/<kind>.txt`.
"""

from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from functools import partial
from zoneinfo import ZoneInfo

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from apps.common import clock, formats
from apps.common.background import after_commit
from apps.common.emails import EmailAction, platform_email
from apps.common.errors import Unavailable
from apps.common.links import platform_url

NOT_SENT = "We couldn't send the email. Try again in a minute."

CONFIRM_ADDRESS = "confirm_address"
CONFIRM_ACCOUNT = "confirm_account"
CONFIRM_CHANGE = "confirm_change"
ALREADY_REGISTERED = "already_registered"
RESET_PASSWORD = "reset_password"
PASSWORD_CHANGED = "password_changed"
EMAIL_CHANGED = "email_changed"
SIGN_IN_CHANGED = "sign_in_changed"
NEW_DEVICE = "new_device"
ACCOUNT_DELETED = "account_deleted"
ACCOUNT_CREATED = "account_created"
CONTACT_US = "mailto:"  # completed with our From address
# About something that just happened, which the owner of the account compares with what they did.
DATED = frozenset({PASSWORD_CHANGED, EMAIL_CHANGED, SIGN_IN_CHANGED, NEW_DEVICE, ACCOUNT_DELETED})
UTC_ZONE = ZoneInfo("UTC")  # an account has no time zone


@dataclass(frozen=True, slots=True)
class AccountEmail:
    """An email's button, its default target (used without a `path`), and the reason it was sent;
    `link` is the text and the path of a second way on."""

    button: str
    path: str
    reason: str
    link: tuple[str, str] | None = None


_REASON_OWN_ACCOUNT = (
    "You're getting this email because this address belongs to a Fully Booked account."
)
_REASON_ADDRESS_ENTERED = (
    "You're getting this email because someone entered this address at Fully Booked."
)
_REASON_DELETED = (
    "You're getting this email because this address belonged to a Fully Booked account."
)
EMAIL_TEMPLATES = {
    CONFIRM_ADDRESS: AccountEmail("Confirm email", "/", _REASON_ADDRESS_ENTERED),
    CONFIRM_ACCOUNT: AccountEmail("Confirm email", "/", _REASON_OWN_ACCOUNT),
    CONFIRM_CHANGE: AccountEmail("Use this address", "/account", _REASON_ADDRESS_ENTERED),
    ALREADY_REGISTERED: AccountEmail(
        "Sign in", "/login", _REASON_ADDRESS_ENTERED, ("Reset your password", "/forgot-password")
    ),
    RESET_PASSWORD: AccountEmail("Choose a new password", "/login", _REASON_OWN_ACCOUNT),
    PASSWORD_CHANGED: AccountEmail("Reset your password", "/forgot-password", _REASON_OWN_ACCOUNT),
    EMAIL_CHANGED: AccountEmail("Contact us", CONTACT_US, _REASON_OWN_ACCOUNT),
    ACCOUNT_CREATED: AccountEmail("Choose a password", "/forgot-password", _REASON_OWN_ACCOUNT),
    ACCOUNT_DELETED: AccountEmail("Contact us", CONTACT_US, _REASON_DELETED),
    SIGN_IN_CHANGED: AccountEmail("Review your account", "/account", _REASON_OWN_ACCOUNT),
    NEW_DEVICE: AccountEmail("Review your account", "/account", _REASON_OWN_ACCOUNT),
}


def queue_email(kind: str, *, to: str, path: str = "", **facts: str) -> None:
    """Queue an email, to be sent after the current transaction commits.

    `path` is the target of its button on the platform's host. Raises Unavailable when the queue
    can't be reached.
    """
    transaction.on_commit(partial(_enqueue, "accounts.send_email", kind, to, path, _dated(facts)))


def queue_notice(kind: str, *, to: str, **facts: str) -> None:
    """Like `queue_email`, for an email whose cause must not fail because of it."""
    after_commit(current_app.tasks["accounts.send_email"], kind, to, "", _dated(facts))


def _dated(facts: dict[str, str]) -> dict[str, str]:
    """The facts with the time of what happened: the email may be sent later."""
    return {**facts, "at": clock.now().isoformat()}


def queue_password_reset(email: str) -> None:
    """Queue a password reset: a worker looks up the account and sends the email if there is one.

    The request takes equally long for every address, so timing reveals nothing (DECISIONS X41).
    """
    _enqueue("accounts.send_password_reset", email)


def _enqueue(task: str, *args: object) -> None:
    try:
        current_app.tasks[task].delay(*args)
    except OperationalError as error:
        raise Unavailable(NOT_SENT) from error


def send_email(kind: str, *, to: str, path: str = "", facts: dict[str, str] | None = None) -> None:
    """Render the email and send it now. Called by workers."""
    what = EMAIL_TEMPLATES[kind]
    facts = facts or {}
    at = facts.get("at") if kind in DATED else ""
    target = path or what.path
    url = (
        f"{CONTACT_US}{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
        if target == CONTACT_US
        else platform_url(target)
    )
    platform_email(
        f"accounts/emails/{kind}.txt",
        to=to,
        action=EmailAction(what.button, url),
        reason=what.reason,
        facts=facts,
        links=[EmailAction(what.link[0], platform_url(what.link[1]))] if what.link else [],
        listed=[
            *([("Before", facts["old"]), ("Now", facts["new"])] if "new" in facts else []),
            (
                "Email" if what.reason == _REASON_ADDRESS_ENTERED else "Account",
                "" if "new" in facts else to,
            ),
            ("Device", facts.get("device", "")),
            ("When", formats.moment(datetime.fromisoformat(at), UTC_ZONE) if at else ""),
        ],
    ).send()
