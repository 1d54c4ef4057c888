"""Serializers of a dish's texts in a second language."""

from typing import Any

from rest_framework import serializers

from apps.common.api.fields import NameField
from apps.offers.translations import SECOND_LANGUAGES, without_empty


class DishTextSerializer(serializers.Serializer[Any]):
    """A dish's texts in one more language; one that is empty is shown as it was written first."""

    name = NameField(max_length=200, required=False, allow_blank=True)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)


class SpecialTextSerializer(DishTextSerializer):
    """A special's texts in one more language."""

    story = serializers.CharField(
        max_length=1000, required=False, allow_blank=True, help_text="The cook's own words."
    )


class _Translations(serializers.Serializer[Any]):
    """Texts by language code; languages without a text are left out."""

    def to_internal_value(self, data: Any) -> Any:
        return without_empty(super().to_internal_value(data))

    def to_representation(self, instance: Any) -> Any:
        return instance


class DishTranslationsSerializer(_Translations):
    """A dish's texts in other languages, by language code."""

    def get_fields(self) -> Any:
        return {code: DishTextSerializer(required=False) for code in SECOND_LANGUAGES}


class SpecialTranslationsSerializer(_Translations):
    """A special's texts in other languages, by language code."""

    def get_fields(self) -> Any:
        return {code: SpecialTextSerializer(required=False) for code in SECOND_LANGUAGES}
