"""Rendered public pages, kept for a moment: what lets one small machine serve a crowd.

Only pages that are the same for everybody may use this: no cookies, no nonces, nothing of the
visitor's. A page asked for with a query string is rendered afresh.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from time import time
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

FRESH_FOR = 2.0  # seconds; progress on the page is refreshed by its script anyway
KEPT_FOR = 30  # while one request renders the next version, the others still get this one
RENDERING_FOR = 5
PLAIN, GZIP = "plain", "gzip"

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Kept:
    """One rendered page in one coding; `stale_at` is Unix time."""

    body: bytes
    coding: str
    stale_at: float


def briefly_kept(view: View) -> View:
    """Answer a plain GET from the cache, at most `FRESH_FOR` seconds old while it is asked for."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING"):
            return view(request, *args, **kwargs)
        page = f"page:{request.get_host()}{request.path}"
        coding = GZIP if GZIP in request.headers.get("Accept-Encoding", "") else PLAIN
        kept: Kept | None = cache.get(f"{page}:{coding}")
        if kept is None or (kept.stale_at <= time() and _first_to_render(page)):
            response = view(request, *args, **kwargs)
            if response.status_code != 200 or response.cookies:
                return response
            kept = _keep(page, response.content)[coding]
        return _answer(kept)

    return wrapper


def _first_to_render(page: str) -> bool:
    return cache.add(f"{page}:rendering", 1, RENDERING_FOR)


def _keep(page: str, body: bytes) -> dict[str, Kept]:
    """The page holds no secret, so the length of its compressed form tells nobody anything."""
    stale_at = time() + FRESH_FOR
    bodies = {PLAIN: body, GZIP: gzip.compress(body, 6)}
    versions = {coding: Kept(coded, coding, stale_at) for coding, coded in bodies.items()}
    cache.set_many({f"{page}:{coding}": kept for coding, kept in versions.items()}, KEPT_FOR)
    cache.delete(f"{page}:rendering")
    return versions


def _answer(kept: Kept) -> HttpResponse:
    response = HttpResponse(kept.body)
    if kept.coding == GZIP:
        response["Content-Encoding"] = GZIP
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = f"public, max-age={int(FRESH_FOR)}"
    return response
