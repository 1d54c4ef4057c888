"""Fields that serializers of several apps have."""

from rest_framework import serializers


def currency_field(source: str) -> serializers.CharField:
    """The currency of the amounts beside it and in the objects within."""
    return serializers.CharField(
        source=source, read_only=True, help_text="Of the amounts here, such as `usd`."
    )
