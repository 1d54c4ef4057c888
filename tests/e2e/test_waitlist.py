"""A canceled order frees the last portion for the guest on the waitlist, and for nobody else."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def test_a_cancel_frees_the_last_portion_for_a_waiting_guest(
    stack: Stack, visitor: Visitor
) -> None:
    waiting, passer_by = visitor(phone=True), visitor()
    special = calls.publish(stack, "Only one timballo", maxPreorders=1)
    link = calls.link_to(stack, special)
    order = calls.place_order(stack, special, "first@guests.test")
    eventually(lambda: steps.sees(waiting, link, "Join the waitlist"), True)
    form = waiting.locator("#waiting-list")
    form.get_by_label("Name").fill("Wanda Waits")
    form.get_by_label("Email").fill("wanda@guests.test")
    form.get_by_role("button", name="Join the waitlist").click()
    expect(waiting.get_by_role("heading", name="You're next on the waitlist")).to_be_visible()

    calls.cancel(stack, order)
    passer_by.goto(link)
    expect(passer_by.get_by_text("Last portion reserved").first).to_be_visible()

    waiting.reload()
    expect(waiting.get_by_role("heading", name="It's your turn")).to_be_visible()
    reserved = waiting.locator("#pre-order")
    reserved.get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(waiting, steps.GOOD)
    steps.expect_held(waiting)
    eventually(
        lambda: sorted(stack.orders(special)),
        [
            ("first@guests.test", "cancelled", "released"),
            ("wanda@guests.test", "pending", "authorized"),
        ],
    )
