"""django-allauth adapters: emails, password rules, redirects, and encrypted second factors."""

import base64
import logging
import os
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.accounts import emails as accounts_emails
from apps.accounts import encryption
from apps.accounts.known_devices import remember_device
from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.accounts.services.accounts import account_for_email
from apps.accounts.services.passwords import password_error, store_password
from apps.accounts.services.sign_in import safe_destination
from apps.accounts.two_factor import has_second_factor
from apps.activity.kinds import Kind
from apps.activity.models import Outcome
from apps.activity.services import record_repeated
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.emails import one_line

logger = logging.getLogger(__name__)

CHANGES = {
    "mfa/email/totp_activated": "An authenticator app was added",
    "mfa/email/totp_deactivated": "The authenticator app was removed",
    "mfa/email/recovery_codes_generated": "New recovery codes were created",
    "mfa/email/webauthn_added": "A passkey was added",
    "mfa/email/webauthn_removed": "A passkey was removed",
    "socialaccount/email/account_connected": "A sign-in method was connected",
    "socialaccount/email/account_disconnected": "A sign-in method was disconnected",
}
PASSWORD_EMAILS = {
    "account/email/password_changed": "changed",
    "account/email/password_set": "set",
    "account/email/password_reset": "reset",
}


# Messages for the next page. allauth's other messages are dropped: the page itself shows them.
SENTENCES = {
    "account/messages/email_confirmation_sent.txt": "We sent an email to {email}.",
    "account/messages/email_confirmed.txt": "{email} is confirmed.",
    "account/messages/email_confirmation_failed.txt": "{email} belongs to another account.",
    "account/messages/email_deleted.txt": "{email} was removed.",
    "account/messages/password_changed.txt": "Password changed.",
    "account/messages/password_set.txt": "Password set.",
    "mfa/messages/totp_activated.txt": "Authenticator app turned on.",
    "mfa/messages/totp_deactivated.txt": "Authenticator app removed.",
    "mfa/messages/recovery_codes_generated.txt": (
        "Your new recovery codes are ready. Save them somewhere safe."
    ),
    "mfa/messages/webauthn_added.txt": "Passkey added.",
    "mfa/messages/webauthn_removed.txt": "Passkey removed.",
    "socialaccount/messages/account_connected.txt": "Connected. You can now sign in this way too.",
    "socialaccount/messages/account_connected_updated.txt": (
        "Already connected. You can keep signing in this way."
    ),
    "socialaccount/messages/account_connected_other.txt": (
        "That sign-in belongs to another Fully Booked account."
    ),
    "socialaccount/messages/account_disconnected.txt": (
        "Disconnected. You can't sign in this way anymore."
    ),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts identified by email. Every email allauth would send is replaced by one of ours."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_taken": "That email already has an account. Use a different one.",
        "incorrect_password": "That's not your password. Try again.",
        "enter_current_password": "That's not your current password. Try again.",
        "too_many_login_attempts": "Too many attempts. Wait 5 minutes and try again.",
        "rate_limited": "Too many attempts. Wait a minute and try again.",
        "incorrect_code": "That code isn't right. Enter the code your app shows now.",
    }

    # --- accounts and passwords ---
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Always False: accounts are created by registering a restaurant, not on allauth's page."""
        return False

    def reauthenticate(self, user: Any, password: str) -> bool:
        """Whether the password is right; a wrong one is logged."""
        is_right = bool(super().reauthenticate(user, password))
        if not is_right:
            record_repeated(
                Kind.CONFIRMATION_FAILED, key=str(user.pk), account=user, outcome=Outcome.FAILURE
            )
        return is_right

    def clean_password(self, password: str, user: Any = None) -> str:
        sentence = password_error(password)
        if sentence:
            raise ValidationError(sentence)
        return password

    def set_password(self, user: Any, password: str) -> None:
        store_password(user=user, password=password)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """False if another account has taken the address since the email was sent."""
        owner = account_for_email(email_address.email)
        if owner is not None and owner != email_address.user:
            failed = "account/messages/email_confirmation_failed.txt"
            facts = {"email": email_address.email}
            self.add_message(request, messages.ERROR, failed, facts)
            return False
        return bool(super().confirm_email(request, email_address))

    def login(self, request: HttpRequest, user: Any) -> None:
        super().login(request, user)
        request.session.cycle_key()  # Django keeps the key when the same user signs in again

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The methods without the password, where a second factor is on: the password alone isn't
        enough then (decision 56)."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if user.is_authenticated and has_second_factor(user):
            return [each for each in methods if each["id"] != "reauthenticate"]
        return methods

    def post_login(self, request: HttpRequest, user: Any, **hooks: Any) -> HttpResponse:
        """The end of a sign-in by second factor, passkey, Google, or Microsoft."""
        response: HttpResponse = super().post_login(request, user, **hooks)
        remember_device(request, response, user)
        return response

    # --- messages ---
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
        # API clients read the response; a message would appear on some later page.
        if sentence and not request.path.startswith("/api/"):
            facts = message_context or {}
            messages.add_message(request, level, sentence.format(**facts), extra_tags=extra_tags)

    # --- addresses and redirects ---
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "0.0.0.0"

    def is_safe_url(self, url: str | None) -> bool:
        """Whether `url` is a path on our own site, spelled exactly (DECISIONS X43)."""
        return bool(url) and safe_destination(url) == url

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account" if self.request.user.is_authenticated else "login")

    # --- emails ---
    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Our own link confirms a new account; allauth's link confirms a changed address."""
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


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts authenticator secrets and recovery codes at rest."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That code isn't right. Enter the code your app shows now.",
        "unverified_email": "Confirm your email first, then turn on two-step verification.",
        "add_email_blocked": "Turn off two-step verification before you change your email.",
    }

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret, or a random one that no code matches if its key is gone."""
        try:
            return encryption.decrypt(encrypted_text)
        except encryption.Undecryptable:
            logger.error("a second factor can't be decrypted: is ENCRYPTION_KEYS complete?")
            return str(base64.b32encode(os.urandom(20)), "ascii")

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """The default name of a new passkey: Passkey 1, Passkey 2, …"""
        there = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {there + 1}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The platform's host, so that a passkey works whichever host the request used."""
        return {"id": settings.ROOT_DOMAIN, "name": "Fully Booked"}


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Sign-up with Google or Microsoft. A restaurant is created along with the account."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        user: User = super().populate_user(request, sociallogin, data)
        parts = (data.get("first_name"), data.get("last_name"))
        name = data.get("name") or " ".join(part for part in parts if part)
        user.name = one_line(name or user.email.partition("@")[0])[:100]
        return user
