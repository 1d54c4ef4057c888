"""A new restaurant and the person who owns it (DECISIONS X34, X35, X40, X67).

There are several doors (a confirmed address, a registration form, a business with many restaurants,
another site's account) and this one way behind them.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.services.accounts import account_for_email, create_account, is_confirmed, welcome
from apps.accounts.services.confirmation import confirm_account, use_link
from apps.accounts.services.passwords import (
    SHORTEST_AT_REGISTRATION,
    TOO_SHORT_AT_REGISTRATION,
    password_error,
)
from apps.common import rls
from apps.common.errors import FieldError, Forbidden, Invalid
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.profile_completion import is_profile_complete
from apps.restaurants.services.addresses import create_with_address
from apps.restaurants.tiers import tier_rate, tier_type

# Mailboxes that say nothing about whose they are; then the name before the dot does.
CONFIRM_FIRST = (
    "Confirm your e-mail address first: open the link in our letter, or ask for another one on "
    "your account page."
)
IMPERSONAL = frozenset(
    ["admin", "bookings", "contact", "hello", "hi", "info", "mail", "office", "owner", "team"]
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
    now: datetime,
) -> Restaurant:
    """A new restaurant with the host it answers at, owned by `user`.

    Without `subdomain` it gets a free one made from its name; `details` are further columns. An
    e-mail that is not given is the owner's, or a tagged form of it when they have a restaurant with
    that already: the address of a restaurant is unique. Raises SubdomainTaken, and Conflict when
    another restaurant has the e-mail that is given.
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
        password_set=user.has_usable_password(),
        owner_name=columns.pop("owner_name", user.name),
        email=columns.pop("email", None) or _own_email(user, name),
        **columns,
    )
    restaurant.profile_completed = is_profile_complete(restaurant)
    create_with_address(restaurant, subdomain=subdomain, now=now)
    with rls.acting_as(restaurant):
        Membership.objects.create(user=user, restaurant=restaurant, role=Membership.Role.OWNER)
    return restaurant


def _own_email(user: User, restaurant_name: str) -> str:
    """The owner's e-mail, tagged when one of the restaurants has it: `ann+2@example.com`."""
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
    """An account with a password and its restaurant, signed in (A47).

    The address still has to be confirmed: a letter goes out, and until then nothing can be
    published and nothing is paid out (DECISIONS X40). Raises AlreadyRegistered and Invalid.
    """
    check_new_password(password)
    with transaction.atomic():
        user = create_account(email=email, name=name, password=password, confirmed=False)
        restaurant = register_restaurant(
            user=user, name=name, country=country, state=state, tier=tier, now=now
        )
    welcome(request=request, user=user)
    return user, restaurant


def check_new_password(password: str) -> None:
    """Raises Invalid with the words of a registration (V32)."""
    sentence = password_error(
        password, shortest=SHORTEST_AT_REGISTRATION, too_short=TOO_SHORT_AT_REGISTRATION
    )
    if sentence:
        raise Invalid(sentence, fields=[FieldError("password", sentence)])


def confirm_email(
    *, request: HttpRequest, email: str, token: str, signed_in: User | None, now: datetime
) -> tuple[User, bool]:
    """What the link in a letter does (A46); answers the account, and whether it is signed in.

    An address without an account gets one, without a password, and a restaurant with a proposed
    name and address; then the person is signed in. An account that is there is confirmed, and
    signed in only if it was: whoever opened it chose its password, and that may have been somebody
    else than who reads this mailbox. Raises InvalidLink.
    """
    with transaction.atomic():
        address = use_link(email=email, token=token, now=now)
        user = account_for_email(address)
        if user is not None:
            confirm_account(request=request, user=user)
            return user, signed_in == user
        name = proposed_name(address)
        user = create_account(email=address, name=name, confirmed=True)
        register_restaurant(user=user, name=name, now=now)
    welcome(request=request, user=user)
    return user, True


def require_confirmed_owner(restaurant: Restaurant) -> None:
    """Raises Forbidden while none of the owners has shown their e-mail to be theirs (X40)."""
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    ids = list(owners.values_list("user", flat=True))
    if ids and not is_confirmed(*ids):
        raise Forbidden(CONFIRM_FIRST)


def proposed_name(email: str) -> str:
    """What to call a restaurant of which only an e-mail is known: `Luigis` for hello@luigis.com."""
    local, _, domain = email.partition("@")
    local = local.partition("+")[0]
    source = domain.split(".")[-2] if local in IMPERSONAL and "." in domain else local
    words = source.replace(".", " ").replace("_", " ").replace("-", " ").split()
    return " ".join(word.capitalize() for word in words)[:100] or "My restaurant"
