"""The locks install on any machine: they are complete, and contain nothing for one machine only."""

import json
import re
import tomllib
from typing import Any

import pytest

from devtools.paths import ROOT

PYTHON_LOCKS = ["requirements.txt", "requirements-dev.txt", "requirements-reports.txt"]


def locked_names(file: str) -> set[str]:
    """Packages with their version, and our own that are installed from the working tree."""
    text = (ROOT / file).read_text()
    return {
        *re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==", text, re.MULTILINE),
        *re.findall(r"^-e packages/([a-z0-9-]+)$", text, re.MULTILINE),
    }


def asked_names(requirements: list[str]) -> set[str]:
    return {
        re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")
        for requirement in requirements
    }


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("file", PYTHON_LOCKS)
def test_everything_production_asks_for_is_locked(file: str) -> None:
    assert asked_names(project()["project"]["dependencies"]) <= locked_names(file)


def test_every_tool_is_locked() -> None:
    assert asked_names(project()["dependency-groups"]["dev"]) <= locked_names(PYTHON_LOCKS[1])


@pytest.mark.parametrize("file", [*PYTHON_LOCKS, "package-lock.json"])
def test_no_lock_names_a_machine_or_a_registry(file: str) -> None:
    text = (ROOT / file).read_text()
    addresses = set(re.findall(r'"resolved": "[^"]*"|--index-url.*|--find-links.*|file:.*', text))
    assert not addresses


@pytest.mark.parametrize("file", PYTHON_LOCKS)
def test_every_locked_python_package_has_the_hash_of_its_content(file: str) -> None:
    packages = re.findall(
        r"^[a-z0-9-]+(?:\[.*\])?==(?:.*\\\n)*.*$", (ROOT / file).read_text(), re.M
    )
    assert len(packages) > 50
    assert [each for each in packages if "--hash=sha256:" not in each] == []


def test_every_locked_javascript_package_has_the_hash_of_its_content() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    without = {name for name in packages if "integrity" not in packages[name]} - {""}
    # npm leaves it out of what it never downloaded: other platforms' builds of a tool.
    assert [name for name in sorted(without) if not packages[name].get("optional")] == []


def test_the_npm_lock_names_the_optional_packages_of_every_platform() -> None:
    """`npm ci` refuses a lock without them, whatever platform it runs on."""
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    missing = {
        name
        for package in packages.values()
        for name in package.get("optionalDependencies", {})
        if f"node_modules/{name}" not in packages
    }
    assert not missing
