"""Fields that serializers of several apps have."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common import formats


def currency_field(source: str) -> serializers.CharField:
    """The currency of the amounts beside it and in the objects within."""
    return serializers.CharField(
        source=source, read_only=True, help_text="The currency of the amounts here, such as `usd`."
    )


class NameField(serializers.CharField):
    """Text on one line: line breaks and repeated spaces become a single space.

    For every name that a person chooses: names stand in subjects and headlines of emails, where a
    line break would let the rest of the name speak for us.
    """

    def to_internal_value(self, data: Any) -> str:
        return " ".join(super().to_internal_value(data).split())


class PhoneField(NameField):
    """A phone number as a person writes it: any text on one line with a digit in it."""

    default_error_messages = {"no_digit": _("Enter a phone number, using digits.")}

    def to_internal_value(self, data: Any) -> str:
        phone = super().to_internal_value(data)
        if phone and not any(map(str.isdecimal, phone)):
            self.fail("no_digit")
        return phone


@extend_schema_field({"type": "string", "format": "decimal"})
class PercentageField(serializers.Field[Decimal, Decimal, str, Decimal]):
    """A rate in percent, read-only: `8.00`, `8.875`."""

    def __init__(self, **options: object) -> None:
        super().__init__(read_only=True, **options)  # type: ignore[arg-type]

    def to_representation(self, value: Decimal) -> str:
        return formats.percentage(value)
