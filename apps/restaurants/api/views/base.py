"""The two kinds of endpoint there are: a restaurant's own people's, and everybody's.

Both find out which restaurant is meant, keep it in `self.restaurant`, and act as it for the whole
handler, serialization included. A handler therefore never calls `rls.acting_as` itself, and someone
else's row is simply not there: look it up and answer 404.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common import rls
from apps.common.errors import Forbidden, NotFound
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import (
    CurrentMembership,
    Permission,
    current_membership,
    membership_in,
)
from apps.restaurants.selectors import active_restaurant_by_id

NO_SUCH_RESTAURANT = gettext_lazy(
    "We could not find that restaurant. Check the link and try again."
)


class _ActingView(APIView):
    """Acts as a restaurant from the moment `_act_as` is called until the answer is made."""

    rights: ClassVar[Mapping[str, Permission]] = {}
    restaurant: Any
    held: CurrentMembership
    _acts: ExitStack

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with ExitStack() as self._acts:
            return super().dispatch(request, *args, **kwargs)

    def _act_as(self, restaurant: Restaurant | None) -> None:
        self.restaurant = restaurant
        self._acts.enter_context(rls.acting_as(restaurant))

    def _act_as_member(self, request: Request, right: Permission) -> None:
        if not isinstance(request.user, User):
            raise NotAuthenticated
        self.held = current_membership(request._request, request.user)
        self.held.require(right)
        self._act_as(self.held.restaurant)


class RestaurantView(_ActingView):
    """An endpoint of a restaurant's own people.

    Name the right each method needs in `rights`; a method that is not named needs `MANAGE`, which
    only the owner has. Answers 401 to a passer-by, 403 without the right or without a restaurant,
    404 for a restaurant (`?restaurant=`, or the host's) that is not the person's own.

        class OrdersView(RestaurantView):
            rights = {"GET": Right.SEE_ORDERS}

            def get(self, request: Request) -> Response:
                orders = selectors.orders_for_dashboard(restaurant=self.restaurant, …)

    The person's role there is `self.held.role`.
    """

    permission_classes = [IsAuthenticated]
    restaurant: Restaurant

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._act_as_member(request, self.rights.get(request.method or "", Permission.MANAGE))


class PublicRestaurantView(_ActingView):
    """An endpoint for everybody, about one restaurant (DECISIONS X32).

    The restaurant is the host's; on the platform's host the one of `?rid=`, else the one that
    `restaurant_of_subject` finds, else the signed-in account's own. When there is none, or it is
    not open to the public, the answer is 404 with the words of `not_found`, unless
    `restaurant_required` is off: then `self.restaurant` is None and every table is empty.

    `self.is_own` tells whether one of the restaurant's people asks about it as such: with a bearer
    token, or without naming it by host or `?rid=`, which is how guests name it.

    A method named in `rights` is for the restaurant's own people alone, as in `RestaurantView`.
    """

    restaurant_required: ClassVar[bool] = True
    not_found: ClassVar[Any] = NO_SUCH_RESTAURANT
    is_own: bool = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        """The restaurant of what the request is about, found by an id of the path or the body.

        Called acting as the platform. For an endpoint whose one id says it all, like
        `/api/specials/{id}`; a restaurant's own host still shows only its own.
        """
        return None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        right = self.rights.get(request.method or "")
        if right:
            self._act_as_member(request, right)
            self.is_own = True
        else:
            self._act_for_everybody(request)

    def _act_for_everybody(self, request: Request) -> None:
        named = self._named_restaurant(request)
        restaurant = named or self._subject_restaurant(request) or self._own(request)
        if restaurant is None and self.restaurant_required:
            raise NotFound(str(self.not_found))
        asked_as_guest = named is not None and request.auth is None
        self.is_own = (
            restaurant is not None
            and not asked_as_guest
            and membership_in(request.user, restaurant) is not None
        )
        self._act_as(restaurant)

    @staticmethod
    def _named_restaurant(request: Request) -> Restaurant | None:
        tenant = tenant_of(request._request)
        if tenant is not None:
            return tenant
        asked = request.query_params.get("rid")
        if not asked:
            return None
        found = active_restaurant_by_id(asked)
        if found is None:
            raise NotFound(str(NO_SUCH_RESTAURANT))
        return found

    def _subject_restaurant(self, request: Request) -> Restaurant | None:
        with rls.acting_as(rls.PLATFORM):
            found = self.restaurant_of_subject(request)
        return found if found and found.status == Restaurant.Status.ACTIVE else None

    def _own(self, request: Request) -> Restaurant | None:
        if not isinstance(request.user, User):
            return None
        try:
            return current_membership(request._request, request.user).restaurant
        except Forbidden:  # a diner's account, or a restaurant that is closed
            return None
