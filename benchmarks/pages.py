"""Public pages under load, compared with a bare Django view."""

from statistics import mean

from benchmarks.figures import Figure, at_least, at_most, holds, shown
from benchmarks.load import Outcome, run_load
from benchmarks.scene import Scene, fetch

CONNECTIONS = 50
SECONDS = 6.0
ROUNDS = 3
RATE, P95_MS, SHARE = 500, 100, 0.6


def measure(scene: Scene) -> list[Figure]:
    """Alternate between the pages and the bare view, so that other load affects both equally."""
    paths = {
        "specials page": "/specials",
        "offer page": f"/specials/{scene.specials[0].pk}",
    }
    zipped, _ = fetch(
        f"http://127.0.0.1:{scene.port}/specials", scene.host, **{"Accept-Encoding": "gzip"}
    )
    runs: dict[str, list[Outcome]] = {name: [] for name in (*paths, "bare")}
    with scene.program.bare_django(len(zipped)) as bare_port:
        _crowd(scene, bare_port, "/bare", 1.0)
        for path in paths.values():
            _crowd(scene, scene.port, path, 1.0)
        for _ in range(ROUNDS):
            runs["bare"].append(_crowd(scene, bare_port, "/bare", SECONDS))
            for name, path in paths.items():
                runs[name].append(_crowd(scene, scene.port, path, SECONDS))
    bare = mean(run.rate for run in runs["bare"])
    figures = [Figure("bare Django view, requests/s", shown(bare))]
    for name in paths:
        figures += _figures(name, runs[name], bare)
    return figures


def _crowd(scene: Scene, port: int, path: str, seconds: float) -> Outcome:
    return run_load(port, [scene.page(path)], connections=CONNECTIONS, seconds=seconds)


def _figures(name: str, runs: list[Outcome], bare: float) -> list[Figure]:
    rate = mean(run.rate for run in runs)
    failed = sum(count for run in runs for status, count in run.statuses.items() if status != 200)
    return [
        at_least(f"{name}, requests/s at {CONNECTIONS} connections", rate, RATE),
        Figure(f"{name}, p50", shown(1000 * mean(r.percentile(50) for r in runs), " ms")),
        at_most(f"{name}, p95", 1000 * mean(r.percentile(95) for r in runs), P95_MS, " ms"),
        at_least(f"{name}, share of the bare view's rate", rate / bare, SHARE),
        holds(f"{name}, failed answers", measured=str(failed), target="0", reached=not failed),
    ]
