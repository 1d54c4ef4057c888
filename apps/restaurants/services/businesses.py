"""Registers a business with its restaurant, or one more restaurant (DECISIONS X35)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.services.accounts import create_account, telling_owner, welcome
from apps.common.client_address import client_address
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import choose_restaurant
from apps.restaurants.services.addresses import check_address_free
from apps.restaurants.services.registration import check_new_password, register_restaurant


def register_business(
    *,
    request: HttpRequest,
    user: User | None,
    slug: str,
    subdomain: str | None,
    email: str,
    password: str,
    name: str,
    restaurant_name: str,
    country: str,
    state: str,
    details: dict[str, Any],
    now: datetime,
) -> tuple[User, Restaurant]:
    """Create an account with a restaurant and sign in, or add a restaurant to `user`'s own.

    `subdomain` must be valid; without one, the address is derived from the slug. `details` are
    further columns of the restaurant. Raises Conflict for a taken slug, email, or subdomain, and
    Invalid.
    """
    if user is None:
        check_new_password(password)
    # Before the account, so that a taken address answers the same for any email.
    check_address_free(slug=slug, subdomain=subdomain, now=now)
    with telling_owner(email), transaction.atomic():
        owner = user or create_account(email=email, name=name, password=password, confirmed=False)
        own_email = {} if email.lower() == owner.email.lower() else {"email": email}
        restaurant = register_restaurant(
            user=owner,
            name=restaurant_name,
            country=country,
            state=state,
            subdomain=subdomain,
            details={**details, **own_email, "slug": slug},
            agreed_from=client_address(request),
            now=now,
        )
    if user is None:
        welcome(request=request, user=owner)
    choose_restaurant(request, restaurant.pk)
    return owner, restaurant
