"""Cache of rendered public pages, for about two seconds, so one small machine can serve a crowd.

Only for pages that are the same for everybody in a language: no cookies, no nonces, nothing about
the visitor. A guest whose order waits for a card is shown it on the pages of the specials, which
are rendered for them alone (decisions 160 and 163). Requests with a query string bypass the cache,
with two exceptions: `ref` (who shared the link) changes nothing on the page and is read by its
script, and `rid` on the platform's host identifies the restaurant, as the host does elsewhere.

A page is cached twice: rendered, in the shared cache, so that one process renders it for all; and
as a finished response, in each process, so that serving it again costs almost nothing. Both are at
most `FRESH_SECONDS` old. A client that already has the same version gets a 304 (decision 28).
"""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from hashlib import blake2b
from http import HTTPStatus
from time import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import ResponseHeaders
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_vary_headers

from apps.common import languages
from apps.restaurants.middleware import tenant_of
from apps.restaurants.support_visits import MARKER_COOKIE

FRESH_SECONDS = 2.0  # a script refreshes the progress on the page anyway
CACHE_SECONDS = 30  # while one request renders the next version, the others still get this one
RENDER_LOCK_SECONDS = 5
PLAIN, GZIP = "plain", "gzip"
MAX_RESPONSES = 500  # finished responses per process; each is a few kilobytes
REFERRAL_PREFIX = "ref="
RID_PARAMETER = re.compile(r"rid=[0-9a-f-]{36}")

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A rendered page in one content coding; `mark` is its ETag, `stale_at` is in Unix time."""

    body: bytes
    coding: str
    content_type: str
    mark: str
    stale_at: float

    def stored(self) -> bytes:
        """The page as one value of the cache: a line that describes it, then its body."""
        head = [self.coding, self.content_type, self.mark, self.stale_at]
        return json.dumps(head).encode() + b"\n" + self.body

    @classmethod
    def loaded(cls, stored: bytes) -> "CachedPage":
        head, _, body = stored.partition(b"\n")
        return cls(body, *json.loads(head))


def cached_briefly(view: View) -> View:
    """Decorator that serves a public view from the cache, as the module docstring describes."""

    @languages.for_guests
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        query = _cacheable_query(request)
        if (
            request.method not in ("GET", "HEAD")
            or query is None
            or (query and tenant_of(request) is not None)
            or getattr(request, "support_visit", None) is not None
            or _is_for_the_visitor(request)
        ):
            return view(request, *args, **kwargs)
        suffix = f"?{query}" if query else ""
        page = f"page:{languages.spoken()}:{request.get_host()}{request.path}{suffix}"
        coding = _coding(request)
        # What isn't in the key must not be on the page: the first visitor's referral code, or junk.
        request.GET = QueryDict(query)
        stored: bytes | None = cache.get(f"{page}:{coding}")
        cached = None if stored is None else CachedPage.loaded(stored)
        if cached is None or (cached.stale_at <= time() and _first_to_render(page)):
            response = view(request, *args, **kwargs)
            if isinstance(response, SimpleTemplateResponse):
                response.render()
            if response.status_code != 200 or response.cookies:
                return response
            cached = _store(page, response)[coding]
        return _answer(request, cached)

    return wrapper


@dataclass(frozen=True)
class CachedAnswer:
    """A finished response with all its headers; `stale_at` is in Unix time."""

    body: bytes
    headers: dict[str, str]
    stale_at: float

    @cached_property
    def _checked(self) -> dict[str, tuple[str, str]]:
        return ResponseHeaders(self.headers)._store

    def response(self) -> HttpResponse:
        """The same response again. Django checks and encodes a header whenever it is set; for these
        that would be a tenth of the request."""
        response = HttpResponse(self.body)
        response.headers._store.update(self._checked)
        return response


class PageCacheMiddleware:
    """Middleware that serves finished responses again; it must come before all others.

    For the pages that `cached_briefly` marks, the other middlewares' effect depends only on host,
    scheme, path, query, language, and content coding, which together are the key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._answers: dict[tuple[str, str, str, str, str, str], CachedAnswer] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        query = _cacheable_query(request)
        if request.method != "GET" or query is None or _is_for_the_visitor(request):
            return self.get_response(request)
        key = (
            request.scheme or "",
            request.META.get("HTTP_HOST", ""),
            request.path,
            query,
            languages.language_wanted(request),
            _coding(request),
        )
        known = self._answers.get(key)
        if known is not None and known.stale_at > time():
            if _has_version(request, known.headers["ETag"]):
                return _not_modified(known.headers)
            return known.response()
        response = self.get_response(request)
        stale_at = getattr(response, "cached_until", 0.0)
        is_whole = response.status_code == HTTPStatus.OK
        if stale_at > time() and is_whole and not response.cookies:
            if len(self._answers) >= MAX_RESPONSES:
                self._answers.clear()
            self._answers[key] = CachedAnswer(response.content, dict(response.items()), stale_at)
        return response


def _cacheable_query(request: HttpRequest) -> str | None:
    """The part of the query string that a cached page depends on; None if it can't be cached."""
    query = request.META.get("QUERY_STRING", "")
    if not query:
        return ""
    parts = [part for part in query.split("&") if not part.startswith(REFERRAL_PREFIX)]
    if not parts:
        return ""
    return parts[0] if len(parts) == 1 and RID_PARAMETER.fullmatch(parts[0]) else None


def _is_for_the_visitor(request: HttpRequest) -> bool:
    """Whether the page says something to this visitor alone: the banner of staff on a support
    visit, or a guest's own order, whose cookie no other page is sent."""
    prefix = settings.ORDER_COOKIE_PREFIX
    return any(name == MARKER_COOKIE or name.startswith(prefix) for name in request.COOKIES)


def _not_modified(headers: dict[str, str]) -> HttpResponse:
    cached = {name: value for name, value in headers.items() if not name.startswith("Content-")}
    response = HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=cached)
    del response["Content-Type"]
    return response


def _has_version(request: HttpRequest, mark: str) -> bool:
    return request.META.get("HTTP_IF_NONE_MATCH") == mark


def _coding(request: HttpRequest) -> str:
    return GZIP if GZIP in request.META.get("HTTP_ACCEPT_ENCODING", "") else PLAIN


def _first_to_render(page: str) -> bool:
    return cache.add(f"{page}:rendering", 1, RENDER_LOCK_SECONDS)


def _store(page: str, response: HttpResponse) -> dict[str, CachedPage]:
    """Cache the page in every coding. Compressing is safe, because the page contains no secrets."""
    stale_at = time() + FRESH_SECONDS
    body = response.content
    # A weak ETag, because all codings of a version share it.
    mark = f'W/"{blake2b(body, digest_size=9).hexdigest()}"'
    bodies = {PLAIN: body, GZIP: gzip.compress(body, 6)}
    versions = {
        coding: CachedPage(coded, coding, response["Content-Type"], mark, stale_at)
        for coding, coded in bodies.items()
    }
    cache.set_many(
        {f"{page}:{coding}": cached.stored() for coding, cached in versions.items()},
        CACHE_SECONDS,
    )
    cache.delete(f"{page}:rendering")
    return versions


def _answer(request: HttpRequest, cached: CachedPage) -> HttpResponse:
    if _has_version(request, cached.mark):
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = HttpResponse(cached.body, content_type=cached.content_type)
        if cached.coding == GZIP:
            response["Content-Encoding"] = GZIP
    response["ETag"] = cached.mark
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = f"public, max-age={int(FRESH_SECONDS)}"
    response.cached_until = cached.stale_at  # type: ignore[attr-defined]
    return response
