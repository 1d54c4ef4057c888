"""From the start page to a restaurant that answers, and what an email's link can do."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
INVALID = "Invalid Confirmation Link"


def test_newcomer_walks_the_free_wizard_to_a_restaurant_that_answers(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor(phone=True)
    onboarding.confirm(page, stack, onboarding.new_email("nora"))
    onboarding.see_plans(page)
    onboarding.choose_plan(page, "Free")
    page.wait_for_url("**/launch-setup")
    onboarding.name_restaurant(page, "Nora's Table")

    # Checked while it is typed: taken, reserved, malformed, free.
    onboarding.type_address(page, "luigis")
    expect(page.get_by_text("Subdomain is not available or invalid.")).to_be_visible()
    expect(page.get_by_role("button", name="Save and continue")).to_be_disabled()
    page.get_by_role("button", name="luigis-").click()
    expect(page.get_by_text("is available")).to_be_visible()
    onboarding.type_address(page, "admin")
    expect(page.get_by_role("button", name="Save and continue")).to_be_disabled()
    onboarding.type_address(page, "no")
    expect(page.get_by_role("button", name="Save and continue")).to_be_disabled()
    onboarding.save_address(page, stack, "noras-table")

    expect(page.get_by_role("heading", name="Nora's Table is ready")).to_be_visible()
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Password must be at least 8 characters long.").first).to_be_visible()
    page.get_by_label("Password", exact=True).fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password is set.")).to_be_visible()
    onboarding.go_to_work(page)
    expect(page.get_by_role("heading", level=1, name="Nora's Table")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Nora's Table")).to_be_visible()

    guest = visitor()
    answer = guest.goto(stack.url("/specials", restaurant="noras-table"))
    assert answer is not None
    assert answer.status == 200
    expect(guest.get_by_text("Nora's Table").first).to_be_visible()


def test_newcomer_walks_the_branded_wizard_to_its_end(stack: Stack, visitor: Visitor) -> None:
    page = visitor()
    onboarding.confirm(page, stack, onboarding.new_email("bruno"))
    onboarding.see_plans(page)
    onboarding.choose_plan(page, "Branded")
    page.wait_for_url("**/branded-setup")
    onboarding.name_restaurant(page, "Bruno's Grill")
    onboarding.save_address(page, stack, "brunos-grill")

    embedded = stack.url("/embed", restaurant="brunos-grill")
    expect(page.locator("pre.code")).to_contain_text(f"{embedded}.js")
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Code copied!").first).to_be_visible()
    assert embedded in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Bruno's Grill is ready")).to_be_visible()
    # The browser's own way back goes one step back, and forth again.
    page.go_back()
    expect(page.locator("pre.code")).to_be_visible()
    page.go_forward()
    onboarding.go_to_work(page)
    expect(page.get_by_role("heading", level=1, name="Bruno's Grill")).to_be_visible()
    answer = visitor().goto(embedded)
    assert answer is not None
    assert answer.status == 200


def test_link_works_once_and_for_a_day(stack: Stack, visitor: Visitor) -> None:
    email = onboarding.new_email("vera")
    page = visitor()
    onboarding.ask_for_link(page, stack, email)
    link = onboarding.link_to(stack, email, part="/verify-email")

    wrong = link.replace("token=", "token=x")
    page.goto(wrong)
    expect(page.get_by_role("heading", name=INVALID)).to_be_visible()

    stack.query(
        "UPDATE accounts_emailconfirmation SET expires_at = now() - interval '1 second'"
        " WHERE email = %s",
        email,
    )
    page.goto(link)
    expect(page.get_by_role("heading", name=INVALID)).to_be_visible()
    assert stack.query("SELECT 1 FROM accounts_user WHERE email = %s", email) == []

    # A new email from the same page, and that link works: once.
    page.get_by_role("button", name="Resend verification email").click()
    expect(page.get_by_text(f"We sent a new link to {email}.")).to_be_visible()
    fresh = onboarding.newer_link(stack, email, than=link)
    page.goto(fresh)
    page.wait_for_url(onboarding.AFTER_CONFIRMATION)
    second = visitor()
    second.goto(fresh)
    expect(second.get_by_role("heading", name=INVALID)).to_be_visible()
    second.goto(stack.url("/restaurant"))
    expect(second).to_have_url(stack.url("/?next=%2Frestaurant"))


def test_address_with_an_account_is_told_so_at_the_sign_in_and_by_email(
    stack: Stack, visitor: Visitor
) -> None:
    email = onboarding.new_email("rita")
    onboarding.confirm(visitor(), stack, email)
    page = visitor(phone=True)
    onboarding.ask_for_link(page, stack, email)
    expect(page.get_by_text("Email Already Registered")).to_be_visible()
    expect(page.get_by_label("Email", exact=True)).to_have_value(email)
    onboarding.link_to(stack, email, part="/login")
