"""`{% path_here "/specials" %}`: a restaurant's public page on the host of the page it is on."""

from django import template
from django.template import Context

from apps.restaurants.hosts import path_here as path_on_host_of

register = template.Library()


@register.simple_tag(takes_context=True)
def path_here(context: Context, path: str) -> str:
    """`path` on a restaurant's host; on the platform's, with the `rid` of the page's restaurant."""
    request, restaurant = context.get("request"), context.get("restaurant")
    if request is None or restaurant is None:
        return path
    return path_on_host_of(request, path, restaurant)
