"""`.env.example` names every setting the program reads, and nothing else."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
READERS = {
    *("prefixed", "text", "flag", "integer", "decimal", "choice", "names", "cents", "rate"),
    "rates_by_name",
}
# Read by the developers' commands and by Django itself, not through config.env.
READ_ELSEWHERE = {"DJANGO_SETTINGS_MODULE", "STRIPE_PORT", "CHROMIUM"}
# Read by the shell that starts a process; tests/deployment compares their defaults.
READ_BY_THE_PROCFILE = set(re.findall(r"\$\{(\w+):-", (ROOT / "Procfile").read_text()))


def settings_read():
    """The names given to `env.…(…)` in the settings."""
    for file in (ROOT / "config").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "env"
                and node.func.attr in READERS
            ):
                name = node.args[0]
                assert isinstance(name, ast.Constant), f"{file}:{node.lineno}: not a plain name"
                yield name.value


def documented():
    """Each documented name with the lines of comment above it."""
    found: dict[str, list[str]] = {}
    comment: list[str] = []
    for line in (ROOT / ".env.example").read_text().splitlines():
        if line.startswith("# ---") or not line:
            comment = []
        elif line.startswith("#"):
            comment.append(line)
        else:
            name = re.fullmatch(r"([A-Z][A-Z_0-9]*)=.*", line)
            assert name, f"not NAME=value: {line}"
            assert name[1] not in found, f"{name[1]} stands there twice"
            found[name[1]] = list(comment)
    return found


def test_every_setting_is_documented():
    names = documented()
    missing = set(settings_read()) - set(names)
    # For a prefix, an example is documented.
    assert {name for name in missing if not any(each.startswith(name) for each in names)} == set()


def test_nothing_is_documented_that_is_not_read():
    read = set(settings_read())
    prefixes = tuple(name for name in read if name.endswith("_"))
    unread = set(documented()) - read - READ_ELSEWHERE - READ_BY_THE_PROCFILE
    assert {name for name in unread if not name.startswith(prefixes)} == set()


def test_every_setting_is_explained():
    assert [name for name, comment in documented().items() if not comment] == []


def test_nothing_reads_the_environment_past_the_typed_readers():
    strays = [
        str(file.relative_to(ROOT))
        for folder in ("apps", "config")
        for file in (ROOT / folder).rglob("*.py")
        if file != ROOT / "config" / "env.py"
        and re.search(r"os\.(environ\b(?!\.setdefault)|getenv)", file.read_text())
    ]
    assert strays == []
