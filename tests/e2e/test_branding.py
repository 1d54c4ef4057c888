"""A restaurant's own look, from the owner's page to what guests see."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
ACCENT = "getComputedStyle(document.documentElement).getPropertyValue('--accent')"


def test_an_owner_picks_a_look_sees_it_on_the_phone_and_publishes_it(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    page = visitor(phone=True)
    steps.sign_in(page, stack, steps.BRANDED)
    page.goto(stack.url("/restaurant/branding"))
    page.get_by_label("Color", exact=True).fill("#ffcc00")
    expect(page.get_by_role("status").filter(has_text="Hard to read")).to_be_visible()
    page.get_by_role("button", name="Use #836900").click()
    expect(page.get_by_label("Color", exact=True)).to_have_value("#836900")
    page.get_by_label("Regular menu").select_option("Large photos")
    page.get_by_label("Footer").fill("Since 1962")
    page.get_by_role("button", name="Save and preview").click()

    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("contentinfo")).to_contain_text("Since 1962")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    guest = visitor()
    guest.goto(stack.url("/specials?before=1", restaurant="sakura"))
    expect(guest.get_by_role("contentinfo")).not_to_contain_text("Since 1962")
    page.get_by_role("link", name="Menu", exact=True).last.click()
    expect(frame.locator(".dishes")).to_have_attribute("data-layout", "photos")

    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published.")).to_be_visible()
    guest.goto(stack.url("/specials?after=1", restaurant="sakura"))
    expect(guest.get_by_role("contentinfo")).to_contain_text("Since 1962")
    assert "#836900" in guest.evaluate(ACCENT)
