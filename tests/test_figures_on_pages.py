"""Every figure of a plan or a fee that a page or an email states comes from the settings.

Each is rendered under two fee schedules that have no figure in common. A figure that appears under
both is hard-coded, unless it is one of the examples listed here. For what scripts render,
frontend/src/app/plan-figures.test.tsx does the same.
"""

import json
import re
from typing import Any

import pytest
from django.core import mail

from apps.common import rls
from apps.restaurants.emails import send_plan_changed_email
from apps.restaurants.models import Restaurant
from tests.caching import forget_everything
from tests.conftest import Cast
from tests.pages import props_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]

USUAL = {
    "FREE_OFFERS_PER_MONTH": 10,
    "FREE_REVENUE_SHARE_RATE": "3.00",
    "BRANDED_REVENUE_SHARE_RATE": "5.00",
    "PROCESSING_FEE_RATE": "4.90",
    "PROCESSING_FEE_FIXED_CENTS": {"usd": 30},
}
OTHER = {
    "FREE_OFFERS_PER_MONTH": 4,
    "FREE_REVENUE_SHARE_RATE": "2.75",
    "BRANDED_REVENUE_SHARE_RATE": "8.25",
    "PROCESSING_FEE_RATE": "3.10",
    "PROCESSING_FEE_FIXED_CENTS": {"usd": 47},
}
# Amounts, rates, numbers of specials, and their ordinals in words.
FIGURE = re.compile(
    r"\$[\d,]+(?:\.\d\d)?|\d+(?:\.\d+)?%|\b\d+ (?:free )?(?:special|offer)s?\b"
    r"|\bfirst (?:\d+|ten)\b|\b(?:tenth|eleventh|ten specials)\b",
    re.IGNORECASE,
)
# The landing page's special to play with, the order whose fees it computes, and no fee at all.
LANDING_EXAMPLES = {"$24.00", "$32.00", "25%", "$48.00", "0%", "$0.00"}
# Sales so far, and what a new restaurant can sell until its first payout: no fees.
NO_FEES = {"$0.00", "$5,000.00"}
PUBLIC = {"/": LANDING_EXAMPLES, "/terms": set()}
OWNERS = [
    "/tier-selection",
    "/restaurant/tiers",
    "/restaurant/stripe-management",
    "/restaurant/settings",
    "/marketing-settings",
    "/free-tier-dashboard",
    "/free-tier-quick-start",
    "/restaurant",
]


@pytest.fixture
def with_fees(settings: Any) -> Any:
    def configure(schedule: dict[str, Any]) -> None:
        for name, value in schedule.items():
            original = getattr(settings, name)
            setattr(settings, name, type(original)(value))
        forget_everything()

    return configure


def figures(text: str) -> set[str]:
    return {found.lower() for found in FIGURE.findall(text)}


def both(with_fees: Any, read: Any) -> tuple[set[str], set[str]]:
    """The figures of what `read` reads, under each of the schedules."""
    found = []
    for schedule in (USUAL, OTHER):
        with_fees(schedule)
        found.append(figures(read()))
    return found[0], found[1]


@pytest.mark.parametrize("path", PUBLIC)
def test_no_figure_of_a_public_page_is_written_down(api: Any, with_fees: Any, path: str) -> None:
    usual, other = both(with_fees, lambda: text_of(api().get(path, follow=True)))
    assert {"3%", "5%", "4.9%", "$0.30"} <= usual
    assert {"2.75%", "8.25%", "3.1%", "$0.47"} <= other
    assert usual & other == PUBLIC[path]


@pytest.mark.parametrize("path", OWNERS)
@pytest.mark.parametrize("tier", ["free", "branded"])
def test_no_figure_of_an_owners_page_is_written_down(
    api: Any, cast: Cast, with_fees: Any, path: str, tier: str
) -> None:
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(
        subscription_tier=tier, onboarding_completed=True
    )
    client = api(cast.owner)

    def read() -> str:
        response = client.get(path)
        return text_of(response) + json.dumps(props_of(response), ensure_ascii=False)

    usual, other = both(with_fees, read)
    assert usual & other <= NO_FEES


def test_plan_and_fee_pages_state_the_figures_of_the_schedule(
    api: Any, cast: Cast, with_fees: Any
) -> None:
    with_fees(OTHER)
    client = api(cast.owner)
    free, branded = props_of(client.get("/tier-selection"))["tiers"]
    assert "first 4 specials" in free["price"]
    assert "2.75% of each order" in free["points"][0]
    assert "8.25% of each order" in branded["price"]
    assert [free["share"], branded["share"]] == ["2.75", "8.25"]
    assert "3.1% + $0.47" in props_of(client.get("/tier-selection"))["processing"]
    assert props_of(client.get("/restaurant/tiers"))["fees"] == {
        "freeRate": 275,
        "brandedRate": 825,
        "monthlyFee": "",
        "processingRate": 310,
        "processingFixedCents": 47,
        "freeOffers": 4,
    }
    fee = props_of(client.get("/restaurant/stripe-management"))["fee"]
    assert fee == "3.1% + $0.47 per successful transaction"
    plan = props_of(client.get("/restaurant"))["restaurant"]["freePlan"]
    assert plan == {"offersPerMonth": 4, "laterShare": "2.75%"}


@pytest.mark.parametrize("tier", ["free", "branded"])
def test_no_figure_of_an_email_is_written_down(with_fees: Any, cast: Cast, tier: str) -> None:
    cast.restaurant.subscription_tier = tier

    def read() -> str:
        mail.outbox.clear()
        with rls.acting_as(rls.PLATFORM):
            send_plan_changed_email(cast.restaurant, to="owner@luigis.test")
        return str(mail.outbox[0].body)

    usual, other = both(with_fees, read)
    assert ("3%" if tier == "free" else "5%") in usual
    assert usual & other == set()


def test_the_examples_are_computed_with_the_schedule(api: Any, with_fees: Any) -> None:
    with_fees(OTHER)
    page = text_of(api().get("/"))
    # $48.00: 8.25 % are $3.96; 3.1 % are $1.49, and $0.47 are added.
    for amount in ("8.25%, $3.96", "$1.96", "$42.08"):
        assert amount in page
