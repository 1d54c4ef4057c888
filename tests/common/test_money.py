"""Amounts in whole cents."""

from dataclasses import FrozenInstanceError
from decimal import Decimal

import pytest

from apps.common.money import Money


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        ("25.92", 2592),
        (Decimal("0.01"), 1),
        ("0.5", 50),
        (7, 700),
        ("-3.10", -310),
        ("1E+2", 10000),
    ],
)
def test_an_amount_is_read_in_cents(amount, cents):
    assert Money.of(amount) == Money(cents)


@pytest.mark.parametrize(
    "amount", ["0.005", "0.009", "1.001", "a lot", "", "NaN", "Infinity", "-Infinity"]
)
def test_an_amount_that_is_not_whole_cents_is_refused(amount):
    with pytest.raises(ValueError, match=repr(amount)):
        Money.of(amount)


@pytest.mark.parametrize(("cents", "shown"), [(2592, "25.92"), (5, "0.05"), (-310, "-3.10")])
def test_an_amount_is_shown_with_two_places(cents, shown):
    assert str(Money(cents).amount) == shown


def test_amounts_are_added_subtracted_and_multiplied():
    assert Money(700) + Money(3) == Money(703)
    assert Money(700) - Money(3) == Money(697)
    assert Money(700) * 3 == Money(2100)


@pytest.mark.parametrize(
    ("cents", "rate", "share"),
    [(2592, "3.00", 78), (2592, "4.90", 127), (1, "50.00", 1), (1, "49.99", 0), (700, "100", 700)],
)
def test_a_percentage_is_rounded_half_up(cents, rate, share):
    assert Money(cents).percent(Decimal(rate)) == Money(share)


def test_amounts_compare_by_their_cents():
    assert Money(3) < Money(20)
    assert {Money(3), Money(3)} == {Money(3)}


def test_an_amount_does_not_change():
    with pytest.raises(FrozenInstanceError):
        Money(3).cents = 4  # type: ignore[misc]
