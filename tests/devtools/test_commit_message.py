"""`devtools/commit_message.py`: the form of a commit message."""

import pytest

from devtools.commit_message import message_errors


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
