"""Base classes of API views: endpoints for a restaurant's team, and public ones.

Both determine the restaurant, store it in `self.restaurant`, and act as it (row-level security) for
the whole handler, serialization included. So a handler never calls `rls.acting_as` itself, and rows
of other restaurants don't exist for it: look them up and answer 404.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.accounts.api.authentication import default_scope
from apps.accounts.models import BearerToken, User
from apps.accounts.step_up import require_step_up
from apps.common import rls
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Forbidden, Invalid, NotFound
from apps.common.ids import parse_uuid
from apps.common.views import closed_title
from apps.restaurants.api.idempotency import IDEMPOTENCY_KEY
from apps.restaurants.idempotency import Attempt
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import (
    CurrentMembership,
    Permission,
    current_membership,
    membership_in,
)
from apps.restaurants.selectors import restaurant_by_id

# What a token with the scope `orders` can use besides reading.
ORDER_PERMISSIONS = frozenset({Permission.FULFILL_ORDERS, Permission.EDIT_ORDERS})
CHOICE = [
    OpenApiParameter(
        "X-Restaurant",
        OpenApiTypes.UUID,
        OpenApiParameter.HEADER,
        description="The id of the restaurant the request is about. Required if the account has "
        "several, unless `restaurant` is sent or the session has chosen one.",
    ),
    OpenApiParameter(
        "restaurant",
        OpenApiTypes.UUID,
        OpenApiParameter.QUERY,
        description="The same as `X-Restaurant`, and takes precedence over it.",
    ),
]
RID = OpenApiParameter(
    "rid",
    OpenApiTypes.UUID,
    OpenApiParameter.QUERY,
    description="The restaurant's id; not needed on a restaurant's own host.",
)
INVALID_RID = gettext_lazy("That isn't a restaurant's ID. Check the link and try again.")
NO_SUCH_RESTAURANT = gettext_lazy("We couldn't find that restaurant. Check the link and try again.")


class _ActingView(APIView):
    """Acts as a restaurant from the call of `_enter` until the response is rendered."""

    rights: ClassVar[Mapping[str, Permission]] = {}
    # The methods that need a step-up (`accounts.step_up`).
    step_up: ClassVar[Collection[str]] = ()
    # Refusals by method, besides those that follow from the rest of the view.
    refusals: ClassVar[Mapping[str, Collection[ErrorCode]]] = {}
    restaurant: Any
    membership: CurrentMembership
    # Set in handlers marked `idempotent`, for requests with an idempotency key.
    attempt: Attempt | None = None
    _contexts: ExitStack

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with ExitStack() as self._contexts:
            return super().dispatch(request, *args, **kwargs)

    def token_scope(self, method: str) -> str:
        """The scope a bearer token needs for this method (`accounts.api.authentication`)."""
        if self.rights.get(method) in ORDER_PERMISSIONS:
            return BearerToken.Scope.ORDERS
        return default_scope(method)

    def described_refusals(self, method: str) -> Iterator[ErrorCode]:
        """What the API's description says that this method refuses (`apps.common.api.schema`)."""
        if self._is_for_team(method):
            yield from (ErrorCode.INVALID, ErrorCode.RESTAURANT_REQUIRED, ErrorCode.FORBIDDEN)
            yield from (ErrorCode.RESTAURANT_CLOSED, ErrorCode.TWO_FACTOR_REQUIRED)
            yield from (ErrorCode.UNAUTHENTICATED, ErrorCode.NOT_FOUND)
        if method in self.step_up:
            yield ErrorCode.REAUTHENTICATE
        if self._is_idempotent(method):
            yield from (ErrorCode.REQUEST_IN_PROGRESS, ErrorCode.IDEMPOTENCY_KEY_REUSED)

    def described_parameters(self, method: str) -> list[OpenApiParameter]:
        """The parameters of this method that this class reads."""
        keys = [IDEMPOTENCY_KEY] if self._is_idempotent(method) else []
        return [*keys, *(CHOICE if self._is_for_team(method) else ())]

    def _is_for_team(self, method: str) -> bool:
        return True

    def _is_idempotent(self, method: str) -> bool:
        return hasattr(getattr(self, method.lower(), None), "is_idempotent")

    def _enter(self, restaurant: Restaurant | None) -> None:
        self.restaurant = restaurant
        self._contexts.enter_context(rls.acting_as(restaurant))

    def _enter_as_member(self, request: Request, right: Permission) -> None:
        if not isinstance(request.user, User):
            raise NotAuthenticated
        self.membership = current_membership(request._request, request.user, by_name=True)
        self.membership.require(right)
        if request.method in self.step_up:
            require_step_up(request, request.user)
        self._enter(self.membership.restaurant)


class RestaurantView(_ActingView):
    """An endpoint for a restaurant's team.

    Set the right each method needs in `rights`; the default is `MANAGE`, which only the owner has.
    Answers 401 if not signed in, 403 without the right or without a restaurant, 404 for a
    restaurant (`?restaurant=`, or the host's) that isn't the user's own, and 400 if the user has
    several and names none.

        class OrdersView(RestaurantView):
            rights = {"GET": Right.SEE_ORDERS}

            def get(self, request: Request) -> Response:
                orders = selectors.orders_for_dashboard(restaurant=self.restaurant, …)

    The user's role is `self.membership.role`.
    """

    permission_classes = [IsAuthenticated]
    restaurant: Restaurant

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._enter_as_member(request, self.rights.get(request.method or "", Permission.MANAGE))


class PublicRestaurantView(_ActingView):
    """A public endpoint about one restaurant (DECISIONS X32).

    The restaurant is the host's; on the platform's host, the one in `?rid=`, otherwise the one that
    `restaurant_of_subject` returns, otherwise the signed-in user's own. If there is none, or it
    isn't active, the response is 404 with the message `not_found`. With `restaurant_required` off,
    `self.restaurant` is None instead, and every table is empty.

    `self.is_own` is True for a team member who sends a bearer token, or who doesn't name the
    restaurant by host or `?rid=` (as guests do).

    A method listed in `rights` is restricted to the team, as in `RestaurantView`.
    """

    restaurant_required: ClassVar[bool] = True
    not_found: ClassVar[Any] = NO_SUCH_RESTAURANT
    # Whether it also answers about a suspended or closed restaurant (`middleware`).
    stays_open: ClassVar[bool] = False
    is_own: bool = False

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        """The restaurant of the object the request is about, found by an id in the path or body.

        For endpoints like `/api/specials/{id}`. Called while acting as the platform. A restaurant's
        own host still shows only its own objects.
        """
        return None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        right = self.rights.get(request.method or "")
        if right:
            self._enter_as_member(request, right)
            self.is_own = True
        else:
            self._enter_platform(request)

    def described_refusals(self, method: str) -> Iterator[ErrorCode]:
        yield from super().described_refusals(method)
        if not self._is_for_team(method):
            yield ErrorCode.INVALID
            yield ErrorCode.NOT_FOUND
            if self.get_authenticators():
                yield ErrorCode.RESTAURANT_REQUIRED

    def described_parameters(self, method: str) -> list[OpenApiParameter]:
        found = super().described_parameters(method)
        if self._is_for_team(method):
            return found
        return [*found, RID, *(CHOICE if self.get_authenticators() else ())]

    def _is_for_team(self, method: str) -> bool:
        return method in self.rights

    def _enter_platform(self, request: Request) -> None:
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
        self._enter(restaurant)

    @staticmethod
    def _named_restaurant(request: Request) -> Restaurant | None:
        tenant = tenant_of(request._request)
        if tenant is not None:
            return tenant
        asked = request.query_params.get("rid")
        if not asked:
            return None
        key = parse_uuid(asked)
        if key is None:
            raise Invalid.because([FieldError("rid", str(INVALID_RID))])
        found = restaurant_by_id(key)
        if found is None:
            raise NotFound(str(NO_SUCH_RESTAURANT))
        if found.status != Restaurant.Status.ACTIVE:
            raise NotFound(closed_title(found))
        return found

    def _subject_restaurant(self, request: Request) -> Restaurant | None:
        with rls.acting_as(rls.PLATFORM):
            found = self.restaurant_of_subject(request)
        is_open = self.stays_open or (found and found.status == Restaurant.Status.ACTIVE)
        return found if is_open else None

    def _own(self, request: Request) -> Restaurant | None:
        if not isinstance(request.user, User):
            return None
        try:
            return current_membership(request._request, request.user, by_name=True).restaurant
        except Forbidden:  # an account without a restaurant, or an inactive restaurant
            return None
