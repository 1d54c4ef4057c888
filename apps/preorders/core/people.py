"""Who acted, inside a recorded reason: `by Maria` or `burnt (by Maria)`."""

import re

_BY = re.compile(r"(?s)(?P<reason>.*?) ?\(by (?P<in>.+)\)|by (?P<alone>.+)")
MAX_NAME_LENGTH = 50


def with_actor(name: str) -> str:
    """The reason recorded for someone who acted without giving one."""
    return f"by {name[:MAX_NAME_LENGTH]}" if name else ""


def split_actor(recorded: str) -> tuple[str, str]:
    """Split a recorded reason into reason and person; the person is empty if no one acted."""
    found = _BY.fullmatch(recorded.removeprefix("cancelled: "))
    if found is None:
        return recorded, ""
    return found["reason"] or "", found["in"] or found["alone"]
