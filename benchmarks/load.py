"""Load generator in a process of its own, with keep-alive connections.

Reads requests as JSON from standard input and writes the results as JSON. Built directly on asyncio
streams, because on two cores an expensive generator would distort the measurement.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count, cycle
from typing import Any

Reply = tuple[int, float, float, bytes]  # status, begun, seconds, body


@dataclass(frozen=True, slots=True)
class Request:
    """A request. `host` is the Host header; the connection always goes to this machine."""

    path: str
    host: str
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def as_bytes(self) -> bytes:
        items = [
            f"{'GET' if self.body is None else 'POST'} {self.path} HTTP/1.1",
            f"Host: {self.host}",
            "Accept-Encoding: gzip",
            *(f"{name}: {value}" for name, value in self.headers.items()),
        ]
        body = b"" if self.body is None else self.body.encode()
        if self.body is not None:
            items += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join(items).encode() + b"\r\n\r\n" + body


@dataclass(frozen=True, slots=True)
class Outcome:
    """Responses by status (0 for none), and seconds per response."""

    statuses: dict[int, int]
    seconds: float
    latencies: list[float]
    bodies: list[str]
    last_created: float  # seconds from the start to the last 201

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, percent: float) -> float:
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def run_load(
    port: int,
    requests: list[Request],
    *,
    connections: int = 50,
    seconds: float | None = None,
    per_second: float | None = None,
    store_bodies: bool = False,
    patience: float = 0,
) -> Outcome:
    """Send each request once or, with `seconds`, repeatedly, over `connections` connections.

    With `per_second`, requests are sent on a schedule, whether or not earlier ones are answered,
    and times count from the scheduled moment. A request that gets 503 with Retry-After is sent
    again for `patience` seconds.
    """
    order = {
        "port": port,
        "requests": [asdict(request) for request in requests],
        "connections": connections,
        "seconds": seconds,
        "per_second": per_second,
        "store_bodies": store_bodies,
        "patience": patience,
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The load generator failed:\n{done.stderr}")
    result = json.loads(done.stdout)
    result["statuses"] = {int(status): count for status, count in result["statuses"].items()}
    return Outcome(**result)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes = b""
    stays: bool = False  # the connection stays open
    retry_after: float = 0


async def _ask(reader: asyncio.StreamReader) -> _Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = int(head[9:12])
    stays = b"connection: close" not in head
    found = head.find(b"\r\nretry-after:")
    wait = float(head[found + 14 : head.find(b"\r", found + 2)]) if found >= 0 else 0
    if b"transfer-encoding: chunked" in head:
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append((await reader.readexactly(size + 2))[:-2])
        await reader.readline()
        return _Answer(status, b"".join(parts), stays, wait)
    start = head.find(b"content-length:")
    length = int(head[start + 15 : head.find(b"\r", start)]) if start >= 0 else 0
    return _Answer(status, await reader.readexactly(length) if length else b"", stays, wait)


async def _visitor(
    port: int,
    waiting: Iterator[tuple[bytes, float]],
    until: float,
    patience: float,
    replies: list[Reply],
) -> None:
    """One connection, reopened whenever the server closes it."""
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    for message, due in waiting:
        if due > time.perf_counter():
            await asyncio.sleep(due - time.perf_counter())
        begun = due or time.perf_counter()
        if begun >= until:
            break
        while True:
            if writer is not None and reader is not None and reader.at_eof():
                # The server closed it while it was idle.
                writer.close()
                writer = None
            try:
                if reader is None or writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(message)
                answer = await _ask(reader)
            except (OSError, asyncio.IncompleteReadError):
                answer = _Answer(0)
            if not answer.stays and writer is not None:
                writer.close()
                writer = None
            comes_back = answer.status == 503 and answer.retry_after > 0
            if not comes_back or time.perf_counter() - begun > patience:
                break
            await asyncio.sleep(answer.retry_after)
        replies.append((answer.status, begun, time.perf_counter() - begun, answer.body))
    if writer is not None:
        writer.close()


async def _run(order: dict[str, Any]) -> dict[str, Any]:
    messages = [Request(**request).as_bytes() for request in order["requests"]]
    begun = time.perf_counter()
    rate = order["per_second"]
    moments = (begun + number / rate if rate else 0.0 for number in count())
    asked = iter(messages) if order["seconds"] is None else cycle(messages)
    waiting = zip(asked, moments, strict=False)
    until = begun + (order["seconds"] or 3600)
    replies: list[Reply] = []
    visitors = [
        _visitor(order["port"], waiting, until, order["patience"], replies)
        for _ in range(order["connections"])
    ]
    await asyncio.gather(*visitors)
    seconds = time.perf_counter() - begun
    return {
        "statuses": Counter(status for status, _, _, _ in replies),
        "seconds": seconds,
        "latencies": [took for _, _, took, _ in replies],
        "bodies": [body.decode() for *_, body in replies] if order["store_bodies"] else [],
        "last_created": max(
            (at + took - begun for status, at, took, _ in replies if status == 201), default=0.0
        ),
    }


if __name__ == "__main__":
    json.dump(asyncio.run(_run(json.load(sys.stdin))), sys.stdout)
