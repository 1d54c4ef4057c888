"""Stops the supervisor's processes if the supervisor itself is killed.

Reads `add <process group> <signal>` and `remove <process group>` from a pipe. The kernel closes
the pipe when the supervisor dies, for whatever reason. `done` means that it has cleaned up itself.
Runs in its own session, so that Ctrl-C and the supervisor's death don't reach it.
"""

import os
import signal
import sys
import time
from contextlib import suppress

KILL_AFTER_SECONDS = 5.0


def send(group: int, number: int) -> bool:
    """Signal a process group. Returns whether it exists."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end(groups: dict[int, int]) -> None:
    """Send each group its registered signal, and kill what remains after a while."""
    for group, number in groups.items():
        send(group, number)
    deadline = time.monotonic() + KILL_AFTER_SECONDS
    while any(send(group, 0) for group in groups) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        send(group, signal.SIGKILL)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: dict[int, int] = {}
    for line in sys.stdin:
        word, *numbers = line.split()
        if word == "done":
            return
        with suppress(ValueError, IndexError):
            if word == "add":
                groups[int(numbers[0])] = int(numbers[1])
            elif word == "remove":
                groups.pop(int(numbers[0]), None)
    end(groups)


if __name__ == "__main__":
    main()
