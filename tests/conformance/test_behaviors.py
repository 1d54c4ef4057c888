"""BEHAVIORS.md is complete: every row has a source and tests that exist, and the reverse."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from local_stripe.faults import OTHER_WAYS

ROOT = Path(__file__).parents[2]
PACKAGE_TESTS = ROOT / "packages/local-stripe/tests"
BEHAVIORS = (ROOT / "packages/local-stripe/BEHAVIORS.md").read_text()
_LINKS = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", BEHAVIORS, re.MULTILINE))


@dataclass(frozen=True)
class Row:
    claim: str
    source: str
    tests: tuple[str, ...]
    either_way: tuple[str, ...]

    @property
    def urls(self) -> list[str]:
        named = [_LINKS[name] for name in re.findall(r"\]\[([^\]]+)\]", self.source)]
        return [*re.findall(r"\]\((\S+?)\)", self.source), *named]


def _rows() -> list[Row]:
    rows = []
    for line in BEHAVIORS.splitlines():
        if not line.startswith("|") or line.startswith(("|---", "| what is so")):
            continue
        claim, source, _since, tests = (cell.strip() for cell in line.strip("|").split("|"))
        names = [
            re.findall(r"`([^`]+\.py[^`]*)`", part) for part in re.split("either way[^:]*:", tests)
        ]
        either_way = names[1] if len(names) > 1 else []
        rows.append(Row(claim, source, tuple(names[0] + either_way), tuple(either_way)))
    return rows


ROWS = _rows()
_by_claim = pytest.mark.parametrize("row", ROWS, ids=[row.claim[:60] for row in ROWS])


def _tests_in(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@_by_claim
def test_every_behavior_has_a_source_or_says_that_it_is_unverified(row):
    from_stripe = [
        url
        for url in row.urls
        if url.startswith(("https://docs.stripe.com/", "https://support.stripe.com/"))
    ]
    claim = row.claim.lower()
    assert from_stripe or "*recorded*" in claim or "*unverified*" in claim


@_by_claim
def test_what_is_unverified_names_a_test_of_the_program_with_either_answer(row):
    """The program is run with this server's answer and with another one."""
    if "*unverified*" in row.claim.lower():
        assert row.either_way
        for named in row.either_way:
            assert re.fullmatch(r"\w+/test_\w+\.py::test_\w+", named), named
            assert not named.startswith("conformance/"), named


@_by_claim
def test_every_behavior_names_tests_that_exist(row):
    assert row.tests
    for named in row.tests:
        path, _, name = named.partition("::")
        folder = ROOT / "tests" if "/" in path else PACKAGE_TESTS
        assert (folder / path).is_file(), named
        assert not name or name in _tests_in(folder / path), named


@pytest.mark.parametrize("name", sorted(OTHER_WAYS))
def test_every_other_way_of_local_stripe_is_run_by_a_test_of_the_program(name):
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    assert any(f'"{name}"' in path.read_text() for path in tests)


def test_every_conformance_test_is_named_by_a_behavior():
    named = {test for row in ROWS for test in row.tests}
    there = {
        f"conformance/{path.name}::{name}"
        for path in Path(__file__).parent.glob("test_*.py")
        if path != Path(__file__)
        for name in _tests_in(path)
    }
    assert sorted(there - named) == []
