"""Visits are counted once and without a cookie; a paid plan shows what they led to."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_an_owner_reads_a_periods_figures_as_charts_tables_and_a_file(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    steps.sign_in(page, stack, steps.BRANDED)
    page.goto(stack.url("/restaurant/analytics"))
    expect(page.get_by_role("heading", name="Analytics")).to_be_visible()
    expect(page.locator(".recharts-surface").first).to_be_visible()
    expect(page.get_by_role("heading", name="By special")).to_be_visible()
    page.get_by_role("button", name="Show table: Orders").click()
    rows = page.get_by_role("region", name="Orders by the day").locator("tbody tr")
    expect(rows).to_have_count(30)

    with page.expect_response("**/api/analytics?*") as asked:
        page.get_by_role("button", name="7 days").click()
    assert asked.value.status == 200
    expect(rows).to_have_count(7)
    page.get_by_role("button", name="Custom").click()
    last = date.fromisoformat(page.get_by_label("To", exact=True).input_value())
    page.get_by_label("From", exact=True).fill((last - timedelta(days=300)).isoformat())
    weekly = page.get_by_role("region", name="Orders by the week").locator("tbody tr")
    expect(weekly).to_have_count(43)
    with page.expect_download() as file:
        page.get_by_role("button", name="CSV").click()
    text = file.value.path().read_text("utf-8-sig")
    assert text.startswith("Week from,Visits,Orders,Portions,Conversion %,Revenue,Payout")
    assert "\nSpecial,Serve date,Visits" in text


def test_the_free_plan_sees_made_up_figures_that_say_so(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    steps.open_dashboard(page, stack)
    page.get_by_role("tab", name="History").click()
    page.get_by_role("link", name="Analytics").click()
    expect(page.get_by_text("Analytics are part of the Branded plan.")).to_be_visible()
    expect(page.get_by_text("Sample data", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Upgrade to Branded")).to_be_visible()


def test_a_visit_counts_once_in_a_session(stack: Stack, visitor: Visitor) -> None:
    [(offer,)] = stack.query(
        "SELECT id FROM offers_specialoffer WHERE name = 'Osso Buco alla Milanese'"
    )
    page = visitor()
    seen: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/seen"):
            seen.append(request.url)

    page.on("request", note)
    link = stack.url(f"/specials/{offer}", restaurant="luigis")
    with page.expect_response("**/seen") as answered:
        page.goto(link)
    assert answered.value.status == 204
    page.reload()
    page.goto(f"{link}?preview=1")
    page.wait_for_load_state("networkidle")
    assert len(seen) == 1
    assert page.context.cookies(link) == []
