"""The links of the staff's navigation."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def staff_link(context: dict[str, Any], name: str, text: str) -> SafeString:
    """A link to the page with this URL name, marked on the page itself and on those below it."""
    url = reverse(name)
    path = context["request"].path
    is_here = path == url or path.startswith(f"{url.rstrip('/')}/")
    current = mark_safe(' aria-current="page"') if is_here else ""
    return format_html('<a href="{}"{}>{}</a>', url, current, text)
