"""The check of the templates' lines."""

import subprocess
from pathlib import Path

from devtools.template_lines import LONGEST_LINE, check_template_lines


def test_the_check_names_a_line_that_is_too_long(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "a.html").write_text(f"<p>\n{'x' * LONGEST_LINE}\n{'x' * (LONGEST_LINE + 1)}\n")
    (tmp_path / "b.txt").write_text("x" * 999)
    outcome = check_template_lines(root=tmp_path)
    assert (outcome.code, outcome.output) == (1, "a.html:3: 201 characters")
