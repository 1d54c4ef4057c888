"""Who may do what in a restaurant: the one place that says so.

A `Membership` gives a person one role in one restaurant. The platform's staff belong to none and
may look at all of them, to help; they change nothing in a restaurant's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common import rls
from apps.common.errors import Forbidden, NotFound
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.selectors import active_restaurant_by_id

NO_RESTAURANT = "This account does not belong to a restaurant. Sign in with one that does."
UNKNOWN_RESTAURANT = "We could not find that restaurant among yours. Choose another one."
CLOSED_RESTAURANT = "This restaurant is not active at the moment. Write to us to open it again."
STAFF = "staff"


class Right(StrEnum):
    """Something a person may do for a restaurant."""

    SEE_OFFERS = "see the specials"
    EDIT_OFFERS = "change the specials"
    SEE_ORDERS = "see the orders"
    HAND_OUT_ORDERS = "hand out orders"
    SEE_LEDGER = "see the payments"
    MANAGE = "change the restaurant's settings"


_KITCHEN = frozenset({Right.SEE_OFFERS, Right.SEE_ORDERS, Right.HAND_OUT_ORDERS})
RIGHTS: Mapping[str, frozenset[Right]] = {
    Membership.Role.OWNER: frozenset(Right),
    Membership.Role.MANAGER: _KITCHEN | {Right.EDIT_OFFERS},
    Membership.Role.KITCHEN: _KITCHEN,
    STAFF: frozenset({Right.SEE_OFFERS, Right.SEE_ORDERS, Right.SEE_LEDGER}),
}


@dataclass(frozen=True, slots=True)
class Post:
    """A person's place in a restaurant: which one, and in what role."""

    restaurant: Restaurant
    role: str

    def may(self, right: Right) -> bool:
        return right in RIGHTS[self.role]

    def require(self, right: Right) -> None:
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


def membership_for(user: User | AnonymousUser, restaurant: Restaurant) -> Membership | None:
    """The user's membership in this restaurant, or None."""
    if not isinstance(user, User):
        return None
    mine = (found for found in memberships_of(user) if found.restaurant_id == restaurant.pk)
    return next(mine, None)


def post_of(user: User, *, restaurant_id: UUID | None = None) -> Post:
    """Where the user works: in `restaurant_id`, else in the restaurant they joined first.

    Raises Forbidden when there is none or it is not active, and NotFound when the one asked for is
    not theirs, whether or not it exists.
    """
    memberships = memberships_of(user)
    if restaurant_id is None:
        if not memberships:
            raise Forbidden(NO_RESTAURANT)
        return _open_post(memberships[0].restaurant, memberships[0].role)
    for membership in memberships:
        if membership.restaurant_id == restaurant_id:
            return _open_post(membership.restaurant, membership.role)
    visited = active_restaurant_by_id(restaurant_id) if user.is_staff else None
    if visited is None:
        raise NotFound(UNKNOWN_RESTAURANT)
    return Post(visited, STAFF)


def _open_post(restaurant: Restaurant, role: str) -> Post:
    if restaurant.status != Restaurant.Status.ACTIVE:
        raise Forbidden(CLOSED_RESTAURANT)
    return Post(restaurant, role)


def _asked_for(request: HttpRequest) -> UUID | None:
    """The restaurant the request names: its host's, else `?restaurant=`."""
    tenant = tenant_of(request)
    if tenant is not None:
        return tenant.pk
    asked = request.GET.get("restaurant")
    if not asked:
        return None
    try:
        return UUID(asked)
    except ValueError:
        raise NotFound(UNKNOWN_RESTAURANT) from None


def active_post(request: HttpRequest, user: User) -> Post:
    """Where this signed-in person works, for this request; raises as `post_of` does.

    A page's view acts as that restaurant itself: `with rls.acting_as(post.restaurant): …`.
    """
    return post_of(user, restaurant_id=_asked_for(request))


def active_restaurant(request: HttpRequest) -> Restaurant:
    """The restaurant of the request's person; the view has seen to their being signed in."""
    if not isinstance(request.user, User):
        raise Forbidden(NO_RESTAURANT)
    return active_post(request, request.user).restaurant
