"""Serializers of the restaurant's ledger."""

from typing import Any

from rest_framework import serializers

from apps.billing.models import PaymentHistory
from apps.preorders.manage.ledger import OrderInLedger


class LedgerEntry(serializers.Serializer[PaymentHistory]):
    id = serializers.IntegerField(source="pk")
    processedAt = serializers.DateTimeField(source="processed_at")
    type = serializers.ChoiceField(PaymentHistory.Type.choices, source="transaction_type")
    # DRF's metaclass removes declared fields from the class, so `Serializer.label` is unaffected.
    label = serializers.CharField(source="get_transaction_type_display")  # type: ignore[assignment]
    amount = serializers.DecimalField(10, 2)
    offerName = serializers.CharField(source="pre_order.sold.name")
    orderCode = serializers.CharField(source="pre_order.code")
    paymentIntentId = serializers.CharField(source="payment_intent_id")
    status = serializers.ChoiceField(PaymentHistory.Status.choices)


class LedgerTotalsSerializer(serializers.Serializer[Any]):
    captured = serializers.DecimalField(12, 2)
    platformFees = serializers.DecimalField(12, 2, source="platform_fees")
    processingFees = serializers.DecimalField(12, 2, source="processing_fees")
    refunded = serializers.DecimalField(12, 2)
    disputed = serializers.DecimalField(
        12, 2, help_text="Deducted because guests' banks took charges back."
    )
    payout = serializers.DecimalField(12, 2)


class LedgerSerializer(serializers.Serializer[Any]):
    entries = LedgerEntry(many=True)
    totals = LedgerTotalsSerializer()
    currency = serializers.CharField(help_text="The currency of all amounts.")
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)


class OrderInLedgerSerializer(serializers.Serializer[OrderInLedger]):
    """One order: what its guest paid, what was taken off, and what the restaurant receives."""

    orderId = serializers.UUIDField(source="order.pk")
    orderCode = serializers.CharField(source="order.code")
    customerName = serializers.CharField(source="order.customer_name")
    offerName = serializers.CharField(source="order.sold.name")
    processedAt = serializers.DateTimeField(source="latest.processed_at")
    held = serializers.DecimalField(12, 2, help_text="On hold: neither charged nor released.")
    gross = serializers.DecimalField(
        12, 2, source="figures.sales", help_text="Charged, less refunds and disputes."
    )
    refunded = serializers.DecimalField(12, 2, source="figures.refunded")
    fees = serializers.DecimalField(12, 2, source="figures.fees")
    net = serializers.DecimalField(12, 2, source="figures.net")
    entries = LedgerEntry(many=True)


class LedgerByOrderSerializer(serializers.Serializer[Any]):
    orders = OrderInLedgerSerializer(many=True)
    totals = LedgerTotalsSerializer()
    currency = serializers.CharField(help_text="The currency of all amounts.")
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)
