"""Rendered public pages, kept for a moment: what lets one small machine serve a crowd.

Only pages that are the same for everybody may use this: no cookies, no nonces, nothing of the
visitor's. A page asked for with a query string is rendered afresh.

A page is kept twice: rendered, in the shared cache, so that one process renders it for all; and as
the finished answer, in the process that gave it, so that asking again costs next to nothing. Both
are as old as `FRESH_FOR` at most.
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
MOST_ANSWERS = 500  # finished answers a process keeps; a page is a few kilobytes

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
        coding = _coding(request)
        kept: Kept | None = cache.get(f"{page}:{coding}")
        if kept is None or (kept.stale_at <= time() and _first_to_render(page)):
            response = view(request, *args, **kwargs)
            if response.status_code != 200 or response.cookies:
                return response
            kept = _keep(page, response.content)[coding]
        return _answer(kept)

    return wrapper


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer with every header; `stale_at` is Unix time."""

    body: bytes
    headers: dict[str, str]
    stale_at: float


class KeptAnswers:
    """Middleware that gives a finished answer once more; it stands before all others.

    What the others would do depends on nothing but the host, the scheme, the path and the coding,
    or the page is not one that is kept: `briefly_kept` says which those are.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._answers: dict[tuple[str, str, str, str], Answer] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or request.META.get("QUERY_STRING"):
            return self.get_response(request)
        asked = (
            request.scheme or "",
            request.META.get("HTTP_HOST", ""),
            request.path,
            _coding(request),
        )
        known = self._answers.get(asked)
        if known is not None and known.stale_at > time():
            return HttpResponse(known.body, headers=known.headers)
        response = self.get_response(request)
        stale_at = getattr(response, "kept_until", 0.0)
        if stale_at > time() and not response.cookies:
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            self._answers[asked] = Answer(response.content, dict(response.items()), stale_at)
        return response


def _coding(request: HttpRequest) -> str:
    return GZIP if GZIP in request.META.get("HTTP_ACCEPT_ENCODING", "") else PLAIN


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
    response.kept_until = kept.stale_at  # type: ignore[attr-defined]
    return response
