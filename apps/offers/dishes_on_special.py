"""Which of a menu's dishes are on special, by what they are called.

A special's dish is written for it and isn't a row of the menu, so only
names connect them (decision 189).
"""

import re
from collections.abc import Iterable, Sequence

from apps.common.accents import without_accents
from apps.offers.models import Dish
from apps.offers.presentation import Special

# What comes after these is served beside the dish, or says how it is made.
_BESIDE = r"with|and|plus|con|e|y"
_HOW = rf"{_BESIDE}|from|in|on|of|for|the|al|alla|alle|allo|di|da|de|del|della|en|a"


def specials_of_dishes(dishes: Sequence[Dish], specials: Iterable[Special]) -> list[Special | None]:
    """For each dish, the first of these that guests can order and that is this dish by its name.

    `Braised Short Rib` is on special as `Braised Short Rib with Polenta`, and `Short Rib` isn't if
    the menu has both.
    """
    names = [plain_name(dish.name) for dish in dishes]
    found: list[Special | None] = [None] * len(dishes)
    for special in specials:
        if not special.takes_orders:
            continue
        title = plain_name(special.offer.name)
        sold = max(
            (name for name in names if _is_named_in(title, name, names)), key=len, default=""
        )
        for index, name in enumerate(names):
            if sold and name == sold and found[index] is None:
                found[index] = special
    return found


def plain_name(name: str) -> str:
    """In lower case and without accents, with single spaces."""
    return " ".join(without_accents(name.casefold()).split())


def _is_named_in(title: str, name: str, names: Sequence[str]) -> bool:
    """Whether `title` is that of the dish `name`, one of `names`. One word is, if it begins the
    title, what follows belongs to it, and no other dish has that word: `Tiramisu` in `Tiramisu,
    half a tray`, but not `Osso` in `Osso buco`, nor `Salad` in `Chicken salad`."""
    words = re.findall(r"[^\W_]+", name)
    if not words:
        return False
    if len(words) > 1:
        whole = r"[\W_]+".join(words)
        before = re.split(rf"(?<![^\W_]){whole}(?![^\W_])", title, maxsplit=1)
        return len(before) > 1 and not re.search(rf"\b({_BESIDE})\b|&", before[0])
    if title == name:
        return True
    others = (re.findall(r"[^\W_]+", each) for each in names if each != name)
    if any(words[0] in each for each in others):
        return False
    return re.match(rf"{words[0]}(\W*$|\s*[,:;(]|\s+([-–—&]|({_HOW})\b))", title) is not None
