"""Reads of the ledger, and of an order by the reference its guest has."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Q, Sum

from apps.billing.models import PaymentHistory
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.querysets import FULL_REFUND_Q
from apps.preorders.models.states import OperationKind, OperationStatus, ReasonCode
from apps.restaurants.models import Restaurant

LEDGER_PAGE_SIZE = 50
ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class LedgerTotals:
    """The totals of the restaurant's ledger."""

    captured: Decimal
    platform_fees: Decimal
    processing_fees: Decimal
    refunded: Decimal
    payout: Decimal


@dataclass(frozen=True, slots=True)
class Ledger:
    entries: list[PaymentHistory]
    totals: LedgerTotals


def ledger_for_restaurant(*, restaurant: Restaurant, limit: int = LEDGER_PAGE_SIZE) -> Ledger:
    """The newest ledger entries, and the totals of all of them."""
    entries = PaymentHistory.objects.filter(restaurant=restaurant)
    kind = PaymentHistory.Type
    sums = entries.aggregate(
        captured=Sum("amount", filter=Q(transaction_type=kind.CAPTURE)),
        platform=Sum("platform_fee_amount", filter=Q(transaction_type=kind.CAPTURE)),
        platform_back=Sum("platform_fee_amount", filter=Q(transaction_type=kind.REFUND)),
        processing=Sum("amount", filter=Q(transaction_type=kind.FEE)),
        refunded=Sum("amount", filter=Q(transaction_type=kind.REFUND)),
        # A refund returns the fees too.
        processing_back=Sum("processing_fee_amount", filter=Q(transaction_type=kind.REFUND)),
    )
    value = {name: amount or ZERO for name, amount in sums.items()}
    shares = value["platform"] - value["platform_back"]
    processing = value["processing"] - value["processing_back"]
    return Ledger(
        entries=list(
            entries.select_related("pre_order__sold").order_by("-processed_at", "-pk")[:limit]
        ),
        totals=LedgerTotals(
            captured=value["captured"],
            platform_fees=shares,
            processing_fees=processing,
            refunded=value["refunded"],
            payout=value["captured"] - value["refunded"] - shares - processing,
        ),
    )


def order_by_reference(reference: str) -> PreOrder | None:
    """An order by its id or its checkout session's id; both are unguessable (DECISIONS X33)."""
    orders = PreOrder.objects.select_related("offer__restaurant", "sold__photo", "pickup_slot")
    try:
        return orders.filter(pk=UUID(reference)).first()
    except ValueError:
        return orders.filter(checkout_session_id=reference).first()


def is_being_refunded(order: PreOrder) -> bool:
    """Whether a refund of all that is left was requested and not carried out yet.

    Read from the order if it was loaded with `order_list.for_people`.
    """
    if hasattr(order, "being_refunded"):
        return bool(order.being_refunded)
    return order.operations.filter(FULL_REFUND_Q, state=OperationStatus.PENDING).exists()


def released_first(order: PreOrder) -> bool:
    """Whether the guest let the order's hold go to make room for a new one (decision 50)."""
    return order.operations.filter(
        kind=OperationKind.RENEW, reason_code=ReasonCode.RELEASED_FIRST
    ).exists()


def was_replaced(order: PreOrder, intent_id: str) -> bool:
    """Whether this intent was the order's own and was replaced."""
    return order.operations.filter(kind=OperationKind.RENEW, reference=intent_id).exists()


def ended_too_late(order: PreOrder, operations: Iterable[PaymentOperation]) -> bool:
    """Whether the order was released because its day was over before the card was charged.

    `operations` are the order's own.
    """
    decided_at = order.offer.decided_at
    if decided_at is not None and decided_at >= order.offer.serving_ends:
        return True
    return any(operation.error == ReasonCode.SERVE_DATE_OVER for operation in operations)
