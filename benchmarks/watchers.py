"""A thousand open pages of a special that poll for progress, compared with event streams."""

import asyncio
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import psutil
from local_stripe.testing import free_port

from benchmarks.figures import Figure, at_most, holds, shown
from benchmarks.load import Request, run_load
from benchmarks.program import HEALTHY_WITHIN, Program, await_answer, procfile
from benchmarks.scene import Scene, fetch

WATCHERS = 1_000
EVERY = 5  # seconds between two requests of a page
SECONDS = 15
P95_MS = 100
PAGES = 20  # ordinary pages requested at the same time
PATIENCE = 3.0  # seconds a visitor waits for a page
ARRIVING = 5.0  # seconds in which a thousand watchers open their streams
OPEN = 5.0  # seconds for which the streams are watched then
FILES = 4 * WATCHERS  # open files this process needs, including connections


def measure(scene: Scene) -> list[Figure]:
    _allow_files()
    return [*_polling(scene), *_streams(scene.program, threads=8), *_streams(scene.program, 520)]


def _allow_files() -> None:
    """Raise the limit of open files. Raises RuntimeError if the system allows too few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < FILES:
        raise RuntimeError(f"{FILES:,} open files are needed, and the system allows {hard:,}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES), hard))


def _polling(scene: Scene) -> list[Figure]:
    path = f"/api/specials/{scene.specials[0].pk}/progress"
    _, headers = fetch(f"http://127.0.0.1:{scene.port}{path}", scene.host)
    # Each on a new connection, because five idle seconds close it.
    same = {"If-None-Match": headers["ETag"], "Connection": "close"}
    before = scene.program.processor_seconds()
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(
            run_load,
            scene.port,
            [Request(path, scene.host, headers=same)],
            connections=WATCHERS,
            seconds=SECONDS,
            per_second=WATCHERS / EVERY,
        )
        time.sleep(SECONDS / 2)
        pages = asyncio.run(_pages(scene.port, scene.host, "/specials?afresh=1"))
        asked = watching.result()
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
        holds(
            f"{what}, pages answered meanwhile",
            measured=f"{pages} of {PAGES}",
            target=f"{PAGES}",
            reached=pages == PAGES,
        ),
        Figure(f"{what}, of one core (web)", shown(100 * web, " %")),
        Figure("progress asked without a pause, 50 connections, answers/s", shown(full.rate)),
    ]


@dataclass(slots=True)
class Streamed:
    """Streams that started in time, and ordinary pages answered in time meanwhile."""

    begun: int
    pages: int
    core: float  # share of one core used while all were open
    megabytes: float


def _streams(program: Program, threads: int) -> list[Figure]:
    """The same number of watchers on event streams, with `threads` threads per process."""
    port = free_port()
    command = procfile()["web"].replace("config.wsgi", "benchmarks.streaming_wsgi:application")
    process = program.spawn("streams", command, PORT=str(port), WEB_THREADS=str(threads))
    try:
        await_answer(f"http://127.0.0.1:{port}/page", HEALTHY_WITHIN)
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
    streams = []
    for _ in range(WATCHERS):
        streams.append(asyncio.create_task(_stream(port)))
        await asyncio.sleep(ARRIVING / WATCHERS)
    done, _ = await asyncio.wait(streams, timeout=PATIENCE + 2)
    writers = [writer for task in done if (writer := task.result())]
    before, begun = _processor_seconds(server), time.perf_counter()
    answered = await _pages(port, "localhost", "/page")
    await asyncio.sleep(OPEN)
    core = (_processor_seconds(server) - before) / (time.perf_counter() - begun)
    megabytes = sum(each.memory_info().rss for each in _all(server)) / 1_000_000
    for task in streams:
        task.cancel()
    for writer in writers:
        writer.close()
    return Streamed(len(writers), answered, core, megabytes)


async def _stream(port: int) -> asyncio.StreamWriter | None:
    """A connection, or None if its first event didn't arrive in time."""
    writer = None
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"data: ")
            return writer
    if writer:
        writer.close()  # gave up waiting
    return None


async def _pages(port: int, host: str, path: str) -> int:
    """How many ordinary pages, requested concurrently, were answered in time."""
    return sum(await asyncio.gather(*[_page(port, host, path) for _ in range(PAGES)]))


async def _page(port: int, host: str, path: str) -> bool:
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode())
            answer = await reader.read()
            writer.close()
            return answer.startswith(b"HTTP/1.1 200")
    return False


def _all(server: psutil.Process) -> list[psutil.Process]:
    return [server, *server.children(recursive=True)]


def _processor_seconds(server: psutil.Process) -> float:
    return sum(each.cpu_times().user + each.cpu_times().system for each in _all(server))
