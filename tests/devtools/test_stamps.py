"""Slow work is repeated when, and only when, its inputs have changed."""

from pathlib import Path

import pytest

from devtools.stamps import Stamp, digest


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    directory = tmp_path / "sources"
    (directory / "deep").mkdir(parents=True)
    (directory / "deep" / "a.ts").write_text("one")
    (directory / "b.css").write_text("two")
    return directory


def test_the_same_files_have_the_same_digest(sources: Path) -> None:
    assert digest([sources]) == digest([sources])


def test_a_changed_file_changes_it(sources: Path) -> None:
    before = digest([sources])
    (sources / "b.css").write_text("three")
    assert digest([sources]) != before


def test_a_renamed_file_changes_it(sources: Path) -> None:
    before = digest([sources])
    (sources / "b.css").rename(sources / "c.css")
    assert digest([sources]) != before


def test_a_new_and_a_deleted_file_change_it(sources: Path) -> None:
    before = digest([sources])
    (sources / "new").write_text("")
    with_new = digest([sources])
    (sources / "new").unlink()
    assert with_new != before
    assert digest([sources]) == before


def test_a_digest_changes_with_its_facts(sources: Path) -> None:
    assert digest([sources], "3.11") != digest([sources], "3.12")


def test_caches_and_hidden_files_do_not(sources: Path) -> None:
    before = digest([sources])
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "a.pyc").write_text("")
    (sources / ".hidden").write_text("")
    assert digest([sources]) == before


def test_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    assert digest([tmp_path / "nowhere"]) == digest([])


def test_a_stamp_matches_only_what_it_recorded(tmp_path: Path) -> None:
    stamp = Stamp(tmp_path / "new" / "stamp")
    assert not stamp.matches("x")
    stamp.record("x")
    assert stamp.matches("x")
    assert not stamp.matches("y")


def test_an_interrupted_work_is_done_again(tmp_path: Path) -> None:
    stamp = Stamp(tmp_path / "stamp")
    stamp.record("x")
    stamp.forget()
    assert not stamp.matches("x")
