"""What is stored about an owner or team member, as they download it (decision 64)."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Model
from django.db.models.functions import Lower

from apps.accounts.models import BearerToken, EmailConfirmation, User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.marketing.models import Announcement, DemoLead
from apps.preorders.core.notices import notice_preference, wanted_notices
from apps.preorders.models import PreOrder
from apps.privacy.account_deletion import RECORDS_OF_PEOPLE
from apps.restaurants.models import IncompleteRegistration, Invitation, Membership

MAX_RECORDS = 10_000  # of one kind, newest first


def download_account_data(user: User) -> dict[str, Any]:
    """`account_data`, and a note of the download in the activity log."""
    record(Kind.ACCOUNT_DATA_DOWNLOADED, account=user)
    return account_data(user)


def account_data(user: User) -> dict[str, Any]:
    """The download, ready for JSON. Times are UTC.

    No secret is in it: of passwords, tokens, and second factors only that they exist and when they
    were used.
    """
    with rls.acting_as(rls.PLATFORM):
        return {
            "account": {
                "email": user.email,
                "name": user.name,
                "role": user.role,
                "createdAt": user.created_at,
                "lastSignIn": user.last_login,
                "hasPassword": user.has_usable_password(),
            },
            "emailAddresses": [
                {"email": each.email, "confirmed": each.verified, "inUse": each.primary}
                for each in EmailAddress.objects.filter(user=user).order_by("pk")
            ],
            "devices": [
                {
                    "browser": each.user_agent,
                    "ipAddress": each.ip,
                    "signedInAt": each.created_at,
                    "lastSeenAt": each.last_seen_at,
                }
                for each in UserSession.objects.filter(user=user).order_by("pk")
            ],
            "apiTokens": [
                {
                    "name": each.name,
                    "scope": each.scope,
                    "createdAt": each.created_at,
                    "lastUsedAt": each.last_used_at,
                    "expiresAt": each.expires_at,
                }
                for each in BearerToken.objects.filter(user=user).order_by("pk")
            ],
            "secondFactors": [
                {"kind": each.type, "addedAt": each.created_at, "lastUsedAt": each.last_used_at}
                for each in Authenticator.objects.filter(user=user).order_by("pk")
            ],
            "signInAccounts": [
                {
                    "provider": each.provider,
                    "id": each.uid,
                    "lastSignIn": each.last_login,
                    "profile": each.extra_data,
                }
                for each in SocialAccount.objects.filter(user=user).order_by("pk")
            ],
            "restaurants": [
                _membership(each)
                for each in Membership.objects.filter(user=user)
                .select_related("restaurant")
                .order_by("pk")
            ],
            "actions": _actions(user),
            "announcements": [
                {"text": each.message, "at": each.created_at, "restaurant": each.restaurant.name}
                for each in Announcement.objects.filter(created_by=user)
                .select_related("restaurant")
                .order_by("-created_at")[:MAX_RECORDS]
            ],
            "ordersWhileSignedIn": [
                {"code": each.code, "restaurant": each.restaurant.name, "at": each.created_at}
                for each in PreOrder.objects.filter(user=user)
                .select_related("restaurant")
                .order_by("-created_at")[:MAX_RECORDS]
            ],
            **about_the_address(user.email.lower()),
        }


def _membership(membership: Membership) -> dict[str, Any]:
    restaurant = membership.restaurant
    found: dict[str, Any] = {
        "name": restaurant.name,
        "role": membership.role,
        "since": membership.created_at,
        "roleSince": membership.role_since,
    }
    if membership.role == Membership.Role.OWNER:
        found["details"] = {
            "ownerName": restaurant.owner_name,
            "businessName": restaurant.business_name,
            "contactEmail": restaurant.email,
            "newContactEmail": restaurant.new_email,
            "billingEmail": restaurant.billing_email,
            "phone": restaurant.phone,
            "address": restaurant.address,
            "termsAgreedAt": restaurant.terms_agreed_at,
            "termsAgreedFrom": restaurant.terms_agreed_from,
        }
        found["notices"] = wanted_notices(notice_preference(restaurant, membership.user))
    return found


def _actions(user: User) -> list[dict[str, Any]]:
    """What the person did in the restaurants they work for, by their name or address."""
    restaurants = list(Membership.objects.filter(user=user).values_list("restaurant", flat=True))
    found = []
    for records, column in RECORDS_OF_PEOPLE:
        rows = records.objects.filter(
            restaurant__in=restaurants, **{f"{column}__in": [user.name, user.email]}
        ).select_related("restaurant")
        found += [_action(row) for row in rows.order_by("-pk")[:MAX_RECORDS]]
    return found


def _action(row: Any) -> dict[str, Any]:
    """A record's kind, and its own words and time where it has them."""
    facts = {
        name: getattr(row, name)
        for name in ("field", "old", "new", "kind", "detail", "text", "reason", "resolution")
        if getattr(row, name, "")
    }
    at = next(
        (getattr(row, name) for name in ("at", "created_at", "resolved_at") if hasattr(row, name)),
        None,
    )
    kind = str(row._meta.verbose_name)
    return {"record": kind, "restaurant": row.restaurant.name, "at": at, **facts}


def about_the_address(address: str) -> dict[str, Any]:
    """What is stored about an address besides accounts and orders; act as the platform."""
    return {
        "invitations": [
            {
                "restaurant": each.restaurant.name,
                "role": each.role,
                "sentAt": each.created_at,
                "acceptedAt": each.accepted_at,
            }
            for each in _of_address(Invitation, address).select_related("restaurant")
        ],
        "openConfirmations": [
            {"sentAt": each.created_at, "expiresAt": each.expires_at}
            for each in _of_address(EmailConfirmation, address)
        ],
        "abandonedRegistrations": [
            {"restaurant": each.name, "slug": each.slug, "archivedAt": each.archived_at}
            for each in _of_address(IncompleteRegistration, address)
        ],
        "demo": [
            {
                "ipAddress": each.ip_address,
                "browser": each.user_agent,
                "completedSteps": each.completed_steps,
                "cameFrom": each.referrer_url,
                "firstSeenAt": each.created_at,
                "lastSeenAt": each.last_seen_at,
            }
            for each in _of_address(DemoLead, address)
        ],
    }


def _of_address(model: type[Model], address: str) -> Any:
    rows = model._default_manager.alias(address=Lower("email"))
    return rows.filter(address=address).order_by("pk")
