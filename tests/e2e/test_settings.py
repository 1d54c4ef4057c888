"""Owners change their restaurant's profile, marketing, and plan, on a phone and on a desktop."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from stripe import StripeClient

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually, glimpse

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SAVED = re.compile(r"^All changes saved at \d+:\d\d [AP]M$")


@pytest.fixture(params=[True, False], ids=["phone", "desk"])
def owner(request: pytest.FixtureRequest, visitor: Visitor, stack: Stack) -> Page:
    """The owner of a restaurant of their own, new to the settings."""
    page = visitor(phone=request.param)
    email = onboarding.new_email("sofia")
    onboarding.open_account(page.context, stack, email, name="Sofia Settings")
    return page


def leave(page: Page, label: str | re.Pattern[str], value: str) -> None:
    field = page.get_by_label(label)
    field.fill(value)
    field.press("Tab")


def profile(page: Page, stack: Stack) -> dict[str, Any]:
    answer = page.request.get(stack.url("/api/restaurant/profile"))
    found: dict[str, Any] = answer.json()
    return found


def stored(page: Page, stack: Stack, *names: str) -> tuple[Any, ...]:
    found = profile(page, stack)
    return tuple(found[name] for name in names)


def test_three_sections_are_worked_through_and_get_their_checks(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/restaurant/settings"))
    expect(owner.get_by_text("Welcome, Sofia Settings")).to_be_visible()
    expect(owner.get_by_role("link", name="Upgrade", exact=True)).to_have_attribute(
        "href", "/subscribe"
    )
    section = owner.get_by_role("button", name=re.compile("Restaurant Profile"))
    expect(section).to_have_accessible_name("1 Restaurant Profile (not complete yet)")

    owner.get_by_label("Country").select_option(label="🇺🇸 United States")
    owner.get_by_label("State").select_option("New York")
    leave(owner, "Street address", "5 Elm Street")
    leave(owner, "City", "Hudson")
    leave(owner, re.compile("^Phone$"), "+1 518 555 0100")
    leave(owner, "Owner's name", "Sofia Settings")
    expect(section).to_have_accessible_name("Restaurant Profile (complete)")
    expect(owner.get_by_text(SAVED)).to_be_visible()
    place = ("country", "state", "city")
    eventually(lambda: stored(owner, stack, *place), ("US", "New York", "Hudson"))

    owner.get_by_label("Country").select_option(label="🇫🇷 France")
    owner.get_by_label("Country").press("Tab")
    expect(owner.get_by_label("State")).to_have_count(0)
    eventually(lambda: profile(owner, stack)["state"], "")

    owner.goto(stack.url("/restaurant/settings?section=marketing"))
    expect(owner.get_by_label("City")).to_be_hidden()
    owner.get_by_label("Instagram").fill("https://www.instagram.com/sofias/")
    owner.get_by_role("button", name="Save Social Media Links").click()
    expect(owner.get_by_text("Social media links updated successfully").first).to_be_visible()
    expect(owner.get_by_label("Instagram")).to_have_value("sofias")
    expect(owner.get_by_role("button", name="Marketing & Social Media (complete)")).to_be_visible()
    assert profile(owner, stack)["socialMediaLinks"] == {
        "instagram": "https://instagram.com/sofias"
    }


def test_what_was_typed_outlives_a_broken_connection(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/restaurant"))
    owner.get_by_role("button", name="Start").click()
    expect(owner.get_by_role("heading", name="Active Special Offers")).to_be_visible()
    owner.get_by_role("tab", name="Settings").click()
    expect(owner.get_by_label("City")).to_be_visible()
    owner.context.set_offline(True)
    leave(owner, "City", "Hudson")
    expect(owner.get_by_text("We couldn't reach the server").first).to_be_visible()
    expect(owner.get_by_label("City")).to_have_value("Hudson")
    # Another tab of the dashboard, and back.
    owner.get_by_role("tab", name="Specials").click()
    owner.get_by_role("tab", name="Settings").click()
    expect(owner.get_by_label("City")).to_have_value("Hudson")
    owner.context.set_offline(False)
    leave(owner, "Street address", "5 Elm Street")
    expect(owner.get_by_text(SAVED)).to_be_visible()
    eventually(lambda: stored(owner, stack, "city", "streetAddress"), ("Hudson", "5 Elm Street"))
    owner.get_by_label("Restaurant name").fill("Sofia's Table")
    owner.get_by_role("button", name="Save All Changes").click()
    eventually(lambda: profile(owner, stack)["name"], "Sofia's Table")
    expect(owner.get_by_text(SAVED)).to_be_visible()


def test_opening_hours_and_tax_reach_the_guests(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/restaurant/settings"))
    owner.get_by_role("button", name="Open on Friday").click()
    owner.get_by_label("Friday, opens").fill("17:00")
    owner.get_by_label("Friday, closes").fill("01:00")
    steps.expect_whole_times(owner.locator("input[type=time]"))
    leave(owner, "Sales tax (%)", "31")
    expect(owner.get_by_text("Sales tax must be between 0 and 30 percent.")).to_be_visible()
    leave(owner, "Sales tax (%)", "9.5")
    hours = {"friday": [{"opens": "17:00", "closes": "01:00"}]}
    eventually(lambda: stored(owner, stack, "taxRate", "hoursOfOperation"), ("9.50", hours))
    restaurant = profile(owner, stack)["id"]
    shown = owner.request.get(stack.url(f"/api/restaurant?rid={restaurant}")).json()
    assert shown["hoursOfOperation"] == hours


def test_a_note_for_guests_who_arrive_reaches_them(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/restaurant/settings"))
    note = owner.get_by_label("For guests who pick up")
    expect(note).to_have_attribute("maxlength", "160")
    leave(owner, "For guests who pick up", "Come to the\nside door.")
    eventually(lambda: stored(owner, stack, "pickupNote"), ("Come to the side door.",))
    expect(note).to_have_value("Come to the side door.")
    restaurant = profile(owner, stack)["id"]
    shown = owner.request.get(stack.url(f"/api/restaurant?rid={restaurant}")).json()
    assert (shown["pickupNote"], shown["dineInNote"]) == ("Come to the side door.", "")


@pytest.mark.provokes("answer 500: PUT .*/api/restaurant/settings")
def test_the_map_turns_at_once_and_back_when_it_is_not_saved(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/dashboard/marketing"))
    toggle = owner.get_by_role("switch", name="Show map on patron menu")
    toggle.check()
    expect(owner.get_by_text("Map display setting updated successfully")).to_be_visible()
    assert profile(owner, stack)["showMapOnPatronMenu"] is True

    def fail(route: Route) -> None:
        route.fulfill(status=500, body="")

    owner.route("**/api/restaurant/settings", fail)
    toggle.click()
    expect(owner.get_by_text("Failed to update map setting").first).to_be_visible()
    expect(toggle).to_be_checked()
    assert profile(owner, stack)["showMapOnPatronMenu"] is True


def test_the_tiers_are_compared_and_reckoned_with(stack: Stack, owner: Page) -> None:
    owner.goto(stack.url("/marketing-settings"))
    owner.get_by_role("tab", name="Tier").click()
    expect(owner.get_by_role("heading", name="Your plan: Free")).to_be_visible()
    expect(owner.get_by_text("$200 in sales gives a $10 fee")).to_be_visible()
    row = owner.get_by_role("row", name=re.compile(r"^\$2,000\+"))
    expect(row).to_have_text(re.compile(r"\$60.*\$100"))
    owner.get_by_label("Order total, tax included").fill("100")
    # 100.00 less 5 % less 4.9 % and 0.30.
    expect(owner.get_by_text("$89.80")).to_be_visible()
    # Where a subscription is sold, it is the way to the plan.
    owner.get_by_role("link", name="Upgrade to Branded Tier").click()
    owner.wait_for_url("**/subscribe")
    expect(owner.get_by_role("heading", name="Subscribe for $29.00 a month")).to_be_visible()


def test_branded_owners_see_their_subscription_and_open_its_bills(
    stack: Stack, owner: Page
) -> None:
    onboarding.upgrade(owner, stack)
    restaurant = profile(owner, stack)["id"]
    owner.goto(stack.url("/restaurant/settings"))
    expect(owner.get_by_role("heading", name="Branded Tier Settings")).to_be_visible()
    owner.get_by_role("tab", name="Subscription").click()
    expect(owner.get_by_text("Active", exact=True)).to_be_visible()
    expect(owner.get_by_role("button", name=re.compile("Manage Billing"))).to_have_count(0)

    processor = StripeClient(stack.stripe.secret_key, base_addresses={"api": stack.stripe.base_url})
    customer = processor.v1.customers.create({"email": "owner@bills.test"})
    stack.query(
        "UPDATE restaurants_restaurant SET payment_customer_id = %s WHERE id = %s",
        customer.id,
        restaurant,
    )
    owner.reload()
    owner.get_by_role("tab", name="Subscription").click()
    with owner.context.expect_page() as opened:
        owner.get_by_role("button", name=re.compile("Manage Billing")).click()
    opened.value.wait_for_url("**/p/session/**")
    expect(opened.value.get_by_text("owner@bills.test")).to_be_visible()
    expect(owner.get_by_role("tab", name="Subscription")).to_be_visible()


def test_who_comes_back_from_stripe_without_a_session_logs_in_again(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    page.goto(stack.url("/restaurant/settings?success=1"))
    expect(page.get_by_text("Log in again to finish your payment setup.")).to_be_visible()
    page.get_by_label("Email").fill(steps.OWNER[0])
    page.get_by_label("Password").fill(steps.OWNER[1])
    page.get_by_role("button", name="Sign in", exact=True).click()
    glimpse(page.get_by_text("Connect Setup Complete!"))
    page.wait_for_url("**/restaurant")
