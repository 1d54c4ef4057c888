"""What the restaurant's people send about orders, with the words for each fault."""

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.http import QueryDict
from rest_framework import serializers

from apps.common.errors import FieldError, Invalid, NotFound
from apps.offers.pickup_slots import CHOOSE
from apps.preorders.checkout.serializers import MAX_ID, MAX_NOTE_LENGTH, MAX_PORTIONS
from apps.preorders.core.transitions import MAX_REASON_LENGTH
from apps.preorders.documents.order_list import OrderFilter
from apps.preorders.models.search import LONGEST
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus

MOST_AT_ONCE = 200
LONGEST_NOTE = 1000
_MISSING = ("required", "blank", "null", "invalid")


def _says(message: str) -> dict[str, Any]:
    """The same words however the value is missing or malformed."""
    return dict.fromkeys(_MISSING, message)


def read_filter(asked: QueryDict) -> OrderFilter:
    """The list's question from the address's query. Raises Invalid for a value nobody offers, and
    NotFound for an offer's id that is none."""
    search = asked.get("q", "").strip()
    if len(search) > LONGEST:
        raise _wrong("q", f"Search for at most {LONGEST} characters.")
    return OrderFilter(
        offer_id=_offer(asked.get("offer", "")),
        day=_day(asked.get("day", "")),
        search=search,
        statuses=_chosen("status", asked.get("status", ""), set(PreOrderStatus.values)),
        payments=_chosen("payment", asked.get("payment", ""), set(PaymentStatus.values)),
    )


def _wrong(field: str, message: str) -> Invalid:
    return Invalid(message, fields=[FieldError(field, message)])


def _offer(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise NotFound("We could not find this offer. Check the link and try again.") from None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise _wrong("day", "Choose a day, written as 2026-11-26.") from None


def _chosen(field: str, text: str, possible: set[str]) -> frozenset[str]:
    """One or several, separated by commas."""
    chosen = frozenset(filter(None, text.split(",")))
    if chosen - possible:
        raise _wrong(field, f"Choose of {', '.join(sorted(possible))}.")
    return chosen


class ReasonInput(serializers.Serializer[Any]):
    """Why; the guest does not see it."""

    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH,
        error_messages={
            **_says("Say why, in a few words."),
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
        help_text="An amount; null gives back all that is left.",
        error_messages=dict.fromkeys(
            (
                *("invalid", "min_value", "max_digits", "max_whole_digits"),
                *("max_string_length", "max_decimal_places"),
            ),
            "The refund must be an amount of money, such as 12.50.",
        ),
    )


class RefundInput(RefundQuery, ReasonInput):
    """An amount and why it goes back."""


class ResendInput(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        EmailKind.choices,
        error_messages=dict.fromkeys(
            ("required", "null", "invalid_choice"), "Choose the letter to send again."
        ),
    )


class NoteInput(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=LONGEST_NOTE,
        error_messages={
            **_says("Write the note first."),
            "max_length": f"Use at most {LONGEST_NOTE:,} characters.",
        },
    )


class BulkInput(serializers.Serializer[Any]):
    action = serializers.ChoiceField(
        ["pick_up", "no_show", "resend", "cancel", "refund"],
        error_messages=dict.fromkeys(
            ("required", "null", "invalid_choice"), "Choose what to do with the orders."
        ),
    )
    ids = serializers.ListField(
        child=serializers.UUIDField(error_messages={"invalid": "This is not an order's id."}),
        max_length=MOST_AT_ONCE,
        allow_empty=False,
        error_messages={
            **dict.fromkeys(("required", "null", "not_a_list", "empty"), "Choose some orders."),
            "max_length": f"Choose at most {MOST_AT_ONCE} orders at once.",
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
            raise serializers.ValidationError({"reason": "Say why, in a few words."})
        return attrs


class PhoneOrderInput(serializers.Serializer[Any]):
    offerId = serializers.UUIDField(
        error_messages={"invalid": "Invalid dish ID", "required": "Choose an offer."}
    )
    quantity = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PORTIONS,
        error_messages={
            "required": "Say how many portions.",
            "min_value": "Order at least 1 portion.",
            "max_value": "That is more than one order can hold. Order fewer portions.",
            "invalid": "Quantity must be a whole number.",
        },
    )
    customerName = serializers.CharField(max_length=100, error_messages=_says("Name is required"))
    customerPhone = serializers.CharField(max_length=50, error_messages=_says("Phone is required"))
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
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), CHOOSE),
    )
