"""The front end is built again when its sources or its build have changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from devtools import installing
from devtools.stamps import Stamp


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Build as `make` would, into the test's own folder; returns how often it has really built."""
    sources, built = tmp_path / "src", tmp_path / "dist"
    sources.mkdir()
    (sources / "main.ts").write_text("one")
    runs: list[list[str]] = []

    def run(command: list[str], _: str) -> None:
        runs.append(command)
        shutil.rmtree(built, ignore_errors=True)
        (built / ".vite").mkdir(parents=True)
        (built / ".vite" / "manifest.json").write_text("{}")
        (built / "main.js").write_text("one")

    monkeypatch.setattr(installing, "FRONTEND_BUILD", built)
    monkeypatch.setattr(installing, "FRONTEND_STAMP", Stamp(tmp_path / "stamp"))
    monkeypatch.setattr(installing, "frontend_sources", lambda: [sources])
    monkeypatch.setattr(installing, "run_quietly", run)

    def count() -> int:
        installing.build_frontend()
        return len(runs)

    return count


def test_a_build_that_fits_is_stored(build: Callable[[], int]) -> None:
    assert [build(), build()] == [1, 1]


def test_a_changed_source_is_built(build: Callable[[], int], tmp_path: Path) -> None:
    build()
    (tmp_path / "src" / "main.ts").write_text("two")
    assert [build(), build()] == [2, 2]


@pytest.mark.parametrize("lost", ["dist", "dist/main.js", "dist/.vite", "dist/.vite/manifest.json"])
def test_what_was_deleted_is_built_again(
    build: Callable[[], int], tmp_path: Path, lost: str
) -> None:
    build()
    path = tmp_path / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert [build(), build()] == [2, 2]


@pytest.mark.parametrize("emptied", ["main.js", ".vite/manifest.json"])
def test_what_was_emptied_is_built_again(
    build: Callable[[], int], tmp_path: Path, emptied: str
) -> None:
    build()
    (tmp_path / "dist" / emptied).write_text("")
    assert [build(), build()] == [2, 2]


def test_an_emptied_folder_is_built_again(build: Callable[[], int], tmp_path: Path) -> None:
    build()
    shutil.rmtree(tmp_path / "dist")
    (tmp_path / "dist").mkdir()
    assert [build(), build()] == [2, 2]
