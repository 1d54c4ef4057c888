"""`devtools/commit_message.py`: the form of a commit message."""

import pytest

from devtools import checks
from devtools.commit_message import message_errors
from devtools.jobs import Outcome


@pytest.mark.parametrize(
    "message",
    [
        "Add the glossary\n",
        "Add the glossary\n\nA new reader had no page that names things.\n",
        "# a comment of Git's\n\nAdd the glossary\n# another\n",
        f"Merge branch '{'x' * 80}'\n",
        "Address a reader's question",
    ],
)
def test_a_good_message_has_no_errors(message: str) -> None:
    assert message_errors(message) == []


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("", "Write a subject"),
        ("x" * 73, "73 characters"),
        ("Add the glossary.", "without a period"),
        ("Added the glossary", "imperative"),
        ("Add the glossary\nand more", "second line"),
    ],
)
def test_a_bad_message_says_what_is_wrong(message: str, error: str) -> None:
    (only,) = message_errors(message)
    assert error in only


@pytest.mark.parametrize(
    ("git_says", "expected"),
    [
        (Outcome(0, "x" * 72), Outcome(0, "")),
        (
            Outcome(0, "x" * 73),
            Outcome(
                1,
                "The subject has 73 characters; the maximum is 72. Put the reason into the body.",
            ),
        ),
        (Outcome(128, "fatal: there are no commits yet"), Outcome(0, "")),
    ],
)
def test_make_check_reads_the_last_commits_message(
    monkeypatch: pytest.MonkeyPatch, git_says: Outcome, expected: Outcome
) -> None:
    asked: list[list[str]] = []

    def answer(command: list[str], env: dict[str, str]) -> Outcome:
        asked.append(command)
        return git_says

    monkeypatch.setattr(checks, "run_job", answer)
    assert checks.check_last_commit({}) == expected
    assert asked == [["git", "log", "-1", "--format=%B"]]
    assert checks.check_last_commit in [check.look for check in checks.all_checks()]
