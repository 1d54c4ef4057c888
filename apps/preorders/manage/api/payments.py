"""The staff API for canceling and refunding orders, and for phone orders."""

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import NotFound
from apps.common.money import Money
from apps.offers.selectors import offer_for_display
from apps.preorders.checkout.phone_orders import begin_phone_order
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.manage.api.orders import OwnOrdersView
from apps.preorders.manage.serializers.orders import (
    OrderAnswer,
    PhoneOrderStarted,
    RefundEffectSerializer,
)
from apps.preorders.manage.serializers.requests import (
    PhoneOrderInput,
    ReasonInput,
    RefundInput,
    RefundQuery,
)
from apps.preorders.settlement.cancellation import cancel_order
from apps.preorders.settlement.refunds import refund_order, refund_preview
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.permissions import Permission

UNKNOWN_OFFER = "We couldn't find this special. Check the link and try again."


class CancelView(OwnOrdersView):
    """Cancel an order before its special is decided; its hold is released."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {
        "POST": (ErrorCode.CONFLICT,),
    }

    @extend_schema(request=ReasonInput, responses=OrderAnswer)
    @idempotent
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(ReasonInput(data=request.data))
        order = self.read(order_id)
        cancel_order(order=order, reason=wanted["reason"], by=self.by, now=clock.now())
        return self.answer(order_id)


class RefundView(OwnOrdersView):
    """Refund a charge, fully or in part.

    A worker executes it later, so the response shows the order's current state.
    """

    rights: ClassVar = {"GET": Permission.EDIT_ORDERS, "POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {
        "GET": (
            ErrorCode.NOT_CHARGED,
            ErrorCode.CONFLICT,
        ),
        "POST": (
            ErrorCode.NOT_CHARGED,
            ErrorCode.REFUND_IN_PROGRESS,
            ErrorCode.CONFIRMATION_REQUIRED,
            ErrorCode.CONFLICT,
        ),
    }

    @extend_schema(
        parameters=[RefundQuery],
        responses=RefundEffectSerializer,
        description="Preview the effect of a refund. Nothing is written.",
    )
    def get(self, request: Request, order_id: UUID) -> Response:
        amount = self.valid(RefundQuery(data=request.query_params))["amount"]
        preview = refund_preview(
            order=self.read(order_id),
            amount=None if amount is None else Money.of(amount),
            now=clock.now(),
        )
        context = {"currency": self.restaurant.currency}
        return Response(RefundEffectSerializer(preview, context=context).data)

    @extend_schema(request=RefundInput, responses=OrderAnswer)
    @idempotent
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(RefundInput(data=request.data))
        amount, confirmed = wanted["amount"], wanted["confirmAmount"]
        refund_order(
            order=self.read(order_id),
            amount=None if amount is None else Money.of(amount),
            reason=wanted["reason"],
            by=self.by,
            now=clock.now(),
            confirmed=None if confirmed is None else Money.of(confirmed),
            attempt=self.attempt,
        )
        return self.answer(order_id)


class PhoneOrdersView(OwnOrdersView):
    """Take an order by phone.

    The portions are reserved; the guest enters a card at `payUrl` until `expiresAt`.
    """

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}
    refusals: ClassVar = {
        "POST": (
            ErrorCode.ORDERS_CLOSED,
            ErrorCode.ORDERS_NOT_OPEN,
            ErrorCode.SOLD_OUT,
            ErrorCode.CONFLICT,
            ErrorCode.UNAVAILABLE,
            ErrorCode.BUSY,
        ),
    }

    @extend_schema(request=PhoneOrderInput, responses={201: PhoneOrderStarted})
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = self.valid(PhoneOrderInput(data=request.data))
        offer = offer_for_display(restaurant=self.restaurant, offer_id=wanted["offerId"])
        if offer is None:
            raise NotFound(UNKNOWN_OFFER)
        order = begin_phone_order(
            offer_id=offer.pk,
            quantity=wanted["quantity"],
            guest=GuestDetails(
                name=wanted["customerName"],
                email=wanted["customerEmail"],
                phone=wanted["customerPhone"],
            ),
            note=wanted["note"],
            slot_id=wanted["slotId"],
            service_mode=wanted["serviceMode"],
            taken_by=request.user if isinstance(request.user, User) else None,
            now=clock.now(),
            attempt=self.attempt,
        )
        begun = {
            "order": self.read(order.pk),
            "pay_url": order.checkout_url,
            "expires_at": order.checkout_expires_at,
        }
        answer = PhoneOrderStarted(begun, context=self.serializer_context())
        return Response(answer.data, status=201)
