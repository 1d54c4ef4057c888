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

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Kept:
    """One rendered page; `stale_at` is Unix time."""

    body: bytes
    zipped: bytes
    stale_at: float


def briefly_kept(view: View) -> View:
    """Answer a plain GET from the cache, at most `FRESH_FOR` seconds old while it is asked for."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING"):
            return view(request, *args, **kwargs)
        key = f"page:{request.get_host()}{request.path}"
        kept: Kept | None = cache.get(key)
        if kept is not None and (kept.stale_at > time() or not _first_to_render(key)):
            return _answer(request, kept)
        response = view(request, *args, **kwargs)
        if response.status_code != 200 or response.cookies:
            return response
        kept = Kept(
            body=response.content,
            zipped=gzip.compress(response.content, 6),
            stale_at=time() + FRESH_FOR,
        )
        cache.set(key, kept, KEPT_FOR)
        cache.delete(f"{key}:rendering")
        return _answer(request, kept)

    return wrapper


def _first_to_render(key: str) -> bool:
    return cache.add(f"{key}:rendering", 1, RENDERING_FOR)


def _answer(request: HttpRequest, kept: Kept) -> HttpResponse:
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(kept.zipped if zipped else kept.body)
    if zipped:
        # The page holds no secret, so its compressed length tells nobody anything.
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = f"public, max-age={int(FRESH_FOR)}"
    return response
