"""Normalizes search terms for orders.

`PreOrder.search_text` is a generated column in the same normalized form (lower case, no accents),
so a search reads one column without calling a function per row.
"""

import re

# Accented letters and the plain letters people type instead; the database uses the same table.
ACCENTED = "àáâãäåāçčèéêëēìíîïīñòóôõöøōùúûüūýÿšžłğş"
PLAIN = "aaaaaaacceeeeeiiiiinooooooouuuuuyyszlgs"
_TO_PLAIN = str.maketrans(ACCENTED, PLAIN)
_PHONE = re.compile(r"[\d\s()+./-]+")
_NOT_A_DIGIT = re.compile(r"\D")
MAX_SEARCH_LENGTH = 100
MIN_PHONE_DIGITS = 3  # shorter numbers are searched as plain text


def search_words(typed: str) -> list[str]:
    """The words that a matching order's `search_text` must all contain.

    A phone number, however it is formatted, becomes one word of its digits.
    """
    text = typed.replace("\x00", "").lower().translate(_TO_PLAIN).strip()
    digits = _NOT_A_DIGIT.sub("", text)
    if _PHONE.fullmatch(text) and len(digits) >= MIN_PHONE_DIGITS:
        return [digits]
    return text.split()
