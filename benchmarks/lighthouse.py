"""Lighthouse scores of the public pages, as a phone on a slow network.

npx downloads a pinned version; Lighthouse isn't one of the project's packages. If it, Node, or
Chromium isn't available, the result says so.
"""

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Figure, at_least, at_most, shown
from benchmarks.scene import Scene
from devtools.browser import find_browser
from devtools.console import CommandError
from tests.factories import DishFactory

PACKAGE = "lighthouse@12.8.2"  # the last for Node 20
BROWSER_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run"
WITHIN = 300
DISHES = 12
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
SCORE, LCP_S, SHIFT = 95, 1.5, 0.05


class NotToBeHad(Exception):
    """Lighthouse didn't run; the message says why."""


def measure(scene: Scene) -> list[Figure]:
    DishFactory.create_batch(DISHES, restaurant=scene.restaurant)
    pages = {
        "specials page": "/specials",
        "offer page": f"/specials/{scene.specials[0].pk}",
        "menu": "/patron",
    }
    figures: list[Figure] = []
    try:
        browser = find_browser()
        for name, path in pages.items():
            figures += _figures(name, _report(f"http://{scene.host}:{scene.port}{path}", browser))
    except (CommandError, NotToBeHad) as problem:
        return [Figure("Lighthouse", f"not measured: {problem}")]
    return figures


def _report(address: str, browser: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = ["npx", "--yes", PACKAGE, address, "--quiet", "--output=json"]
        words += [f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"]
        words += [f"--chrome-flags={BROWSER_FLAGS}"]
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env={**os.environ, "CHROME_PATH": browser},
                capture_output=True,
                text=True,
                timeout=WITHIN,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NotToBeHad(f"{PACKAGE} did not run ({problem})") from None
        if done.returncode or not report.exists():
            last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
            raise NotToBeHad(f"{PACKAGE} failed ({last})")
        found: dict[str, Any] = json.loads(report.read_text())
    if said := found.get("runtimeError"):
        raise NotToBeHad(f"{PACKAGE}: {said['message']}")
    return found


def _figures(name: str, report: dict[str, Any]) -> list[Figure]:
    figures = [
        at_least(f"{name}, {category}", round(100 * (_score(report, category) or 0)), SCORE)
        for category in CATEGORIES
    ]
    audits = report["audits"]
    drawn = audits["largest-contentful-paint"]["numericValue"] / 1000
    figures += [
        at_most(f"{name}, largest paint", drawn, LCP_S, " s"),
        at_most(f"{name}, layout shift", audits["cumulative-layout-shift"]["numericValue"], SHIFT),
        Figure(f"{name}, main thread busy", shown(_busy(audits), " ms")),
    ]
    if faults := _errors(report):
        figures.append(Figure(f"{name}, what costs points", ", ".join(faults)))
    return figures


def _score(report: dict[str, Any], category: str) -> float | None:
    score: float | None = report["categories"][category]["score"]
    return score


def _busy(audits: dict[str, Any]) -> float:
    return float(audits["total-blocking-time"]["numericValue"])


def _errors(report: dict[str, Any]) -> list[str]:
    """The scored audits that failed, except performance, which has its own figures."""
    counted = {
        reference["id"]
        for category in CATEGORIES[1:]
        for reference in report["categories"][category]["auditRefs"]
        if reference["weight"]
    }
    audits = report["audits"]
    return sorted(
        name for name in counted if audits[name]["score"] is not None and audits[name]["score"] < 1
    )
