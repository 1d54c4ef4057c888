"""Addresses of the front end's files, for pages that show even if it isn't built, such as error
pages: `{% display_font %}` and `{% built_asset %}`. And `{% asset_with_late_scripts %}` and
`{% preloads %}`."""

import re

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django_vite.core.asset_loader import DjangoViteAssetLoader
from django_vite.core.exceptions import DjangoViteAssetNotFoundError, DjangoViteManifestError

register = template.Library()

DISPLAY_FONT = "node_modules/.cache/fully-booked/fraunces-600.woff2"


@register.simple_tag
def display_font() -> str:
    """The font's address; empty if the front end isn't built."""
    return built_asset(DISPLAY_FONT)


@register.simple_tag
def built_asset(source: str) -> str:
    """The address of what was built from `source`; empty if the front end isn't built."""
    try:
        address: str = DjangoViteAssetLoader.instance().generate_vite_asset_url(source)
    except (DjangoViteAssetNotFoundError, DjangoViteManifestError):
        return ""
    return address


@register.simple_tag
def asset_with_late_scripts(source: str) -> SafeString:
    """As `{% vite_asset %}`, for a page that is complete without its scripts. They wait for the
    style sheet, the font, and the first photo, which modules don't by themselves:
    https://web.dev/articles/fetch-priority"""
    tags: str = DjangoViteAssetLoader.instance().generate_vite_asset(source)
    late = ' fetchpriority="low"'
    tags = tags.replace("<script ", f"<script{late} ")
    return mark_safe(tags.replace('rel="modulepreload"', f'rel="modulepreload"{late}'))


@register.simple_tag
def preloads(*sources: str) -> SafeString:
    """Links that fetch these scripts and what they import, each once, for a script that inserts
    them into the page once they will be needed. Shorter than those of `{% vite_preload_asset %}`,
    because every page of a restaurant has them. Browsers need not follow imports by themselves:
    https://developer.mozilla.org/en-US/docs/Web/HTML/Attributes/rel/modulepreload"""
    loader = DjangoViteAssetLoader.instance()
    tags = "".join(loader.preload_vite_asset(source) for source in sources)
    addresses = dict.fromkeys(re.findall(r'href="([^"]+\.js)"', tags))
    return format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((each,) for each in addresses)
    )
