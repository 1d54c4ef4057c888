"""A restaurant's only owner deletes the account: after proving who they are, and for good."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
A_DAY = 24 * 60 * 60  # seconds


def status_of(page: Page, address: str) -> int:
    answer = page.goto(address)
    assert answer is not None
    return answer.status


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_sole_owner_proves_who_they_are_and_deletes_account_and_restaurant(
    stack: Stack, visitor: Callable[..., Page], phone: bool
) -> None:
    page, email = visitor(phone=phone), onboarding.new_email("dora")
    name = f"Dora's {'Phone' if phone else 'Desk'}"
    onboarding.open_account(page.context, stack, email, name=name)
    [(subdomain,)] = stack.query(
        "SELECT subdomain FROM restaurants_restaurant WHERE email = %s", email
    )
    home = stack.url("/specials", restaurant=subdomain)
    guest = visitor()
    assert status_of(guest, home) == 200

    # Signed in yesterday: who is at this browser now has to show it.
    [session] = [each["value"] for each in page.context.cookies() if each["name"] == "sessionid"]
    stack.age_proofs(session, seconds=A_DAY)
    page.goto(stack.url("/account"))
    page.get_by_role("link", name="Delete account…").click()
    expect(page.get_by_role("heading", level=1, name="Confirm it's you")).to_be_visible()
    page.get_by_label("Your password").fill("not-the-password")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("textbox", name="Your password")).to_have_attribute(
        "aria-invalid", "true"
    )
    page.get_by_label("Your password").fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_role("heading", level=1, name="Delete account")).to_be_visible()
    close = page.get_by_label(f"Close {name}")
    press = page.get_by_role("button", name="Delete account")
    # The browser sends nothing before both boxes are checked.
    page.get_by_label("Delete my account for good").check()
    press.click()
    expect(close).to_be_visible()
    assert stack.query("SELECT count(*) FROM accounts_user WHERE email = %s", email) == [(1,)]
    close.check()
    press.click()

    expect(page.get_by_role("heading", name="Your account was deleted")).to_be_visible()
    assert stack.query("SELECT count(*) FROM accounts_user WHERE email = %s", email) == [(0,)]
    assert stack.query(
        "SELECT status FROM restaurants_restaurant WHERE subdomain = %s", subdomain
    ) == [("inactive",)]
    assert status_of(guest, home) == 404
    eventually(lambda: any("account was deleted" in text for text in stack.emails(to=email)), True)
    page.goto(stack.url("/restaurant"))
    expect(page).to_have_url(stack.url("/?next=%2Frestaurant"))
    onboarding.sign_in(page, stack, email)
    expect(page.get_by_text("Invalid email or password").first).to_be_visible()
