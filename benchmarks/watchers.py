"""A thousand people with a special's page open: asking again and again, beside event streams."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

import psutil

from benchmarks.figures import Figure, at_most, holds, shown
from benchmarks.load import Request, run_load
from benchmarks.program import Program, procfile
from benchmarks.scene import Scene, fetch
from devtools.local_stripe.testing import free_port

WATCHERS = 1_000
EVERY = 5  # seconds between two questions of one page
SECONDS = 15
P95_MS = 100
PAGES = 20  # ordinary pages asked for beside a thousand streams
PATIENCE = 3.0  # seconds a person waits for a page


def measure(scene: Scene) -> list[Figure]:
    return [*_polling(scene), *_streams(scene.program, threads=8), *_streams(scene.program, 520)]


def _polling(scene: Scene) -> list[Figure]:
    path = f"/api/specials/{scene.specials[0].pk}/progress"
    _, headers = fetch(f"http://127.0.0.1:{scene.port}{path}", scene.host)
    # Each on a connection of its own, as after five seconds of silence.
    same = {"If-None-Match": headers["ETag"], "Connection": "close"}
    before = scene.program.processor_seconds()
    asked = run_load(
        scene.port,
        [Request(path, scene.host, headers=same)],
        connections=WATCHERS,
        seconds=SECONDS,
        per_second=WATCHERS / EVERY,
    )
    after = scene.program.processor_seconds()
    failed = sum(count for status, count in asked.statuses.items() if status not in (200, 304))
    full = run_load(
        scene.port,
        [Request(path, scene.host, headers={"If-None-Match": headers["ETag"]})],
        connections=50,
        seconds=5,
    )
    web = (after["web"] - before["web"]) / asked.seconds
    what = f"{WATCHERS:,} watchers asking every {EVERY} s"
    return [
        Figure(f"{what}, questions/s", shown(asked.rate)),
        at_most(f"{what}, p95", 1000 * asked.percentile(95), P95_MS, " ms"),
        holds(f"{what}, failed answers", measured=str(failed), target="0", reached=not failed),
        Figure(f"{what}, of one core (web)", shown(100 * web, " %")),
        Figure("progress asked without a pause, 50 connections, answers/s", shown(full.rate)),
    ]


@dataclass(slots=True)
class Streamed:
    """Streams that began in time, ordinary pages answered in time beside them."""

    begun: int
    pages: int
    core: float  # share of one core used while all were open
    megabytes: float


def _streams(program: Program, threads: int) -> list[Figure]:
    """The same crowd on streams, behind the same web server with so many threads a process."""
    port = free_port()
    command = procfile()["web"].replace("config.wsgi", "benchmarks.streaming_wsgi:application")
    process = program.spawn("streams", command, PORT=str(port), WEB_THREADS=str(threads))
    try:
        time.sleep(3)
        found = asyncio.run(_watch(port, psutil.Process(process.pid)))
    finally:
        program.end(process)
    what = f"{WATCHERS:,} event streams, {threads} threads a process"
    return [
        Figure(f"{what}, begun within {PATIENCE:.0f} s", str(found.begun)),
        Figure(f"{what}, pages answered meanwhile", f"{found.pages} of {PAGES}"),
        Figure(f"{what}, of one core", shown(100 * found.core, " %")),
        Figure(f"{what}, memory", shown(found.megabytes, " MB")),
    ]


async def _watch(port: int, server: psutil.Process) -> Streamed:
    streams = [asyncio.create_task(_stream(port)) for _ in range(WATCHERS)]
    done, _ = await asyncio.wait(streams, timeout=PATIENCE + 2)
    writers = [task.result() for task in done if not task.exception() and task.result()]
    before, begun = _processor_seconds(server), time.perf_counter()
    answered = await asyncio.gather(*[_page(port) for _ in range(PAGES)])
    await asyncio.sleep(10)
    core = (_processor_seconds(server) - before) / (time.perf_counter() - begun)
    megabytes = sum(each.memory_info().rss for each in _all(server)) / 1_000_000
    for task in streams:
        task.cancel()
    for writer in writers:
        if writer:
            writer.close()
    return Streamed(len(writers), sum(answered), core, megabytes)


async def _stream(port: int) -> asyncio.StreamWriter | None:
    """A connection whose first event came in time; None where it did not."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"data: ")
            return writer
    return None


async def _page(port: int) -> bool:
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /page HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            await reader.readuntil(b"page")
            writer.close()
            return True
    return False


def _all(server: psutil.Process) -> list[psutil.Process]:
    return [server, *server.children(recursive=True)]


def _processor_seconds(server: psutil.Process) -> float:
    return sum(each.cpu_times().user + each.cpu_times().system for each in _all(server))
