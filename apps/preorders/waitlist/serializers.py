"""Request serializers of the waitlist."""

from typing import Any

from django.utils.translation import gettext_lazy as _lazy
from rest_framework import serializers

from apps.common.api.fields import NameField, PhoneField
from apps.preorders.checkout.acceptance import EMAIL_REQUIRED, NAME_REQUIRED

HOW_MANY = _lazy("Enter the number of portions as a whole number.")


class PortionsRequest(serializers.Serializer[Any]):
    quantity = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), HOW_MANY),
    )


class AddressRequest(serializers.Serializer[Any]):
    customerEmail = serializers.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "blank", "invalid"), EMAIL_REQUIRED),
    )


class WaitlistRequest(PortionsRequest, AddressRequest):
    customerName = NameField(
        max_length=100, error_messages=dict.fromkeys(("required", "blank"), NAME_REQUIRED)
    )
    customerPhone = PhoneField(max_length=50, required=False, allow_blank=True)
