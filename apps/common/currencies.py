"""The currencies that a restaurant can charge in (decision 36).

All of them have two decimal places, so `Money` is a whole number of cents in each.
"""

from decimal import ROUND_DOWN, Decimal
from typing import Final

from babel.numbers import get_currency_name, get_currency_symbol

from apps.common.money import Money

# ISO 4217 in lower case, as Stripe writes them, in the order that forms list them.
CURRENCIES: Final = ("usd", "cad", "eur", "gbp", "aud", "nzd", "chf", "mxn")

_ZERO_DECIMAL = frozenset({"jpy"})  # of the currencies that a restaurant's bank can get
PLATFORM_CURRENCY: Final = "usd"  # for the platform's own pages and subscription (DECISIONS X1)
_WRITTEN_AS = "en_US"
_LEAST_CENTS = {"gbp": 30, "mxn": 1000}
# Stripe compares a charge that settles in another currency with that currency's minimum, after
# converting it. Three times ours is above all of them at any likely rate.
_CONVERTED_FACTOR = 3


def sign_of(currency: str) -> str:
    """The symbol before an amount: `$`, `CA$`, `€`, or `CHF` with a no-break space."""
    symbol = get_currency_symbol(currency.upper(), locale=_WRITTEN_AS)
    # Letters need a space before digits (CLDR's currencySpacing, which Babel doesn't implement).
    return f"{symbol}\u00a0" if symbol[-1].isalpha() else symbol


def least_charge(currency: str, *, settled_in: str = "") -> Money:
    """The smallest amount Stripe charges, in this currency's cents.

    `settled_in` is the currency that arrives, if it can be another one.
    https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
    """
    least = Money(_LEAST_CENTS.get(currency, 50))
    return least if settled_in in ("", currency) else least * _CONVERTED_FACTOR


def in_currency(dollars: int, currency: str) -> Money:
    """A limit stated in whole dollars, in a currency's own round number. Not an exchange rate:
    seven of the eight currencies are within a factor of two of each other."""
    return Money(dollars * 100 * (20 if currency == "mxn" else 1))


def units_of(amount: int, currency: str) -> Decimal:
    """An amount in a currency's smallest unit, converted to its main unit: 1250 is 1250 JPY, or
    12.50 of any other currency.

    https://docs.stripe.com/currencies#zero-decimal
    """
    return Decimal(amount).scaleb(-_decimals(currency))


def smallest_units(amount: Decimal, currency: str) -> int:
    """The opposite of `units_of`; parts of a smallest unit are dropped."""
    return int(amount.scaleb(_decimals(currency)))


def payable_amount(amount: Decimal, currency: str) -> Decimal:
    """The part of an amount that can be paid out to a bank: forints only whole.

    https://docs.stripe.com/currencies#special-cases
    """
    return amount.quantize(Decimal(1), ROUND_DOWN) if currency in ("huf", "jpy") else amount


def _decimals(currency: str) -> int:
    return 0 if currency in _ZERO_DECIMAL else 2


def currency_choices() -> list[dict[str, str]]:
    """The choices for a form: `{"value": "eur", "label": "Euro (€)"}`."""
    return [{"value": code, "label": label_of(code)} for code in CURRENCIES]


def label_of(currency: str) -> str:
    name = get_currency_name(currency.upper(), locale=_WRITTEN_AS)
    return f"{name} ({sign_of(currency).strip()})"
