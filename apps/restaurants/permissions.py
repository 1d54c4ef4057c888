"""Permissions: which role can do what in a restaurant. Every check goes through this module.

A `Membership` gives a user one role in one restaurant. Platform staff belong to none and can view
all of them, to help, but change nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.accounts.two_factor import has_second_factor
from apps.activity.kinds import Kind
from apps.activity.services import record_repeated
from apps.common import rls
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import FieldError, Forbidden, Invalid, NotFound
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Membership, Restaurant

NO_RESTAURANT = "This account doesn't belong to a restaurant. Sign in with one that does."
UNKNOWN_RESTAURANT = "We couldn't find that restaurant in your account. Choose another."
INVALID_RESTAURANT = "That isn't a restaurant's ID. Check it and try again."
NAME_RESTAURANT = (
    "This account has several restaurants. Name one: send its ID in the header X-Restaurant, or in "
    "?restaurant=."
)
SUSPENDED_RESTAURANT = (
    "{restaurant} is suspended, so you can't {right}. You can still see its orders, fulfill them, "
    "and refund them. Contact us about the suspension."
)
CLOSED_RESTAURANT = "This restaurant isn't active right now. Contact us to reopen it."
TWO_FACTOR_REQUIRED = "Your restaurant requires two-step verification. Turn it on to continue."
TWO_FACTOR_URL = "/account/two-factor/"
STAFF = "staff"
CHOSEN_SESSION_KEY = "restaurant"
# Pages name their restaurant in each request, because another tab may have switched to another.
PAGE_HEADER = "X-Restaurant"
VISIT = timedelta(hours=1)  # all that staff look at within it is one visit in the activity log


class TwoFactorRequired(Forbidden):
    """The restaurant's owner requires two-step verification, and this member has none yet."""

    code = ErrorCode.TWO_FACTOR_REQUIRED

    def __init__(self) -> None:
        super().__init__(TWO_FACTOR_REQUIRED, extra={"twoFactorUrl": TWO_FACTOR_URL})


class RestaurantRequired(Invalid):
    """The account has several restaurants, and the request doesn't say which one it is for."""

    code = ErrorCode.RESTAURANT_REQUIRED

    def __init__(self) -> None:
        field = FieldError("restaurant", NAME_RESTAURANT, FieldErrorCode.REQUIRED)
        super().__init__(NAME_RESTAURANT, fields=[field])


class Permission(StrEnum):
    """A permission. The value completes the sentence \"Your role can't …\"."""

    SEE_OFFERS = "see specials"
    EDIT_OFFERS = "change specials"
    SEE_ORDERS = "see orders"
    FULFILL_ORDERS = "mark orders as picked up"
    EDIT_ORDERS = "change or refund orders"
    SEE_LEDGER = "see payments"
    EXPORT_ORDERS = "export orders"
    SEE_DISPUTES = "see disputes"
    ANSWER_DISPUTES = "answer disputes"
    MANAGE = "change the restaurant's settings"


_KITCHEN = frozenset({Permission.SEE_OFFERS, Permission.SEE_ORDERS, Permission.FULFILL_ORDERS})
PERMISSIONS: Mapping[str, frozenset[Permission]] = {
    Membership.Role.OWNER: frozenset(Permission),
    Membership.Role.MANAGER: _KITCHEN
    | {
        Permission.EDIT_OFFERS,
        Permission.EDIT_ORDERS,
        Permission.EXPORT_ORDERS,
        Permission.SEE_DISPUTES,
        Permission.ANSWER_DISPUTES,
    },
    Membership.Role.KITCHEN: _KITCHEN,
    STAFF: frozenset(
        {
            Permission.SEE_OFFERS,
            Permission.SEE_ORDERS,
            Permission.SEE_LEDGER,
            Permission.SEE_DISPUTES,
        }
    ),
}
# What a team can still do while its restaurant is suspended: serve the guests who ordered before.
WHILE_SUSPENDED = frozenset(Permission) - {Permission.EDIT_OFFERS, Permission.MANAGE}


@dataclass(frozen=True, slots=True)
class CurrentMembership:
    """The current user's restaurant and their role in it, and whether they have others."""

    restaurant: Restaurant
    role: str
    has_others: bool = False

    @property
    def is_suspended(self) -> bool:
        return self.restaurant.status == Restaurant.Status.SUSPENDED

    def can(self, right: Permission) -> bool:
        if self.is_suspended and right not in WHILE_SUSPENDED:
            return False
        return right in PERMISSIONS[self.role]

    def require(self, right: Permission) -> None:
        """Raises Forbidden if the role doesn't have the right, or the restaurant is suspended."""
        if self.can(right):
            return
        if self.is_suspended and right in PERMISSIONS[self.role]:
            message = SUSPENDED_RESTAURANT.format(restaurant=self.restaurant, right=right)
            raise Forbidden(message, code=ErrorCode.RESTAURANT_CLOSED)
        raise Forbidden(f"Your role can't {right}. Ask the owner of {self.restaurant}.")


def memberships_of(user: User) -> list[Membership]:
    """The user's memberships with their restaurants, oldest first."""
    # No restaurant is active yet, so row-level security would hide every row.
    with rls.acting_as(rls.PLATFORM):
        return list(
            Membership.objects.filter(user=user).select_related("restaurant").order_by("pk")
        )


def default_membership(memberships: Sequence[Membership]) -> Membership | None:
    """The membership that counts while the request names no restaurant: the first one in an active
    restaurant, otherwise the first."""
    open_ones = (each for each in memberships if _is_open(each.restaurant))
    return next(open_ones, memberships[0] if memberships else None)


def membership_in(user: User | AnonymousUser, restaurant: Restaurant) -> Membership | None:
    """The user's membership in this restaurant, or None."""
    if not isinstance(user, User):
        return None
    mine = (found for found in memberships_of(user) if found.restaurant_id == restaurant.pk)
    return next(mine, None)


def choose_restaurant(request: HttpRequest, restaurant_id: UUID) -> None:
    """Switch the session to this restaurant. The caller has checked that it is the user's.

    API clients have no session and name the restaurant in each request. Memberships are read for
    every request, so the choice stops counting when the membership ends.
    """
    if SESSION_KEY in request.session:
        request.session[CHOSEN_SESSION_KEY] = str(restaurant_id)


def current_membership_of(
    request: HttpRequest, user: User, *, restaurant_id: UUID | None = None, by_name: bool = False
) -> CurrentMembership:
    """The user's membership in `restaurant_id`, otherwise in their first active restaurant.

    With `by_name` there is no first one: raises RestaurantRequired if several are active. Raises
    Forbidden if they have none, and NotFound if `restaurant_id` isn't theirs, whether or not it
    exists.
    """
    memberships = memberships_of(user)
    if restaurant_id is None:
        first = default_membership(memberships)
        if first is None:
            raise Forbidden(NO_RESTAURANT)
        if by_name and sum(_is_open(each.restaurant) for each in memberships) > 1:
            raise RestaurantRequired
        return _named(request, _membership_if_open(user, first, among=memberships))
    for membership in memberships:
        if membership.restaurant_id == restaurant_id:
            return _named(request, _membership_if_open(user, membership, among=memberships))
    visited = None
    if has_staff_access(request, user):  # whatever its status
        visited = Restaurant.objects.filter(pk=restaurant_id).first()
    if visited is None:
        raise NotFound(UNKNOWN_RESTAURANT)
    note_staff_visit(user, visited.pk)
    return _named(request, CurrentMembership(visited, STAFF, len(memberships) > 1))


def note_staff_visit(user: User, restaurant_id: UUID) -> None:
    """Note in the restaurant's activity log that staff looked at it: once an hour at most."""
    record_repeated(
        Kind.STAFF_VISITED,
        key=f"{user.pk}:{restaurant_id}",
        once_in=VISIT,
        restaurant=restaurant_id,
        actor=user,
    )


def _named(request: HttpRequest, membership: CurrentMembership) -> CurrentMembership:
    """Note for the logs which restaurant the request is about."""
    request.asked_restaurant = membership.restaurant  # type: ignore[attr-defined]
    return membership


def enter_restaurant(request: HttpRequest, user: User, restaurant_id: UUID) -> CurrentMembership:
    """The user's membership in this restaurant. Raises like
    `current_membership_of`, and Forbidden for a user
    without any restaurant.
    """
    if not user.is_staff and not memberships_of(user):
        raise Forbidden(NO_RESTAURANT)
    return current_membership_of(request, user, restaurant_id=restaurant_id)


def _is_open(restaurant: Restaurant) -> bool:
    return restaurant.status == Restaurant.Status.ACTIVE


def _membership_if_open(
    user: User, membership: Membership, *, among: Sequence[Membership]
) -> CurrentMembership:
    restaurant = membership.restaurant
    if restaurant.status == Restaurant.Status.INACTIVE:
        raise Forbidden(CLOSED_RESTAURANT, code=ErrorCode.RESTAURANT_CLOSED)
    # Adding the first factor ends every session and token opened without one. So if the account has
    # one, this session has passed it.
    if restaurant.requires_two_factor and not has_second_factor(user):
        raise TwoFactorRequired
    return CurrentMembership(restaurant, membership.role, len(among) > 1)


def _asked_for(request: HttpRequest, *, by_name: bool) -> UUID | None:
    """The restaurant id the request names: its host's, otherwise `?restaurant=`, otherwise the
    header of the page that sent it.
    """
    tenant = tenant_of(request)
    if tenant is not None:
        return tenant.pk
    asked = request.GET.get("restaurant") or request.headers.get(PAGE_HEADER)
    if not asked:
        return None
    try:
        return UUID(asked)
    except ValueError:
        if by_name:
            raise Invalid.because([FieldError("restaurant", INVALID_RESTAURANT)]) from None
        raise NotFound(UNKNOWN_RESTAURANT) from None


def _chosen(request: HttpRequest) -> UUID | None:
    session = getattr(request, "session", None)
    chosen = session.get(CHOSEN_SESSION_KEY) if session is not None else None
    return UUID(chosen) if chosen else None


def current_membership(
    request: HttpRequest, user: User, *, by_name: bool = False
) -> CurrentMembership:
    """The membership for this request: in the restaurant it names, otherwise the one chosen last in
    this session, otherwise the default: for a page the first, for the API (`by_name`) the only one.
    Raises like `current_membership_of`; a malformed id is Invalid in the API.

    A view of a page must act as the restaurant itself, with `rls.acting_as`.
    """
    asked = _asked_for(request, by_name=by_name)
    visit = getattr(request, "support_visit", None)
    if visit is not None and asked in (None, visit.restaurant_id):
        # Staff see what the owner sees; `restaurants.support_visits` lets them change nothing.
        return _named(request, CurrentMembership(visit.restaurant, Membership.Role.OWNER))
    chosen = None if asked else _chosen(request)
    if chosen:
        # If it is no longer theirs or is inactive, fall back to their other restaurants.
        with suppress(Forbidden, NotFound):
            return current_membership_of(request, user, restaurant_id=chosen)
    return current_membership_of(request, user, restaurant_id=asked, by_name=by_name)
