"""Reading rates from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize(
    ("value", "expected"), [("120/min", (120, 60)), ("5/s", (5, 1)), ("30/hour", (30, 3600))]
)
def test_rate_gives_times_and_seconds(monkeypatch, value, expected):
    monkeypatch.setenv("PRE_ORDER_RATE", value)
    assert env.rate("PRE_ORDER_RATE", "120/min") == expected


@pytest.mark.parametrize("value", ["", "120", "many/min", "120/year", "-1/min"])
def test_rate_refuses_anything_else(monkeypatch, value):
    monkeypatch.setenv("PRE_ORDER_RATE", value)
    with pytest.raises(ImproperlyConfigured, match="PRE_ORDER_RATE must be like 120/min"):
        env.rate("PRE_ORDER_RATE", "120/min")
