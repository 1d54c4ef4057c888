"""Template tags for the parts of a special that every page shows: seats, photo, structured data."""

import json
from typing import Any, Protocol

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.offers.images import PhotoSources
from apps.offers.presentation import Special
from apps.offers.seats import draw_seats

register = template.Library()


class Pictured(Protocol):
    """Something with a name and a picture: a special or a dish."""

    @property
    def name(self) -> str: ...

    @property
    def picture(self) -> PhotoSources | None: ...


# Characters that could end the script element from inside a JSON string.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@register.inclusion_tag("components/seats.html")
def seats(special: Special, size: str = "", sentence: str = "") -> dict[str, Any]:
    """`{% seats special %}`: the seats and their sentence; `size="small"` for a table row.

    `sentence` replaces the special's own sentence.
    """
    offer = special.offer
    return {
        "special": special,
        "offer": offer,
        "drawing": draw_seats(offer.ordered_portions, offer.min_preorders, offer.max_preorders),
        "small": size == "small",
        "sentence": sentence or special.sentence,
        "own_sentence": not sentence,
    }


@register.inclusion_tag("components/photo.html")
def photo(shown: Pictured, sizes: str = "100vw", eager: bool = False) -> dict[str, Any]:
    """The photo, or a drawn plate without one. `sizes` as in HTML; `eager` if above the fold."""
    return {"picture": shown.picture, "alt": shown.name, "sizes": sizes, "eager": eager}


@register.simple_tag
def json_ld(data: dict[str, Any]) -> SafeString:
    """Structured data for search engines. A data block needs no CSP nonce."""
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False).translate(_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))
