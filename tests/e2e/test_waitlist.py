"""A canceled order frees the last portions for the guest on the waitlist, and for nobody else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, cart_steps, steps
from tests.e2e.stack import Stack
from tests.e2e.test_form_errors import expect_in_view
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def test_an_open_list_follows_whether_a_special_can_be_ordered(
    stack: Stack, visitor: Visitor
) -> None:
    special = calls.publish(stack, "Last lone lasagna", maxPreorders=1)
    guest = visitor(phone=True)
    cart_steps.see_specials(guest, stack)
    row = guest.locator(f'[data-special="{special}"]')
    expect(row.locator("[data-add-to-cart]")).to_be_visible()
    order = calls.place_order(stack, special, "quicker@guests.test")
    expect(row.get_by_role("link", name="Join the waitlist")).to_be_visible(timeout=30_000)
    expect(row.locator("[data-add-to-cart], [data-preorder]")).to_have_count(0)
    calls.cancel(stack, order)
    expect(row.get_by_role("link", name="Pre-Order")).to_be_visible(timeout=30_000)
    row.locator("[data-add-to-cart]").click()
    expect(guest.locator("[data-cart-says]")).to_have_text("Added to cart")


def test_what_sold_out_meanwhile_is_not_added_and_the_cart_leads_to_its_waitlist(
    stack: Stack, visitor: Visitor
) -> None:
    special = calls.publish(stack, "Lost last linguine", maxPreorders=1)
    guest = visitor(phone=True)
    guest.route("**/api/specials/progress", lambda route: route.abort())
    cart_steps.see_specials(guest, stack)
    add = guest.locator(f'[data-special="{special}"] [data-add-to-cart]')
    # It's asked for whether it sold out: an answer after that would empty the cart.
    with guest.expect_response("**/api/cart/offers?*"):
        add.click()
    expect(add.locator("[data-in-cart]")).to_have_text("1")
    calls.place_order(stack, special, "faster@guests.test")
    add.click()
    expect(guest.locator("[data-cart-says]")).to_have_text("Sold out")
    expect(add.locator("[data-in-cart]")).to_have_text("1")
    guest.locator("[data-cart-bar]").click()
    guest.get_by_role("dialog").get_by_role("link", name="Join the waitlist").click()
    expect(guest.locator("#waiting-list")).to_be_in_viewport()


def test_a_cancel_frees_the_last_portions_for_a_waiting_guest(
    stack: Stack, visitor: Visitor
) -> None:
    waiting, passer_by = visitor(phone=True), visitor()
    special = calls.publish(stack, "Only two timballos", maxPreorders=2)
    link = calls.link_to(stack, special)
    order = calls.place_order(stack, special, "first@guests.test", portions=2)
    eventually(lambda: steps.sees(waiting, link, "Join the waitlist"), True)
    form = waiting.locator("#waiting-list")
    form.get_by_label("Portions").fill("2")
    form.get_by_label("Name").fill("Wanda Waits")
    form.get_by_label("Email").fill("wanda@guests.test")
    form.get_by_role("button", name="Join the waitlist").click()
    place = waiting.get_by_role("heading", name="You're next on the waitlist")
    expect(place).to_be_in_viewport()
    expect(waiting.get_by_text("We've emailed wanda@guests.test")).to_be_in_viewport()
    changed = waiting.get_by_text(re.compile("You're waiting for . portions? now"))
    for step, number in (("One portion fewer", 1), ("One portion more", 2)):
        waiting.locator("#portions summary").click()
        expect(waiting.get_by_role("button", name="Save changes")).to_be_disabled()
        waiting.get_by_role("button", name=step).click()
        expect(waiting.locator("#portions")).to_contain_text("Total with tax: $")
        waiting.get_by_role("button", name=f"Change to {number}").click()
        expect(changed).to_contain_text(f"for {number} portion")
        expect(place).to_be_in_viewport()
        expect(changed).to_be_in_viewport()
    waiting.reload()
    expect(changed).to_have_count(0)
    own_place = waiting.url.partition("#")[0]
    waiting.goto(link)
    expect(form).to_be_hidden()
    waiting.get_by_role("link", name="See your place").click()
    expect(waiting).to_have_url(own_place)
    passer_by.goto(link)
    expect(passer_by.locator("#waiting-list")).to_be_visible()
    expect(passer_by.get_by_text("See your place")).to_be_hidden()

    calls.cancel(stack, order)
    passer_by.goto(link)
    expect(passer_by.get_by_text("Last 2 portions reserved").first).to_be_visible()

    # The page says so by itself.
    expect(waiting.get_by_role("heading", name="It's your turn")).to_be_visible(timeout=60_000)
    # So does the special's own page, which is open again.
    waiting.goto(link)
    own_turn = waiting.get_by_role("status").filter(has_text="It's your turn.")
    expect(own_turn).to_be_visible()
    expect(waiting.get_by_text("You're on the waitlist.")).to_be_hidden()
    waiting.set_viewport_size({"width": 360, "height": 740})
    expect(own_turn).to_be_visible()
    expect(waiting.locator(".order-bar")).to_be_hidden()  # it would sell another portion
    own_turn.get_by_role("link", name="Order what's reserved for you").click()
    expect(waiting).to_have_url(own_place)
    waiting.set_viewport_size({"width": 360, "height": 740})
    waiting.evaluate("scrollTo(0, 0)")
    expect_in_view(waiting.locator("#special"), waiting.locator(".sticky-action > .button"))
    odds = waiting.locator(".order-odds")
    expect(odds).to_contain_text("0 of 1 ordered")
    expect(odds.get_by_text("Your 2 portions make it happen!")).to_be_visible()
    expect(odds.locator(".seat")).to_have_attribute("data-yours", "")
    expect(odds.get_by_text("1 more and it's on")).not_to_be_in_viewport(ratio=1)
    reserved = waiting.locator("#pre-order")
    expect(reserved.get_by_text("(2 with yours)")).to_be_attached()
    # The bar is away beside the form's own button.
    reserved.get_by_role("button", name="Pre-Order Now").scroll_into_view_if_needed()
    expect(waiting.locator(".sticky-action")).to_be_hidden()
    reserved.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(waiting)
    waiting.go_back()
    unplaced = waiting.get_by_role("heading", name="Your order hasn't been placed yet")
    expect(unplaced).to_be_in_viewport()
    waiting.get_by_role("link", name="Continue to payment").click()
    steps.give_card(waiting, steps.GOOD)
    steps.expect_held(waiting)
    waiting.goto(link)
    waiting.locator("header [data-own-orders] summary").click()
    own = waiting.locator("header [data-own-orders] li")
    expect(own).to_have_count(1)
    expect(own.get_by_text("It's on")).to_be_visible()
    eventually(
        lambda: sorted(stack.orders(special)),
        [
            ("first@guests.test", "cancelled", "released"),
            ("wanda@guests.test", "pending", "authorized"),
        ],
    )
