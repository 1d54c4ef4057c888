"""`specification.yaml` maps the specification to tests; here the map is compared with both. If a
cited test was renamed, `test_what_is_cited_is_there` names it and the closest name that exists.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.db import models

from tests.citations import missing_from

ROOT = Path(__file__).parents[1]
MAP: dict[str, Any] = yaml.load((ROOT / "tests/specification.yaml").read_text(), yaml.CSafeLoader)
ITEMS: list[dict[str, Any]] = MAP["items"]
OUTCOMES = ("test", "decision", "not_built")
COLUMNS = {id_: column for item in ITEMS for id_, column in item.get("columns", {}).items()}

PRODUCT = ("apps", "config", "demo", "devtools", "frontend/src", "packages", "templates")
WRITTEN = {".py", ".ts", ".tsx", ".js", ".css", ".html", ".txt", ".yaml"}
# Not the hour of a moment ("T12:00"), nor a text that is nothing else ("A2", a cell; "V1").
CODE = re.compile(r"(?<![\w\"'])(?:TS|[RAVTCSDKP])[1-9]\d{0,2}(?:\.\d+)?(?!\w|:\d|\"|'|\.\d)")


def files_in(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in WRITTEN and "node_modules" not in path.parts:
                yield path


def codes_in(paths: Iterator[Path]) -> dict[str, str]:
    """Each code with the first place that has it."""
    found: dict[str, str] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), 1):
            for code in CODE.findall(line):
                found.setdefault(code, f"{path.relative_to(ROOT)}:{number}")
    return found


def test_every_item_is_there_once_and_in_order() -> None:
    wanted = [f"{email}{n}" for email, count in MAP["counts"].items() for n in range(1, count + 1)]
    assert [item["id"] for item in ITEMS] == wanted


def test_every_column_is_there_once() -> None:
    wanted = {
        f"{table}.{n}" for table, count in MAP["columns"].items() for n in range(1, count + 1)
    }
    assert set(COLUMNS) == wanted
    assert len(COLUMNS) == sum(MAP["columns"].values())


def test_each_item_says_what_became_of_it() -> None:
    wrong = {item["id"]: error for item in ITEMS if (error := _fault_of(item))}
    assert wrong == {}


def _fault_of(item: dict[str, Any]) -> str:
    outcomes = [key for key in OUTCOMES if key in item]
    if len(outcomes) != 1:
        return f"one of {OUTCOMES}, not {outcomes}"
    reported = item[outcomes[0]]
    if not reported or not isinstance(reported, list if outcomes == ["test"] else str):
        return f"`{outcomes[0]}` is {reported!r}"
    if outcomes != ["test"] and "missing" in item:
        return "`missing` goes with `test` alone"
    words = (item.get("text"), item.get("missing", "nothing"))
    if not all(isinstance(each, str) and each for each in words):
        return "words are wanted"
    return ", ".join(sorted(set(item) - {"id", "text", "missing", "columns", *OUTCOMES}))


def test_what_is_cited_is_there() -> None:
    broken = missing_from({item["id"]: item.get("test", []) for item in ITEMS})
    assert not broken, "\n".join(["No such test:", *broken])


def test_the_decisions_are_there() -> None:
    rules = set(re.findall(r"^\| (X\d+) \|", (ROOT / "docs/decisions/rules.md").read_text(), re.M))
    pages = {path.name[:4] for path in (ROOT / "docs/decisions").glob("0*.md")}
    named = {item["decision"] for item in ITEMS if "decision" in item}
    assert named - rules - pages == set()


def test_the_summary_is_the_items() -> None:
    """So that one who closes or opens an item sees it in the header, and so does a reviewer."""
    found = Counter(next(key for key in OUTCOMES if key in item) for item in ITEMS)
    assert {**found, "partly": sum("missing" in item for item in ITEMS)} == MAP["summary"]


def test_a_quoted_text_stands_where_its_tests_are() -> None:
    absent = []
    for item in ITEMS:
        if item["id"].startswith("TS") and "test" in item:
            files = {re.split(" > |::", citation)[0] for citation in item["test"]}
            if not any(_pattern(item["text"]).search((ROOT / f).read_text()) for f in files):
                absent.append(f"{item['id']}: {item['text']}")
    assert absent == []


def _pattern(text: str) -> re.Pattern[str]:
    """The words of a text, whatever stands between them and in its blanks: `{name}`, `N`."""
    between = re.split(r"\{\w+\}|\bcurrent/min\b|\bN(?=[dhms]?\b|%)", text)
    words = (r"\W+".join(re.findall(r"\w+", part)) for part in between)
    return re.compile(r"\W*[\w /]*?\W*".join(words))


def test_codes_in_tests_are_in_the_map() -> None:
    known = {item["id"] for item in ITEMS} | set(COLUMNS)
    here = (path for path in files_in("tests") if path.suffix != ".yaml")
    cited = codes_in(here)
    assert {code: place for code, place in cited.items() if code not in known} == {}


def test_product_code_cites_no_codes() -> None:
    assert codes_in(files_in(*PRODUCT)) == {}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("# R135: the form", ["R135"]),
        ("/** S10, X68. */", ["S10"]),
        ('"""The ledger (D33.4)."""', ["D33.4"]),
        ("'Invalid' # TS36", ["TS36"]),
        ('f"{day}T12:00:00Z"', []),
        ('sheet.freeze_panes = "A2"', []),
        ("decision 12, DECISIONS X12, UTF8", []),
    ],
)
def test_a_code_is_told_from_what_looks_like_one(line: str, found: list[str]) -> None:
    assert CODE.findall(line) == found


def test_every_column_is_a_models() -> None:
    def is_ours(name: str) -> bool:
        app, model, *field = name.split(".")
        found = apps.get_model(app, model)
        return not field or field[0] in {each.name for each in found._meta.concrete_fields}

    homes = {id_: [home] if isinstance(home, str) else home for id_, home in COLUMNS.items()}
    absent = {id_: home for id_, home in homes.items() if home and not all(map(is_ours, home))}
    assert absent == {}


def test_what_is_not_built_has_no_columns() -> None:
    unbuilt = {id_ for item in ITEMS if "not_built" in item for id_ in item.get("columns", {})}
    assert {id_ for id_, home in COLUMNS.items() if home is None} == unbuilt


# What the specification says about the lengths of texts, and about digits and decimal places.
LENGTHS = {
    "restaurants.Restaurant": {
        "email": 255,
        "slug": 100,
        "state": 50,
        "country": 50,
        "phone": 50,
        "subdomain": 100,
        "zip_code": 20,
        "website": 500,
    },
    "accounts.User": {"email": 255},
    "preorders.PreOrder": {"customer_phone": 50},
}
MONEY, RATE, DEGREES = (10, 2), (5, 2), (10, 7)
DIGITS = {
    "offers.Dish": {"price": MONEY},
    "offers.SpecialOffer": {"regular_price": MONEY, "special_price": MONEY},
    "preorders.PreOrder": {"total_amount": MONEY},
    "billing.PaymentHistory": {"amount": MONEY, "platform_fee_amount": MONEY, "fee_rate": RATE},
    "billing.PlatformFee": {"order_amount": MONEY, "fee_percentage": RATE},
    "billing.MonthlyBillingCycle": {"total_revenue": MONEY, "revenue_share_rate": RATE},
    "restaurants.Restaurant": {
        "revenue_share_percentage": RATE,
        "latitude": DEGREES,
        "longitude": DEGREES,
    },
}


def test_columns_have_the_sizes_that_are_specified() -> None:
    lengths = {
        label: {name: _field(label, name).max_length for name in names}
        for label, names in LENGTHS.items()
    }
    digits = {
        label: {
            name: (_field(label, name).max_digits, _field(label, name).decimal_places)
            for name in names
        }
        for label, names in DIGITS.items()
    }
    assert lengths == LENGTHS
    assert digits == DIGITS


def _field(label: str, name: str) -> Any:
    field: models.Field[Any, Any] = apps.get_model(label)._meta.get_field(name)
    return field
