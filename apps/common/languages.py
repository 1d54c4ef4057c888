"""Chooses the language of a response (decision 31).

Guests get their own language; restaurants and platform staff get English.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, get_supported_language_variant

View = TypeVar("View", bound=Callable[..., Any])

ENGLISH: str = settings.LANGUAGE_CODE
LANGUAGE_PARAMETER = "lang"  # `?lang=es` sets the language of this page and the following ones
API_PREFIX = "/api/"


def spoken() -> str:
    """The code of the active language, such as `en-us`. Orders store this code."""
    return translation.get_language() or ENGLISH


def tag_of(code: str) -> str:
    """The language code as HTML and HTTP write it: `en-US`."""
    language, _, region = code.partition("-")
    return f"{language}-{region.upper()}" if region else language


def for_guests(view: View) -> View:
    """Mark a view on the platform's host as one that guests read.

    Views on a restaurant's host don't need it: guests read all of them.
    """
    view.is_for_guests = True  # type: ignore[attr-defined]
    return view


def language_named(request: HttpRequest) -> str:
    """The supported language requested with `?lang=`, or an empty string."""
    # Asked on every request, and most have no query string to parse.
    code = request.GET.get(LANGUAGE_PARAMETER) if request.META.get("QUERY_STRING") else None
    if not code:
        return ""
    try:
        return get_supported_language_variant(code)
    except LookupError:
        return ""


def language_wanted(request: HttpRequest) -> str:
    """The language the visitor chose, or else the browser's; English if neither is supported.

    The API ignores the cookie: our scripts send their page's language in Accept-Language.
    """
    if named := language_named(request):
        return named
    if request.path.startswith(API_PREFIX) and settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
        request = _without_cookies(request)
    return get_language_from_request(request)


def _without_cookies(request: HttpRequest) -> HttpRequest:
    bare = HttpRequest()
    bare.META = {"HTTP_ACCEPT_LANGUAGE": request.META.get("HTTP_ACCEPT_LANGUAGE", "")}
    return bare


class LanguageMiddleware:
    """Activates the guest's language on pages that guests read, and English everywhere else.

    Guests read every page of a restaurant's host, the API, and the platform's pages marked with
    `for_guests`. A language requested with `?lang=` is saved in a cookie, and so is an email's, by
    `start_in_language`.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        for_everybody = hasattr(request, "tenant") or request.path.startswith(API_PREFIX)
        with translation.override(ENGLISH):
            if for_everybody:
                activate_guest_language(request)
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", tag_of(spoken()))
        patch_vary_headers(response, _vary_on(request))
        named = language_named(request)
        if named and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != named:
            _save_language(response, named)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if getattr(view, "is_for_guests", False):
            activate_guest_language(request)


def _vary_on(request: HttpRequest) -> list[str]:
    """The Vary header: pages also depend on the language cookie, the API doesn't."""
    by_cookie = has_languages(request) and not request.path.startswith(API_PREFIX)
    return ["Accept-Language", "Cookie"] if by_cookie else ["Accept-Language"]


def activate_guest_language(request: HttpRequest) -> None:
    """Switch to the visitor's own language, for a page that guests may read."""
    request.has_languages = True  # type: ignore[attr-defined]
    translation.activate(language_wanted(request))


def activate_english(request: HttpRequest) -> None:
    """Switch to English, for a page that isn't translated."""
    request.has_languages = False  # type: ignore[attr-defined]
    translation.activate(ENGLISH)


def has_languages(request: HttpRequest) -> bool:
    """Whether this page is available in other languages."""
    return getattr(request, "has_languages", False)


def start_in_language(request: HttpRequest, response: HttpResponse, code: str) -> None:
    """Show this browser our pages in the language of the email that led here, unless its visitor
    has chosen one."""
    has_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    if code in dict(settings.LANGUAGES) and not has_chosen and code != language_wanted(request):
        _save_language(response, code)


def _save_language(response: HttpResponse, code: str) -> None:
    """Save the language in a cookie for this host only, like all our cookies."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        httponly=True,
        secure=settings.PUBLIC_SCHEME == "https",
    )
