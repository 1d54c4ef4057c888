"""Who may do what in a restaurant: the one place that says so.

A `Membership` gives a person one role in one restaurant. The platform's staff belong to none and
may look at all of them, to help; they change nothing in a restaurant's name.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.two_factor import has_staff_access
from apps.common import rls
from apps.common.errors import Forbidden, NotFound
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.selectors import active_restaurant_by_id

NO_RESTAURANT = "This account does not belong to a restaurant. Sign in with one that does."
UNKNOWN_RESTAURANT = "We could not find that restaurant among yours. Choose another one."
CLOSED_RESTAURANT = "This restaurant is not active at the moment. Write to us to open it again."
STAFF = "staff"
CHOSEN = "restaurant"  # in the session
# A page says with each call which restaurant it shows: another tab may have chosen another one.
PAGE_HEADER = "X-Restaurant"


class Permission(StrEnum):
    """Something a person may do for a restaurant."""

    SEE_OFFERS = "see the specials"
    EDIT_OFFERS = "change the specials"
    SEE_ORDERS = "see the orders"
    FULFILL_ORDERS = "hand out orders"
    EDIT_ORDERS = "change orders and give money back"
    SEE_LEDGER = "see the payments"
    MANAGE = "change the restaurant's settings"


_KITCHEN = frozenset({Permission.SEE_OFFERS, Permission.SEE_ORDERS, Permission.FULFILL_ORDERS})
PERMISSIONS: Mapping[str, frozenset[Permission]] = {
    Membership.Role.OWNER: frozenset(Permission),
    Membership.Role.MANAGER: _KITCHEN | {Permission.EDIT_OFFERS, Permission.EDIT_ORDERS},
    Membership.Role.KITCHEN: _KITCHEN,
    STAFF: frozenset({Permission.SEE_OFFERS, Permission.SEE_ORDERS, Permission.SEE_LEDGER}),
}


@dataclass(frozen=True, slots=True)
class CurrentMembership:
    """A person's place in a restaurant: which one, and in what role."""

    restaurant: Restaurant
    role: str

    def may(self, right: Permission) -> bool:
        return right in PERMISSIONS[self.role]

    def require(self, right: Permission) -> None:
        """Raises Forbidden when the role does not have the right."""
        if not self.may(right):
            raise Forbidden(f"Your role may not {right}. Ask the owner of {self.restaurant}.")


def memberships_of(user: User) -> list[Membership]:
    """The user's memberships with their restaurants, the oldest first."""
    # Which restaurants are theirs is asked before anybody can act as one of them.
    with rls.acting_as(rls.PLATFORM):
        return list(
            Membership.objects.filter(user=user).select_related("restaurant").order_by("pk")
        )


def membership_in(user: User | AnonymousUser, restaurant: Restaurant) -> Membership | None:
    """The user's membership in this restaurant, or None."""
    if not isinstance(user, User):
        return None
    mine = (found for found in memberships_of(user) if found.restaurant_id == restaurant.pk)
    return next(mine, None)


def choose_restaurant(request: HttpRequest, restaurant_id: UUID) -> None:
    """Work in this restaurant from now on; the caller has seen that it is theirs.

    Kept with the session, so not for a program, which names the restaurant itself. It counts only
    as long as it is theirs: the memberships are read for every request.
    """
    if SESSION_KEY in request.session:
        request.session[CHOSEN] = str(restaurant_id)


def current_membership_of(user: User, *, restaurant_id: UUID | None = None) -> CurrentMembership:
    """Where the user works: in `restaurant_id`, else in the first they joined that is open.

    Raises Forbidden when there is none, and NotFound when the one asked for is
    not theirs, whether or not it exists.
    """
    memberships = memberships_of(user)
    if restaurant_id is None:
        if not memberships:
            raise Forbidden(NO_RESTAURANT)
        first = next((each for each in memberships if _is_open(each.restaurant)), memberships[0])
        return _membership_if_open(first.restaurant, first.role)
    for membership in memberships:
        if membership.restaurant_id == restaurant_id:
            return _membership_if_open(membership.restaurant, membership.role)
    visited = active_restaurant_by_id(restaurant_id) if has_staff_access(user) else None
    if visited is None:
        raise NotFound(UNKNOWN_RESTAURANT)
    return CurrentMembership(visited, STAFF)


def enter_restaurant(user: User, restaurant_id: UUID) -> CurrentMembership:
    """The user's place in this one of their restaurants; raises as `post_of` does, and Forbidden
    for whoever has none at all."""
    if not user.is_staff and not memberships_of(user):
        raise Forbidden(NO_RESTAURANT)
    return current_membership_of(user, restaurant_id=restaurant_id)


def _is_open(restaurant: Restaurant) -> bool:
    return restaurant.status == Restaurant.Status.ACTIVE


def _membership_if_open(restaurant: Restaurant, role: str) -> CurrentMembership:
    if not _is_open(restaurant):
        raise Forbidden(CLOSED_RESTAURANT)
    return CurrentMembership(restaurant, role)


def _asked_for(request: HttpRequest) -> UUID | None:
    """The restaurant the request names: its host's, else `?restaurant=`, else the one of the page
    that sent it."""
    tenant = tenant_of(request)
    if tenant is not None:
        return tenant.pk
    asked = request.GET.get("restaurant") or request.headers.get(PAGE_HEADER)
    if not asked:
        return None
    try:
        return UUID(asked)
    except ValueError:
        raise NotFound(UNKNOWN_RESTAURANT) from None


def _chosen(request: HttpRequest) -> UUID | None:
    session = getattr(request, "session", None)
    chosen = session.get(CHOSEN) if session is not None else None
    return UUID(chosen) if chosen else None


def current_membership(request: HttpRequest, user: User) -> CurrentMembership:
    """Where this signed-in person works, for this request: in the restaurant it names, else in the
    one they chose last, else as `post_of` says; raises as that does.

    A page's view acts as that restaurant itself: `with rls.acting_as(post.restaurant): …`.
    """
    asked = _asked_for(request)
    chosen = None if asked else _chosen(request)
    if chosen:
        # One that is theirs no longer, or closed, must not stand between them and the others.
        with suppress(Forbidden, NotFound):
            return current_membership_of(user, restaurant_id=chosen)
    return current_membership_of(user, restaurant_id=asked)


def current_restaurant(request: HttpRequest) -> Restaurant:
    """The restaurant of the request's person; the view has seen to their being signed in."""
    if not isinstance(request.user, User):
        raise Forbidden(NO_RESTAURANT)
    return current_membership(request, request.user).restaurant
