"""The currencies that a restaurant may charge in (decision 36).

All of them have hundredths, so that `Money` is the same whole number everywhere and a restaurant's
one currency says what it counts.
"""

from typing import Final

from babel.numbers import get_currency_name, get_currency_symbol

from apps.common.money import Money

# ISO 4217 in lower case, as the processor writes it; in the order in which forms offer them.
CURRENCIES: Final = ("usd", "cad", "eur", "gbp", "aud", "nzd", "chf", "mxn")

PLATFORM_CURRENCY: Final = "usd"  # of the platform's own pages and subscription (DECISIONS X1)
_WRITTEN_AS = "en_US"
_LEAST_CENTS = {"gbp": 30, "mxn": 1000}


def sign_of(currency: str) -> str:
    """What stands before an amount: `$`, `CA$`, `€`, `CHF` with its space."""
    symbol = get_currency_symbol(currency.upper(), locale=_WRITTEN_AS)
    # Letters are kept apart from figures (CLDR's currencySpacing, which Babel does not have).
    return f"{symbol}\u00a0" if symbol[-1].isalpha() else symbol


def least_charge(currency: str) -> Money:
    """What a card processor takes at least
    (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts)."""
    return Money(_LEAST_CENTS.get(currency, 50))


def currency_choices() -> list[dict[str, str]]:
    """What a form offers: `{"value": "eur", "label": "Euro (€)"}`."""
    return [{"value": code, "label": label_of(code)} for code in CURRENCIES]


def label_of(currency: str) -> str:
    name = get_currency_name(currency.upper(), locale=_WRITTEN_AS)
    return f"{name} ({sign_of(currency).strip()})"
