"""The API of the restaurant's orders: finding them, and what its people do with them."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.common import clock
from apps.common.errors import FieldError, Invalid, NotFound
from apps.preorders.documents import order_list, pickup
from apps.preorders.manage import bulk, fulfillment
from apps.preorders.manage.actions import PERMISSION_FOR, Action
from apps.preorders.manage.api.detail import order_detail
from apps.preorders.manage.serializers import orders as shapes
from apps.preorders.manage.serializers import requests as inputs
from apps.preorders.manage.version import version_for_restaurant
from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.api.views.base import RestaurantView
from apps.restaurants.permissions import Permission

# A queue at the door is one look-up every few seconds; a program that tries codes asks faster.
LOOK_UPS = Limit("pick-up", times=120, window=60)

FILTERS = [
    OpenApiParameter("offer", OpenApiTypes.UUID, description="Only this offer's orders."),
    OpenApiParameter("day", OpenApiTypes.DATE, description="Only those served on this day."),
    OpenApiParameter("q", str, description="Name, e-mail, telephone number or code."),
    OpenApiParameter("status", str, description="One or several, separated by commas."),
    OpenApiParameter("payment", str, description="One or several, separated by commas."),
]


class OwnOrdersView(RestaurantView):
    """What every operation on orders shares: the shapes' context, and who acts."""

    @property
    def by(self) -> str:
        assert isinstance(self.request.user, User)  # RestaurantView
        return self.request.user.name or self.request.user.email

    def shape_context(self) -> dict[str, Any]:
        return {"post": self.held, "now": clock.now()}

    def read(self, order_id: UUID) -> PreOrder:
        order = order_list.order_for_restaurant(restaurant=self.restaurant, order_id=order_id)
        if order is None:
            raise NotFound(fulfillment.UNKNOWN_ORDER)
        return order

    def answer(self, order_id: UUID) -> Response:
        """The order as it stands now."""
        found = {"order": self.read(order_id)}
        return Response(shapes.OrderAnswer(found, context=self.shape_context()).data)

    def valid(self, form: Any) -> dict[str, Any]:
        form.is_valid(raise_exception=True)
        data: dict[str, Any] = form.validated_data
        return data


class OrdersView(OwnOrdersView):
    """The restaurant's orders, newest first, a page at a time."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}

    @extend_schema(
        parameters=[
            *FILTERS,
            OpenApiParameter("cursor", str, description="`nextCursor` of the page before."),
        ],
        responses=shapes.OrderList,
    )
    def get(self, request: Request) -> Response:
        page = order_list.orders_for_restaurant(
            restaurant=self.restaurant,
            asked=inputs.read_filter(request.query_params),
            cursor=request.query_params.get("cursor"),
        )
        return Response(shapes.OrderList(page, context=self.shape_context()).data)


class OrderView(OwnOrdersView):
    """One order with its money, its letters and everything that happened to it."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}

    @extend_schema(responses=shapes.OrderDetail)
    def get(self, request: Request, order_id: UUID) -> Response:
        order = self.read(order_id)
        return Response(order_detail(order, post=self.held, now=clock.now()))


class ChangesView(OwnOrdersView):
    """Whether anything has changed since the last look; cheap enough to ask every few seconds."""

    rights: ClassVar = {"GET": Permission.SEE_ORDERS}

    @extend_schema(responses=shapes.Changes)
    def get(self, request: Request) -> Response:
        return Response({"version": version_for_restaurant(self.restaurant)})


class PickUpView(OwnOrdersView):
    """The guest picked the order up."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=None, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.mark_picked_up(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class NoShowView(OwnOrdersView):
    """The guest did not come."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=None, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.mark_no_show(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class UndoView(OwnOrdersView):
    """Take "picked up" or "not picked up" back."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=None, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        fulfillment.undo_pickup(
            restaurant=self.restaurant, order_id=order_id, by=self.by, now=clock.now()
        )
        return self.answer(order_id)


class NotesView(OwnOrdersView):
    """Write a note beside the order; the guest never sees it."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=inputs.NoteInput, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(inputs.NoteInput(data=request.data))
        fulfillment.add_note(
            restaurant=self.restaurant,
            order_id=order_id,
            text=wanted["text"],
            by=self.by,
            now=clock.now(),
        )
        return self.answer(order_id)


class ResendView(OwnOrdersView):
    """Send the guest a letter once more."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}

    @extend_schema(request=inputs.ResendInput, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(inputs.ResendInput(data=request.data))
        fulfillment.resend_email(
            restaurant=self.restaurant,
            order_id=order_id,
            kind=EmailKind(wanted["kind"]),
            now=clock.now(),
        )
        return self.answer(order_id)


class BulkView(OwnOrdersView):
    """The same for many orders at once; each is decided by itself."""

    rights: ClassVar = {"POST": Permission.FULFILL_ORDERS}

    @extend_schema(request=inputs.BulkInput, responses=shapes.BulkDone)
    def post(self, request: Request) -> Response:
        wanted = self.valid(inputs.BulkInput(data=request.data))
        action = Action(wanted["action"])
        self.held.require(PERMISSION_FOR[action])
        outcome = bulk.apply_to_orders(
            restaurant=self.restaurant,
            action=action,
            ids=wanted["ids"],
            reason=wanted["reason"],
            by=self.by,
            now=clock.now(),
        )
        return Response(shapes.BulkDone(outcome).data)


class PickUpLookUpView(OwnOrdersView):
    """Who stands at the door: by the order's code or by the text of its QR code."""

    rights: ClassVar = {"GET": Permission.FULFILL_ORDERS}

    @extend_schema(
        parameters=[OpenApiParameter("code", str, required=True)], responses=shapes.PickUpSerializer
    )
    def get(self, request: Request) -> Response:
        code = request.query_params.get("code", "").strip()
        if not code or len(code) > pickup.LONGEST_CODE or "\x00" in code:
            message = "Type the 8 characters of the order code, or scan its QR code."
            raise Invalid(message, fields=[FieldError("code", message)])
        LOOK_UPS.count(str(request.user.pk))
        context = self.shape_context()
        found = pickup.look_up(restaurant=self.restaurant, code=code, now=context["now"])
        return Response(shapes.PickUpSerializer(found, context=context).data)
