"""`{% display_font %}`: the display font for pages without a style sheet, such as error pages."""

from django import template
from django_vite.core.asset_loader import DjangoViteAssetLoader
from django_vite.core.exceptions import DjangoViteAssetNotFoundError, DjangoViteManifestError

register = template.Library()

DISPLAY_FONT = "node_modules/.cache/fully-booked/fraunces-600.woff2"


@register.simple_tag
def display_font() -> str:
    """The font's address; empty if the front end isn't built, so that a page shows anyway."""
    try:
        address: str = DjangoViteAssetLoader.instance().generate_vite_asset_url(DISPLAY_FONT)
    except (DjangoViteAssetNotFoundError, DjangoViteManifestError):
        return ""
    return address
