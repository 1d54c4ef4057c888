"""Names in the letters of western Europe, for where no others can be drawn."""

import unicodedata

ENCODING = "latin-1"

_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "з": "z", "и": "i", "й": "y",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
    "у": "u", "ф": "f", "х": "kh", "ъ": "", "ы": "y", "ь": "", "э": "e", "ё": "yo", "ж": "zh",
    "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "і": "i", "ї": "yi",
    "є": "ye", "ґ": "g", "ў": "u", "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz",
}  # fmt: skip
_GREEK = {
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i",
    "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
    "ς": "s", "τ": "t", "υ": "y", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
}  # fmt: skip
_LATIN = {
    "ł": "l", "đ": "d", "ı": "i", "ħ": "h", "œ": "oe", "ŋ": "ng", "ẞ": "SS", "‘": "'",
    "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "•": "·", "€": "EUR",
}  # fmt: skip
_LETTERS = _CYRILLIC | _GREEK | _LATIN


def in_western_letters(text: str) -> str:
    """The text with every letter that has none of these replaced by what it sounds or looks like;
    a letter with no such likeness by a question mark."""
    return "".join(_western(letter) for letter in text)


def _western(letter: str) -> str:
    if _fits(letter):
        return letter
    if letter in _LETTERS:
        return _LETTERS[letter]
    if letter.lower() in _LETTERS:
        return _LETTERS[letter.lower()].capitalize()
    plain = "".join(
        part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part)
    )
    if plain and plain != letter:
        return in_western_letters(plain)
    return "?" if unicodedata.category(letter)[0] in "LN" else ""


def _fits(letter: str) -> bool:
    try:
        letter.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return letter.isprintable() or letter == "\n"
