"""Replacements for characters that a PDF font does not have."""

import unicodedata
from collections.abc import Callable

ENCODING = "windows-1252"  # what the PDF's built-in fonts can draw

UNLIKE = "\N{REPLACEMENT CHARACTER}"

# Latin letters that Unicode does not decompose into a base letter and a mark.
_LATIN = {"ł": "l", "đ": "d", "ı": "i", "ħ": "h", "ŋ": "ng", "ẞ": "SS"}


def is_western(letter: str) -> bool:
    """Whether the PDF's built-in fonts have this character."""
    try:
        letter.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return letter.isprintable() or letter == "\n"


def in_letters(text: str, has: Callable[[str], bool]) -> str:
    """The text in characters for which `has` is true. Others lose their accents; `UNLIKE` stands in
    for those without a plain form, and symbols such as emoji are left out."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(letter if has(letter) else _likeness(letter, has) for letter in composed)


def _likeness(letter: str, has: Callable[[str], bool]) -> str:
    if plain := _LATIN.get(letter.lower()):
        return plain if letter.islower() else plain.capitalize()
    parts = unicodedata.normalize("NFKD", letter)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    if bare and all(has(part) for part in bare):
        return bare
    return UNLIKE if unicodedata.category(letter)[0] in "LN" else ""
