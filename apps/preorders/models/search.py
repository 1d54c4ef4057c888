"""What somebody typed to find an order, as the database looks for it.

`PreOrder.search_text` is kept by the database in the same small plain letters, so a search reads
one column and no function runs over the rows.
"""

import re

# Accents that names have, and the letters people type for them; the database translates likewise.
ACCENTED = "àáâãäåāçčèéêëēìíîïīñòóôõöøōùúûüūýÿšžłğş"
PLAIN = "aaaaaaacceeeeeiiiiinooooooouuuuuyyszlgs"
_TO_PLAIN = str.maketrans(ACCENTED, PLAIN)
_PHONE = re.compile(r"[\d\s()+./-]+")
_NOT_A_DIGIT = re.compile(r"\D")
LONGEST = 100  # characters of a search
SHORTEST_NUMBER = 3  # digits; fewer are looked for as they stand


def search_words(typed: str) -> list[str]:
    """What a found order's `search_text` has to hold, every one of them.

    A telephone number, however it is spaced, is one word of its digits.
    """
    text = typed.replace("\x00", "").lower().translate(_TO_PLAIN).strip()
    digits = _NOT_A_DIGIT.sub("", text)
    if _PHONE.fullmatch(text) and len(digits) >= SHORTEST_NUMBER:
        return [digits]
    return text.split()
