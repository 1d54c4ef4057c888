"""The way to the cart: what it says after something is added."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.e2e import calls
from tests.e2e.cart_steps import see_specials
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
BAR, NOTICE = "[data-cart-bar]", "[data-cart-notice]"
NAME = re.compile(r"^Cart · Portions: 1 \$19\.44 with tax")


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box
    return box


def expect_in_cart(page: Page, name: str) -> None:
    expect(page.locator(NOTICE)).to_be_visible()
    expect(page.locator("[data-live]")).to_have_text(f"Added to cart: {name}")
    # As it is once it has faded in.
    page.locator(NOTICE).evaluate(
        "each => Promise.all(each.getAnimations().map((one) => one.finished))"
    )


def test_the_bar_has_the_new_sum_at_once_and_what_was_added_stands_above_it(
    stack: Stack, visitor: Visitor
) -> None:
    calls.publish(stack, "Barred bavette")
    guest = visitor(phone=True)
    see_specials(guest, stack)
    add = guest.locator("[data-add-to-cart]").filter(has_text="Barred bavette")
    add.click()
    expect_in_cart(guest, "Barred bavette")
    bar, notice = guest.locator(BAR), guest.locator(NOTICE)
    expect(bar).to_have_accessible_name(NAME)
    shown, said = box_of(bar), box_of(notice)
    assert shown["width"] == said["width"] == 360
    assert shown["y"] + shown["height"] == 740
    assert said["y"] + said["height"] == pytest.approx(shown["y"], abs=0.5)
    # It goes by itself, and nothing moves.
    expect(notice).to_be_hidden()
    assert box_of(bar) == shown
    # What is said is a part of the button.
    add.click()
    notice.click()
    expect(guest.get_by_role("dialog")).to_be_visible()
    expect(notice).to_be_hidden()
