"""The staff API for orders: list, details, pickup, notes, emails, and bulk actions."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid, NotFound
from apps.preorders.manage import bulk, fulfillment, order_list, pickup
from apps.preorders.manage.actions import REQUIRED_RIGHTS, Action
from apps.preorders.manage.api.detail import order_detail
from apps.preorders.manage.fulfillment import pickup_count
from apps.preorders.manage.order_list import OrderSort
from apps.preorders.manage.serializers.orders import (
    BulkDone,
    Changes,
    OrderAnswer,
    OrderDetail,
    OrderList,
    PickupCountSerializer,
    PickUpSerializer,
)
from apps.preorders.manage.serializers.requests import (
    BulkInput,
    NoteInput,
    ResendInput,
    read_filter,
    read_sort,
)
from apps.preorders.manage.version import version_for_restaurant
from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

# Enough for a line of guests; slows down a program that tries codes.
LOOKUP_LIMIT = Limit("pick-up", times=120, window=60)

FILTERS = [
    OpenApiParameter("offer", OpenApiTypes.UUID, description="Only orders of this offer."),
    OpenApiParameter("day", OpenApiTypes.DATE, description="Only orders served on this day."),
    OpenApiParameter("q", str, description="Name, email, phone number, or code."),
    OpenApiParameter("status", str, description="One or more, separated by commas."),
    OpenApiParameter("payment", str, description="One or more, separated by commas."),
]


class OwnOrdersView(RestaurantView):
    """Base class of the order views: the serializer context, and who acts."""

    @property
    def by(self) -> str:
        assert isinstance(self.request.user, User)  # RestaurantView
        return self.request.user.name or self.request.user.email

    def serializer_context(self) -> dict[str, Any]:
        return {"membership": self.membership, "now": clock.now()}

    def read(self, order_id: UUID) -> PreOrder:
        order = order_list.order_for_restaurant(restaurant=self.restaurant, order_id=order_id)
        if order is None:
            raise NotFound(fulfillment.UNKNOWN_ORDER)
        return order

    def answer(self, order_id: UUID) -> Response:
        """A response with the order's current state."""
        found = {"order": self.read(order_id)}
        return Response(OrderAnswer(found, context=self.serializer_context()).data)

    def valid(self, form: Any) -> dict[str, Any]:
        form.is_valid(raise_exception=True)
        data: dict[str, Any] = form.validated_data
        return data


class OrdersView(OwnOrdersView):
    """The restaurant's orders, newest first or by serve day, paginated."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}
    refusals: ClassVar = {
        "GET": (ErrorCode.INVALID_CURSOR,),
    }

    @extend_schema(
        parameters=[
            *FILTERS,
            OpenApiParameter(
                "sort",
                str,
                enum=list(OrderSort),
                description=(
                    "`newest` (the default), or `serve_day`: today and the next days, then the "
                    "past ones, the latest first."
                ),
            ),
            CURSOR,
            limit_parameter(),
        ],
        responses=OrderList,
    )
    def get(self, request: Request) -> Response:
        page = order_list.orders_for_restaurant(
            restaurant=self.restaurant,
            filters=read_filter(request.query_params),
            sort=read_sort(request.query_params),
            cursor=request.query_params.get("cursor"),
            limit=read_limit(request),
            now=clock.now(),
        )
        return Response(OrderList(page, context=self.serializer_context()).data)


class OrderView(OwnOrdersView):
    """One order with its payment, emails, and activity."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}

    @extend_schema(responses=OrderDetail)
    def get(self, request: Request, order_id: UUID) -> Response:
        order = self.read(order_id)
        return Response(order_detail(order, membership=self.membership, now=clock.now()))


class ChangesView(OwnOrdersView):
    """A version that changes with the restaurant's data; cheap enough to poll every few seconds."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}

    @extend_schema(responses=Changes)
    def get(self, request: Request) -> Response:
        return Response({"version": version_for_restaurant(self.restaurant)})


class PickUpView(OwnOrdersView):
    """Mark an order as picked up."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=None, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.mark_picked_up(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class NoShowView(OwnOrdersView):
    """Mark an order as a no-show."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=None, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.mark_no_show(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class UndoView(OwnOrdersView):
    """Undo "picked up" or "no-show"."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=None, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.undo_pickup(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class NotesView(OwnOrdersView):
    """Add a note to the order; the guest never sees it."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=NoteInput, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(NoteInput(data=request.data))
        fulfillment.add_note(
            restaurant=self.restaurant,
            order_id=order_id,
            text=wanted["text"],
            by=self.by,
            now=clock.now(),
        )
        return self.answer(order_id)


class ResendView(OwnOrdersView):
    """Resend an email to the guest."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=ResendInput, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(ResendInput(data=request.data))
        fulfillment.resend_email(
            restaurant=self.restaurant,
            order_id=order_id,
            kind=EmailKind(wanted["kind"]),
            now=clock.now(),
        )
        return self.answer(order_id)


class NewLinkView(OwnOrdersView):
    """Revoke the links to an order and email its guest a new one."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {"POST": (ErrorCode.CONFLICT,)}

    @extend_schema(request=None, responses=OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.replace_link(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class BulkView(OwnOrdersView):
    """Apply an action to several orders; each succeeds or fails by itself."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=BulkInput, responses=BulkDone)
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = self.valid(BulkInput(data=request.data))
        action = Action(wanted["action"])
        self.membership.require(REQUIRED_RIGHTS[action])
        outcome = bulk.apply_to_orders(
            restaurant=self.restaurant,
            action=action,
            ids=wanted["ids"],
            reason=wanted["reason"],
            by=self.by,
            now=clock.now(),
        )
        return Response(BulkDone(outcome).data)


class PickUpLookUpView(OwnOrdersView):
    """Look up an order at pickup, by its code or the text of its QR code."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}
    refusals: ClassVar = {
        "GET": (ErrorCode.TOO_MANY_ATTEMPTS,),
    }

    @extend_schema(
        parameters=[OpenApiParameter("code", str, required=True)], responses=PickUpSerializer
    )
    def get(self, request: Request) -> Response:
        code = request.query_params.get("code", "").strip()
        if not code or len(code) > pickup.MAX_CODE_LENGTH or "\x00" in code:
            message = "Enter the 8-character order code, or scan its QR code."
            raise Invalid(message, fields=[FieldError("code", message)])
        LOOKUP_LIMIT.count(str(request.user.pk))
        context = self.serializer_context()
        found = pickup.look_up(restaurant=self.restaurant, code=code, now=context["now"])
        return Response(PickUpSerializer(found, context=context).data)


class PickUpTodayView(RestaurantView):
    """Today's pickup progress, in the restaurant's time zone."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}

    @extend_schema(responses=PickupCountSerializer)
    def get(self, request: Request) -> Response:
        today = clock.now().astimezone(self.restaurant.zone).date()
        return Response(
            PickupCountSerializer(pickup_count(restaurant=self.restaurant, day=today)).data
        )
