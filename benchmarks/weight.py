"""Compressed size of what a phone downloads for a public page."""

import re
from dataclasses import dataclass, field
from urllib.parse import urljoin

from benchmarks.figures import Figure, at_most, shown
from benchmarks.scene import Scene, fetch

KB = 1000
TOTAL_KB, SCRIPT_KB = 60, 15
PHONE_WIDTH, PIXEL_RATIO = 360, 2

_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_ELEMENT = re.compile(r"<(link|script|source)\b([^>]*)>")
_TEMPLATE = re.compile(r"<template\b.*?</template>", re.DOTALL)
_IMPORTED = re.compile(r"""(?:from|import)\s*["'](\.[^"']+)["']""")
_FONT = re.compile(r"url\(([^)]+\.woff2)\)")


@dataclass
class Weight:
    """Bytes by kind. Each URL is fetched and counted once."""

    base: str
    host: str
    bytes: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def add(self, kind: str, address: str) -> str:
        """Fetch and count a URL. Returns its decompressed text, empty for binary files."""
        url = urljoin(self.base, address)
        if url in self.seen:
            return ""
        self.seen.add(url)
        zipped, _ = fetch(url, self.host, **{"Accept-Encoding": "gzip"})
        self.bytes[kind] = self.bytes.get(kind, 0) + len(zipped)
        if kind in ("font", "picture"):
            return ""
        plain, _ = fetch(url, self.host)
        return plain.decode()

    def add_script(self, address: str) -> None:
        """Count a module with all its static imports."""
        for imported in _IMPORTED.findall(self.add("JS", address)):
            self.add_script(urljoin(urljoin(self.base, address), imported))


def measure(scene: Scene) -> list[Figure]:
    figures = []
    pages = {"specials page": "/specials", "offer page": f"/specials/{scene.specials[0].pk}"}
    for name, path in pages.items():
        weight = _weigh(scene, path)
        parts = ", ".join(f"{kind} {size / KB:.1f}" for kind, size in weight.bytes.items())
        total = sum(weight.bytes.values()) / KB
        figures += [
            at_most(f"{name}, weight gz with the first picture", total, TOTAL_KB, " KB"),
            at_most(f"{name}, JS before interaction gz", weight.bytes["JS"] / KB, SCRIPT_KB, " KB"),
            Figure(f"{name}, parts in KB", parts),
        ]
    without = Figure("phone assumed", f"{PHONE_WIDTH} px wide, {shown(PIXEL_RATIO)}× pixels")
    return [*figures, without]


def _weigh(scene: Scene, path: str) -> Weight:
    weight = Weight(f"http://127.0.0.1:{scene.port}{path}", scene.host)
    # What is in a template is loaded when the page's script takes it out.
    html = _TEMPLATE.sub("", weight.add("HTML", path))
    pictured = False
    for element, text in _ELEMENT.findall(html):
        attributes = dict(_ATTRIBUTE.findall(text))
        if element == "script" and "src" in attributes:
            weight.add_script(attributes["src"])
        elif element == "link" and attributes.get("rel") == "stylesheet":
            for font in _FONT.findall(weight.add("CSS", attributes["href"])):
                weight.add("font", urljoin(urljoin(weight.base, attributes["href"]), font))
        elif element == "link" and attributes.get("rel") == "modulepreload":
            weight.add_script(attributes["href"])
        elif element == "link" and attributes.get("rel") in ("preload", "icon"):
            weight.add("font" if attributes["rel"] == "preload" else "icon", attributes["href"])
        elif element == "source" and not pictured:
            pictured = True
            weight.add("picture", _chosen(attributes["srcset"], attributes["sizes"]))
    return weight


def _chosen(srcset: str, sizes: str) -> str:
    """The candidate a phone loads: the narrowest that is wide enough, as in browsers."""
    drawn = sizes.rpartition(",")[2].strip()
    width = PHONE_WIDTH if drawn.endswith("vw") else int(drawn.removesuffix("px"))
    candidates = sorted(
        (int(wide.removesuffix("w")), address)
        for address, wide in (part.split() for part in srcset.split(", "))
    )
    fitting = [address for wide, address in candidates if wide >= width * PIXEL_RATIO]
    return fitting[0] if fitting else candidates[-1][1]
