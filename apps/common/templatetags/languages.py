"""Template tags for a page's language and its links to the other languages."""

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

from apps.common.languages import (
    ENGLISH,
    LANGUAGE_PARAMETER,
    has_languages,
    language_named,
    spoken,
    tag_of,
)

register = template.Library()


@register.simple_tag
def page_language() -> str:
    """For `<html lang>`: `en-US`."""
    return tag_of(spoken())


@register.simple_tag(takes_context=True)
def addresses_in_languages(context: Context, address: str) -> SafeString:
    """The page's canonical link and its alternates in other languages, for search engines.

    Without `?lang=`, `address` shows the page in the reader's own language.
    """
    named = language_named(context["request"])
    in_languages = [("x-default", address)]
    in_languages += [(tag_of(code), _in_language(address, code)) for code, _ in settings.LANGUAGES]
    canonical = _in_language(address, named) if named else address
    return format_html('<link rel="canonical" href="{}">', canonical) + format_html_join(
        "", '\n  <link rel="alternate" hreflang="{}" href="{}">', in_languages
    )


def _in_language(address: str, code: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{LANGUAGE_PARAMETER}={code}"


@register.inclusion_tag("components/language_choice.html", takes_context=True)
def language_choice(context: Context) -> dict[str, Any]:
    """Links to this page in its other languages, each labeled in its own language."""
    request = context.get("request")
    if request is None or not has_languages(request):
        return {"links": []}
    query = request.GET.copy()
    links = []
    for code, name in settings.LANGUAGES:
        query[LANGUAGE_PARAMETER] = code
        if code != spoken():
            links.append((tag_of(code), name, query.urlencode()))
    return {"links": links}


@register.simple_tag
def catalog() -> SafeString:
    """The translations for the page's scripts, as JSON; empty for English, their own language."""
    if spoken() == ENGLISH:
        return mark_safe("")
    return json_script(_texts(spoken()), "catalog")


@lru_cache
def _texts(code: str) -> dict[str, Any]:
    """Translations keyed by the English text; plural forms are a list. Ours alone: without a
    folder, Django adds those of every app, of which its admin has many."""
    machinery = JavaScriptCatalog()
    ours = [str(folder) for folder in settings.LOCALE_PATHS]
    machinery.translation = DjangoTranslation(code, domain="djangojs", localedirs=ours)
    return machinery.get_catalog()
