"""The privacy page says what the retention rules do."""

from datetime import timedelta

import pytest

from apps.preorders.guest.erasure import CHECKOUTS_RETENTION
from apps.privacy.retention import RULES

DAY = timedelta(days=1)
SAID = {
    "Guests of orders: name, email, phone, special requests, the team's notes": (365 * DAY),
    "Waitlist entries": 30 * DAY,
    "Demo visitors' IP address and browser": 30 * DAY,
    "Demo visitors' email address": 180 * DAY,
    "Archive of registrations that were never completed": 180 * DAY,
}


@pytest.mark.django_db
def test_the_page_names_the_retention_that_the_job_applies(api):
    assert {each.data: each.retention for each in RULES if each.data in SAID} == SAID
    assert CHECKOUTS_RETENTION == 30 * DAY
    page = api().get("/privacy-policy").text
    for words in (
        "from an order a year after its serve date, and after 30 days if you never added a card",
        "We delete waitlist entries 30 days after the serve date",
        "browser names after 30 days, and their email addresses after 180 days",
        "delete their account on their account page",
    ):
        assert words in page


@pytest.mark.django_db
def test_it_says_so_in_spanish_too(api):
    page = api().get("/privacy-policy?lang=es").text
    assert "un año después del día del servicio" in page
