"""Staff see a restaurant as its owner does, once the owner allows it, and change nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps, steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
STAFF, PASSWORD = "admin@demo.test", "demo-admin-1"


def test_a_support_visit_needs_consent_and_changes_nothing(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    staff, owner = visitor(), visitor(phone=True)
    # A session of their own: a visit belongs to it.
    onboarding_steps.sign_in(staff, stack, STAFF, PASSWORD)
    staff.wait_for_url(lambda url: "/login" not in url)
    staff.goto(stack.url("/staff/data/restaurants/restaurant/?q=luigis"))
    staff.get_by_role("link", name="Luigi's").click()
    staff.get_by_role("link", name="Support visits").first.click()
    staff.get_by_label("Why you want to look").fill("You asked about your payouts")
    staff.get_by_role("button", name="Ask the owner").click()
    start = staff.get_by_role("button", name="Start visit").first
    expect(start).to_be_disabled()

    steps.sign_in(owner, stack)
    owner.goto(stack.url("/restaurant/security"))
    expect(owner.get_by_text("You asked about your payouts").first).to_be_visible()
    owner.get_by_role("button", name="Turn on support access").click()
    expect(owner.get_by_text("Support access is on.")).to_be_visible()

    staff.reload()
    start.click()
    banner = staff.get_by_role("region", name="Support visit")
    expect(banner).to_contain_text("Luigi's")
    staff.goto(stack.url("/restaurant/security"))
    expect(banner).to_be_visible()
    staff.get_by_role("button", name="Require it for everyone").click()
    expect(staff.get_by_text("You can't change anything during a support visit.")).to_be_visible()

    owner.get_by_role("button", name="Turn off support access").click()
    staff.goto(stack.url("/account"))
    expect(banner).to_be_hidden()
    owner.goto(stack.url("/restaurant/activity"))
    expect(owner.get_by_text("Support visit ended").first).to_be_visible()
