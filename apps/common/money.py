"""Money as whole cents; two-place decimals at the edges (design §4).

A cent is a hundredth of whatever the restaurant charges in (`common.currencies`), which an amount
does not say itself: a restaurant has one currency. People read amounts through `formats.money`.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Self, TypedDict

HUNDRED = Decimal(100)


class ColumnSize(TypedDict):
    max_digits: int
    decimal_places: int


# How the tables keep amounts (D41): `DecimalField(**MONEY_COLUMN)`.
MONEY_COLUMN: ColumnSize = {"max_digits": 10, "decimal_places": 2}


@dataclass(frozen=True, order=True, slots=True)
class Money:
    """An amount in whole cents; never a float."""

    cents: int

    @classmethod
    def of(cls, amount: Decimal | str | int) -> Self:
        """Units of the currency as cents. Raises ValueError when it is not a whole cent."""
        try:
            value = Decimal(amount)
        except InvalidOperation:
            raise ValueError(f"{amount!r} is not an amount of money") from None
        cents = value * HUNDRED
        if not cents.is_finite() or cents != cents.to_integral_value():
            raise ValueError(f"{amount!r} is not a whole number of cents")
        return cls(int(cents))

    @property
    def amount(self) -> Decimal:
        """Units of the currency with two places, as the tables keep it."""
        return Decimal(self.cents).scaleb(-2)

    def percent(self, rate: Decimal) -> "Money":
        """`rate` per cent of this, rounded half up to the cent (DECISIONS X5)."""
        share = Decimal(self.cents) * rate / HUNDRED
        return Money(int(share.quantize(Decimal(1), ROUND_HALF_UP)))

    def __add__(self, other: "Money") -> "Money":
        return Money(self.cents + other.cents)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.cents - other.cents)

    def __mul__(self, quantity: int) -> "Money":
        return Money(self.cents * quantity)
