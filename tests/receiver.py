"""A restaurant's own program in a test: an HTTP server on loopback that remembers what it got."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    headers: dict[str, str]  # by names in lower case
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Receiver:
    """`answers` are used one by one, and the last one from then on: a status, headers, and a
    body."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)

    def will_answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.answers = [
            (status, {name.replace("_", "-"): text for name, text in headers.items()}, body)
        ]

    @property
    def types(self) -> list[str]:
        return [each.event["type"] for each in self.received]


@contextmanager
def listening() -> Iterator[Receiver]:
    receiver = Receiver()
    receiver.will_answer(200, b"thanks")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            receiver.received.append(Received(self.path, headers, body))
            status, more, answer = receiver.answers[0]
            if len(receiver.answers) > 1:
                receiver.answers.pop(0)
            self.send_response(status)
            for name, text in more.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hooks?source=fb"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
