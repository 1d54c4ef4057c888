"""Importing a menu from a CSV file, by the rules of the owner's own form.

The first line names the columns: `name` and `price` are needed, `description`, `allergens`,
`dietary`, and `hidden` may follow. Allergens and dietary tags are separated by spaces or
semicolons.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

from django.db import transaction

from apps.common.errors import FieldError, Invalid
from apps.offers import menu
from apps.offers.api.serializers.menu import DishInput
from apps.offers.models import Dish
from apps.restaurants.models import Restaurant

NEEDED = ("name", "price")
COLUMNS = (*NEEDED, "description", "allergens", "dietary", "hidden")
LISTS = ("allergens", "dietary")
YES, NO = ("yes", "true", "1"), ("", "no", "false", "0")
MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """How many dishes were added, and how many were on the menu already, by their name."""

    added: int
    already_there: int


@transaction.atomic
def import_menu(*, restaurant: Restaurant, text: str, now: datetime) -> Imported:
    """Add the file's dishes to the end of the menu. Safe to repeat: a dish that is there stays.

    Raises Invalid with every error of every line, and Conflict if the menu is full; then no dish
    was added.
    """
    dishes = read_dishes(text)
    on_menu = Dish.objects.on_the_menu().filter(restaurant=restaurant)
    known = {name.lower() for name in on_menu.values_list("name", flat=True)}
    new = [each for each in dishes if each["name"].lower() not in known]
    for terms in new:
        menu.create_dish(restaurant=restaurant, terms=terms, now=now)
    return Imported(added=len(new), already_there=len(dishes) - len(new))


def read_dishes(text: str) -> list[dict[str, Any]]:
    """The dishes of a file, as `create_dish` takes them. Raises Invalid."""
    rows = csv.DictReader(StringIO(text.removeprefix("\ufeff")), restkey="", strict=True)
    errors: list[FieldError] = []
    found: list[dict[str, Any]] = []
    lines_of: dict[str, int] = {}
    try:
        _check_columns(rows.fieldnames or [])
        for row in rows:
            line = rows.line_num
            terms, wrong = _read(row)
            errors += [FieldError(f"line {line}: {field}", message) for field, message in wrong]
            name = str(terms.get("name", "")).lower()
            if name and name in lines_of:
                message = f"The dish is already in line {lines_of[name]}"
                errors.append(FieldError(f"line {line}: name", message))
            lines_of.setdefault(name, line)
            found.append(terms)
    except csv.Error as error:
        errors.append(FieldError(f"line {rows.line_num}", f"This isn't CSV: {error}"))
    if not errors and not found:
        errors.append(FieldError("file", "The file has no dishes."))
    if errors:
        raise Invalid.because(errors)
    return found


def _check_columns(names: Any) -> None:
    wrong = [name for name in names if name not in COLUMNS]
    missing = [name for name in NEEDED if name not in names]
    if wrong or missing or len(set(names)) < len(names):
        message = f"Name the columns in the first line: {', '.join(COLUMNS)}."
        raise Invalid.because([FieldError("line 1", message)])


def _read(row: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    if "" in row or None in row.values():
        return {}, [("columns", "The line has more or fewer values than the first line.")]
    sent: dict[str, Any] = {name: value.strip() for name, value in row.items()}
    for name in LISTS:
        if name in sent:
            sent[name] = sent[name].replace(";", " ").split()
    hidden = str(sent.pop("hidden", "")).lower()
    if hidden not in YES + NO:
        return {}, [("hidden", "Say yes or no")]
    form = DishInput(data={**sent, "hidden": hidden in YES})
    if form.is_valid():
        return dict(form.validated_data), []
    return {}, list(_messages(form.errors))


def _messages(errors: Mapping[str, Any]) -> Any:
    for field, found in errors.items():
        listed = found.values() if isinstance(found, Mapping) else [found]
        for messages in listed:
            yield field, str(messages[0])
