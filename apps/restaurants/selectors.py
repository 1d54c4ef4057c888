"""Restaurants as others look for them, and the people of one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.accounts.two_factor import has_staff_access
from apps.common import rls
from apps.common.cursors import cursor_after, moment_and_key
from apps.restaurants.hosts import subdomain_host
from apps.restaurants.models import FormerAddress, Invitation, Membership, Restaurant

TENANTS_AT_ONCE = 200


def active_restaurant_by_id(restaurant_id: UUID | str) -> Restaurant | None:
    """The restaurant with this id when it is open to the public; None otherwise, or for no id."""
    try:
        key = restaurant_id if isinstance(restaurant_id, UUID) else UUID(restaurant_id)
    except ValueError:
        return None
    return Restaurant.objects.filter(pk=key, status=Restaurant.Status.ACTIVE).first()


def active_restaurant_by_subdomain(subdomain: str, *, now: datetime) -> Restaurant | None:
    """The restaurant at this subdomain, or that was there until lately (DECISIONS X67)."""
    label = subdomain.strip().lower()
    if "\x00" in label:
        return None
    active = Restaurant.objects.filter(status=Restaurant.Status.ACTIVE)
    found = active.filter(subdomain=label).first()
    if found:
        return found
    with rls.acting_as(rls.PLATFORM):
        former = FormerAddress.objects.filter(host=subdomain_host(label), until__gt=now)
        return active.filter(pk__in=former.values("restaurant")).first()


# --- tenants --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TenantPage:
    tenants: list[Restaurant]
    next_cursor: str | None


def tenants_for(
    *, user: User | None, mine: bool = False, search: str = "", cursor: str | None = None
) -> TenantPage:
    """The tenants `user` may see, newest first: the active ones, for staff all (DECISIONS X35).

    With `mine` those they belong to, whatever their status. `search` are words that the name or the
    slug has; `cursor` is a former page's `next_cursor`, and one that cannot be read begins anew.
    """
    found = _visible_tenants(user, mine)
    for word in search.replace("\x00", "").split():
        found = found.filter(
            Q(name__icontains=word) | Q(business_name__icontains=word) | Q(slug__icontains=word)
        )
    if before := moment_and_key(cursor):
        moment, key = before
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    with rls.acting_as(rls.PLATFORM):
        page = list(found.order_by("-created_at", "-pk")[: TENANTS_AT_ONCE + 1])
    last = page[TENANTS_AT_ONCE - 1] if len(page) > TENANTS_AT_ONCE else None
    return TenantPage(
        page[:TENANTS_AT_ONCE], cursor_after(last.created_at, last.pk) if last else None
    )


def _visible_tenants(user: User | None, mine: bool) -> QuerySet[Restaurant]:
    everybody = Restaurant.objects.all()
    if mine:
        memberships = Membership.objects.filter(user=user) if user else Membership.objects.none()
        return everybody.filter(pk__in=memberships.values("restaurant"))
    if user is not None and has_staff_access(user):
        return everybody
    return everybody.filter(status=Restaurant.Status.ACTIVE)


# --- the people -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Team:
    members: list[Membership]
    invitations: list[Invitation]


def team_of(restaurant: Restaurant, *, now: datetime) -> Team:
    """Who belongs to the restaurant, in the order they joined, and who is invited to."""
    members = Membership.objects.filter(restaurant=restaurant).select_related("user")
    invitations = Invitation.objects.filter(
        restaurant=restaurant, accepted_at=None, revoked_at=None, expires_at__gt=now
    )
    return Team(list(members.order_by("pk")), list(invitations.order_by("-created_at")))
