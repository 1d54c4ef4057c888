"""Who may import whom: the contracts of `[tool.importlinter]` in pyproject.toml hold."""

import ast
from pathlib import Path

from importlinter import cli

ROOT = Path(__file__).resolve().parents[1]
# Inside an app, downwards only: what stands left may not know what stands right of it.
INNER_LAYERS = (
    {"states", "models", "querysets", "gateway"},
    {"services", "selectors"},
    {"tasks"},
    {"views", "api", "webhooks", "admin", "management", "urls"},
)


def test_the_contracts_hold(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


def imported_modules(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def layer_of(parts):
    """`apps.offers.api.views.specials` is in the layer of `api`; None for a module without one."""
    name = parts[2] if len(parts) > 2 else ""
    return next((level for level, names in enumerate(INNER_LAYERS) if name in names), None)


def test_inside_an_app_imports_lead_downwards():
    wrong = []
    for file in (ROOT / "apps").rglob("*.py"):
        here = file.relative_to(ROOT).with_suffix("").parts
        level = layer_of(here)
        for module in imported_modules(file):
            there = module.split(".")
            other = layer_of(there)
            same_app = list(here[:2]) == there[:2]
            if same_app and None not in (level, other) and other > level:
                wrong.append(f"{'.'.join(here)} imports {module}")
    assert wrong == []
