"""Fields that serializers of several apps have."""

from decimal import Decimal

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common import formats


def currency_field(source: str) -> serializers.CharField:
    """The currency of the amounts beside it and in the objects within."""
    return serializers.CharField(
        source=source, read_only=True, help_text="Of the amounts here, such as `usd`."
    )


@extend_schema_field({"type": "string", "format": "decimal"})
class PercentageField(serializers.Field[Decimal, Decimal, str, Decimal]):
    """A rate in percent, read-only: `8.00`, `8.875`."""

    def __init__(self, **options: object) -> None:
        super().__init__(read_only=True, **options)  # type: ignore[arg-type]

    def to_representation(self, value: Decimal) -> str:
        return formats.percentage(value)
