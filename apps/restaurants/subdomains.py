"""What a subdomain may be (V35–V38, DECISIONS X49, X50)."""

import re
import unicodedata

from django.conf import settings

SHORTEST = 3
LONGEST = 50
LONGEST_LABEL = 63  # what the DNS allows (DECISIONS X49)

BAD_CHARACTERS = "use only letters, numbers and hyphens"
BAD_ENDS = "start and end with a letter or a number"
RESERVED = "this word is reserved, choose another"

# What becomes of a name without a letter or digit that could stand in a host name.
NAMELESS = "restaurant"

_CHARACTERS = re.compile(r"[a-z0-9-]*")
_APOSTROPHES = re.compile("['\u2019`]")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o"})


def normalize(value: str) -> str:
    """Host names know no upper case, so neither do we."""
    return value.strip().lower()


def validate_subdomain(subdomain: str, *, longest: int = LONGEST) -> list[str]:
    """What is wrong with it, every fault at once; none when it may be used by somebody."""
    faults = []
    if not SHORTEST <= len(subdomain) <= longest:
        faults.append(f"use {SHORTEST} to {longest} characters")
    if not _CHARACTERS.fullmatch(subdomain):
        faults.append(BAD_CHARACTERS)
    if subdomain.startswith("-") or subdomain.endswith("-"):
        faults.append(BAD_ENDS)
    if is_reserved(subdomain):
        faults.append(RESERVED)
    return faults


def describe_errors(faults: list[str]) -> str:
    """The faults as one sentence, joined by commas (V39)."""
    text = ", ".join(faults)
    return text[:1].upper() + text[1:]


def is_reserved(subdomain: str) -> bool:
    """V36: a word that no restaurant gets, and that never leads to one."""
    return subdomain in settings.RESERVED_SUBDOMAINS


def suggest(name: str) -> str:
    """A subdomain made from a name: lower case, without accents and punctuation (V38).

    One that `faults_of` has nothing against, save that it may be reserved.
    """
    parts = unicodedata.normalize("NFKD", name).lower().translate(_LETTERS)
    plain = "".join(letter for letter in parts if not unicodedata.combining(letter))
    # An apostrophe belongs to its word, everything else parts words.
    words = re.sub(r"[^a-z0-9]+", "-", _APOSTROPHES.sub("", plain))
    label = words[:LONGEST].strip("-") or NAMELESS
    return label if len(label) >= SHORTEST else f"{label}-{NAMELESS}"


def numbered(base: str, number: int) -> str:
    """`base` itself for 1, then `base-2`, `base-3`, … none longer than a subdomain may be."""
    if number == 1:
        return base
    ending = f"-{number}"
    return base[: LONGEST - len(ending)].rstrip("-") + ending
