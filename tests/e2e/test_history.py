"""Looking back: the history's order, and a past special published again or put on the menu."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
PAST = "Margherita Night"  # of the demo: it went ahead


def names_of(page: Page) -> list[str]:
    return page.locator("tbody .font-title").all_inner_texts()


def sort_button(page: Page, name: str, *, phone: bool) -> None:
    place = page.get_by_role("group", name="Sort by") if phone else page.get_by_role("columnheader")
    place.get_by_role("button", name=re.compile(f"^{name}")).click()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_the_history_is_sorted_and_a_special_is_published_again(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    steps.open_dashboard(page, stack)
    page.get_by_role("tab", name="History").click()
    expect(page.get_by_role("heading", name="Special Offers History")).to_be_visible()
    expect(page.locator("tbody .font-title").first).to_be_visible()
    entered = names_of(page)
    sort_button(page, "Name", phone=phone)
    by_name = sorted(entered, key=str.lower)
    eventually(lambda: names_of(page), by_name)
    sort_button(page, "Name", phone=phone)
    eventually(lambda: names_of(page), by_name[::-1])
    sort_button(page, "Created", phone=phone)
    eventually(lambda: names_of(page), entered[::-1])

    page.get_by_role("button", name=f"Re-deploy {PAST}").click()
    dialog = page.get_by_role("dialog", name="Re-deploy special offer")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value(PAST)
    now = datetime.now(steps.LUIGIS_ZONE)
    name = f"{PAST} again on {'a phone' if phone else 'a desk'}"
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Your new special offer is now live.")).to_be_visible()
    # Large enough for a thumb: https://www.w3.org/TR/WCAG22/#target-size-minimum
    close = page.get_by_role("button", name="Close toast").bounding_box()
    assert close is not None
    assert min(close["width"], close["height"]) >= 24
    expect(page.get_by_role("link", name="View guest page")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Active Special Offers")).to_be_visible()
    expect(page.get_by_text(name, exact=True).first).to_be_visible()
    # Its next weekday, and no longer than holds last.
    query = "SELECT deadline FROM offers_specialoffer WHERE name = %s ORDER BY created_at DESC"
    [(deadline,)] = stack.query(query, name)
    assert timedelta() < deadline - now <= timedelta(days=7)


def test_repeating_a_special_from_its_page_opens_the_form_once(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor(phone=True)
    steps.sign_in(page, stack)
    page.goto(stack.url("/specials/history"))
    page.get_by_role("button", name=f"Re-deploy {PAST}").click()
    page.wait_for_url("**/restaurant?tab=specials")
    dialog = page.get_by_role("dialog", name="Re-deploy special offer")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value(PAST)
    page.reload()
    expect(page.get_by_role("heading", name="Active Special Offers")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_a_dish_goes_on_the_menu_once(stack: Stack, visitor: Visitor) -> None:
    page = visitor()
    steps.sign_in(page, stack)
    page.goto(stack.url("/specials/history"))
    button = page.get_by_role("button", name=f"Add to menu: {PAST}")
    button.click()
    expect(page.get_by_text(f'"{PAST}" has been added to your regular menu.')).to_be_visible()
    button.click()
    expect(page.get_by_text(f'"{PAST}" is already on your regular menu.')).to_be_visible()
    page.goto(stack.url("/restaurant/menu"))
    expect(page.get_by_text(PAST, exact=True)).to_have_count(1)


def test_what_cannot_be_loaded_can_be_tried_again(stack: Stack, visitor: Visitor) -> None:
    page = visitor()
    steps.open_dashboard(page, stack)
    page.route("**/api/specials/history*", lambda route: route.abort())
    page.get_by_role("tab", name="History").click()
    expect(page.get_by_text("Failed to load special offers history")).to_be_visible()
    page.unroute("**/api/specials/history*")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_text(PAST, exact=True).first).to_be_visible()
