"""Reads: restaurants by id or subdomain, the list of tenants, and teams."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.accounts.models import User
from apps.common import rls
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.restaurants.hosts import subdomain_host
from apps.restaurants.models import FormerAddress, Invitation, Membership, Restaurant


def active_restaurant_by_id(restaurant_id: UUID | str) -> Restaurant | None:
    """The active restaurant with this id, or None. None also for a malformed id."""
    found = restaurant_by_id(restaurant_id)
    return found if found and found.status == Restaurant.Status.ACTIVE else None


def restaurant_by_id(restaurant_id: UUID | str) -> Restaurant | None:
    """The restaurant with this id, also one that is suspended or closed. None also for a malformed
    id."""
    try:
        key = restaurant_id if isinstance(restaurant_id, UUID) else UUID(restaurant_id)
    except ValueError:
        return None
    return Restaurant.objects.filter(pk=key).first()


def active_restaurant_by_subdomain(subdomain: str, *, now: datetime) -> Restaurant | None:
    """The active restaurant at this subdomain, current or former (DECISIONS X67), or None."""
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
    *,
    user: User | None,
    as_staff: bool = False,
    mine: bool = False,
    search: str = "",
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> TenantPage:
    """The tenants `user` can see, newest first: active ones, and all
    of them `as_staff` (DECISIONS X35).

    `mine` limits them to the user's own, whatever their status. `search` matches all its words
    against names and slugs. `cursor` is the previous page's `next_cursor`. Raises InvalidCursor.
    """
    found = _visible_tenants(user, mine=mine, as_staff=as_staff)
    for word in search.replace("\x00", "").split():
        found = found.filter(
            Q(name__icontains=word) | Q(business_name__icontains=word) | Q(slug__icontains=word)
        )
    if before := moment_and_key(cursor):
        moment, key = before
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    with rls.acting_as(rls.PLATFORM):
        page = list(found.order_by("-created_at", "-pk")[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    return TenantPage(page[:limit], cursor_after(last.created_at, last.pk) if last else None)


def _visible_tenants(user: User | None, *, mine: bool, as_staff: bool) -> QuerySet[Restaurant]:
    everybody = Restaurant.objects.all()
    if mine:
        memberships = Membership.objects.filter(user=user) if user else Membership.objects.none()
        return everybody.filter(pk__in=memberships.values("restaurant"))
    if as_staff:
        return everybody
    return everybody.filter(status=Restaurant.Status.ACTIVE)


# --- teams ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Team:
    members: list[Membership]
    invitations: list[Invitation]


def team_of(restaurant: Restaurant, *, now: datetime) -> Team:
    """The members, in the order they joined, and the open invitations, newest first."""
    members = Membership.objects.filter(restaurant=restaurant).select_related("user")
    invitations = Invitation.objects.filter(
        restaurant=restaurant, accepted_at=None, revoked_at=None, expires_at__gt=now
    )
    return Team(list(members.order_by("pk")), list(invitations.order_by("-created_at")))


def owner_addresses(restaurant: Restaurant) -> list[str]:
    """The email addresses of the restaurant's owners, in the order they joined."""
    with rls.acting_as(restaurant):
        owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
        return list(owners.order_by("pk").values_list("user__email", flat=True))
