"""Which language a request is answered in (decision 31).

Diners are spoken to in theirs; the people of a restaurant and of the platform in English.
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
PARAMETER = "lang"  # `?lang=es`: the page in that language, and those after it
API = "/api/"


def spoken() -> str:
    """The code of the language that is spoken now, such as `en-us`; what an order keeps."""
    return translation.get_language() or ENGLISH


def tag_of(code: str) -> str:
    """The code as HTML and HTTP write it: `en-US`."""
    language, _, region = code.partition("-")
    return f"{language}-{region.upper()}" if region else language


def for_guests(view: View) -> View:
    """Mark a page of the platform's host that diners read; on a restaurant's host all are."""
    view.is_for_guests = True  # type: ignore[attr-defined]
    return view


def language_named(request: HttpRequest) -> str:
    """The language that `?lang=` asks for; nothing without one that we speak."""
    try:
        return get_supported_language_variant(request.GET.get(PARAMETER) or "")
    except LookupError:
        return ""


def language_wanted(request: HttpRequest) -> str:
    """What the visitor chose, else the browser's; English where we do not speak that.

    The API goes by the header alone: our pages' scripts name the language of their page there,
    whatever the browser's is.
    """
    if named := language_named(request):
        return named
    if request.path.startswith(API) and settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
        request = _without_cookies(request)
    return get_language_from_request(request)


def _without_cookies(request: HttpRequest) -> HttpRequest:
    bare = HttpRequest()
    bare.META = {"HTTP_ACCEPT_LANGUAGE": request.META.get("HTTP_ACCEPT_LANGUAGE", "")}
    return bare


class LanguageMiddleware:
    """Speaks the wanted language where diners read, and English everywhere else.

    A restaurant's host and the API are for diners throughout; of the platform's pages those are
    that `for_guests` marks. A language asked for with `?lang=` is remembered for the pages after.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        for_everybody = hasattr(request, "tenant") or request.path.startswith(API)
        with translation.override(ENGLISH):
            if for_everybody:
                _activate_guest_language(request)
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", tag_of(spoken()))
        patch_vary_headers(response, _what_it_depends_on(request))
        named = language_named(request)
        if named and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != named:
            _remember(response, named)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if getattr(view, "is_for_guests", False):
            _activate_guest_language(request)


def _what_it_depends_on(request: HttpRequest) -> list[str]:
    """For caches on the way: a page goes by the chosen language too, which is a cookie."""
    by_cookie = has_languages(request) and not request.path.startswith(API)
    return ["Accept-Language", "Cookie"] if by_cookie else ["Accept-Language"]


def _activate_guest_language(request: HttpRequest) -> None:
    request.has_languages = True  # type: ignore[attr-defined]
    translation.activate(language_wanted(request))


def activate_english(request: HttpRequest) -> None:
    """For a page that has no other language wherever it is shown."""
    request.has_languages = False  # type: ignore[attr-defined]
    translation.activate(ENGLISH)


def has_languages(request: HttpRequest) -> bool:
    """Whether this page may be read in another language."""
    return getattr(request, "has_languages", False)


def _remember(response: HttpResponse, code: str) -> None:
    """For this host alone, like every cookie of ours."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        httponly=True,
        secure=settings.PUBLIC_SCHEME == "https",
    )
