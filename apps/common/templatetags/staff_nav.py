"""The links of the staff's navigation."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def staff_link(context: dict[str, Any], name: str, text: str, *, also: str = "") -> SafeString:
    """A link to the page with this URL name, marked on the page itself, on those below it and on
    those whose path begins with `also`."""
    url = reverse(name)
    path = context["request"].path
    below = (f"{url.rstrip('/')}/", also) if also else f"{url.rstrip('/')}/"
    is_here = path == url or path.startswith(below)
    current = mark_safe(' aria-current="page"') if is_here else ""
    return format_html('<a href="{}"{}>{}</a>', url, current, text)
