"""Restaurants (the tenants), their hosts, and their teams."""

from apps.restaurants.models.hosts import Domain, FormerAddress, OwnDomain
from apps.restaurants.models.idempotency import IdempotencyKey
from apps.restaurants.models.restaurants import (
    ARRIVAL_NOTE_LENGTH,
    IncompleteRegistration,
    Restaurant,
    RestaurantTransition,
)
from apps.restaurants.models.team import Invitation, Membership, SupportVisit

__all__ = [
    "ARRIVAL_NOTE_LENGTH",
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
