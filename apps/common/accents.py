"""Text without its accents, to compare what people typed or to make names of it."""

import unicodedata


def without_accents(text: str) -> str:
    """`Tiramisu` for `Tiramisù`. Ligatures and other compatible forms become plain characters, too
    (https://unicode.org/reports/tr15/#Norm_Forms)."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(each for each in decomposed if not unicodedata.combining(each))
