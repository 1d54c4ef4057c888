"""Template filters for `apps.common.formats`."""

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from apps.common import formats
from apps.common.currencies import PLATFORM_CURRENCY
from apps.common.money import Money

register = template.Library()

# Not "a. m.", with which it would be wider than a phone in large text.
_TIME = r"\d\S*(?: [AP]M)?"
_RANGE = re.compile(rf"{_TIME}–{_TIME}")


@register.filter("money")
def money_filter(amount: Decimal | str | int | Money, of: Any) -> str:
    """`{{ amount|money:restaurant }}` → `$1,234.50`; `of` is a restaurant or a currency code."""
    return formats.money(amount, of if isinstance(of, str) else of.currency)


@register.filter
def absolute(amount: Decimal) -> Decimal:
    return abs(amount)


@register.filter
def negated(amount: Decimal) -> Decimal:
    return -amount


@register.filter("rate")
def rate_filter(value: Decimal) -> str:
    return formats.rate(value)


@register.filter
def weekday(value: date) -> str:
    return formats.day(value)


@register.filter
def with_year(value: date) -> str:
    """`November 26, 2026`"""
    return formats.date_with_year(value)


@register.filter
def restaurant_time(value: datetime, restaurant: Any) -> str:
    """`{{ moment|restaurant_time:restaurant }}` → `Tue, Nov 24, 6:00 PM EST`."""
    return formats.moment(value, restaurant.zone)


@register.filter
def unbroken(moment: str) -> str:
    """`Tue, Nov 24, 6:00 PM EST` breaks only after its day, and `Tue, Nov 24` doesn't."""
    return formats.unbroken(moment)


@register.filter(is_safe=True)
def unbroken_times(text: str) -> str:
    """A text whose lines don't break within a time or a date."""
    return formats.unbroken_times(text)


@register.filter
def whole_ranges(text: str) -> SafeString:
    """`11:30 AM–10 PM` without a break at its dash, and without a sign that would be copied."""
    whole = r'<span class="whitespace-nowrap">\g<0></span>'
    return mark_safe(_RANGE.sub(whole, escape(text)))


@register.filter
def phone_link(number: str) -> SafeString:
    """A link that calls `number`, within a sentence."""
    dialed = number.replace(" ", "")
    return format_html('<a class="inline-block" href="tel:{}">{}</a>', dialed, number)


@register.filter
def counted(number: int, noun: str) -> str:
    """`{{ 3|counted:"portion" }}` → `3 portions`."""
    return formats.count(number, noun)


@register.simple_tag(takes_context=True)
def page_currency(context: Context) -> str:
    """For `<html data-currency>`, which scripts read: the currency of the restaurant the page is
    about or is hosted by, or else the platform's."""
    request = context.get("request")
    restaurants = (
        context.get("restaurant"),
        getattr(request, "shown_restaurant", None),
        getattr(request, "tenant", None),
    )
    found = (getattr(restaurant, "currency", None) for restaurant in restaurants)
    return next(filter(None, found), PLATFORM_CURRENCY)
