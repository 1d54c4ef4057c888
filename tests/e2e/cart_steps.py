"""What guests do with the cart, as functions that make tests readable."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack


def see_specials(page: Page, stack: Stack) -> None:
    # A query keeps the list from being the one of two seconds ago (`page_cache`).
    page.goto(stack.url("/specials?afresh=1", restaurant="luigis"))


def put_into_cart(page: Page, *names: str) -> Locator:
    """Add specials from the list, and open the cart."""
    for name in names:
        page.locator("[data-add-to-cart]").filter(has_text=name).click()
        expect(page.locator("[data-cart-added]")).to_have_text(name)
    page.locator("[data-cart-bar]").click()
    return page.get_by_role("dialog")


def type_card(page: Page, number: str) -> None:
    """In whichever language the fields are."""
    fields = page.frame_locator(".card-fields iframe")
    for name, text in {"number": number, "expiry": "12 / 40", "cvc": "123"}.items():
        fields.locator(f"#{name}").fill(text)


def result(page: Page, name: str) -> Locator:
    """What became of one special, on the page after the payment."""
    return page.locator(".cart-results > li").filter(has_text=name)


def expect_all_held(page: Page, number: int) -> None:
    """Expect the page of a cart's several orders, or the page of its only one."""
    if number == 1:
        return steps.expect_held(page)
    expect(page).to_have_url(re.compile("/cart/return"))
    expect(page.get_by_role("heading", name=f"You're in for {number} dishes!")).to_be_visible()
    expect(page.get_by_text("Payment Successful!")).to_be_visible()
    return None


def answer_bank(page: Page, answer: str) -> None:
    bank = page.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name=answer).click()
