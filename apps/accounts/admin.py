"""The staff's data pages of accounts: who can sign in, how, and from where."""

from datetime import datetime
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest

from apps.accounts.models import BearerToken, EmailConfirmation, User
from apps.accounts.services.sessions import end_all_sessions_and_tokens
from apps.accounts.services.tokens import revoke_listed_token
from apps.common.admin import StaffAction, StaffModelAdmin


def _sign_out(user: User, by: Any, reason: str, now: datetime) -> str:
    end_all_sessions_and_tokens(user=user)
    return f"{user.email} is signed out everywhere, and their API tokens are revoked."


def _revoke(token: BearerToken, by: Any, reason: str, now: datetime) -> str:
    revoke_listed_token(user=token.user, token_id=token.public_id)
    return "The token no longer works."


class ByEmail(StaffModelAdmin):
    """A table that is searched by a whole email address, in any case."""

    search_fields: ClassVar[tuple[str, ...]] = ("id",)
    search_help_text = "A whole email."

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if "@" in search_term:
            address = search_term.strip().lower()
            return queryset.alias(address=Lower("email")).filter(address=address), False
        return super().get_search_results(request, queryset, search_term)


@admin.register(User)
class UserAdmin(ByEmail):
    list_display = ("email", "name", "role", "is_active", "last_login", "created_at")
    list_filter = ("role", "is_active")
    search_fields = ("id", "name__icontains")
    search_help_text = "A whole email, a name, or an ID."
    related = (
        ("restaurants.Membership", "user"),
        ("account.EmailAddress", "user"),
        ("mfa.Authenticator", "user"),
        ("usersessions.UserSession", "user"),
        ("accounts.BearerToken", "user"),
        ("activity.LoggedEvent", "account_id"),
    )
    staff_actions = (
        StaffAction(
            "sign-out",
            "Sign out everywhere",
            "Ends every session of this account and revokes its API tokens.",
            _sign_out,
        ),
    )


@admin.register(BearerToken)
class BearerTokenAdmin(StaffModelAdmin):
    list_display = ("name", "user", "scope", "created_at", "last_used_at", "expires_at")
    list_filter = ("scope",)
    search_fields = ("public_id",)
    staff_actions = (
        StaffAction(
            "revoke", "Revoke token", "Programs that use it are refused right away.", _revoke
        ),
    )


@admin.register(EmailConfirmation)
class EmailConfirmationAdmin(ByEmail):
    list_display = ("email", "created_at", "expires_at")


@admin.register(EmailAddress)
class EmailAddressAdmin(ByEmail):
    list_display = ("email", "user", "verified", "primary")
    list_filter = ("verified", "primary")


@admin.register(Authenticator)
class AuthenticatorAdmin(StaffModelAdmin):
    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)


@admin.register(UserSession)
class UserSessionAdmin(StaffModelAdmin):
    list_display = ("user", "user_agent", "ip", "created_at", "last_seen_at")


@admin.register(SocialAccount)
class SocialAccountAdmin(StaffModelAdmin):
    list_display = ("user", "provider", "date_joined", "last_login")
    hidden = ("extra_data",)
