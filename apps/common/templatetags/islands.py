"""`{% island "name" props %}`: the place where React mounts, with its data (design §6)."""

from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def island(
    context: Context,
    name: str,
    props: dict[str, Any],
    fallback: str = "components/island_loading.html",
) -> SafeString:
    """The island's container with the server-rendered `fallback` inside, and its props as JSON.

    The fallback gets the page's context, so it can be a form that works without JavaScript. The
    props come from a selector through the API's own serializer, so the island fetches nothing on
    load.
    """
    props_id = f"props-{name.replace('/', '-')}"
    seen: dict[Any, Any] = {**context.flatten()} | {"props": props}
    inside = mark_safe(render_to_string(fallback, seen, context.get("request")))
    container = format_html(
        '<div data-island="{}" data-props="{}">{}</div>', name, props_id, inside
    )
    return container + json_script(props, props_id)
