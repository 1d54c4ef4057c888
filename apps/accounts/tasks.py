"""Account tasks: sending emails."""

from smtplib import SMTPException
from urllib.parse import urlencode

from celery import shared_task

from apps.accounts import emails as accounts_emails
from apps.accounts.services.passwords import reset_token, user_for_reset
from apps.activity.kinds import Kind
from apps.activity.services import record

# With these pauses, an email server that is down is retried for about ten minutes.
EMAIL_SERVER_ERRORS = (SMTPException, OSError)
FIRST_RETRY_SECONDS = 10  # doubled each time
MAX_RETRIES = 6


@shared_task(
    name="accounts.send_email",
    autoretry_for=EMAIL_SERVER_ERRORS,
    retry_backoff=FIRST_RETRY_SECONDS,
    max_retries=MAX_RETRIES,
    time_limit=60,
)
def send_account_email(kind: str, to: str, path: str, facts: dict[str, str]) -> None:
    accounts_emails.send_email(kind, to=to, path=path, facts=facts)


@shared_task(
    name="accounts.send_password_reset",
    autoretry_for=EMAIL_SERVER_ERRORS,
    retry_backoff=FIRST_RETRY_SECONDS,
    max_retries=MAX_RETRIES,
    time_limit=60,
)
def send_password_reset_email(email: str) -> None:
    """Send a reset link; nothing is sent to an address without an account."""
    user = user_for_reset(email)
    if user is None:
        return
    record(Kind.PASSWORD_RESET_SENT, account=user, by_guest=True)
    path = f"/reset-password?{urlencode({'token': reset_token(user)})}"
    accounts_emails.send_email(
        accounts_emails.RESET_PASSWORD, to=user.email, path=path, facts={"name": user.name}
    )
