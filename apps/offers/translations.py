"""Texts of a dish in a second language, which its restaurant may add (decision 93).

Stored as `{"es": {"name": …, "description": …}}`; a text that is left out is shown as it was
written first.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models

from apps.common.languages import spoken

Translations = Mapping[str, Mapping[str, str]]

# What a restaurant can add: everything our pages speak, except the language they are written in.
SECOND_LANGUAGES = tuple(
    code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE
)


def text_in(language: str, field: str, *, written: str, translations: Translations) -> str:
    """A text in this language, such as `es`; as `written` if there is no translation."""
    return translations.get(language, {}).get(field) or written


def without_empty(translations: Translations) -> dict[str, dict[str, str]]:
    """The translations to store: without languages and texts that are left empty."""
    filled = {
        language: {field: text for field, text in texts.items() if text}
        for language, texts in translations.items()
    }
    return {language: texts for language, texts in filled.items() if texts}


def only(fields: tuple[str, ...], translations: Translations) -> dict[str, dict[str, str]]:
    """The translations of these fields alone."""
    return without_empty(
        {
            language: {field: texts[field] for field in fields if field in texts}
            for language, texts in translations.items()
        }
    )


class TranslatedDish(models.Model):
    """A row with a `name` and a `description` that may have translations."""

    translations = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    def name_in(self, language: str) -> str:
        """The name for a guest of this language, such as `es`."""
        return self._text_in(language, "name")

    @property
    def spoken_name(self) -> str:
        """The name in the active language."""
        return self.name_in(spoken())

    @property
    def spoken_description(self) -> str:
        """The description in the active language."""
        return self._text_in(spoken(), "description")

    def _text_in(self, language: str, field: str) -> str:
        row: Any = self
        written: str = getattr(row, field)
        return text_in(language, field, written=written, translations=row.translations)
