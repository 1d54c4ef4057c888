"""How the records of an order say who of the restaurant acted: `by Maria`, `burnt (by Maria)`."""

import re

_BY = re.compile(r"(?s)(?P<reason>.*?) ?\(by (?P<in>.+)\)|by (?P<alone>.+)")
LONGEST_NAME = 50


def with_actor(name: str) -> str:
    """What is recorded of somebody who acted and gave no reason."""
    return f"by {name[:LONGEST_NAME]}" if name else ""


def split_actor(recorded: str) -> tuple[str, str]:
    """The reason and the person, apart again; no person when nobody of the restaurant acted."""
    found = _BY.fullmatch(recorded.removeprefix("cancelled: "))
    if found is None:
        return recorded, ""
    return found["reason"] or "", found["in"] or found["alone"]
