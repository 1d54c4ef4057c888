"""The checks of templates' lines and of modules' lengths."""

import subprocess
from pathlib import Path

import pytest

from devtools.lengths import (
    LONGEST_LINE,
    LONGEST_MODULE,
    check_module_lengths,
    check_template_lines,
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


def test_the_check_names_a_line_of_a_template_that_is_too_long(repository: Path) -> None:
    (repository / "a.html").write_text(f"<p>\n{'x' * LONGEST_LINE}\n{'x' * (LONGEST_LINE + 1)}\n")
    (repository / "b.txt").write_text("x" * 999)
    outcome = check_template_lines(root=repository)
    assert (outcome.code, outcome.output) == (1, "a.html:3: 201 characters")


def test_the_check_names_a_template_tag_that_is_on_two_lines(repository: Path) -> None:
    (repository / "a.html").write_text("{# ok #}{% if a %}{{ a }}{% endif %}\n{{\n  a }}\n")
    (repository / "templates").mkdir()
    (repository / "templates" / "b.txt").write_text("{% if\n a %}{% endif %}\n")
    (repository / "notes.txt").write_text("{{\n")
    outcome = check_template_lines(root=repository)
    found = [
        f"{place}: a template tag goes on in the next line"
        for place in ("a.html:2", "templates/b.txt:1")
    ]
    assert (outcome.code, outcome.output.splitlines()) == (1, found)


def test_the_check_names_a_module_that_is_too_long_unless_it_is_a_test_or_a_migration(
    repository: Path,
) -> None:
    (repository / "fits.py").write_text("pass\n" * LONGEST_MODULE)
    for name in ("long.py", "long.tsx", "long.test.ts", "tests/test_long.py", "migrations/0001.py"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text("pass\n" * (LONGEST_MODULE + 1))
    outcome = check_module_lengths(root=repository)
    assert (outcome.code, outcome.output) == (1, "long.py: 401 lines\nlong.tsx: 401 lines")
