"""From a confirmed email to an announced special, on one page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack
from tests.e2e.waiting import glimpse

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
COMPOSERS = re.compile(r"https://(www\.)?(facebook|twitter|instagram)\.com/")


def open_card(page: Page, title: str) -> None:
    button = page.get_by_role("button", name=title)
    if button.get_attribute("aria-expanded") == "false":
        button.click()


@pytest.mark.provokes(f"request to another host: {COMPOSERS.pattern}")
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_newcomer_announces_a_special(stack: Stack, visitor: Visitor, phone: bool) -> None:
    page = visitor(phone=phone)
    page.context.route(
        COMPOSERS, lambda route: route.fulfill(body="<h1>Composer</h1>", content_type="text/html")
    )
    email = onboarding.new_email("quinn")
    onboarding.confirm(page, stack, email)
    expect(page.get_by_role("heading", level=1, name="Quick Start")).to_be_visible()
    expect(
        page.get_by_text("Create and announce your first special offer in minutes")
    ).to_be_visible()
    finish = page.get_by_role("button", name="Complete Setup & Go to Dashboard")
    expect(finish).to_be_disabled()

    page.get_by_label("Password", exact=True).fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Set Password").click()
    expect(page.get_by_role("button", name="Password Setup (complete)")).to_be_visible()
    expect(page.get_by_role("heading", name="Update Account Password")).to_be_visible()

    open_card(page, "Restaurant Profile & Web Address")
    name = page.get_by_label("Restaurant name")
    name.fill(f"Quinn's {'Phone' if phone else 'Desk'}")
    name.blur()
    expect(page.get_by_text(re.compile("^All changes saved at "))).to_be_visible()
    page.get_by_role("button", name="Edit web address").click()
    label = f"quinns-{'phone' if phone else 'desk'}"
    onboarding.type_address(page, label)
    expect(page.get_by_text(f"{label}.localhost:{stack.port} is available")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name=f"{label}.localhost")).to_be_visible()
    page.get_by_role("button", name="Learn about embedding").click()
    guide = page.get_by_role("dialog", name="Learn about embedding")
    expect(guide.locator("pre.code")).to_contain_text(f"{label}.localhost")
    guide.get_by_role("button", name="Close", exact=True).click()

    open_card(page, "Marketing & Social Media")
    page.get_by_label("Facebook").fill("quinns")
    page.get_by_role("button", name="Save Social Media Links").click()
    expect(page.get_by_role("button", name="Marketing & Social Media (complete)")).to_be_visible()
    open_card(page, "Payment Setup")
    expect(page.get_by_role("button", name="Continue to Stripe Setup")).to_be_visible()

    open_card(page, "Create Special Offers")
    page.get_by_role("button", name="Add Special Offer").click()
    form = page.get_by_role("dialog")
    expect(form.locator("input[type=file]")).to_have_count(0)
    form.get_by_label("Name").fill("Lentil stew")
    form.get_by_label("Regular price").fill("14")
    form.get_by_label("Special price").fill("9.50")
    form.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Special offer created! Now create your announcement.")).to_be_visible()

    # The announcement opens and writes itself; payments are not ready, and it does not pretend.
    text = page.get_by_label("Announcement message")
    expect(text).to_have_value(re.compile("^Coming up: Lentil stew at Quinn's"))
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Announce Everywhere").click()
    expect(opened.value).to_have_url(re.compile(r"^https://www\.facebook\.com/sharer/"))
    page.bring_to_front()
    expect(page.get_by_role("list", name="Posting status")).to_contain_text(" opened with your ")
    finish.click()
    glimpse(page.get_by_text("Announcement Ready!"))
    page.wait_for_url("**/free-tier-dashboard")


def test_who_is_not_signed_in_ends_at_the_settings_after_signing_in(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    page.goto(stack.url("/free-tier-quick-start"))
    expect(page).to_have_url(stack.url("/?next=%2Frestaurant%2Fsettings"))
    page.goto(stack.url("/login"))
    page.get_by_label("Email").fill("owner@demo.test")
    page.get_by_label("Password").fill("demo-owner-1")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/restaurant/settings")
