"""Template tags of push messages."""

from django import template

from apps.preorders.core.push_keys import public_key

register = template.Library()


@register.simple_tag
def push_key() -> str:
    """What a browser needs to be sent messages; empty while push is off."""
    return public_key()
