"""Setting up the payment account on the payment provider's pages: complete, pending, and left
halfway."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]

COMPLETE, PENDING, LEAVE = "Complete onboarding", "Submit, verification pending", "Save for later"
GUEST = "emma@guests.test"
SIZES = pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])


def newcomer(page: Page, stack: Stack, name: str) -> str:
    """An owner with a confirmed address, on the dashboard for the first time; returns the
    restaurant's email."""
    email = onboarding.new_email(name)
    onboarding.open_account(page.context, stack, email, name=name.title(), confirmed=True)
    page.goto(stack.url("/restaurant"))
    welcome = page.get_by_role("dialog", name="How To Get Fully Booked")
    welcome.get_by_role("button", name="Start").click()
    expect(welcome).to_be_hidden()
    expect(page.get_by_role("heading", name="Set up your restaurant")).to_be_visible()
    return email


def at_the_processor(page: Page, choice: str) -> str:
    """Choose how the setup on the provider's pages ends; returns the address of its page."""
    expect(page.get_by_role("heading", name=re.compile("ready for payments"))).to_be_visible()
    address = page.url
    page.get_by_role("button", name=choice).click()
    return address


def account_of(stack: Stack, email: str) -> tuple[str, bool]:
    """The payment account's id, and whether the restaurant's setup counts as complete."""
    [(account, complete)] = stack.query(
        "SELECT account.account_id, restaurant.stripe_completed FROM billing_connectaccount account"
        " JOIN restaurants_restaurant restaurant ON restaurant.id = account.restaurant_id"
        " WHERE restaurant.email = %s",
        email,
    )
    return account, complete


def indicators(page: Page) -> list[str]:
    card = page.get_by_role("region", name="Your Stripe account")
    return [each.strip() for each in card.locator("dd").all_inner_texts()]


@SIZES
def test_an_owner_connects_an_account_from_the_checklist(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    email = newcomer(page, stack, "connie")
    card = page.get_by_role("region", name="Set up your restaurant")
    expect(card.get_by_text("0 of 3 steps done")).to_be_visible()
    card.get_by_role("button", name="Continue to Stripe Setup").click()
    at_the_processor(page, COMPLETE)
    expect(page.get_by_text("Connect Setup Complete!")).to_be_visible()
    page.wait_for_url("**/restaurant")  # the query is cleared
    expect(page.get_by_text("Pre-orders are not open yet.")).to_be_hidden()
    expect(card.get_by_text("1 of 3 steps done")).to_be_visible()
    assert card.get_by_role("progressbar").get_attribute("aria-valuenow") == "33"
    eventually(lambda: account_of(stack, email)[1], True)

    page.goto(stack.url("/restaurant/stripe-management"))
    eventually(lambda: indicators(page), ["Complete", "Enabled", "Enabled"])
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open Stripe Dashboard").click()
    expect(opened.value.get_by_text(account_of(stack, email)[0])).to_be_visible()


@SIZES
def test_an_owner_leaves_the_setup_returns_and_completes_it(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    email = newcomer(page, stack, "penny")
    page.goto(stack.url("/restaurant/stripe-management"))
    expect(page.get_by_text("4.9% + $0.30 per successful transaction")).to_be_visible()
    page.get_by_role("button", name="Continue to Stripe Setup").click()
    link = at_the_processor(page, LEAVE)
    expect(page.get_by_text("Data refreshed")).to_be_visible()
    page.wait_for_url("**/restaurant/stripe-management")
    expect(page.get_by_text("Setup In Progress", exact=True)).to_be_visible()
    eventually(lambda: indicators(page), ["Pending", "Disabled", "Disabled"])
    expect(page.get_by_text("A bank account or debit card for payouts")).to_be_visible()

    # A link works once: the payment provider sends the owner back for another one.
    page.goto(link)
    expect(page.get_by_text("Data refreshed")).to_be_visible()
    page.wait_for_url("**/restaurant/stripe-management")

    page.get_by_role("button", name="Continue Stripe Setup").click()
    at_the_processor(page, PENDING)
    expect(page.get_by_text("Connect Setup Complete!")).to_be_visible()
    page.wait_for_url("**/restaurant/stripe-management")
    expect(page.get_by_text("Stripe is reviewing your details").first).to_be_visible()
    eventually(lambda: indicators(page), ["Complete", "Disabled", "Disabled"])
    account, complete = account_of(stack, email)
    assert complete is False

    # On every other page the owner is told so.
    page.goto(stack.url("/restaurant/team"))
    banner = page.get_by_role("complementary", name="Payment setup")
    expect(banner.get_by_text("Stripe is reviewing your details")).to_be_visible()
    banner.get_by_role("link", name="View details").click()

    # Stripe is done; the page hears of it when its tab is looked at again.
    stack.stripe.control(onboard=account)
    eventually(lambda: account_of(stack, email)[1], True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    eventually(lambda: indicators(page), ["Complete", "Enabled", "Enabled"])


def test_the_banners_button_leads_on_without_a_script(stack: Stack, visitor: Visitor) -> None:
    page = visitor()
    newcomer(page, stack, "nora")
    plain = visitor(java_script=False)
    plain.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    plain.goto(stack.url("/restaurant/team"))
    plain.get_by_role("button", name="Continue to Stripe Setup").click()
    at_the_processor(plain, COMPLETE)
    plain.wait_for_url("**/restaurant/stripe-management?success=1*")
    plain.goto(stack.url("/restaurant/team"))
    eventually(lambda: _has_banner(plain), False)


def _has_banner(page: Page) -> bool:
    page.reload()
    return page.get_by_text("Pre-orders are not open yet.").is_visible()


@pytest.mark.provokes("answer 50[023]: POST .*/api/(connect-onboarding|stripe/onboarding)")
@SIZES
def test_what_does_not_work_is_said_where_it_was_pressed(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    newcomer(page, stack, "frances")
    page.goto(stack.url("/restaurant/stripe-management"))
    stack.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/account_links"})
    page.get_by_role("button", name="Continue to Stripe Setup").click()
    expect(page.get_by_text("Connection Failed")).to_be_visible()
    wrong = page.get_by_role("alert")
    expect(wrong.get_by_text("Failed to connect to Stripe. Please try again.")).to_be_visible()
    page.route("**/api/connect-onboarding", lambda route: route.abort())
    page.get_by_role("button", name="Continue to Stripe Setup").click()
    expect(page.get_by_text("Connection Error")).to_be_visible()
    page.unroute("**/api/connect-onboarding")
    page.get_by_role("button", name="Continue to Stripe Setup").click()
    at_the_processor(page, LEAVE)

    page.get_by_role("button", name="Open Stripe Dashboard").click()
    expect(page.get_by_text("Onboarding Required")).to_be_visible()


def test_onboarding_opens_in_a_new_tab_where_that_is_asked_for(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    newcomer(page, stack, "tabitha")
    page.goto(stack.url("/restaurant/stripe-management"))
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open it in a new tab").click()
    at_the_processor(opened.value, COMPLETE)
    opened.value.wait_for_url("**/restaurant/settings*")
    assert page.url.endswith("/restaurant/stripe-management")


@SIZES
def test_the_hub_leads_everywhere_and_dashboard_leads_by_tier(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    steps.sign_in(page, stack)
    page.goto(stack.url("/dashboard"))
    page.wait_for_url("**/free-tier-dashboard")
    expect(page.get_by_text(re.compile(r"of 10 free offers used"))).to_be_visible()
    expect(page.get_by_text("Next deadline")).to_be_visible()
    for name in ("Quick Start", "Settings", "Payments", "Plans and fees"):
        expect(page.get_by_role("link", name=re.compile(f"^{name}"))).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Payments").click()
    page.wait_for_url("**/restaurant/stripe-management")
    page.get_by_role("link", name="Back to Dashboard").click()
    page.wait_for_url("**/restaurant")
    page.get_by_role("button", name="More").press("Enter")
    page.get_by_role("menuitem", name="Account").press("Enter")
    page.wait_for_url("**/account")


def test_a_restaurant_in_euros_is_paid_in_euros(stack: Stack, visitor: Visitor) -> None:
    owner = visitor()
    newcomer(owner, stack, "eva")
    card = owner.get_by_role("region", name="Set up your restaurant")
    card.get_by_role("button", name="Continue to Stripe Setup").click()
    at_the_processor(owner, COMPLETE)
    owner.wait_for_url("**/restaurant")
    owner.goto(stack.url("/restaurant/settings"))
    owner.get_by_label("Currency").select_option("eur")
    owner.get_by_label("Currency").press("Tab")
    expect(owner.get_by_text(re.compile("^All changes saved at"))).to_be_visible()
    owner.goto(stack.url("/restaurant?tab=specials"))
    link = steps.publish(owner, "Bouillabaisse", minimum=1)

    guest = visitor(phone=True)
    guest.goto(link)
    form = steps.open_form(guest)
    form.get_by_label("Portions").fill("2")
    expect(form.locator(".sum [data-total]")).to_have_text("€38.88")
    steps.fill_order(guest, link, GUEST, portions=2)
    expect(guest.get_by_text("€38.88").first).to_be_visible()  # at the processor
    steps.give_card(guest, steps.GOOD)
    special = steps.offer_id(link)
    eventually(lambda: stack.orders(special), [(GUEST, "pending", "authorized")])
    stack.bring_deadline(special, seconds=1)
    eventually(lambda: stack.orders(special), [(GUEST, "confirmed", "captured")])
    eventually(lambda: len(stack.emails(to=GUEST)), 2)
    for email in stack.emails(to=GUEST):
        said = onboarding.words_in(email)
        assert "2 portions, €38.88 with tax" in said
        assert "$" not in said

    guest.goto(guest.url)
    expect(guest.get_by_text("We charged your card €38.88").first).to_be_visible()
    owner.goto(stack.url("/restaurant?tab=orders"))
    expect(owner.get_by_text("€38.88").first).to_be_visible()
    owner.goto(stack.url("/restaurant/settings"))
    expect(owner.get_by_text("You can't change the currency")).to_be_visible()
    expect(owner.get_by_role("combobox", name="Currency")).to_be_hidden()
