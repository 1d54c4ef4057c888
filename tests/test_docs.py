"""The documents: what they link to exists, and what the code cites is in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("packages/*/*.md")),
    *sorted(DOCS.rglob("*.md")),
]
CODE = [
    path
    for folder in ("apps", "config", "demo", "devtools", "frontend/src", "templates", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".ts", ".tsx", ".html", ".txt", ".css"}
]
LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]+)[^)]*\)")
# A path in backticks: `apps/offers/card_terms.py`, or below apps/preorders `core/pricing.py`.
NAMED_PATH = re.compile(
    r"`((?:apps|benchmarks|config|demo|devtools|docs|frontend|locale|packages|templates|tests)/"
    r"[\w./-]+)`"
)
PREORDERS_PATH = re.compile(
    r"`((?:cart|checkout|core|documents|emails|guest|manage|models|reports|settlement|special"
    r"|waitlist)/[\w./-]*)`"
)
RULE = re.compile(r"\bX\d{1,2}\b")
SECTION = re.compile(r"design §(\d)")


def cited(pattern: re.Pattern[str]) -> set[str]:
    return {found for path in CODE for found in pattern.findall(path.read_text(errors="ignore"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    pictures = DOCS / "images"  # taken from the running program
    targets = [(page.parent / link).resolve() for link in LINK.findall(page.read_text())]
    missing = [path for path in targets if not path.exists() and pictures not in path.parents]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_paths_a_page_names_are_there(page: Path) -> None:
    if "packages" in page.parts:  # its paths are the package's own
        return
    text = page.read_text()
    named = {ROOT / path for path in NAMED_PATH.findall(text)}
    named |= {ROOT / "apps/preorders" / path for path in PREORDERS_PATH.findall(text)}
    assert sorted(str(path.relative_to(ROOT)) for path in named if not path.exists()) == []


def test_the_tests_that_answer_questions_about_money_are_there() -> None:
    text = (DOCS / "testing.md").read_text().split("## Money, question by question")[1]
    rows = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    for file, name in re.findall(r"`([\w/]+\.py)(?:::([\w:]+))?`", "\n".join(rows)):
        path = ROOT / (file if file.startswith("tests/") else f"tests/preorders/{file}")
        assert path.is_file(), file
        for part in filter(None, name.split("::")):
            assert re.search(rf"(def|class) {part}\b", path.read_text()), f"{file}::{name}"


def test_every_rule_the_code_cites_is_explained() -> None:
    explained = set(re.findall(r"^\| (X\d+) \|", (DOCS / "decisions/rules.md").read_text(), re.M))
    assert cited(RULE) - explained == set()


def test_every_section_the_code_cites_is_there() -> None:
    text = (DOCS / "architecture.md").read_text()
    assert cited(SECTION) <= set(re.findall(r"^## (\d)\. ", text, re.M))


def test_the_api_page_lists_exactly_the_calls_there_are() -> None:
    schema = (ROOT / "frontend/src/api/schema.yaml").read_text()
    there: set[str] = set()
    path = ""
    for line in schema.splitlines():
        if found := re.match(r"  (/api/\S+):$", line):
            path = found[1]
        elif found := re.match(r"    (get|post|put|patch|delete):$", line):
            there.add(f"{found[1].upper()} {path}")
    listed = set(re.findall(r"`([A-Z]+ /api/[^`]+)`", (DOCS / "api.md").read_text()))
    assert listed - {"GET /api/schema"} == there


def test_every_decision_is_listed() -> None:
    listed = set(LINK.findall((DOCS / "decisions/README.md").read_text()))
    assert {path.name for path in (DOCS / "decisions").glob("0*.md")} <= listed


@pytest.mark.parametrize("page", sorted(DOCS.glob("decisions/0*.md")), ids=lambda page: page.stem)
def test_a_decision_has_its_number_a_status_and_a_date(page: Path) -> None:
    number = int(page.name[:4])
    status = r"(accepted|product note|superseded by \d+) · Date: \d{4}-\d\d-\d\d"
    assert re.match(rf"# {number}\. .+\n\nStatus: {status}\n", page.read_text())


def test_every_command_the_readme_names_is_there() -> None:
    named = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.M))
    makefile = (ROOT / "Makefile").read_text()
    assert named <= set(re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split())  # type: ignore[index]


def test_the_readme_tells_the_demos_addresses_and_passwords() -> None:
    from demo.loading import STAFF_EMAIL, STAFF_PASSWORD
    from demo.restaurants import RESTAURANTS

    text = (ROOT / "README.md").read_text()
    for plan in RESTAURANTS:
        line = next(line for line in text.splitlines() if plan.name in line)
        assert f"http://{plan.subdomain}.localhost:8000" in line
        assert f"{plan.owner_email} / {plan.owner_password}" in line
    assert f"{STAFF_EMAIL} / {STAFF_PASSWORD}" in text
