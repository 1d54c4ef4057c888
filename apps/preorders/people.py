"""How the records of an order say who of the restaurant acted: `by Maria`, `burnt (by Maria)`."""

import re

_BY = re.compile(r"(?s)(?P<reason>.*?) ?\(by (?P<in>.+)\)|by (?P<alone>.+)")
MAX_NAME_LENGTH = 50


def by_whom(name: str) -> str:
    """What is recorded of somebody who acted and gave no reason."""
    return f"by {name[:MAX_NAME_LENGTH]}" if name else ""


def who_said(recorded: str) -> tuple[str, str]:
    """The reason and the person, apart again; no person when nobody of the restaurant acted."""
    found = _BY.fullmatch(recorded.removeprefix("cancelled: "))
    if found is None:
        return recorded, ""
    return found["reason"] or "", found["in"] or found["alone"]
