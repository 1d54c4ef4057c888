"""The commit-msg hook: checks the form of a commit message (CONTRIBUTING.md)."""

import re
import sys
from pathlib import Path

MAX_SUBJECT = 72
# Git writes these itself.
WRITTEN_BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")
# The imperative is "Add", not "Added", "Adds", or "Adding". Few verbs only look like those forms.
NOT_IMPERATIVE = re.compile(
    r"(?:added|adds|adding|fixed|fixes|fixing|changed|changes|changing|removed|removes|removing"
    r"|updated|updates|updating|renamed|renames|renaming|moved|moves|moving)\b",
    re.IGNORECASE,
)


def message_errors(message: str) -> list[str]:
    """What is wrong with the message; lines that start with `#` are Git's comments."""
    lines = [line.rstrip() for line in message.splitlines() if not line.startswith("#")]
    while lines and not lines[0]:
        del lines[0]
    if not lines:
        return ["Write a subject."]
    subject = lines[0]
    if subject.startswith(WRITTEN_BY_GIT):
        return []
    errors = []
    if len(subject) > MAX_SUBJECT:
        errors.append(
            f"The subject has {len(subject)} characters; the maximum is {MAX_SUBJECT}. "
            "Put the reason into the body."
        )
    if subject.endswith("."):
        errors.append("The subject ends without a period.")
    if NOT_IMPERATIVE.match(subject):
        errors.append('Start the subject with the imperative: "Add", not "Added" or "Adds".')
    if len(lines) > 1 and lines[1]:
        errors.append("Leave the second line empty.")
    return errors


def main(path: str) -> int:
    """Print what is wrong with the message in the file; 1 if anything is."""
    errors = message_errors(Path(path).read_text(encoding="utf-8"))
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
