"""`docs/data-model.md` says what the tables are, column by column; here it is held to that."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models

DOCUMENT = Path(__file__).parents[1] / "docs" / "data-model.md"
# How many columns the specification lists for each of its tables.
LISTED = {
    "D22": 9, "D23": 7, "D24": 3, "D25": 9, "D26": 15, "D27": 2, "D28": 6, "D29": 10, "D30": 6,
    "D31": 6, "D32": 10, "D33": 12, "D34": 9, "D35": 13, "D36": 12, "D39": 5,
}  # fmt: skip
NOT_YET = {
    "D37": "email_invitations",
    "D38": "email_announcement_usage",
}
HEADING = re.compile(r"^### `(?P<label>\w+\.\w+)`")
SPECIFIED = re.compile(r"\bD\d+\.\d+\b")


def type_of(field: Any) -> str:
    kind = type(field).__name__
    if field.remote_field is None:
        return kind
    return f"{kind} → {field.remote_field.model._meta.label}"


def size_of(field: Any) -> str:
    if isinstance(field, models.DecimalField):
        return f"{field.max_digits},{field.decimal_places}"
    return "" if isinstance(field, models.UUIDField) else str(field.max_length or "")


def default_of(field: Any) -> str:
    if getattr(field, "auto_now", False):
        return "each change"
    if getattr(field, "auto_now_add", False):
        return "now"
    if not field.has_default():
        return ""
    if callable(field.default):
        return f"{field.default.__name__.strip('_')}()"
    value = field.default
    return str(value).lower() if isinstance(value, bool) else str(value)


def row_of(field: Any) -> tuple[str, ...]:
    """Column, type, size, default, null, unique: as the document's table has them."""
    return (
        field.name,
        type_of(field),
        size_of(field),
        default_of(field),
        "yes" if field.null else "",
        "yes" if field.unique else "",
    )


def our_models() -> dict[str, Any]:
    return {
        model._meta.label: model
        for model in apps.get_models()
        if model.__module__.startswith("apps.")
    }


def sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in DOCUMENT.read_text().splitlines():
        heading = HEADING.match(line)
        if heading:
            lines = found.setdefault(heading["label"], [])
        elif line.startswith("## "):
            lines = []
        lines.append(line)
    return found


def rows(lines: list[str]) -> list[tuple[str, ...]]:
    """The cells of the section's table, without the first column (the specification's name)."""
    cells = [
        tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
        for line in lines
        if line.startswith("| ") and not line.startswith("| Specified")
    ]
    return [row[1:] for row in cells]


def test_every_table_is_described_and_no_other() -> None:
    assert set(sections()) == set(our_models())


@pytest.mark.parametrize("label", sorted(our_models()))
def test_the_columns_are_as_described(label: str) -> None:
    described = rows(sections()[label])
    assert described == [row_of(field) for field in our_models()[label]._meta.concrete_fields]


@pytest.mark.parametrize("label", sorted(our_models()))
def test_the_constraints_are_named(label: str) -> None:
    text = "\n".join(sections()[label])
    missing = [
        constraint.name
        for constraint in our_models()[label]._meta.constraints
        if f"`{constraint.name}`" not in text
    ]
    assert missing == []


def test_every_specified_column_has_its_home() -> None:
    named = set(SPECIFIED.findall(DOCUMENT.read_text()))
    wanted = {f"{table}.{n}" for table, count in LISTED.items() for n in range(1, count + 1)}
    assert wanted - named == set()


def test_the_specified_tables_that_are_not_there_are_named() -> None:
    text = DOCUMENT.read_text()
    present = {model._meta.db_table for model in our_models().values()}
    for number, table in NOT_YET.items():
        assert f"**{number}** `{table}`" in text
        assert not any(table in name for name in present)
