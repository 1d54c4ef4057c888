"""The wire shapes of orders and the books."""

from typing import Any

from rest_framework import serializers

from apps.billing.models import PaymentHistory
from apps.offers.images import photo_url
from apps.preorders.models import PreOrder
from apps.preorders.states import PaymentStatus, PreOrderStatus

MOST_PORTIONS = 1000  # far above any per-order maximum; keeps absurd numbers out of the arithmetic


def _says(message: str) -> dict[str, Any]:
    """The same words however the value is missing or malformed (V46)."""
    return dict.fromkeys(("required", "blank", "null", "invalid"), message)


class PreOrderRequest(serializers.Serializer[Any]):
    """A40 and V46: what a diner sends."""

    dishId = serializers.UUIDField(
        error_messages={"invalid": "Invalid dish ID", "required": "Choose an offer."}
    )
    quantity = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=MOST_PORTIONS,
        error_messages={
            "min_value": "Order at least 1 portion.",
            "max_value": "That is more than one order can hold. Order fewer portions.",
            "invalid": "Quantity must be a whole number.",
        },
    )
    customerName = serializers.CharField(max_length=100, error_messages=_says("Name is required"))
    customerEmail = serializers.EmailField(
        max_length=255, error_messages=_says("Valid email is required")
    )
    customerPhone = serializers.CharField(max_length=50, error_messages=_says("Phone is required"))
    totalAmount = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        required=False,
        allow_null=True,
        default=None,
        error_messages={"invalid": "The total must be an amount of money."},
    )


class PreOrderBegun(serializers.Serializer[Any]):
    checkoutUrl = serializers.URLField(source="checkout_url")
    preorderId = serializers.UUIDField(source="pk")


class OrderedDish(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    imageUrl = serializers.SerializerMethodField()

    def get_imageUrl(self, offer: Any) -> str | None:
        return photo_url(offer.photo) if offer.photo else None


class OrderedAt(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    address = serializers.CharField()
    phone = serializers.CharField()


class PublicPreOrder(serializers.Serializer[Any]):
    """No name, e-mail or phone: whoever has the link may read this (DECISIONS X33)."""

    id = serializers.UUIDField(source="pk")
    quantity = serializers.IntegerField()
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    paymentStatus = serializers.ChoiceField(PaymentStatus.choices, source="payment_status")
    createdAt = serializers.DateTimeField(source="created_at")


class PreOrderDetail(serializers.Serializer[Any]):
    """A41."""

    dish = OrderedDish(source="offer")
    restaurant = OrderedAt(source="offer.restaurant")
    preorder = PublicPreOrder(source="*")


class Order(serializers.Serializer[PreOrder]):
    """One row of the owner's list."""

    id = serializers.UUIDField(source="pk")
    code = serializers.CharField()
    offerId = serializers.UUIDField(source="offer_id")
    offerName = serializers.CharField(source="offer.name")
    customerName = serializers.CharField(source="customer_name")
    customerEmail = serializers.EmailField(source="customer_email")
    customerPhone = serializers.CharField(source="customer_phone")
    quantity = serializers.IntegerField()
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    paymentStatus = serializers.ChoiceField(PaymentStatus.choices, source="payment_status")
    paymentLabel = serializers.CharField(source="get_payment_status_display")
    createdAt = serializers.DateTimeField(source="created_at")


class OrderList(serializers.Serializer[Any]):
    orders = Order(many=True)
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class LedgerEntry(serializers.Serializer[PaymentHistory]):
    id = serializers.IntegerField(source="pk")
    processedAt = serializers.DateTimeField(source="processed_at")
    type = serializers.ChoiceField(PaymentHistory.Type.choices, source="transaction_type")
    # DRF's metaclass takes declared fields off the class, so its own `label` stays what it is.
    label = serializers.CharField(source="get_transaction_type_display")  # type: ignore[assignment]
    amount = serializers.DecimalField(10, 2)
    offerName = serializers.CharField(source="offer.name")
    orderCode = serializers.CharField(source="pre_order.code")
    paymentIntentId = serializers.CharField(source="payment_intent_id")
    status = serializers.ChoiceField(PaymentHistory.Status.choices)


class LedgerTotals(serializers.Serializer[Any]):
    captured = serializers.DecimalField(12, 2)
    platformFees = serializers.DecimalField(12, 2, source="platform_fees")
    processingFees = serializers.DecimalField(12, 2, source="processing_fees")
    refunded = serializers.DecimalField(12, 2)
    payout = serializers.DecimalField(12, 2)


class Ledger(serializers.Serializer[Any]):
    entries = LedgerEntry(many=True)
    totals = LedgerTotals()
