"""Waiting for what happens in another process, or only for a moment."""

import time
from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Error, Keyboard, Locator

T = TypeVar("T")
PATIENCE = 60.0
PAUSE = 0.05
PRESSES = 30


def eventually(look: Callable[[], T], expected: T, *, within: float = PATIENCE) -> None:
    """Look until the result is as expected. A failure shows the last result."""
    deadline = time.monotonic() + within
    while (seen := look()) != expected and time.monotonic() < deadline:
        time.sleep(PAUSE)
    assert seen == expected


def glimpse(passing: Locator) -> None:
    """Expect something that stays only for a second or two: `wait_for` looks twice as often as
    `expect`."""
    passing.wait_for(state="visible")


def press_until(keyboard: Keyboard, key: str, shown: Locator) -> None:
    """Press a key until it has worked, where a page may not listen yet and more presses do no harm.

    Nothing on the page shows that a press was ignored, so a test can't wait for its effect.
    """
    for _ in range(PRESSES):
        keyboard.press(key)
        try:
            return shown.wait_for(state="attached", timeout=500)
        except Error:
            continue
    shown.wait_for(state="attached")
    return None
