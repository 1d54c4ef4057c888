"""What django-allauth asks us: our letters, our password rules, our destinations."""

import base64
import hashlib
import logging
import os
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from apps.accounts import emails as accounts_emails
from apps.accounts.client_address import client_address
from apps.accounts.models import User
from apps.accounts.redirects import safe_destination
from apps.accounts.services import confirmation
from apps.accounts.services.accounts import account_for_email
from apps.accounts.services.passwords import password_error, store_password
from apps.common import clock

logger = logging.getLogger(__name__)

CHANGES = {
    "mfa/email/totp_activated": "An authenticator app was added",
    "mfa/email/totp_deactivated": "The authenticator app was removed",
    "mfa/email/recovery_codes_generated": "New recovery codes were made",
    "mfa/email/webauthn_added": "A passkey was added",
    "mfa/email/webauthn_removed": "A passkey was removed",
    "socialaccount/email/account_connected": "Another way to sign in was connected",
    "socialaccount/email/account_disconnected": "A way to sign in was disconnected",
}
PASSWORD_EMAILS = {
    "account/email/password_changed": "changed",
    "account/email/password_set": "set",
    "account/email/password_reset": "reset",
}


# What is said on the next page; what is not here is seen anyway.
SENTENCES = {
    "account/messages/email_confirmation_sent.txt": "A letter is on its way to {email}.",
    "account/messages/email_confirmed.txt": "{email} is confirmed.",
    "account/messages/email_confirmation_failed.txt": "{email} belongs to another account.",
    "account/messages/email_deleted.txt": "{email} is no longer used.",
    "account/messages/password_changed.txt": "Your password is changed.",
    "account/messages/password_set.txt": "Your password is set.",
    "mfa/messages/totp_activated.txt": "The authenticator app is switched on.",
    "mfa/messages/totp_deactivated.txt": "The authenticator app is removed.",
    "mfa/messages/recovery_codes_generated.txt": "Your new recovery codes are ready. Keep them.",
    "mfa/messages/webauthn_added.txt": "The passkey is added.",
    "mfa/messages/webauthn_removed.txt": "The passkey is removed.",
    "socialaccount/messages/account_connected.txt": "You can sign in that way now, too.",
    "socialaccount/messages/account_connected_updated.txt": "You can sign in that way, as before.",
    "socialaccount/messages/account_connected_other.txt": "That belongs to another account here.",
    "socialaccount/messages/account_disconnected.txt": "That way to sign in is closed.",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts known by their e-mail; what is told by letter is told in our own."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_taken": "There is an account with this e-mail. Use another one.",
        "incorrect_password": "That is not your password. Try again.",
        "enter_current_password": "That is not your present password. Try again.",
        "too_many_login_attempts": "Too many attempts. Wait 5 minutes and try again.",
        "rate_limited": "Too many attempts. Wait a minute and try again.",
        "incorrect_code": "That code is not right. Enter the one your app shows now.",
    }

    # --- people ---
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Accounts are opened by registering a restaurant, not on a page of allauth's."""
        return False

    def clean_password(self, password: str, user: Any = None) -> str:
        sentence = password_error(password)
        if sentence:
            raise ValidationError(sentence)
        return password

    def set_password(self, user: Any, password: str) -> None:
        store_password(user=user, password=password)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """False when an account was opened with the address since the letter went out."""
        owner = account_for_email(email_address.email)
        if owner is not None and owner != email_address.user:
            failed = "account/messages/email_confirmation_failed.txt"
            facts = {"email": email_address.email}
            self.add_message(request, messages.ERROR, failed, facts)
            return False
        return bool(super().confirm_email(request, email_address))

    def login(self, request: HttpRequest, user: Any) -> None:
        super().login(request, user)
        request.session.cycle_key()  # also when the same person signs in again

    # --- words ---
    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        sentence = message or SENTENCES.get(message_template or "", "")
        # An API call is answered by its answer, not by a page somebody may open later.
        if sentence and not request.path.startswith("/api/"):
            facts = message_context or {}
            messages.add_message(request, level, sentence.format(**facts), extra_tags=extra_tags)

    # --- where ---
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "0.0.0.0"

    def is_safe_url(self, url: str | None) -> bool:
        """DECISIONS X43: a path of our own site, in no other spelling."""
        return bool(url) and safe_destination(url) == url

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account" if self.request.user.is_authenticated else "login")

    # --- letters ---
    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """For a new account our own link (S22); for another address of an account allauth's."""
        address = emailconfirmation.email_address
        if signup:
            confirmation.send_link(email=address.email, now=clock.now(), has_account=True)
            return
        path = reverse("account_confirm_email", args=[emailconfirmation.key])
        accounts_emails.queue_email(
            accounts_emails.CONFIRM_CHANGE, to=address.email, path=path, name=address.user.name
        )

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Any,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        to = email or user.email
        if template_prefix in PASSWORD_EMAILS:
            what = PASSWORD_EMAILS[template_prefix]
            accounts_emails.queue_email(accounts_emails.PASSWORD_CHANGED, to=to, what=what)
        elif template_prefix == "account/email/email_changed" and context:
            accounts_emails.queue_email(
                accounts_emails.EMAIL_CHANGED,
                to=to,
                old=context["from_email"],
                new=context["to_email"],
            )
        elif template_prefix in CHANGES:
            accounts_emails.queue_email(
                accounts_emails.SIGN_IN_CHANGED, to=to, what=CHANGES[template_prefix]
            )

    def send_account_already_exists_mail(self, email: str) -> None:
        accounts_emails.queue_email(accounts_emails.ALREADY_REGISTERED, to=email)


def _keys() -> MultiFernet:
    """Made from the secret key and its predecessors, the newest first."""
    secrets: list[str] = [settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS)]
    digests = (hashlib.sha256(f"second-factor:{secret}".encode()).digest() for secret in secrets)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of authenticator apps and recovery codes are encrypted where they lie."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That code is not right. Enter the one your app shows now.",
        "unverified_email": "Confirm your e-mail address first, then add a second factor.",
        "add_email_blocked": "Remove the second factor before you change your e-mail address.",
    }

    def encrypt(self, text: str) -> str:
        return str(_keys().encrypt(text.encode()), "ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """A secret whose key is gone reads as one that no code fits."""
        try:
            return str(_keys().decrypt(encrypted_text.encode()), "utf-8")
        except InvalidToken:
            logger.error("a second factor cannot be read: is SECRET_KEY_FALLBACKS complete?")
            return str(base64.b32encode(os.urandom(20)), "ascii")

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """What a passkey is called unless its owner calls it something."""
        there = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {there + 1}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys belong to the platform's host, whatever the request was sent to."""
        return {"id": settings.ROOT_DOMAIN, "name": "Fully Booked"}


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Another site's account may open one here; the restaurant comes with it."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        user: User = super().populate_user(request, sociallogin, data)
        parts = (data.get("first_name"), data.get("last_name"))
        name = data.get("name") or " ".join(part for part in parts if part)
        user.name = (name or user.email.partition("@")[0])[:100]
        return user
