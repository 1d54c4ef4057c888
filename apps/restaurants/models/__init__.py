"""Restaurants (the tenants), their hosts, and their teams."""

from apps.restaurants.models.hosts import Domain, FormerAddress, OwnDomain
from apps.restaurants.models.idempotency import IdempotencyKey
from apps.restaurants.models.restaurants import (
    IncompleteRegistration,
    Restaurant,
    RestaurantTransition,
)
from apps.restaurants.models.team import Invitation, Membership, SupportVisit

__all__ = [
    "Domain",
    "FormerAddress",
    "IdempotencyKey",
    "IncompleteRegistration",
    "Invitation",
    "Membership",
    "OwnDomain",
    "Restaurant",
    "RestaurantTransition",
    "SupportVisit",
]
