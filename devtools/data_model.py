"""`make docs`: writes docs/data-model.md from the models.

The descriptions come from the code: a table's from the model's docstring, a column's from the
comment above the field or beside it. `tests/test_docs_data_model.py` fails when the page and the
models differ.
"""

from __future__ import annotations

import inspect
import io
import textwrap
import tokenize
from pathlib import Path
from typing import Any, cast

from django.apps import apps
from django.db import models
from django.db.models.expressions import Combinable

from .paths import ROOT

PAGE = ROOT / "docs" / "data-model.md"

INTRODUCTION = """\
# The data model

Every table of our own, with its columns and constraints. This page is generated from the models:
edit the docstring of a model or the comment of a field, then run `make docs`. A test compares the
page with the models.

- *Type* is the column's type, with its size; an arrow names the table a foreign key points to, and
  the column of a foreign key ends in `_id`.
- *Default* is what the model fills in; the database itself has no defaults. *Now* is the time the
  row is created.
- Money is `decimal 10,2` in the restaurant's currency (`Restaurant.currency`); in the code it is
  whole cents (`apps/common/money.py`). Rates are percentages. Times are UTC; days are days in the
  restaurant's time zone.
- An optional text is empty, not null. A `✓` under *Null* or *Unique* means yes.
- A note can also be about the columns below it.
- Every table with a `restaurant_id` is under forced row-level security ([decision
  1](decisions/0001-pool-tenancy.md)); `tests/isolation/test_guards.py` checks PostgreSQL's catalog
  for one that isn't.
- `DECISIONS X33` is explained in [decisions/rules.md](decisions/rules.md), and `decision 29` is a
  page of [decisions](decisions/README.md).

Other packages have tables, too: Django (sessions, permissions, content types), django-allauth
(email addresses, second factors, sessions, accounts at other sites), and dj-stripe (a copy of some
of Stripe's objects, and every webhook delivery). None of our tables has a foreign key to
dj-stripe's; we store Stripe's ids.
"""

TITLES = {
    "accounts": "Accounts",
    "activity": "The activity log",
    "restaurants": "Restaurants",
    "integrations": "Webhooks to restaurants' programs",
    "billing": "Payments and the ledger",
    "offers": "Menu and specials",
    "preorders": "Orders, emails, and the waitlist",
    "marketing": "Marketing",
    "admin_ops": "Operating the platform",
    "monitoring": "Alarms",
}

TYPES = {
    "BigAuto": "bigint",
    "Char": "text",
    "GenericIPAddress": "IP address",
    "PositiveInteger": "integer ≥ 0",
    "PositiveSmallInteger": "smallint ≥ 0",
}


def our_models() -> list[type[models.Model]]:
    """The models of the product's own apps, in the order of the page."""
    return [
        model
        for label in TITLES
        for model in apps.get_app_config(label).get_models()
        if model.__module__.startswith("apps.")
    ]


def render() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for label, title in TITLES.items():
        parts.append(f"## {title}\n")
        parts += [_section(model) for model in our_models() if model._meta.app_label == label]
    return "\n".join(parts)


def _section(model: type[models.Model]) -> str:
    table = model._meta.db_table
    lines = [f"### `{table}`", "", f"`{model.__module__}.{model.__name__}`. {_purpose(model)}", ""]
    lines += ["| Column | Type | Default | Null | Unique | What it is |"]
    lines += ["|---|---|---|---|---|---|"]
    notes = _field_notes(model)
    lines += [_row(field, notes.get(field.name, "")) for field in model._meta.concrete_fields]
    constraints = [_constraint(each) for each in model._meta.constraints]
    if constraints:
        lines += ["", "Constraints:", "", *constraints]
    return "\n".join(lines) + "\n"


def _purpose(model: type[models.Model]) -> str:
    """The docstring on one line; Django's own when the model has none is left out."""
    doc = inspect.cleandoc(model.__doc__ or "")
    return "" if doc.startswith(f"{model.__name__}(") else " ".join(doc.split())


def _row(field: Any, note: str) -> str:
    cells = [
        f"`{field.name}`",
        _type_of(field),
        _default_of(field),
        "✓" if field.null else "",
        "✓" if field.unique else "",
        note.replace("|", "\\|"),
    ]
    return "| " + " | ".join(cells) + " |"


def _type_of(field: Any) -> str:
    if field.remote_field is not None:
        return f"→ `{field.remote_field.model._meta.db_table}`"
    kind = type(field).__name__.removesuffix("Field")
    kind = TYPES.get(kind, kind.lower())
    if isinstance(field, models.DecimalField):
        return f"{kind} {field.max_digits},{field.decimal_places}"
    size = None if isinstance(field, models.UUIDField) else field.max_length
    return f"{kind} {size}" if size else kind


def _default_of(field: Any) -> str:
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        return "now"
    if not field.has_default():
        return ""
    if callable(field.default):
        return f"`{field.default.__name__.strip('_')}()`"
    value = field.default
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _constraint(constraint: Any) -> str:
    if isinstance(constraint, models.CheckConstraint):
        return f"- `{constraint.name}`: {_condition(cast(models.Q, constraint.condition))}"
    parts = [*constraint.fields, *(_expression(each) for each in constraint.expressions)]
    text = f"- `{constraint.name}`: unique ({', '.join(parts)})"
    return f"{text} where {_condition(constraint.condition)}" if constraint.condition else text


def _expression(expression: Any) -> str:
    if isinstance(expression, models.F):
        return str(cast(Any, expression).name)
    if isinstance(expression, models.Value):
        return repr(expression.value)
    if isinstance(expression, models.Func):
        inner = ", ".join(_expression(each) for each in expression.get_source_expressions())
        return f"{(expression.function or type(expression).__name__).lower()}({inner})"
    if isinstance(expression, Combinable):
        return str(expression)
    return repr(expression) if isinstance(expression, str) else str(expression)


def _condition(condition: models.Q) -> str:
    """A condition in readable form: `kind = 'refund' and state = 'pending'`."""
    parts = [
        f"({_condition(child)})" if isinstance(child, models.Q) else _comparison(*cast(Any, child))
        for child in condition.children
    ]
    text = f" {condition.connector.lower()} ".join(parts)
    return f"not ({text})" if condition.negated else text


def _comparison(lookup: str, value: Any) -> str:
    column, _, operator = lookup.partition("__")
    if operator == "isnull":
        return f"{column} is {'null' if value else 'not null'}"
    if value is None:
        return f"{column} is null"
    if operator == "in":
        return f"{column} in ({', '.join(_expression(each) for each in value)})"
    if operator == "range":
        return f"{column} between {value[0]} and {value[1]}"
    sign = {"": "=", "exact": "=", "gt": ">", "gte": "≥", "lt": "<", "lte": "≤"}[operator]
    return f"{column} {sign} {_expression(value)}"


def _field_notes(model: type[models.Model]) -> dict[str, str]:
    """The comment above each field, or beside it, for the fields of the class and its parents."""
    notes: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if owner.__module__.startswith("apps."):
            notes |= _notes_in(textwrap.dedent(inspect.getsource(owner)))
    return notes


def _notes_in(source: str) -> dict[str, str]:
    """The comments of one class's source, by the name that the next statement assigns.

    A comment alone on its line belongs to the following statement and ends at an empty line; one
    beside code belongs to its own statement. A statement with both gets both sentences.
    """
    notes: dict[str, str] = {}
    above: list[str] = []
    beside: list[str] = []
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("# ").split("noqa:")[0]
            (beside if statement else above).append(text)
        elif token.type == tokenize.NL and not token.line.strip():
            above = [] if not statement else above
        elif token.type == tokenize.NEWLINE:
            sentences = [_sentence(" ".join(each)) for each in (above, beside)]
            note = ". ".join(filter(None, sentences))
            if len(statement) > 1 and statement[1].string == "=" and note:
                notes[statement[0].string] = note
            above, beside, statement = [], [], []
        elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            statement.append(token)
    return notes


def _sentence(text: str) -> str:
    return (text[:1].upper() + text[1:]).strip().rstrip(".;")


def write() -> Path:
    """Write the page."""
    PAGE.write_text(render())
    return PAGE


if __name__ == "__main__":
    import django

    django.setup()
    write()
