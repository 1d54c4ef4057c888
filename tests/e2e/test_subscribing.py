"""Plans: a visitor's first month with every kind of card, its bills, and changing the plan."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
DECLINED = "4000000000000002"
ASKS = "4000000000003220"


def to_payment(page: Page, stack: Stack, restaurant: str) -> str:
    """Enter everything up to the payment; returns the email."""
    email = onboarding.new_email("subscriber")
    page.goto(stack.url("/subscribe"))
    expect(page.get_by_role("heading", name="Subscribe for $29.00 a month")).to_be_visible()
    page.get_by_label("Email").fill(email)
    page.get_by_label("Restaurant name").fill(restaurant)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continue to payment").click()
    return email


def pay(page: Page, number: str) -> None:
    fields = page.frame_locator("[data-ready] iframe")
    fields.get_by_label("Card number").fill(number)
    fields.get_by_label("Expiry").fill("12 / 40")
    fields.get_by_label("CVC").fill("123")
    page.get_by_role("button", name="Pay $29.00").click()


def see_subscription(page: Page, stack: Stack) -> None:
    page.wait_for_url("**/restaurant")
    page.goto(stack.url("/restaurant/settings"))
    page.get_by_role("tab", name="Subscription").click()
    expect(page.get_by_text("Active", exact=True)).to_be_visible()
    expect(page.get_by_text("$29.00 a month, charged next on")).to_be_visible()


def has_invoice(stack: Stack, email: str) -> bool:
    return bool(
        stack.query(
            "SELECT 1 FROM billing_subscriptionsignup WHERE email = %s AND invoiced_at IS NOT NULL",
            email,
        )
    )


def test_a_visitor_pays_a_month_sees_its_bill_and_cancels(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    email = to_payment(page, stack, "Subscribed Trattoria")
    pay(page, steps.GOOD)
    see_subscription(page, stack)
    eventually(lambda: has_invoice(stack, email), True)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Manage Billing").click()
    portal = opened.value
    expect(portal.get_by_text("$29.00 · paid")).to_be_visible()
    portal.get_by_role("link", name="Go back").click()
    expect(portal.get_by_text("$29.00 a month, charged next on")).to_be_visible()
    portal.close()
    page.get_by_role("button", name="Cancel subscription").click()
    expect(page.get_by_text("You canceled. Your subscription runs until")).to_be_visible()
    expect(page.get_by_role("button", name="Resume subscription")).to_be_visible()


def test_a_declined_card_is_said_and_one_that_its_bank_asks_about_pays(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    to_payment(page, stack, "Second Card Bistro")
    pay(page, DECLINED)
    expect(page.get_by_text("Your card was declined.")).to_be_visible()
    pay(page, ASKS)
    bank = page.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name="Complete authentication").click()
    see_subscription(page, stack)


def test_a_tab_that_is_closed_after_paying_costs_nobody_a_restaurant(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    page.route("**/api/restaurant/register", lambda route: None)  # never answered
    email = to_payment(page, stack, "Closed Tab Bistro")
    with page.expect_request("**/api/restaurant/register"):
        pay(page, steps.GOOD)
    page.close()
    found = (
        "SELECT name, subscription_tier FROM restaurants_restaurant"
        " WHERE billing_email = %s AND has_subscription"
    )
    eventually(lambda: stack.query(found, email), [("Closed Tab Bistro", "branded")])
    onboarding.link_to(stack, email, part="password")


def test_an_owner_upgrades_and_changes_back_with_the_month(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    email = onboarding.new_email("upgrader")
    onboarding.open_account(page.context, stack, email, name="Two Plans")
    stack.query(
        "UPDATE restaurants_restaurant SET onboarding_completed = true WHERE email = %s", email
    )
    page.goto(stack.url("/tier-selection"))
    onboarding.choose_plan(page, "Branded")
    page.wait_for_url("**/branded-setup")
    page.goto(stack.url("/restaurant/tiers"))
    branded = page.get_by_role("region", name="Branded", exact=True)
    expect(branded.get_by_text("Current plan")).to_be_visible()
    page.get_by_role("button", name="Change to the Free plan").click()
    effects = page.get_by_role("dialog", name="Change to the Free plan?")
    expect(effects.get_by_text("Sales analytics will close.")).to_be_visible()
    effects.get_by_role("button", name="Change to Free").click()
    expect(page.get_by_text("You'll change to the Free plan on")).to_be_visible()
    expect(branded.get_by_text("Current plan")).to_be_visible()  # until then
    page.get_by_role("button", name="Stay on Branded").click()
    expect(page.get_by_role("button", name="Change to the Free plan")).to_be_visible()
