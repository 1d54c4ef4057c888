"""Rendered public pages, kept for a moment: what lets one small machine serve a crowd.

Only pages that are the same for everybody who reads their language may use this: no cookies, no
nonces, nothing of the visitor's. A page asked for with a query string is rendered afresh, with two
exceptions: `via`, who shared the link, changes nothing on the page and is the script's to read; and
`rid` on the platform's host, which says whose page it is, as the host does elsewhere.

A page is kept twice: rendered, in the shared cache, so that one process renders it for all; and as
the finished answer, in the process that gave it, so that asking again costs next to nothing. Both
are as old as `FRESH_FOR` at most. Who has the same version already is answered 304, nothing more
(decision 28).
"""

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from http import HTTPStatus
from time import time
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_vary_headers

from apps.common import languages
from apps.restaurants.middleware import tenant_of

FRESH_FOR = 2.0  # seconds; progress on the page is refreshed by its script anyway
STALE_SECONDS = 30  # while one request renders the next version, the others still get this one
RENDERING_FOR = 5
PLAIN, GZIP = "plain", "gzip"
MAX_CACHED_PAGES = 500  # finished answers a process keeps; a page is a few kilobytes
SHARED_BY = "via="
WHOSE = re.compile(r"rid=[0-9a-f-]{36}")

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class CachedPage:
    """One rendered page in one coding; `mark` is its version's, `stale_at` Unix time."""

    body: bytes
    coding: str
    content_type: str
    mark: str
    stale_at: float


def cached_briefly(view: View) -> View:
    """Answer a plain GET from the cache, at most `FRESH_FOR` seconds old while it is asked for."""

    @languages.for_guests
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        question = _question(request)
        if (
            request.method not in ("GET", "HEAD")
            or question is None
            or (question and tenant_of(request) is not None)
        ):
            return view(request, *args, **kwargs)
        question = question and f"?{question}"
        page = f"page:{languages.spoken()}:{request.get_host()}{request.path}{question}"
        coding = _coding(request)
        kept: CachedPage | None = cache.get(f"{page}:{coding}")
        if kept is None or (kept.stale_at <= time() and _first_to_render(page)):
            response = view(request, *args, **kwargs)
            if isinstance(response, SimpleTemplateResponse):
                response.render()
            if response.status_code != 200 or response.cookies:
                return response
            kept = _keep(page, response)[coding]
        return _answer(request, kept)

    return wrapper


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A finished answer with every header; `stale_at` is Unix time."""

    body: bytes
    headers: dict[str, str]
    stale_at: float


class PageCacheMiddleware:
    """Middleware that gives a finished answer once more; it stands before all others.

    What the others would do depends on nothing but the host, the scheme, the path, the question,
    the language and the coding, or the page is not one that is kept: `briefly_kept` says which
    those are.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._answers: dict[tuple[str, str, str, str, str, str], CachedAnswer] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        question = _question(request)
        if request.method != "GET" or question is None:
            return self.get_response(request)
        asked = (
            request.scheme or "",
            request.META.get("HTTP_HOST", ""),
            request.path,
            question,
            languages.language_wanted(request),
            _coding(request),
        )
        known = self._answers.get(asked)
        if known is not None and known.stale_at > time():
            if _has_it(request, known.headers["ETag"]):
                return _nothing_new(known.headers)
            return HttpResponse(known.body, headers=known.headers)
        response = self.get_response(request)
        stale_at = getattr(response, "kept_until", 0.0)
        is_whole = response.status_code == HTTPStatus.OK
        if stale_at > time() and is_whole and not response.cookies:
            if len(self._answers) >= MAX_CACHED_PAGES:
                self._answers.clear()
            self._answers[asked] = CachedAnswer(response.content, dict(response.items()), stale_at)
        return response


def _question(request: HttpRequest) -> str | None:
    """What of the query string a kept page depends on; None when it is made for its question."""
    asked = request.META.get("QUERY_STRING", "")
    if not asked:
        return ""
    parts = [part for part in asked.split("&") if not part.startswith(SHARED_BY)]
    if not parts:
        return ""
    return parts[0] if len(parts) == 1 and WHOSE.fullmatch(parts[0]) else None


def _nothing_new(headers: dict[str, str]) -> HttpResponse:
    kept = {name: value for name, value in headers.items() if not name.startswith("Content-")}
    response = HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=kept)
    del response["Content-Type"]
    return response


def _has_it(request: HttpRequest, mark: str) -> bool:
    return request.META.get("HTTP_IF_NONE_MATCH") == mark


def _coding(request: HttpRequest) -> str:
    return GZIP if GZIP in request.META.get("HTTP_ACCEPT_ENCODING", "") else PLAIN


def _first_to_render(page: str) -> bool:
    return cache.add(f"{page}:rendering", 1, RENDERING_FOR)


def _keep(page: str, response: HttpResponse) -> dict[str, CachedPage]:
    """The page holds no secret, so the length of its compressed form tells nobody anything."""
    stale_at = time() + FRESH_FOR
    body = response.content
    # Weak, because the codings of one version share it.
    mark = f'W/"{blake2b(body, digest_size=9).hexdigest()}"'
    bodies = {PLAIN: body, GZIP: gzip.compress(body, 6)}
    versions = {
        coding: CachedPage(coded, coding, response["Content-Type"], mark, stale_at)
        for coding, coded in bodies.items()
    }
    cache.set_many({f"{page}:{coding}": kept for coding, kept in versions.items()}, STALE_SECONDS)
    cache.delete(f"{page}:rendering")
    return versions


def _answer(request: HttpRequest, kept: CachedPage) -> HttpResponse:
    if _has_it(request, kept.mark):
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = HttpResponse(kept.body, content_type=kept.content_type)
        if kept.coding == GZIP:
            response["Content-Encoding"] = GZIP
    response["ETag"] = kept.mark
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = f"public, max-age={int(FRESH_FOR)}"
    response.kept_until = kept.stale_at  # type: ignore[attr-defined]
    return response
