"""Response serializers of the staff API for orders.

The available actions depend on the user and the time, so the serializers need the context
`{"membership": …, "now": …}`.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common import formats
from apps.common.api.fields import PercentageField, currency_field
from apps.offers.models import PickupSlot
from apps.offers.serving import ServiceChoice
from apps.preorders.core.selectors import slot_label
from apps.preorders.emails.kinds import email_label
from apps.preorders.manage.actions import Action, actions_for
from apps.preorders.manage.activity import ActivityEvent, Tone
from apps.preorders.manage.check_ins import CheckInStatus
from apps.preorders.manage.pickup import Verdict
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    EmailKind,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.refunds import RefundPreview


class OrderSlot(serializers.Serializer[PickupSlot]):
    id = serializers.IntegerField(source="pk")
    startsAt = serializers.DateTimeField(source="starts_at")
    endsAt = serializers.DateTimeField(source="ends_at")


class Slot(OrderSlot):
    """A pickup slot, with its label in the restaurant's time zone."""

    # DRF's metaclass removes declared fields from the class, so `Field.label` isn't overwritten.
    label = serializers.CharField()  # type: ignore[assignment]


class PartySerializer(serializers.Serializer[Any]):
    """Friends who ordered one by one with a guest's link."""

    name = serializers.CharField(help_text="The name of the guest who invited the others.")
    orders = serializers.IntegerField(help_text="Those that stand.")


class Order(serializers.Serializer[PreOrder]):
    """One row of the order list."""

    id = serializers.UUIDField(source="pk")
    code = serializers.CharField()
    offerId = serializers.UUIDField(source="offer_id")
    offerName = serializers.CharField(source="sold.name")
    offerServeDate = serializers.DateField(source="offer.serve_date")
    source = serializers.ChoiceField(OrderSource.choices)  # type: ignore[assignment]
    customerName = serializers.CharField(source="customer_name")
    customerEmail = serializers.CharField(
        source="customer_email", help_text="Empty for phone orders without an email address."
    )
    customerPhone = serializers.CharField(source="customer_phone")
    quantity = serializers.IntegerField()
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    refundedAmount = serializers.DecimalField(10, 2, source="refunded_amount")
    currency = currency_field("offer.restaurant.currency")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    statusLabel = serializers.SerializerMethodField()
    paymentStatus = serializers.ChoiceField(PaymentStatus.choices, source="payment_status")
    paymentLabel = serializers.SerializerMethodField()
    note = serializers.CharField(help_text="The guest's special requests.")
    notesCount = serializers.IntegerField(source="notes_count")
    slot = serializers.SerializerMethodField()
    serviceMode = serializers.ChoiceField(
        ServiceChoice.choices,
        source="service_mode",
        allow_blank=True,
        help_text="What the guest chose of a special served both ways; empty if nobody said.",
    )
    party = serializers.SerializerMethodField()
    servesAlternative = serializers.BooleanField(source="serves_alternative")
    servedName = serializers.CharField(source="served_name", help_text="The dish that is served.")
    createdAt = serializers.DateTimeField(source="created_at")
    actions = serializers.SerializerMethodField(
        help_text="Actions available now, by the order's state and the user's role."
    )

    def get_statusLabel(self, order: PreOrder) -> str:
        waits = order.status == PreOrderStatus.PENDING and order.payment_status in CHECKOUT_STATUSES
        if waits:
            return "Waiting for a card" if order.source == OrderSource.PHONE else "In checkout"
        return order.get_status_display()

    def get_paymentLabel(self, order: PreOrder) -> str:
        if order.payment_status == PaymentStatus.CAPTURED and order.refunded_amount:
            return "Partially refunded"
        return order.get_payment_status_display()

    @extend_schema_field(Slot(allow_null=True))
    def get_slot(self, order: PreOrder) -> Any:
        return slot_data(order)

    @extend_schema_field(PartySerializer(allow_null=True))
    def get_party(self, order: PreOrder) -> Any:
        friends = vars(order)["friends_count"]
        name, status = order.customer_name, order.status
        if order.friend_of_id:
            name, status = vars(order)["starter_name"], vars(order)["starter_status"]
        if not friends:
            return None
        return {"name": name, "orders": friends + (status != PreOrderStatus.CANCELLED)}

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(list(Action))))
    def get_actions(self, order: PreOrder) -> list[str]:
        return actions_for(order, membership=self.context["membership"], now=self.context["now"])


def slot_data(order: PreOrder) -> Any:
    slot = order.pickup_slot
    if slot is None:
        return None
    return {**OrderSlot(slot).data, "label": slot_label(order)}


class OrderTotalsSerializer(serializers.Serializer[Any]):
    rows = serializers.IntegerField()
    orders = serializers.IntegerField(
        help_text="Those that stand: not canceled, with a card that is held or charged."
    )
    portions = serializers.IntegerField(help_text="The portions of the orders that stand.")


class ServeDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    orders = serializers.IntegerField()
    portions = serializers.IntegerField()


class OrderList(serializers.Serializer[Any]):
    orders = Order(many=True)
    nextCursor = serializers.CharField(source="next_cursor", allow_null=True)
    totals = OrderTotalsSerializer(help_text="The totals of all matching orders.")
    days = ServeDaySerializer(
        many=True,
        help_text="The next serve days with orders, whatever the filters; on the first page.",
    )
    shownDays = ServeDaySerializer(
        source="shown_days",
        many=True,
        help_text="Totals of the serve days on this page, of all matching orders; by serve day.",
    )


class OrderAnswer(serializers.Serializer[Any]):
    order = Order()


class OrderMoneySerializer(serializers.Serializer[Any]):
    """Expected amounts before the charge, actual ones after it; net of refunds."""

    unitPrice = serializers.DecimalField(10, 2, source="unit_price")
    subtotal = serializers.DecimalField(10, 2)
    taxRate = PercentageField(source="tax_rate")
    tax = serializers.DecimalField(10, 2)
    total = serializers.DecimalField(10, 2)
    refunded = serializers.DecimalField(10, 2)
    disputed = serializers.DecimalField(10, 2, help_text="Deducted because of a dispute.")
    revenueShare = serializers.DecimalField(10, 2, source="revenue_share")
    processingFee = serializers.DecimalField(10, 2, source="processing_fee")
    payout = serializers.DecimalField(10, 2)


class RefundEffectSerializer(serializers.Serializer[RefundPreview]):
    """The effect of a refund, to the cent."""

    amount = serializers.DecimalField(10, 2, source="effect.back.amount", help_text="To the guest.")
    revenueShare = serializers.DecimalField(
        10,
        2,
        source="effect.fees.revenue_share.amount",
        help_text="The platform's fee that is returned.",
    )
    processingFee = serializers.DecimalField(
        10,
        2,
        source="effect.fees.processing.amount",
        help_text="The processing fee that is returned.",
    )
    lessPayout = serializers.DecimalField(
        10,
        2,
        source="effect.less_payout.amount",
        help_text="Deducted from the restaurant's payout.",
    )
    currency = serializers.SerializerMethodField(
        help_text="The currency of the amounts, such as `usd`."
    )
    needsConfirmation = serializers.BooleanField(
        source="needs_confirmation",
        help_text="Whether the amount must be sent a second time, as `confirmAmount`.",
    )
    advance = serializers.SerializerMethodField(
        help_text="What the platform advances because the restaurant's balance at Stripe doesn't "
        "cover the refund, with the currency's sign; empty if it does."
    )

    def get_currency(self, preview: RefundPreview) -> str:
        return str(self.context["currency"])

    def get_advance(self, preview: RefundPreview) -> str:
        return formats.money(preview.advance, preview.currency) if preview.advance else ""


class ActivityEntry(serializers.Serializer[ActivityEvent]):
    at = serializers.DateTimeField()
    text = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    tone = serializers.ChoiceField([str(tone) for tone in Tone])
    by = serializers.CharField(allow_blank=True)


class OrderEmailSerializer(serializers.Serializer[Email]):
    kind = serializers.ChoiceField(EmailKind.choices)
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    number = serializers.IntegerField()
    sentAt = serializers.DateTimeField(source="sent_at", allow_null=True)
    canResend = serializers.SerializerMethodField(
        help_text="Whether it is still accurate for the order."
    )

    def get_label(self, email: Email) -> str:
        return email_label(email.kind)

    def get_canResend(self, email: Email) -> bool:
        return email.kind in self.context["resendable"]


class ReferralSerializer(serializers.Serializer[PreOrder]):
    """An order connected with this one by a share link."""

    id = serializers.UUIDField(source="pk")
    code = serializers.CharField()
    customerName = serializers.CharField(source="customer_name")
    quantity = serializers.IntegerField()
    status = serializers.ChoiceField(PreOrderStatus.choices)


class OrderDisputeSerializer(serializers.Serializer[Any]):
    """A dispute of the order's charge, or a warning that there may be one."""

    title = serializers.CharField()
    text = serializers.CharField()
    url = serializers.CharField(
        allow_blank=True, help_text="Empty for members who can't see disputes."
    )
    isOpen = serializers.BooleanField(source="is_open")


class OrderDetail(serializers.Serializer[Any]):
    order = Order()
    money = OrderMoneySerializer()
    currency = currency_field("order.offer.restaurant.currency")
    disputes = OrderDisputeSerializer(many=True)
    payUrl = serializers.CharField(source="pay_url", allow_null=True)
    payUntil = serializers.DateTimeField(
        source="pay_until", allow_null=True, help_text="When `payUrl` expires; null without one."
    )
    orderUrl = serializers.CharField(source="order_url")
    referredBy = ReferralSerializer(
        source="referred_by", allow_null=True, help_text="Whose share link brought this guest."
    )
    referrals = ReferralSerializer(
        many=True, help_text="Orders that came through this order's share link."
    )
    linkVisits = serializers.IntegerField(source="link_visits")
    activity = ActivityEntry(many=True)
    emails = OrderEmailSerializer(many=True)


class Changes(serializers.Serializer[Any]):
    version = serializers.CharField(help_text="Changes as soon as anything has changed.")


class PickUpSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField([str(one) for one in Verdict])
    sentence = serializers.CharField()
    order = Order(allow_null=True)


class PickupListSerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    readAt = serializers.DateTimeField(source="read_at")
    orders = PickUpSerializer(many=True)


class CheckInResultSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="key")
    status = serializers.ChoiceField([str(one) for one in CheckInStatus])
    sentence = serializers.CharField()


class CheckInsAnswer(serializers.Serializer[Any]):
    checkIns = CheckInResultSerializer(many=True, source="results")


class Refusal(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    code = serializers.CharField(help_text="The order's code; empty if it wasn't found.")
    message = serializers.CharField()


class BulkDone(serializers.Serializer[Any]):
    done = serializers.ListField(child=serializers.UUIDField())
    refused = Refusal(many=True)


class PhoneOrderStarted(serializers.Serializer[Any]):
    order = Order()
    payUrl = serializers.CharField(source="pay_url")
    expiresAt = serializers.DateTimeField(source="expires_at")


class PickupCountSerializer(serializers.Serializer[Any]):
    """Charged orders served on one day, and how many of them were picked up."""

    orders = serializers.IntegerField()
    pickedUp = serializers.IntegerField(source="picked_up")
    portions = serializers.IntegerField()
    portionsPickedUp = serializers.IntegerField(source="portions_picked_up")
