"""A server of events with nothing in it but what the worker class itself costs: each watcher gets a
small event at once and then one every few seconds, for as long as the connection stands.

The counterpart of the product's polling in `benchmarks.watchers`; never part of the product.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

EVERY = 5.0  # seconds, as often as the product's pages ask
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
