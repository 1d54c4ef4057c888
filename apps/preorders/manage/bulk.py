"""Bulk actions on orders; each order succeeds or fails by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.common.errors import DomainError, NotFound
from apps.preorders.manage import fulfillment
from apps.preorders.manage.actions import Action
from apps.preorders.models import PreOrder
from apps.preorders.settlement.cancellation import cancel_order
from apps.preorders.settlement.refunds import refund_order
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class BulkRefusal:
    """An order that was refused; `message` says why and what to do."""

    id: UUID
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    done: list[UUID]
    refused: list[BulkRefusal]


def apply_to_orders(
    *,
    restaurant: Restaurant,
    action: Action,
    ids: Sequence[UUID],
    reason: str,
    by: str,
    now: datetime,
) -> BulkOutcome:
    """Apply `action` to each order in its own transaction; a refusal doesn't stop the others.

    `reason` is used for cancellations and refunds.
    """
    perform = _ACTIONS[action]
    outcome = BulkOutcome([], [])
    theirs = {
        order.pk: order.code
        for order in PreOrder.objects.filter(restaurant=restaurant, pk__in=ids).only("pk")
    }
    for order_id in dict.fromkeys(ids):
        try:
            perform(restaurant, order_id, reason, by, now)
            outcome.done.append(order_id)
        except DomainError as refusal:
            code = theirs.get(order_id, "")
            outcome.refused.append(BulkRefusal(order_id, code, refusal.message))
    return outcome


_BulkAction = Callable[[Restaurant, UUID, str, str, datetime], PreOrder]


def _mark_picked_up(
    of: Restaurant, order_id: UUID, reason: str, by: str, now: datetime
) -> PreOrder:
    return fulfillment.mark_picked_up(restaurant=of, order_id=order_id, by=by, now=now)


def _no_show(of: Restaurant, order_id: UUID, reason: str, by: str, now: datetime) -> PreOrder:
    return fulfillment.mark_no_show(restaurant=of, order_id=order_id, by=by, now=now)


def _resend(of: Restaurant, order_id: UUID, reason: str, by: str, now: datetime) -> PreOrder:
    return fulfillment.resend_email(restaurant=of, order_id=order_id, kind=None, now=now)


def _cancel(of: Restaurant, order_id: UUID, reason: str, by: str, now: datetime) -> PreOrder:
    return cancel_order(order=_own_order(of, order_id), reason=reason, by=by, now=now)


def _refund(of: Restaurant, order_id: UUID, reason: str, by: str, now: datetime) -> PreOrder:
    return refund_order(order=_own_order(of, order_id), amount=None, reason=reason, by=by, now=now)


def _own_order(of: Restaurant, order_id: UUID) -> PreOrder:
    order = PreOrder.objects.filter(restaurant=of, pk=order_id).first()
    if order is None:
        raise NotFound(fulfillment.UNKNOWN_ORDER)
    return order


_ACTIONS: dict[Action, _BulkAction] = {
    Action.PICK_UP: _mark_picked_up,
    Action.NO_SHOW: _no_show,
    Action.RESEND: _resend,
    Action.CANCEL: _cancel,
    Action.REFUND: _refund,
}
