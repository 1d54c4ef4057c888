"""Serializers of a new pre-order."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.accounts.api.serializers import FormProofInput
from apps.common.api.fields import NameField, PhoneField
from apps.common.signed_ids import MAX_TOKEN_LENGTH
from apps.offers.pickup_slots import SLOT_REQUIRED
from apps.offers.serving import MODE_REQUIRED, ServiceChoice
from apps.preorders.checkout.acceptance import (
    EMAIL_REQUIRED,
    NAME_REQUIRED,
    NO_FRIENDS_LINK,
    PHONE_REQUIRED,
)

MAX_NOTE_LENGTH = 500  # characters in a note to the kitchen
MAX_ID = 2**63 - 1
MAX_PORTIONS = 1000  # above any per-order maximum; keeps absurd numbers out of the arithmetic


def same_error(message: Any) -> dict[str, Any]:
    """One message for a value that is missing or malformed."""
    return dict.fromkeys(("required", "blank", "null", "invalid"), message)


def service_mode_field() -> Any:
    """How the guest wants a special that is served both ways; empty if nobody said."""
    return serializers.ChoiceField(
        choices=ServiceChoice.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="What the guest chose, where the special's `serviceMode` is `both`; empty if "
        "nobody said.",
        error_messages=dict.fromkeys(("invalid_choice", "null"), MODE_REQUIRED),
    )


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
    serviceMode = service_mode_field()
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
    friendsLink = serializers.CharField(
        max_length=MAX_TOKEN_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="The end of a link for friends: takes the portions reserved for them.",
        error_messages={**same_error(NO_FRIENDS_LINK), "max_length": NO_FRIENDS_LINK},
    )
    showFirstName = serializers.BooleanField(
        default=False,
        help_text="Whether the friend whose link it is sees the guest's first name.",
        error_messages={"invalid": _("showFirstName must be true or false.")},
    )


class PreOrderRequest(OrderedPortions, FormProofInput):
    """A new pre-order."""

    customerName = NameField(max_length=100, error_messages=same_error(NAME_REQUIRED))
    customerEmail = serializers.EmailField(
        max_length=255, error_messages=same_error(EMAIL_REQUIRED)
    )
    customerPhone = PhoneField(
        max_length=50,
        required=False,
        allow_blank=True,
        default="",
        help_text="Required where the restaurant asks for it (`asksForPhone`).",
        error_messages=same_error(PHONE_REQUIRED),
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
