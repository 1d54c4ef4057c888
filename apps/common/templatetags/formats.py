"""`apps.common.formats` for templates."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template

from apps.common import formats
from apps.common.money import Money

register = template.Library()


@register.filter
def money(amount: Decimal | str | int | Money) -> str:
    return formats.money(amount)


@register.filter
def rate(value: Decimal) -> str:
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
def counted(number: int, noun: str) -> str:
    """`{{ 3|counted:"portion" }}` → `3 portions`."""
    return formats.count(number, noun)
