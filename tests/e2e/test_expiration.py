"""The staff's page of expiration management, on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
STAFF = ("admin@demo.test", "demo-admin-1")


def test_staff_stop_the_scheduler_read_it_everywhere_run_by_hand_and_start_it(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    page = visitor(phone=True)
    steps.sign_in(page, stack, STAFF)
    page.goto(stack.url("/admin/expiration"))
    expect(page.get_by_text("Active specials")).to_be_visible()
    interval = page.get_by_label("Interval in minutes")
    expect(interval).to_be_disabled()
    try:
        page.get_by_label("Why stop it?").fill("A release")
        page.get_by_role("button", name="Stop scheduler").click()
        expect(page.get_by_text("Nothing is settled automatically.")).to_be_visible()
        page.goto(stack.url("/staff/activity"))
        banner = page.get_by_role("alert").filter(has_text="Automatic settlement is stopped.")
        expect(banner).to_contain_text("A release")
        banner.get_by_role("link", name="Open expiration management").click()
        page.get_by_role("button", name="Process expired specials").click()
        expect(page.get_by_text("specials settled: ")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        expect(interval).to_be_enabled()
        interval.fill("3")
        page.get_by_role("button", name="Start scheduler").click()
        expect(page.get_by_text("Enter an interval from 5 to 1440 minutes.")).to_be_visible()
    finally:
        interval.fill("60")
        page.get_by_role("button", name="Start scheduler").click()
        expect(page.get_by_text("Next run: ")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Automatic settlement is stopped.")).to_have_count(0)
