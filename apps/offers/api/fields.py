"""Serializer fields for amounts, portions, days, and times, with their error messages."""

import re
from datetime import date, datetime, tzinfo
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

INVALID_DAY = "Invalid date format"
INVALID_MOMENT = "Invalid datetime format"
INVALID_CLOCK = "Enter a time like 18:30"
MAX_PRICE = Decimal("9999.99")
MAX_PORTIONS = 10_000
MAX_TIME_LENGTH = 40  # characters; no valid date or time is longer


def amount(name: str, *, missing: str, least: str = "0.01") -> Any:
    """Options of an `AmountField`. `missing` is the error without a value, `least` the minimum."""
    positive = f"{name} must be a positive number"
    too_high = f"{name} must be less than 10,000"
    return {
        "max_digits": 10,
        "decimal_places": 2,
        "min_value": Decimal(least),
        "max_value": MAX_PRICE,
        "error_messages": {
            "required": missing,
            "null": missing,
            "invalid": positive,
            "min_value": positive,
            "max_value": too_high,
            "max_digits": too_high,
            "max_whole_digits": too_high,
            "max_string_length": too_high,
            "max_decimal_places": f"{name} can have at most two decimals",
        },
    }


def portions(message: str, *, most: int = MAX_PORTIONS, **options: Any) -> Any:
    """Options of a `PortionsField` from 1 to `most`; `message` is the error for anything else."""
    return {
        "min_value": 1,
        "max_value": most,
        "error_messages": {
            **dict.fromkeys(("required", "null", "invalid", "min_value"), message),
            "max_value": f"Choose at most {most:,} portions",
            "max_string_length": f"Choose at most {most:,} portions",
        },
        **options,
    }


PLAIN_NUMBER = re.compile(r"\s*[+-]?[0-9]{1,30}(\.[0-9]{0,30})?\s*", re.ASCII)


class _PlainNumber:
    """Accepts numbers as text only in plain digits: not `1e3`, `1_000`, or non-ASCII digits."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and not PLAIN_NUMBER.fullmatch(data):
            self.fail("invalid")  # type: ignore[attr-defined]
        return super().to_internal_value(data)  # type: ignore[misc]


class AmountField(_PlainNumber, serializers.DecimalField):
    """An amount, as a number or a string."""


class PortionsField(_PlainNumber, serializers.IntegerField):
    """A whole number, as a number or a string."""


class _ZonedField(serializers.Field[Any, str, Any, Any]):
    """A date or time as text; without an offset, in the restaurant's zone (`context["zone"]`)."""

    default_error_messages = {"invalid": ""}

    @property
    def zone(self) -> tzinfo:
        zone: tzinfo = self.context["zone"]
        return zone

    def _text(self, data: Any) -> str:
        if not isinstance(data, str) or len(data) > MAX_TIME_LENGTH or not data.isascii():
            self.fail("invalid")
        return str(data).strip()

    def _moment(self, text: str) -> datetime | None:
        """`text` as a datetime in the restaurant's zone; None if it isn't one."""
        try:
            moment = parse_datetime(text)
            if moment is None:
                return None
            if moment.tzinfo is None:
                return moment.replace(tzinfo=self.zone)
            return moment.astimezone(self.zone)
        except (ValueError, OverflowError):
            return None


@extend_schema_field({"type": "string", "format": "date-time"})
class ServeDayField(_ZonedField):
    """A day, or a time on that day in the restaurant's zone."""

    default_error_messages = {"invalid": INVALID_DAY}

    def to_internal_value(self, data: Any) -> date:
        text = self._text(data)
        try:
            day = parse_date(text)
        except ValueError:
            day = None
        if day is None:
            moment = self._moment(text)
            day = moment.date() if moment else None
        if day is None or day == date.max:
            self.fail("invalid")
        assert day is not None
        return day


@extend_schema_field({"type": "string", "format": "date-time"})
class MomentField(_ZonedField):
    """A point in time, to the second."""

    default_error_messages = {"invalid": INVALID_MOMENT}

    def to_internal_value(self, data: Any) -> datetime:
        moment = self._moment(self._text(data))
        # Far enough from the calendar's ends for arithmetic not to overflow.
        if moment is None or not 1970 < moment.year < 9000:
            self.fail("invalid")
        assert moment is not None
        return moment.replace(microsecond=0)


def clock_field(**options: Any) -> serializers.TimeField:
    """A time of day on the restaurant's clock, `18:30`; null for none."""
    return serializers.TimeField(
        format="%H:%M",
        input_formats=["%H:%M", "%H:%M:%S"],
        allow_null=True,
        error_messages={"invalid": INVALID_CLOCK},
        **options,
    )


class MarksField(serializers.ListField):
    """Values of one of the choices in `offers.dietary`, without duplicates, in the choices'
    order."""

    def __init__(self, choices: type[models.TextChoices], **options: Any) -> None:
        self.choices = choices
        known = ", ".join(choices.values)
        wrong = f"Choose from: {known}"
        super().__init__(
            child=serializers.ChoiceField(
                choices.choices, error_messages={"invalid_choice": wrong, "null": wrong}
            ),
            max_length=len(choices),
            error_messages={
                "not_a_list": f"Send a list of: {known}",
                "null": f"Send a list of: {known}",
                "max_length": "List each value only once",
            },
            **options,
        )

    def to_internal_value(self, data: Any) -> list[str]:
        chosen = set(super().to_internal_value(data))
        return [value for value in self.choices.values if value in chosen]
