"""Request serializers of the staff API for orders, with their error messages."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.http import QueryDict
from rest_framework import serializers

from apps.common.api.fields import NameField, PhoneField
from apps.common.errors import FieldError, Invalid
from apps.offers.pickup_slots import SLOT_REQUIRED
from apps.preorders.checkout.serializers import (
    MAX_ID,
    MAX_NOTE_LENGTH,
    MAX_PORTIONS,
    service_mode_field,
)
from apps.preorders.core.transitions import MAX_REASON_LENGTH
from apps.preorders.manage.order_list import PARTIALLY_REFUNDED, OrderFilter, OrderSort
from apps.preorders.models.search import MAX_SEARCH_LENGTH
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus

MAX_BULK_ORDERS = 200
MAX_STAFF_NOTE_LENGTH = 1000
_MISSING = ("required", "blank", "null", "invalid")


def _same_message(message: str) -> dict[str, Any]:
    """The same message for a missing and a malformed value."""
    return dict.fromkeys(_MISSING, message)


def read_filter(query: QueryDict) -> OrderFilter:
    """The order list's filter from the query string.

    Raises Invalid for an unknown value and for an offer id that isn't a UUID.
    """
    search = query.get("q", "").strip()
    if len(search) > MAX_SEARCH_LENGTH:
        raise _wrong("q", f"Use at most {MAX_SEARCH_LENGTH} characters to search.")
    return OrderFilter(
        offer_id=_offer(query.get("offer", "")),
        day=_day(query.get("day", "")),
        search=search,
        statuses=_chosen("status", query.get("status", ""), set(PreOrderStatus.values)),
        payments=_chosen(
            "payment", query.get("payment", ""), {*PaymentStatus.values, PARTIALLY_REFUNDED}
        ),
    )


def read_sort(query: QueryDict) -> OrderSort:
    """The order list's order from the query string. Raises Invalid for an unknown one."""
    try:
        return OrderSort(query.get("sort") or OrderSort.NEWEST)
    except ValueError:
        raise _wrong("sort", f"Choose from {', '.join(OrderSort)}.") from None


def _wrong(field: str, message: str) -> Invalid:
    return Invalid(message, fields=[FieldError(field, message)])


def _offer(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise _wrong("offer", "That isn't a special's ID.") from None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise _wrong("day", "Enter a date like 2026-11-26.") from None


def _chosen(field: str, text: str, possible: set[str]) -> frozenset[str]:
    """The values in a comma-separated list."""
    chosen = frozenset(filter(None, text.split(",")))
    if chosen - possible:
        raise _wrong(field, f"Choose from {', '.join(sorted(possible))}.")
    return chosen


class ReasonInput(serializers.Serializer[Any]):
    """The reason; the guest doesn't see it."""

    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH,
        error_messages={
            **_same_message("Enter a reason."),
            "max_length": f"Use at most {MAX_REASON_LENGTH} characters.",
        },
    )


class RefundQuery(serializers.Serializer[Any]):
    amount = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        min_value=Decimal("0.01"),
        allow_null=True,
        default=None,
        help_text="The amount; null refunds all that is left.",
        error_messages=dict.fromkeys(
            (
                *("invalid", "min_value", "max_digits", "max_whole_digits"),
                *("max_string_length", "max_decimal_places"),
            ),
            "Enter a refund amount such as 12.50.",
        ),
    )


class RefundInput(RefundQuery, ReasonInput):
    """The amount to refund, and the reason."""

    confirmAmount = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        allow_null=True,
        default=None,
        help_text="The amount again, for a refund whose preview says `needsConfirmation`.",
        error_messages=dict.fromkeys(
            (
                *("invalid", "max_digits", "max_whole_digits"),
                *("max_string_length", "max_decimal_places"),
            ),
            "Type the amount of the refund again, such as 250.00.",
        ),
    )


class ResendInput(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        EmailKind.choices,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid_choice"), "Choose the email to resend."
        ),
    )


class NoteInput(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=MAX_STAFF_NOTE_LENGTH,
        error_messages={
            **_same_message("Enter a note."),
            "max_length": f"Use at most {MAX_STAFF_NOTE_LENGTH:,} characters.",
        },
    )


class BulkInput(serializers.Serializer[Any]):
    action = serializers.ChoiceField(
        ["pick_up", "no_show", "resend", "cancel", "refund"],
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), "Choose an action."),
    )
    ids = serializers.ListField(
        child=serializers.UUIDField(error_messages={"invalid": "This isn't an order ID."}),
        max_length=MAX_BULK_ORDERS,
        allow_empty=False,
        error_messages={
            **dict.fromkeys(
                ("required", "null", "not_a_list", "empty"), "Select at least one order."
            ),
            "max_length": f"Select at most {MAX_BULK_ORDERS} orders at a time.",
        },
    )
    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": f"Use at most {MAX_REASON_LENGTH} characters."},
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["action"] in ("cancel", "refund") and not attrs["reason"]:
            raise serializers.ValidationError({"reason": "Enter a reason."})
        return attrs


class PhoneOrderInput(serializers.Serializer[Any]):
    offerId = serializers.UUIDField(
        error_messages={"invalid": "Invalid dish ID", "required": "Choose a special."}
    )
    quantity = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PORTIONS,
        error_messages={
            "required": "Enter the number of portions.",
            "min_value": "Order at least 1 portion.",
            "max_value": "That's too many portions for one order. Enter a smaller number.",
            "invalid": "Quantity must be a whole number.",
        },
    )
    customerName = NameField(max_length=100, error_messages=_same_message("Name is required"))
    customerPhone = PhoneField(max_length=50, error_messages=_same_message("Phone is required"))
    customerEmail = serializers.EmailField(
        max_length=255,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"invalid": "Valid email is required"},
    )
    note = serializers.CharField(
        max_length=MAX_NOTE_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": f"Use at most {MAX_NOTE_LENGTH} characters."},
    )
    slotId = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_ID,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), SLOT_REQUIRED),
    )
    serviceMode = service_mode_field()


class CheckInInput(serializers.Serializer[Any]):
    """One check-in of a device."""

    id = serializers.UUIDField(
        source="key",
        help_text="The device's own name for it: sent again with the same one, it counts once.",
        error_messages=dict.fromkeys(("required", "null", "invalid"), "Name it with a UUID."),
    )
    orderId = serializers.UUIDField(
        source="order_id",
        error_messages=dict.fromkeys(("required", "null", "invalid"), "This isn't an order ID."),
    )
    madeAt = serializers.DateTimeField(
        source="made_at",
        help_text="When it was made, by the device's clock.",
        error_messages=dict.fromkeys(
            ("required", "null", "invalid", "date", "overflow"), "This isn't a time."
        ),
    )


class CheckInsInput(serializers.Serializer[Any]):
    checkIns = serializers.ListField(
        child=CheckInInput(),
        allow_empty=False,
        max_length=MAX_BULK_ORDERS,
        source="check_ins",
        error_messages={
            **dict.fromkeys(
                ("required", "null", "not_a_list", "empty"), "Send at least one check-in."
            ),
            "max_length": f"Send at most {MAX_BULK_ORDERS} check-ins at a time.",
        },
    )
