"""What differs by a connected account's country: whether it can exist, its currency, its delays.

The list is Stripe's public one of countries where a business can accept cards, without those by
invitation (https://stripe.com/global). Exchange rates are invented and fixed.
"""

from ..errors import invalid_request

# https://docs.stripe.com/connect/manual-payouts and https://docs.stripe.com/payouts
_EURO = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK"
_OTHERS = {
    "AE": "aed", "AU": "aud", "CA": "cad", "CH": "chf", "CZ": "czk", "DK": "dkk", "GB": "gbp",
    "GI": "gbp", "HK": "hkd", "HU": "huf", "JP": "jpy", "LI": "chf", "MX": "mxn", "MY": "myr",
    "NO": "nok", "NZ": "nzd", "PL": "pln", "RO": "ron", "SE": "sek", "SG": "sgd", "TH": "thb",
    "US": "usd",
}  # fmt: skip
# Between these a platform's own transfers cross borders, and to no other country:
# https://docs.stripe.com/connect/cross-border-payouts
_EEA = f"{_EURO} CZ DK HU IS LI NO PL RO SE"
TRANSFERS_REACH = frozenset(f"{_EEA} CA CH GB GI US".split())
CURRENCIES = dict.fromkeys(_EURO.split(), "eur") | _OTHERS

# How many US dollars one unit buys, and the currencies whose smallest unit is a whole one.
_DOLLARS = {
    "aed": 0.27, "aud": 0.65, "cad": 0.72, "chf": 1.20, "czk": 0.045, "dkk": 0.15, "eur": 1.10,
    "gbp": 1.30, "hkd": 0.13, "huf": 0.0027, "jpy": 0.0067, "mxn": 0.055, "myr": 0.22,
    "nok": 0.095, "nzd": 0.60, "pln": 0.25, "ron": 0.22, "sek": 0.095, "sgd": 0.75, "thb": 0.028,
    "usd": 1.0,
}  # fmt: skip
_ZERO_DECIMAL = frozenset({"jpy"})


def currency_of(country: str) -> str:
    """Return the currency in which an account of this country is paid out.

    Raises the documented errors for other codes: https://docs.stripe.com/error-codes
    """
    if len(country) != 2 or not country.isalpha():
        raise invalid_request(
            f"Country '{country}' is unknown. Try using a 2-character alphanumeric country code.",
            code="country_code_invalid",
            param="country",
        )
    if country not in CURRENCIES:
        raise invalid_request(
            f"{country} is not currently supported by Stripe.",
            code="country_unsupported",
            param="country",
        )
    return CURRENCIES[country]


def least_delay_days(country: str) -> int:
    """Return the fewest days until a payment is available."""
    return 2 if country in ("US", "AU") else 3


def rate(currency: str, to: str) -> float | None:
    """Return the exchange rate between major units, None if there is nothing to convert."""
    if currency == to:
        return None
    return round(_DOLLARS[currency] / _DOLLARS[to], 6)


def convert(amount: int, currency: str, to: str) -> int:
    """Convert an amount in the smallest units of both currencies, rounded half up."""
    exchange = rate(currency, to)
    if exchange is None:
        return amount
    units = {True: 1, False: 100}
    value = amount / units[currency in _ZERO_DECIMAL] * exchange * units[to in _ZERO_DECIMAL]
    return int(abs(value) + 0.5) * (1 if value >= 0 else -1)
