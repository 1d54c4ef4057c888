"""Serializers of pre-orders and the ledger."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.billing.models import PaymentHistory
from apps.offers.images import photo_url
from apps.offers.pickup_slots import SLOT_REQUIRED
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus

MAX_NOTE_LENGTH = 500  # characters in a note to the kitchen
MAX_ID = 2**63 - 1
MAX_PORTIONS = 1000  # above any per-order maximum; keeps absurd numbers out of the arithmetic


def same_error(message: Any) -> dict[str, Any]:
    """One message for a value that is missing or malformed."""
    return dict.fromkeys(("required", "blank", "null", "invalid"), message)


class OrderedPortions(serializers.Serializer[Any]):
    """Portions of one special: an order by itself, or a cart item."""

    dishId = serializers.UUIDField(
        error_messages={"invalid": _("Invalid dish ID"), "required": _("Choose a special.")}
    )
    quantity = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=MAX_PORTIONS,
        error_messages={
            "min_value": _("Order at least 1 portion."),
            "max_value": _("That's too many for one order. Order fewer portions."),
            "invalid": _("Quantity must be a whole number."),
        },
    )
    alternativeConsent = serializers.BooleanField(
        default=False,
        help_text="If the minimum is missed: true for the alternative, false to release the hold.",
        error_messages={"invalid": _("Choose what happens if the minimum isn't met.")},
    )
    slotId = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_ID,
        help_text="One of the special's `slots`; required where it has any.",
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), SLOT_REQUIRED),
    )
    note = serializers.CharField(
        max_length=MAX_NOTE_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="Allergies or requests, for the kitchen.",
        error_messages={
            "max_length": _("Use at most {max_length} characters."),
            "invalid": _("Enter the note as text."),
            "null": _("Leave the note out or enter it as text."),
        },
    )


class PreOrderRequest(OrderedPortions):
    """A new pre-order."""

    customerName = serializers.CharField(
        max_length=100, error_messages=same_error(_("Name is required"))
    )
    customerEmail = serializers.EmailField(
        max_length=255, error_messages=same_error(_("Valid email is required"))
    )
    customerPhone = serializers.CharField(
        max_length=50, error_messages=same_error(_("Phone is required"))
    )
    totalAmount = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        required=False,
        allow_null=True,
        default=None,
        error_messages={"invalid": _("The total must be an amount of money.")},
    )
    ref = serializers.CharField(
        max_length=50,
        required=False,
        allow_blank=True,
        default="",
        help_text="The share link's code (`?ref=`); an unknown one is ignored.",
    )


class PreOrderStarted(serializers.Serializer[Any]):
    checkoutUrl = serializers.URLField(source="checkout_url")
    preorderId = serializers.UUIDField(source="pk")


class EmailSubscription(serializers.Serializer[Any]):
    """Whether an order's email address is subscribed to the restaurant's news."""

    restaurantId = serializers.UUIDField(
        error_messages=same_error(_("restaurantId must be a restaurant's id."))
    )
    preorderId = serializers.UUIDField(
        error_messages=same_error(_("preorderId must be an order's id."))
    )
    optIn = serializers.BooleanField(error_messages=same_error(_("optIn must be true or false.")))


class EmailSubscribed(serializers.Serializer[Any]):
    """The subscription after the change."""

    optIn = serializers.BooleanField(source="news")
    message = serializers.CharField()


class OrderedDish(serializers.Serializer[PreOrder]):
    """The special as the guest was shown it when ordering; `id` is the special's."""

    id = serializers.UUIDField(source="offer_id")
    name = serializers.CharField(source="sold.name")
    imageUrl = serializers.SerializerMethodField()

    def get_imageUrl(self, order: PreOrder) -> str | None:
        return photo_url(order.sold.photo) if order.sold.photo else None


class OrderedAt(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    address = serializers.CharField()
    phone = serializers.CharField()


class PublicPreOrder(serializers.Serializer[Any]):
    """Without name, email and phone: anyone with the link can read this (DECISIONS X33)."""

    id = serializers.UUIDField(source="pk")
    quantity = serializers.IntegerField()
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    paymentStatus = serializers.ChoiceField(PaymentStatus.choices, source="payment_status")
    createdAt = serializers.DateTimeField(source="created_at")


class PreOrderDetail(serializers.Serializer[Any]):
    """One order with its special and restaurant."""

    dish = OrderedDish(source="*")
    restaurant = OrderedAt(source="offer.restaurant")
    preorder = PublicPreOrder(source="*")


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
    payout = serializers.DecimalField(12, 2)


class LedgerSerializer(serializers.Serializer[Any]):
    entries = LedgerEntry(many=True)
    totals = LedgerTotalsSerializer()
