"""Countries, states, time zones, and currencies to choose from (DECISIONS X58, X59)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

from babel import Locale

from apps.common.currencies import currency_choices

_NOT_A_REGION = frozenset({"Factory", "localtime"})
_REGIONAL_INDICATOR_A = 0x1F1E6


@dataclass(frozen=True, slots=True)
class Country:
    code: str  # ISO 3166-1, two letters
    name: str

    @property
    def flag(self) -> str:
        """The flag emoji: the code in regional indicator letters."""
        return "".join(
            chr(_REGIONAL_INDICATOR_A + ord(character) - ord("A")) for character in self.code
        )

    @property
    def display_name(self) -> str:
        return f"{self.flag} {self.name}"


# ISO 3166-1 codes: the most frequent first, the others sorted by name. Names come from Babel.
_FIRST_COUNTRIES = ["US", "CA", "GB", "FR", "DE", "IN"]
_OTHER_COUNTRIES = [
    *("AR", "AU", "AT", "BE", "BR", "BG", "CL", "CO", "HR", "CZ", "DK", "EE", "FI", "GR", "HU"),
    *("IS", "IE", "IL", "IT", "JP", "LV", "LT", "LU", "MX", "NL", "NZ", "NO", "PL", "PT", "RO"),
    *("SG", "SK", "SI", "ZA", "ES", "SE", "CH", "AE"),
]


def _countries(codes: list[str]) -> list[Country]:
    names = Locale("en").territories
    return [Country(code, names[code]) for code in codes]


COUNTRIES = [
    *_countries(_FIRST_COUNTRIES),
    *sorted(_countries(_OTHER_COUNTRIES), key=lambda country: country.name),
]

# The countries a restaurant can be paid in: where Stripe lets any business take cards and a
# platform in the United States can charge on behalf of it, with the currency its bank gets
# (decision 48). India is by invitation; in Brazil only reais can be charged, which we don't offer.
# https://stripe.com/global · https://docs.stripe.com/connect/destination-charges
_EURO = "AT BE BG DE EE ES FI FR GR HR IE IT LT LU LV NL PT SI SK"
SETTLEMENT_CURRENCIES = dict.fromkeys(_EURO.split(), "eur") | {
    "AE": "aed", "AU": "aud", "CA": "cad", "CH": "chf", "CZ": "czk", "DK": "dkk", "GB": "gbp",
    "HU": "huf", "JP": "jpy", "MX": "mxn", "NO": "nok", "NZ": "nzd", "PL": "pln", "RO": "ron",
    "SE": "sek", "SG": "sgd", "US": "usd",
}  # fmt: skip
# Where a platform in the United States can transfer money to, apart from charges on behalf of the
# account; elsewhere only by arrangement: https://docs.stripe.com/connect/cross-border-payouts
_TRANSFERS_REACH = frozenset(
    [*_EURO.split(), "CA", "CH", "CZ", "DK", "GB", "HU", "NO", "PL", "RO", "SE", "US"]
)
# How long Stripe holds money that is paid out manually: https://docs.stripe.com/connect/manual-payouts
_HOLDING_PERIODS = {"US": timedelta(days=730)}
_USUAL_HOLDING_PERIOD = timedelta(days=90)
_UNITED_STATES = frozenset({"us", "usa", "united states", "united states of america"})

# By name; the USPS codes are for addresses.
STATE_CODES = {
    "Alabama": "AL", "Alaska": "AK", "Arizona": "AZ", "Arkansas": "AR", "California": "CA",
    "Colorado": "CO", "Connecticut": "CT", "Delaware": "DE", "Florida": "FL", "Georgia": "GA",
    "Hawaii": "HI", "Idaho": "ID", "Illinois": "IL", "Indiana": "IN", "Iowa": "IA",
    "Kansas": "KS", "Kentucky": "KY", "Louisiana": "LA", "Maine": "ME", "Maryland": "MD",
    "Massachusetts": "MA", "Michigan": "MI", "Minnesota": "MN", "Mississippi": "MS",
    "Missouri": "MO", "Montana": "MT", "Nebraska": "NE", "Nevada": "NV", "New Hampshire": "NH",
    "New Jersey": "NJ", "New Mexico": "NM", "New York": "NY", "North Carolina": "NC",
    "North Dakota": "ND", "Ohio": "OH", "Oklahoma": "OK", "Oregon": "OR", "Pennsylvania": "PA",
    "Rhode Island": "RI", "South Carolina": "SC", "South Dakota": "SD", "Tennessee": "TN",
    "Texas": "TX", "Utah": "UT", "Vermont": "VT", "Virginia": "VA", "Washington": "WA",
    "West Virginia": "WV", "Wisconsin": "WI", "Wyoming": "WY",
}  # fmt: skip
US_STATES = list(STATE_CODES)

# Offered first; a restaurant can have any IANA time zone (DECISIONS X59).
TIMEZONES = {
    "America/New_York": "Eastern",
    "America/Chicago": "Central",
    "America/Denver": "Mountain",
    "America/Los_Angeles": "Pacific",
    "America/Anchorage": "Alaska",
    "Pacific/Honolulu": "Hawaii",
}


def is_united_states(country: str) -> bool:
    """Whether a country, written as code or name, is the United States."""
    return country.strip().lower() in _UNITED_STATES


def country_code(country: str) -> str:
    """The ISO code of a country written as code or English name; empty if it is neither."""
    text = country.strip()
    if is_united_states(text):
        return "US"
    if text.upper() in Locale("en").territories and len(text) == len("US"):
        return text.upper()
    return next((each.code for each in COUNTRIES if each.name.lower() == text.lower()), "")


def country_name(code: str) -> str:
    return str(Locale("en").territories.get(code, code))


def is_paid_country(country: str) -> bool:
    """Whether a restaurant in this country can be paid. True while it hasn't named one."""
    return not country.strip() or country_code(country) in SETTLEMENT_CURRENCIES


def unpaid_country(country: str) -> str:
    """The sentence for an owner whose restaurant can't be paid there."""
    name = country_name(country_code(country)) or country.strip()
    return (
        f"Stripe, which handles our payments, can't pay restaurants in {name} yet. You can set up "
        "your menu and specials, but guests can't pre-order. Contact us and we'll tell you when "
        "that changes."
    )


def transfers_reach(country: str) -> bool:
    """Whether the platform can transfer money to an account in this country (a code)."""
    return country in _TRANSFERS_REACH


def holding_period(country: str) -> timedelta:
    """How long a restaurant's money may wait at Stripe before it must be paid out."""
    return _HOLDING_PERIODS.get(country_code(country) or "US", _USUAL_HOLDING_PERIOD)


def is_timezone(name: str) -> bool:
    """Whether this is an IANA time zone that a place can be in."""
    return name in available_timezones() and name not in _NOT_A_REGION


def region_choices() -> dict[str, list[dict[str, Any]] | list[str]]:
    """All lists, as forms need them in their props."""
    return {
        "countries": [
            {
                "code": each.code,
                "name": each.name,
                "flag": each.flag,
                "displayName": each.display_name,
                "isPaid": each.code in SETTLEMENT_CURRENCIES,
            }
            for each in COUNTRIES
        ],
        "states": US_STATES,
        "stateCodes": list(STATE_CODES.values()),
        "timezones": [
            {"value": zone, "label": f"{label} ({zone})"} for zone, label in TIMEZONES.items()
        ],
        "currencies": currency_choices(),
    }
