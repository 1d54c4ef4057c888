"""The threat model and the list of OWASP ASVS 5.0: the tests that they cite exist.

`docs/security.md` has the threats, `asvs/` a file for each chapter of the standard. When a cited
test was renamed, the failure names the closest name there is.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.citations import ROOT, missing_from

PAGE = (ROOT / "docs/security.md").read_text()
CHAPTERS: list[dict[str, Any]] = [
    yaml.safe_load(path.read_text()) for path in sorted((Path(__file__).parent / "asvs").iterdir())
]
REQUIREMENTS: list[dict[str, Any]] = [
    requirement for chapter in CHAPTERS for requirement in chapter["requirements"]
]
# How a requirement is shown, the strongest proof first; `missing` says what isn't shown.
HELD = ("test", "document", "design")
OUTCOMES = (*HELD, "open", "not_applicable")
CITATION = re.compile(r"`(tests/[\w/.]+::[\w:]+)`")
# From "- **Who does what.**" to the next threat, or the end of the list.
THREAT = re.compile(r"^- \*\*(.+?)\*\*(.*?)(?=^- \*\*|^$|\Z)", re.M | re.S)


def outcome_of(requirement: dict[str, Any]) -> str:
    return next(key for key in OUTCOMES if key in requirement)


def fault_of(requirement: dict[str, Any]) -> str:
    """What is wrong with an entry; empty if nothing is."""
    found = [key for key in OUTCOMES if key in requirement]
    if not found or (len(found) > 1 and not set(found) <= set(HELD)):
        return f"one of {OUTCOMES}, not {found}"
    if "missing" in requirement and found[0] not in HELD:
        return "`missing` goes with what is held"
    if not all(requirement[key] for key in requirement):
        return "words are wanted"
    unknown = set(requirement) - {"id", "level", "about", "missing", *OUTCOMES}
    return ", ".join(sorted(unknown))


def test_every_requirement_of_levels_1_and_2_is_there_once_and_in_order() -> None:
    """The numbers are the standard's; each file says how many its chapter has."""
    for number, chapter in enumerate(CHAPTERS, 1):
        head, listed = chapter["chapter"], chapter["requirements"]
        ids = [tuple(map(int, each["id"].split("."))) for each in listed]
        assert head["number"] == number
        assert {id_[0] for id_ in ids} == {number}
        assert ids == sorted(set(ids))
        levels = Counter(each["level"] for each in listed)
        assert levels == +Counter({1: head["level_1"], 2: head["level_2"]}), number
    assert Counter(each["level"] for each in REQUIREMENTS) == {1: 70, 2: 183}


def test_each_requirement_says_how_it_is_held_or_why_not() -> None:
    assert {each["id"]: error for each in REQUIREMENTS if (error := fault_of(each))} == {}


def test_the_tests_that_the_standards_list_names_are_there() -> None:
    broken = missing_from({each["id"]: each.get("test", []) for each in REQUIREMENTS})
    assert not broken, "\n".join(["No such test:", *broken])


def test_the_documents_that_the_standards_list_names_are_there() -> None:
    named = {each["document"] for each in REQUIREMENTS if "document" in each}
    assert {path for path in named if not (ROOT / path).is_file()} == set()


def test_the_tests_that_the_threat_model_names_are_there() -> None:
    cited = CITATION.findall(PAGE)
    assert len(cited) > 50
    broken = missing_from({"docs/security.md": cited})
    assert not broken, "\n".join(["No such test:", *broken])


def test_each_threat_names_the_test_that_holds_it_or_says_that_none_does() -> None:
    threats = {title: text for title, text in THREAT.findall(PAGE)}
    assert len(threats) > 40
    assert [
        title for title, text in threats.items() if not (CITATION.search(text) or "*Open:*" in text)
    ] == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda each: f"V{each['chapter']['number']}")
def test_the_page_counts_what_is_held(chapter: dict[str, Any]) -> None:
    """So that one who closes or opens a requirement sees it on the page."""
    head, listed = chapter["chapter"], chapter["requirements"]
    counts = Counter(map(outcome_of, listed))
    partly = sum("missing" in each for each in listed)
    figures = " | ".join(str(counts[key]) for key in OUTCOMES)
    assert f"| V{head['number']} {head['name']} | {figures} | {partly} |" in PAGE


def test_the_page_lists_what_is_open() -> None:
    listed = set(re.findall(r"^\| (\d+\.\d+\.\d+) \|", PAGE, re.M))
    assert listed == {each["id"] for each in REQUIREMENTS if "open" in each}
