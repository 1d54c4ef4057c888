"""Tests that a page or a list names: whether they exist, and the closest match if they don't.

A citation is pytest's node id, or "file > title" for TypeScript.
"""

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
# The first argument of a test or a `describe` in TypeScript, as it is written.
TITLE = re.compile(r"""[\w\])]\(\s*(["'`])((?:(?!\1)[^\\\n]|\\.)+)\1,""")


@cache
def names_in(file: str) -> frozenset[str]:
    """Every test a file has, as it is cited: `Class::test_name`, or a title in TypeScript."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    text = path.read_text()
    if path.suffix != ".py":
        return frozenset(title for _, title in TITLE.findall(text))
    return frozenset(_python_tests(ast.parse(text), ""))


def _python_tests(node: ast.Module | ast.ClassDef, before: str) -> Iterator[str]:
    for child in node.body:
        if isinstance(child, ast.ClassDef) and child.name.startswith("Test"):
            yield f"{before}{child.name}"
            yield from _python_tests(child, f"{before}{child.name}::")
        elif isinstance(child, ast.FunctionDef) and child.name.startswith("test_"):
            yield f"{before}{child.name}"


def is_there(citation: str) -> bool:
    file, _, name = citation.partition(" > " if " > " in citation else "::")
    return name in names_in(file)


def missing_from(citations: dict[str, list[str]]) -> list[str]:
    """A line for each citation, under what cites it, that leads to no test."""
    return [
        f"{cited_by}: {citation}\n    closest: {closest_to(citation)}"
        for cited_by, cited in citations.items()
        for citation in cited
        if not is_there(citation)
    ]


def closest_to(citation: str) -> str:
    everything = [
        f"{path.relative_to(ROOT)}{'::' if path.suffix == '.py' else ' > '}{name}"
        for folder, pattern in (("tests", "test_*.py"), ("frontend/src", "*.test.ts*"))
        for path in (ROOT / folder).rglob(pattern)
        for name in names_in(str(path.relative_to(ROOT)))
    ]
    return next(iter(get_close_matches(citation, everything, n=1)), "nothing like it")
