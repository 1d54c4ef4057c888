"""What the restaurant's people do with an order's money, and orders they take by phone."""

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common import clock
from apps.common.errors import NotFound
from apps.common.money import Money
from apps.offers.selectors import offer_for_display
from apps.preorders.checkout.phone_orders import begin_phone_order
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.manage.api.orders import OwnOrdersView
from apps.preorders.manage.serializers import orders as shapes
from apps.preorders.manage.serializers import requests as inputs
from apps.preorders.settlement.cancellation import cancel_order
from apps.preorders.settlement.refunds import refund_effect, refund_order
from apps.restaurants.permissions import Permission

UNKNOWN_OFFER = "We could not find this offer. Check the link and try again."


class CancelView(OwnOrdersView):
    """Call an order off before its special is decided; its hold is let go."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}

    @extend_schema(request=inputs.ReasonInput, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(inputs.ReasonInput(data=request.data))
        order = self.read(order_id)
        cancel_order(order=order, reason=wanted["reason"], by=self.by, now=clock.now())
        return self.answer(order_id)


class RefundView(OwnOrdersView):
    """Give a charge back, in whole or in part. A worker carries it out: the answer shows the order
    as it stands now."""

    rights: ClassVar = {"GET": Permission.EDIT_ORDERS, "POST": Permission.EDIT_ORDERS}

    @extend_schema(
        parameters=[inputs.RefundQuery],
        responses=shapes.RefundEffectSerializer,
        description="What giving so much back would come to. Nothing is written.",
    )
    def get(self, request: Request, order_id: UUID) -> Response:
        amount = self.valid(inputs.RefundQuery(data=request.query_params))["amount"]
        effect = refund_effect(
            order=self.read(order_id), amount=None if amount is None else Money.of(amount)
        )
        return Response(shapes.RefundEffectSerializer(effect).data)

    @extend_schema(request=inputs.RefundInput, responses=shapes.OrderAnswer)
    def post(self, request: Request, order_id: UUID) -> Response:
        wanted = self.valid(inputs.RefundInput(data=request.data))
        amount = wanted["amount"]
        refund_order(
            order=self.read(order_id),
            amount=None if amount is None else Money.of(amount),
            reason=wanted["reason"],
            by=self.by,
            now=clock.now(),
        )
        return self.answer(order_id)


class PhoneOrdersView(OwnOrdersView):
    """Take an order by phone: the portions are reserved, and the guest gives a card on the page
    that `payUrl` leads to, until `expiresAt`."""

    rights: ClassVar = {"POST": Permission.EDIT_ORDERS}

    @extend_schema(request=inputs.PhoneOrderInput, responses={201: shapes.PhoneOrderStarted})
    def post(self, request: Request) -> Response:
        wanted = self.valid(inputs.PhoneOrderInput(data=request.data))
        offer = offer_for_display(restaurant=self.restaurant, offer_id=wanted["offerId"])
        if offer is None:
            raise NotFound(UNKNOWN_OFFER)
        order = begin_phone_order(
            offer_id=offer.pk,
            quantity=wanted["quantity"],
            customer=GuestDetails(
                name=wanted["customerName"],
                email=wanted["customerEmail"],
                phone=wanted["customerPhone"],
            ),
            note=wanted["note"],
            slot_id=wanted["slotId"],
            now=clock.now(),
        )
        begun = {
            "order": self.read(order.pk),
            "pay_url": order.checkout_url,
            "expires_at": order.checkout_expires_at,
        }
        answer = shapes.PhoneOrderStarted(begun, context=self.shape_context())
        return Response(answer.data, status=201)
