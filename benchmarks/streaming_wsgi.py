"""A minimal event-stream server, to compare streams with the product's polling.

Each watcher gets a small event immediately and then one every few seconds, so that only the cost of
the worker class is measured. Used by `benchmarks.watchers`, not part of the product.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

EVERY = 5.0  # seconds, the product's polling interval
EVENT = b'data: {"currentPreorders": 8, "seatsSentence": "4 more and it\'s on"}\n\n'


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/events":
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return _events()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "4")])
    return [b"page"]


def _events() -> Iterator[bytes]:
    while True:
        yield EVENT
        time.sleep(EVERY)
