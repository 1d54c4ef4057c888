"""Subdomain rules (DECISIONS X49, X50)."""

import re

from django.conf import settings

from apps.common.accents import without_accents

SHORTEST = 3
LONGEST = 50
LONGEST_LABEL = 63  # what the DNS allows (DECISIONS X49)

BAD_CHARACTERS = "use only letters, numbers, and hyphens"
BAD_ENDS = "start and end with a letter or a number"
RESERVED = "this word is reserved, choose another"

# Used for a name without any letter or digit that a host name can contain.
FALLBACK_NAME = "restaurant"

_CHARACTERS = re.compile(r"[a-z0-9-]*")
_APOSTROPHES = re.compile("['\u2019`]")
_GLYPHS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o"})


def normalize(value: str) -> str:
    """Normalize input: host names are case-insensitive."""
    return value.strip().lower()


def validate_subdomain(subdomain: str, *, longest: int = LONGEST) -> list[str]:
    """All rules the subdomain breaks; an empty list if it is valid."""
    errors = []
    if not SHORTEST <= len(subdomain) <= longest:
        errors.append(f"use {SHORTEST} to {longest} characters")
    if not _CHARACTERS.fullmatch(subdomain):
        errors.append(BAD_CHARACTERS)
    if subdomain.startswith("-") or subdomain.endswith("-"):
        errors.append(BAD_ENDS)
    if is_reserved(subdomain):
        errors.append(RESERVED)
    return errors


def describe_errors(errors: list[str]) -> str:
    """The errors as one sentence, joined by commas."""
    text = ", ".join(errors)
    return text[:1].upper() + text[1:]


def is_reserved(subdomain: str) -> bool:
    """Whether the word is reserved: no restaurant can have it."""
    return subdomain in settings.RESERVED_SUBDOMAINS


def suggest(name: str) -> str:
    """A subdomain derived from a name: lower case, without accents and punctuation.

    Passes `validate_subdomain`, except that it may be reserved.
    """
    plain = without_accents(name).lower().translate(_GLYPHS)
    # Apostrophes are part of a word; everything else separates words.
    words = re.sub(r"[^a-z0-9]+", "-", _APOSTROPHES.sub("", plain))
    label = words[:LONGEST].strip("-") or FALLBACK_NAME
    return label if len(label) >= SHORTEST else f"{label}-{FALLBACK_NAME}"


def numbered(base: str, number: int) -> str:
    """`base` for 1, then `base-2`, `base-3`, …, cut to the maximum length."""
    if number == 1:
        return base
    ending = f"-{number}"
    return base[: LONGEST - len(ending)].rstrip("-") + ending
