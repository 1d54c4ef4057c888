"""What restaurants' webhooks are told of orders and payments (docs/api.md).

Ids, statuses, and amounts; who the guest is, a program asks the API with its token.
"""

from collections.abc import Sequence
from datetime import datetime

from apps.common.money import Money
from apps.integrations.event_types import EventType
from apps.integrations.outbox import NewEvent, publish
from apps.preorders.models import Dispute, PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus

_OF_ORDER_STATUS = {
    PreOrderStatus.CONFIRMED: EventType.ORDER_CONFIRMED,
    PreOrderStatus.CANCELLED: EventType.ORDER_CANCELED,
    PreOrderStatus.FULFILLED: EventType.ORDER_PICKED_UP,
    PreOrderStatus.NO_SHOW: EventType.ORDER_NO_SHOW,
}
# A refund has an event of its own, because most of them are only of a part.
_OF_PAYMENT_STATUS = {
    PaymentStatus.CAPTURED: EventType.PAYMENT_CAPTURED,
    PaymentStatus.CAPTURE_FAILED: EventType.PAYMENT_FAILED,
    PaymentStatus.RELEASED: EventType.PAYMENT_RELEASED,
}


def publish_order_event(order: PreOrder, event_type: EventType, *, now: datetime) -> None:
    """Tell the restaurant's webhooks of an order that just changed."""
    publish(order.restaurant_id, lambda: [NewEvent(event_type, _order(order))], now=now)


def publish_order_placed(order: PreOrder, *, now: datetime) -> None:
    """Tell of an order whose card is held, the first time: a new hold for it is no new order."""

    def events() -> list[NewEvent]:
        held = order.transitions.filter(field="payment_status", new=PaymentStatus.AUTHORIZED)
        return [NewEvent(EventType.ORDER_PLACED, _order(order))] if held.count() == 1 else []

    publish(order.restaurant_id, events, now=now)


def publish_order_status(orders: Sequence[PreOrder], new: PreOrderStatus, *, now: datetime) -> None:
    """Tell of orders of one restaurant that just got this status.

    A checkout that ended without a card was never an order for the restaurant.
    """
    event_type = _OF_ORDER_STATUS.get(new)
    placed = [order for order in orders if order.authorized_at]
    if event_type and placed:
        restaurant_id = placed[0].restaurant_id
        publish(
            restaurant_id, lambda: [NewEvent(event_type, _order(each)) for each in placed], now=now
        )


def publish_payment_status(
    orders: Sequence[PreOrder], new: PaymentStatus, *, now: datetime
) -> None:
    """Tell of payments of one restaurant that just got this status."""
    event_type = _OF_PAYMENT_STATUS.get(new)
    if event_type and orders:
        publish(
            orders[0].restaurant_id,
            lambda: [NewEvent(event_type, _payment(each)) for each in orders],
            now=now,
        )


def publish_refund(order: PreOrder, amount: Money, *, now: datetime) -> None:
    """Tell of a refund that left for the guest's bank."""
    publish(
        order.restaurant_id,
        lambda: [
            NewEvent(
                EventType.PAYMENT_REFUNDED,
                {**_payment(order), "amount": f"{amount.amount:.2f}"},
            )
        ],
        now=now,
    )


def publish_dispute_event(dispute: Dispute, event_type: EventType, *, now: datetime) -> None:
    """Tell of a dispute that was opened or closed."""
    publish(dispute.restaurant_id, lambda: [NewEvent(event_type, _dispute(dispute))], now=now)


def _order(order: PreOrder) -> dict[str, object]:
    return {
        "id": str(order.pk),
        "specialId": str(order.offer_id),
        "status": str(order.status),
        "paymentStatus": str(order.payment_status),
        "source": str(order.source),
        "quantity": order.quantity,
        "subtotal": f"{order.subtotal:.2f}",
        "tax": f"{order.tax:.2f}",
        "total": f"{order.total_amount:.2f}",
        "currency": order.offer.restaurant.currency,
    }


def _payment(order: PreOrder) -> dict[str, object]:
    return {
        "orderId": str(order.pk),
        "specialId": str(order.offer_id),
        "status": str(order.payment_status),
        "amount": f"{order.total_amount:.2f}",
        "currency": order.offer.restaurant.currency,
    }


def _dispute(dispute: Dispute) -> dict[str, object]:
    order = dispute.pre_order
    return {
        "id": str(dispute.pk),
        "orderId": str(order.pk),
        "specialId": str(order.offer_id),
        "status": str(dispute.status),
        "reason": dispute.reason,
        "amount": f"{dispute.amount:.2f}",
        "currency": order.offer.restaurant.currency,
        "answerDue": dispute.due_by.isoformat() if dispute.due_by else None,
    }
