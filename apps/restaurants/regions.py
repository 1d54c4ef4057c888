"""Countries, states, time zones and currencies to choose from (C30, C31, DECISIONS X58, X59)."""

from dataclasses import dataclass
from zoneinfo import available_timezones

from apps.common.currencies import currency_choices

_NO_PLACE = frozenset({"Factory", "localtime"})
_REGIONAL_INDICATOR_A = 0x1F1E6


@dataclass(frozen=True, slots=True)
class Country:
    code: str  # ISO 3166-1, two letters
    name: str

    @property
    def flag(self) -> str:
        """The flag's character: the code in regional indicator letters."""
        return "".join(chr(_REGIONAL_INDICATOR_A + ord(letter) - ord("A")) for letter in self.code)

    @property
    def display_name(self) -> str:
        return f"{self.flag} {self.name}"


_FIRST = [
    ("US", "United States"), ("CA", "Canada"), ("GB", "United Kingdom"), ("FR", "France"),
    ("DE", "Germany"), ("IN", "India"),
]  # fmt: skip
_OTHERS = [
    ("AR", "Argentina"), ("AU", "Australia"), ("AT", "Austria"), ("BE", "Belgium"),
    ("BR", "Brazil"), ("BG", "Bulgaria"), ("CL", "Chile"), ("CO", "Colombia"),
    ("HR", "Croatia"), ("CZ", "Czechia"), ("DK", "Denmark"), ("EE", "Estonia"),
    ("FI", "Finland"), ("GR", "Greece"), ("HU", "Hungary"), ("IS", "Iceland"),
    ("IE", "Ireland"), ("IL", "Israel"), ("IT", "Italy"), ("JP", "Japan"),
    ("LV", "Latvia"), ("LT", "Lithuania"), ("LU", "Luxembourg"), ("MX", "Mexico"),
    ("NL", "Netherlands"), ("NZ", "New Zealand"), ("NO", "Norway"), ("PL", "Poland"),
    ("PT", "Portugal"), ("RO", "Romania"), ("SG", "Singapore"), ("SK", "Slovakia"),
    ("SI", "Slovenia"), ("ZA", "South Africa"), ("ES", "Spain"), ("SE", "Sweden"),
    ("CH", "Switzerland"), ("AE", "United Arab Emirates"),
]  # fmt: skip
COUNTRIES = [Country(code, name) for code, name in (*_FIRST, *_OTHERS)]
_UNITED_STATES = frozenset({"us", "usa", "united states", "united states of america"})

US_STATES = [
    "Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut",
    "Delaware", "Florida", "Georgia", "Hawaii", "Idaho", "Illinois", "Indiana", "Iowa", "Kansas",
    "Kentucky", "Louisiana", "Maine", "Maryland", "Massachusetts", "Michigan", "Minnesota",
    "Mississippi", "Missouri", "Montana", "Nebraska", "Nevada", "New Hampshire", "New Jersey",
    "New Mexico", "New York", "North Carolina", "North Dakota", "Ohio", "Oklahoma", "Oregon",
    "Pennsylvania", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas", "Utah",
    "Vermont", "Virginia", "Washington", "West Virginia", "Wisconsin", "Wyoming",
]  # fmt: skip

# As the post writes them, in the order of the names above.
_STATE_CODES = [
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS",
    "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY",
    "NC", "ND", "OH", "OK", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV",
    "WI", "WY",
]  # fmt: skip
STATE_CODES = dict(zip(US_STATES, _STATE_CODES, strict=True))

# What is offered first; a restaurant may have any zone of the IANA's (DECISIONS X59).
TIMEZONES = {
    "America/New_York": "Eastern",
    "America/Chicago": "Central",
    "America/Denver": "Mountain",
    "America/Los_Angeles": "Pacific",
    "America/Anchorage": "Alaska",
    "Pacific/Honolulu": "Hawaii",
}


def is_united_states(country: str) -> bool:
    """Whether a country as somebody wrote it, by code or by name, is the one with the states."""
    return country.strip().lower() in _UNITED_STATES


def is_timezone(name: str) -> bool:
    """Whether the IANA's list has a zone of this name that a place can be in."""
    return name in available_timezones() and name not in _NO_PLACE


def region_choices() -> dict[str, list[dict[str, str]] | list[str]]:
    """Every list as a form's props have it."""
    return {
        "countries": [
            {
                "code": each.code,
                "name": each.name,
                "flag": each.flag,
                "displayName": each.display_name,
            }
            for each in COUNTRIES
        ],
        "states": US_STATES,
        "stateCodes": _STATE_CODES,
        "timezones": [
            {"value": zone, "label": f"{label} ({zone})"} for zone, label in TIMEZONES.items()
        ],
        "currencies": currency_choices(),
    }
