"""`{% brand_of_page as brand %}`: how the page's restaurant looks, published or in a preview."""

from django import template
from django.template import Context

from apps.restaurants.branding import PLAIN, Brand, brand_of

register = template.Library()


@register.simple_tag(takes_context=True)
def brand_of_page(context: Context) -> Brand:
    previewed: Brand | None = context.get("previewed_brand")
    restaurant = context.get("restaurant")
    return previewed or (brand_of(restaurant) if restaurant else PLAIN)
