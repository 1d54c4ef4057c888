"""Waiting for what happens in another process."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 25.0
PAUSE = 0.05


def eventually(look: Callable[[], T], expected: T, *, within: float = PATIENCE) -> None:
    """Look until it is as expected; the last look is what a failure shows."""
    deadline = time.monotonic() + within
    while (seen := look()) != expected and time.monotonic() < deadline:
        time.sleep(PAUSE)
    assert seen == expected
