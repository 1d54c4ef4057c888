"""How a restaurant's public pages and its guests' emails look (decision 123).

What is published is on the restaurant's row, so that reading it costs no query. The draft, and the
photos that both use, are in `offers.Branding`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from django.db import models
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.restaurants.colors import DARK, LIGHT, Color, nearest_readable
from apps.restaurants.entitlements import Feature, includes
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

# Our own look: --paper and --accent of frontend/src/styles/tokens.css, in the light theme.
PAPER, ACCENT = str(LIGHT[0]), "#b4380a"
ON_DARK_ACCENT = DARK[0]  # the text of a button in the dark theme


class MenuLayout(models.TextChoices):
    """How the regular menu shows its dishes."""

    LIST = "list", "A list with small photos"
    PHOTOS = "photos", "Large photos"
    TEXT = "text", "Text alone"


@dataclass(frozen=True, slots=True)
class Brand:
    """A restaurant's look. A field is empty where the platform's own look applies."""

    accent: Color | None = None
    logo: str = ""  # URLs of our own uploads
    cover: str = ""
    footer: str = ""
    hides_platform: bool = False
    menu_layout: str = MenuLayout.LIST

    @property
    def accent_light(self) -> str:
        """The color on light backgrounds, `#rrggbb`; empty for our own."""
        return str(nearest_readable(self.accent, LIGHT)) if self.accent else ""

    @property
    def accent_dark(self) -> str:
        """The color on dark backgrounds."""
        return str(nearest_readable(self.accent, DARK)) if self.accent else ""

    @property
    def styles(self) -> SafeString:
        """The color as CSS custom properties. Only `#rrggbb` of `Color` can get in here."""
        if not self.accent:
            return SafeString()
        light, dark = self.accent_light, self.accent_dark
        return format_html(
            ":root{{--accent:light-dark({light},{dark});"
            "--on-accent:light-dark(#ffffff,{on_dark});"
            "--accent-strong:light-dark(color-mix(in srgb,{light} 82%,#000),"
            "color-mix(in srgb,{dark} 82%,#fff))}}",
            light=light,
            dark=dark,
            on_dark=ON_DARK_ACCENT,
        )


PLAIN = Brand()


def brand_of(restaurant: Restaurant) -> Brand:
    """The look that is published, as far as the plan includes it."""
    options = restaurant.branding_options
    if not options or not includes(restaurant, Feature.BRANDING):
        return PLAIN
    brand = brand_from(options)
    return brand if includes(restaurant, Feature.OUR_NAME_HIDDEN) else _with_our_name(brand)


def logo_address(restaurant: Restaurant) -> str:
    """Absolute URL of the published logo, for who reads it elsewhere; empty without one."""
    logo = brand_of(restaurant).logo
    return urljoin(absolute_url("/", restaurant=restaurant), logo) if logo else ""


def brand_from(options: Mapping[str, Any]) -> Brand:
    """The look that these options describe, without invalid values."""
    layout = str(options.get("menuLayout", ""))
    return Brand(
        accent=Color.parse(str(options.get("accent", ""))),
        logo=_own_url(options.get("logo")),
        cover=_own_url(options.get("cover")),
        footer=str(options.get("footer", "")),
        hides_platform=options.get("hidesPlatform") is True,
        menu_layout=layout if layout in MenuLayout.values else MenuLayout.LIST,
    )


def _own_url(value: object) -> str:
    """The URL if a page can link to it. Publishing stores only URLs of uploads; this is the second
    fence."""
    url = str(value or "")
    is_link = url.startswith(("/", "https://")) and not url.startswith("//")
    return url if is_link else ""


def _with_our_name(brand: Brand) -> Brand:
    return replace(brand, hides_platform=False)
