"""Registers a restaurant with its owner (DECISIONS X34, X35, X40, X67).

All ways to sign up end here: a confirmed email, the registration form, a business with several
restaurants, and sign-in with Google or Microsoft.
"""

from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.services.accounts import (
    account_for_email,
    create_account,
    is_confirmed,
    telling_owner,
    welcome,
)
from apps.accounts.services.confirmation import confirm_account, use_link
from apps.accounts.services.passwords import (
    SHORTEST_AT_REGISTRATION,
    TOO_SHORT_AT_REGISTRATION,
    password_error,
)
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.client_address import client_address
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Forbidden, Invalid
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.profile_completion import is_profile_complete
from apps.restaurants.services.addresses import create_with_address
from apps.restaurants.tiers import tier_rate, tier_type

# Change it whenever the text of the terms for restaurants changes.
RESTAURANT_TERMS_UPDATED = date(2026, 11, 22)
CONFIRM_FIRST = (
    "Confirm your email first: open the link we sent, or request a new one on your account page."
)


class SignInToConfirm(Forbidden):
    """The account exists, and nobody is signed in to it in this browser."""

    code = ErrorCode.SIGN_IN_TO_CONFIRM

    def __init__(self) -> None:
        super().__init__(SIGN_IN_TO_CONFIRM)


SIGN_IN_TO_CONFIRM = (
    "Sign in first, then open this link again. Didn't create this account? Reset its password, and "
    "it's yours."
)


@transaction.atomic
def register_restaurant(
    *,
    user: User,
    name: str,
    country: str = "",
    state: str = "",
    tier: str = Restaurant.Tier.FREE,
    subdomain: str | None = None,
    details: dict[str, Any] | None = None,
    agreed_from: str = "",
    now: datetime,
) -> Restaurant:
    """Create a restaurant with its host, owned by `user`.

    Without `subdomain`, it gets a free one derived from its name; a restaurant without a name gets
    a numbered one. `details` are further columns.
    Whoever registers agrees to the terms for restaurants: their version, the time, and the IP
    address `agreed_from` are stored.
    Without an email in them, it gets the owner's, tagged if one of the restaurants has it already,
    because a restaurant's email is unique. Raises SubdomainTaken, and Conflict if another
    restaurant has the given email.
    """
    columns = dict(details or {})
    restaurant = Restaurant(
        name=name,
        country=country,
        state=state,
        subscription_tier=tier,
        tier_type=tier_type(tier),
        revenue_share_percentage=tier_rate(tier),
        registration_step=Restaurant.RegistrationStep.ACCOUNT,
        terms_version=str(RESTAURANT_TERMS_UPDATED),
        terms_agreed_at=now,
        terms_agreed_from=agreed_from or None,
        password_set=user.has_usable_password(),
        owner_name=columns.pop("owner_name", user.name),
        email=columns.pop("email", None) or _own_email(user, name),
        **columns,
    )
    restaurant.profile_completed = is_profile_complete(restaurant)
    create_with_address(restaurant, subdomain=subdomain, now=now)
    with rls.acting_as(restaurant):
        Membership.objects.create(user=user, restaurant=restaurant, role=Membership.Role.OWNER)
    record(Kind.RESTAURANT_REGISTERED, restaurant=restaurant, account=user, actor=user, now=now)
    return restaurant


def _own_email(user: User, restaurant_name: str) -> str:
    """The owner's email, tagged if a restaurant already has it: `ann+2@example.com`."""
    local, _, domain = user.email.partition("@")
    candidate, number = user.email, 1
    while Restaurant.objects.filter(email__iexact=candidate).exists():
        number += 1
        candidate = f"{local}+{number}@{domain}"
    return candidate


def register_account(
    *,
    request: HttpRequest,
    name: str,
    email: str,
    password: str,
    country: str = "",
    state: str = "",
    tier: str = Restaurant.Tier.FREE,
    now: datetime,
) -> tuple[User, Restaurant]:
    """Create an account with a password and a restaurant, and sign in.

    Sends a confirmation email. Until the email is confirmed, the restaurant can't publish or be
    paid (DECISIONS X40). Raises AlreadyRegistered and Invalid.
    """
    check_new_password(password)
    with telling_owner(email), transaction.atomic():
        user = create_account(email=email, name=name, password=password, confirmed=False)
        restaurant = register_restaurant(
            user=user,
            name=name,
            country=country,
            state=state,
            tier=tier,
            agreed_from=client_address(request),
            now=now,
        )
    welcome(request=request, user=user)
    return user, restaurant


def check_new_password(password: str) -> None:
    """Raises Invalid if the password doesn't meet the rules of registration."""
    sentence = password_error(
        password, shortest=SHORTEST_AT_REGISTRATION, too_short=TOO_SHORT_AT_REGISTRATION
    )
    if sentence:
        raise Invalid(sentence, fields=[FieldError("password", sentence)])


def confirm_email(
    *, request: HttpRequest, email: str, token: str, signed_in: User | None, now: datetime
) -> tuple[User, bool]:
    """Use a confirmation link. Returns the account and whether it is signed in.

    An email without an account gets one, without a password, and a restaurant; neither has a name
    until its owner types one, and the address is numbered. The user is then signed in. An existing
    account is confirmed only by someone signed in to it: whoever created it chose its password, and
    that may not be the person who reads this mailbox. Raises InvalidLink, and SignInToConfirm,
    which leaves the link as it is.
    """
    with transaction.atomic():
        address = use_link(email=email, token=token, now=now)
        user = account_for_email(address)
        if user is not None:
            if not is_confirmed(user) and signed_in != user:
                raise SignInToConfirm
            confirm_account(request=request, user=user)
            return user, signed_in == user
        user = create_account(email=address, name="", confirmed=True)
        register_restaurant(user=user, name="", agreed_from=client_address(request), now=now)
    welcome(request=request, user=user)
    return user, True


def require_confirmed_owner(restaurant: Restaurant) -> None:
    """Raises Forbidden while no owner has a confirmed email (DECISIONS X40)."""
    if not _has_confirmed_owner(restaurant):
        raise Forbidden(CONFIRM_FIRST, code=ErrorCode.CONFIRM_EMAIL)


def _has_confirmed_owner(restaurant: Restaurant) -> bool:
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    ids = list(owners.values_list("user", flat=True))
    return not ids or is_confirmed(*ids)


def email_to_confirm(restaurant: Restaurant, user: User) -> str:
    """The address of `user`, an owner, if the restaurant waits for its confirmation, else ""."""
    waits = not is_confirmed(user) and not _has_confirmed_owner(restaurant)
    return user.email if waits else ""
