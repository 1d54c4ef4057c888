"""Opening hours in words, as staff read them."""

import pytest

from apps.restaurants.opening_hours import in_words


def span(opens: str, closes: str) -> dict[str, str]:
    return {"opens": opens, "closes": closes}


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        ({"monday": [span("17:00", "22:00")]}, "Mon 5–10 PM"),
        (
            {day: [span("11:30", "14:30")] for day in ("monday", "tuesday", "wednesday")},
            "Mon–Wed 11:30 AM–2:30 PM",
        ),
        (
            {day: [span("17:00", "22:00")] for day in ("monday", "wednesday")},
            "Mon 5–10 PM; Wed 5–10 PM",
        ),
        (
            {"friday": [span("11:00", "11:45"), span("17:30", "01:00")]},
            "Fri 11–11:45 AM, 5:30 PM–1 AM",
        ),
        ({"sunday": [span("12:00", "00:00")]}, "Sun 12 PM–12 AM"),
        ({"sunday": [span("18:00", "17:00")]}, "Sun 6 PM–5 PM"),
        ("When the sign is lit", "When the sign is lit"),
        ({}, ""),
    ],
)
def test_equal_days_in_a_row_are_one_entry(hours, text):
    assert in_words(hours) == text
