"""The currencies that a restaurant can charge in (decision 36).

All of them have two decimal places, so `Money` is a whole number of cents in each.
"""

from typing import Final

from babel.numbers import get_currency_name, get_currency_symbol

from apps.common.money import Money

# ISO 4217 in lower case, as Stripe writes them, in the order that forms list them.
CURRENCIES: Final = ("usd", "cad", "eur", "gbp", "aud", "nzd", "chf", "mxn")

PLATFORM_CURRENCY: Final = "usd"  # for the platform's own pages and subscription (DECISIONS X1)
_WRITTEN_AS = "en_US"
_LEAST_CENTS = {"gbp": 30, "mxn": 1000}


def sign_of(currency: str) -> str:
    """The symbol before an amount: `$`, `CA$`, `€`, or `CHF` with a no-break space."""
    symbol = get_currency_symbol(currency.upper(), locale=_WRITTEN_AS)
    # Letters need a space before digits (CLDR's currencySpacing, which Babel doesn't implement).
    return f"{symbol}\u00a0" if symbol[-1].isalpha() else symbol


def least_charge(currency: str) -> Money:
    """The smallest amount Stripe charges, in this currency's cents.

    https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
    """
    return Money(_LEAST_CENTS.get(currency, 50))


def currency_choices() -> list[dict[str, str]]:
    """The choices for a form: `{"value": "eur", "label": "Euro (€)"}`."""
    return [{"value": code, "label": label_of(code)} for code in CURRENCIES]


def label_of(currency: str) -> str:
    name = get_currency_name(currency.upper(), locale=_WRITTEN_AS)
    return f"{name} ({sign_of(currency).strip()})"
