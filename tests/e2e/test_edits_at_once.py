"""One special open in two tabs: the second save undoes nothing of the first (decision 132)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e


def open_to_edit(page: Page, stack: Stack, special: str) -> Locator:
    page.goto(stack.url(f"/restaurant/offers/{special}"))
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog", name="Edit Special Offer")
    expect(dialog.get_by_label("Special price")).to_have_value("18.00")
    return dialog


def test_a_special_edited_in_two_tabs_keeps_what_both_changed(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    first = visitor(phone=True)
    steps.sign_in(first, stack)
    special = calls.publish(stack, "Porchetta", minimum=4)
    second = first.context.new_page()
    one, other = (open_to_edit(page, stack, special) for page in (first, second))

    one.get_by_label("Special price").fill("16.00")
    one.get_by_label("Minimum pre-orders").fill("3")
    one.get_by_role("button", name="Save changes").click()
    expect(one).to_be_hidden()

    other.get_by_label("Name", exact=True).fill("Porchetta romana")
    other.get_by_label("Minimum pre-orders").fill("5")
    other.get_by_role("button", name="Save changes").click()
    notice = other.get_by_role("alert").filter(has_text="Someone changed this special")
    expect(notice).to_be_focused()
    expect(notice).to_contain_text("Special price is now $16.00")
    expect(notice.get_by_label("Yours: 5")).to_be_checked()
    terms = "SELECT name, special_price, min_preorders FROM offers_specialoffer WHERE id = %s"
    [(name, price, minimum)] = stack.query(terms, special)
    assert (name, str(price), minimum) == ("Porchetta", "16.00", 3)

    notice.get_by_label("Theirs: 3").check()
    expect(other.get_by_label("Name", exact=True)).to_have_value("Porchetta romana")
    other.get_by_role("button", name="Save changes").click()
    expect(other).to_be_hidden()
    [(name, price, minimum)] = stack.query(terms, special)
    assert (name, str(price), minimum) == ("Porchetta romana", "16.00", 3)
