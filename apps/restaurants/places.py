"""Countries, states and time zones people choose from (C30, C31, DECISIONS X58, X59)."""

from dataclasses import dataclass

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

US_STATES = [
    "Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut",
    "Delaware", "Florida", "Georgia", "Hawaii", "Idaho", "Illinois", "Indiana", "Iowa", "Kansas",
    "Kentucky", "Louisiana", "Maine", "Maryland", "Massachusetts", "Michigan", "Minnesota",
    "Mississippi", "Missouri", "Montana", "Nebraska", "Nevada", "New Hampshire", "New Jersey",
    "New Mexico", "New York", "North Carolina", "North Dakota", "Ohio", "Oklahoma", "Oregon",
    "Pennsylvania", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas", "Utah",
    "Vermont", "Virginia", "Washington", "West Virginia", "Wisconsin", "Wyoming",
]  # fmt: skip

# What is offered first; a restaurant may have any zone of the IANA's (DECISIONS X59).
TIMEZONES = {
    "America/New_York": "Eastern",
    "America/Chicago": "Central",
    "America/Denver": "Mountain",
    "America/Los_Angeles": "Pacific",
    "America/Anchorage": "Alaska",
    "Pacific/Honolulu": "Hawaii",
}


def choices() -> dict[str, list[dict[str, str]] | list[str]]:
    """All three lists as a form's props have them."""
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
        "timezones": [
            {"value": zone, "label": f"{label} ({zone})"} for zone, label in TIMEZONES.items()
        ],
    }
