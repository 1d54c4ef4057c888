"""Money as whole cents inside; two-place decimals in tables and the API (design §4).

An amount doesn't carry its currency: a restaurant has exactly one (`common.currencies`), and a cent
is a hundredth of it. `formats.money` formats amounts for people.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Self, TypedDict

HUNDRED = Decimal(100)


class ColumnSize(TypedDict):
    max_digits: int
    decimal_places: int


# The size of every amount column: `DecimalField(**MONEY_COLUMN)`.
MONEY_COLUMN: ColumnSize = {"max_digits": 10, "decimal_places": 2}


@dataclass(frozen=True, order=True, slots=True)
class Money:
    """An amount in whole cents; never a float."""

    cents: int

    @classmethod
    def of(cls, amount: Decimal | str | int) -> Self:
        """Convert an amount in currency units. Raises ValueError if it isn't whole cents."""
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
        """The amount in currency units with two decimal places, as the tables store it."""
        return Decimal(self.cents).scaleb(-2)

    def percent(self, rate: Decimal) -> "Money":
        """`rate` percent of this amount, rounded half up to the cent (DECISIONS X5)."""
        share = Decimal(self.cents) * rate / HUNDRED
        return Money(int(share.quantize(Decimal(1), ROUND_HALF_UP)))

    def share(self, *, of: "Money", in_all: "Money") -> "Money":
        """This amount × `of` / `in_all`, rounded half up to the cent; nothing of nothing."""
        if not in_all.cents:
            return Money(0)
        return Money((2 * self.cents * of.cents + in_all.cents) // (2 * in_all.cents))

    def __add__(self, other: "Money") -> "Money":
        return Money(self.cents + other.cents)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.cents - other.cents)

    def __mul__(self, quantity: int) -> "Money":
        return Money(self.cents * quantity)
