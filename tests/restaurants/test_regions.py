"""The lists of countries, states, time zones, and currencies."""

from zoneinfo import ZoneInfo

from apps.restaurants import regions


def test_there_are_forty_four_countries_the_six_first_and_the_others_by_name():
    assert len(regions.COUNTRIES) == 44
    assert [each.name for each in regions.COUNTRIES[:6]] == [
        "United States",
        "Canada",
        "United Kingdom",
        "France",
        "Germany",
        "India",
    ]
    others = [each.name for each in regions.COUNTRIES[6:]]
    assert others == sorted(others)
    assert len({each.code for each in regions.COUNTRIES}) == 44


def test_a_country_shows_its_flag():
    assert regions.COUNTRIES[0].display_name == "🇺🇸 United States"
    assert all(len(each.code) == 2 for each in regions.COUNTRIES)


def test_there_are_fifty_states_in_order():
    assert len(regions.US_STATES) == 50
    assert sorted(set(regions.US_STATES)) == regions.US_STATES


def test_the_time_zones_are_the_six_and_real():
    assert list(regions.TIMEZONES.items()) == [
        ("America/New_York", "Eastern"),
        ("America/Chicago", "Central"),
        ("America/Denver", "Mountain"),
        ("America/Los_Angeles", "Pacific"),
        ("America/Anchorage", "Alaska"),
        ("Pacific/Honolulu", "Hawaii"),
    ]
    assert all(ZoneInfo(zone) for zone in regions.TIMEZONES)


def test_a_form_gets_all_of_them():
    choices = regions.region_choices()
    assert choices["countries"][0] == {
        "code": "US",
        "name": "United States",
        "flag": "🇺🇸",
        "displayName": "🇺🇸 United States",
        "isPaid": True,
    }
    assert choices["states"] == regions.US_STATES
    assert choices["timezones"][0] == {
        "value": "America/New_York",
        "label": "Eastern (America/New_York)",
    }
