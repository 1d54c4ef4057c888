"""Wallets in the cart's first step: one press orders for the guest they name (decision 171)."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.cart_steps import (
    answer_bank,
    expect_all_held,
    put_into_cart,
    see_specials,
    type_card,
)
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import BUTTONS, FIREFOX, TWO_TAPS, buttons_of, in_wallet, open_wallet

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
EMAIL = "wallet@guests.test"  # of local Stripe's wallet
WALLET = "iframe[title='Wallet']"
OR_TYPED = "Or enter your name and email"
# The server confirms the cart, and the page never hears of it.
LOST_ANSWER = """() => {
  const ask = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await ask(...asked);
    if (/checkouts.*confirm/.test(String(asked[0]))) throw new TypeError("The answer is lost.");
    return answer;
  };
}"""
ADD_TIMES = """
INSERT INTO offers_pickupslot (offer_id, restaurant_id, starts_at, ends_at, capacity)
SELECT id, restaurant_id, deadline + nth * interval '1 hour', deadline + nth * interval '90 min', 1
FROM offers_specialoffer, generate_series(3, 4) nth WHERE id = %s"""


@pytest.fixture
def publish(stack: Stack) -> Callable[..., str]:
    """Publish a special as the demo owner; returns its id."""
    return partial(calls.publish, stack)


def open_cart(guest: Page, stack: Stack, *names: str) -> Locator:
    see_specials(guest, stack)
    return put_into_cart(guest, *names)


def press_wallet(guest: Page) -> None:
    buttons_of(guest).get_by_role("button", name="Google Pay").click()


def expect_held_once(stack: Stack, *specials: str, email: str = EMAIL) -> None:
    for special in specials:
        ordered = (email, "pending", "authorized")
        eventually(lambda special=special: stack.orders(special)[-1], ordered)  # type: ignore[misc]
        assert stack.holds(special) == [1]


def tops(*shown: Locator) -> list[float]:
    boxes = [each.bounding_box() for each in shown]
    return [box["y"] for box in boxes if box]


@pytest.mark.parametrize(
    ("prices", "lists"),
    [
        ({"One-tap orzo": "18"}, ["1 × One-tap orzo", "$18.00", "Tax", "$1.44", "Total", "$19.44"]),
        # Their card is saved first; a setup has no amount.
        ({"Two-tap orecchiette": "18", "Two-tap orzotto": "16"}, []),
    ],
    ids=["one", "two"],
)
def test_a_press_on_a_wallet_orders_with_nothing_typed(
    stack: Stack,
    visitor: Visitor,
    publish: Callable[..., str],
    prices: dict[str, str],
    lists: list[str],
) -> None:
    offers = [publish(name, price=price) for name, price in prices.items()]
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, *prices)

    # All that a guest agrees to is above the buttons: what is ordered, its total, the card, the
    # terms; the fields that a wallet fills in are below.
    expect(cart.get_by_text(OR_TYPED)).to_be_visible()
    in_order = [
        cart.get_by_role("listitem").filter(has_text=list(prices)[-1]),
        cart.locator(".sum-total"),
        cart.get_by_text(re.compile("^No charge (today|yet)")),
        cart.get_by_text(re.compile("By continuing, you allow .* to hold .*terms of service")),
        cart.locator(BUTTONS),
        cart.get_by_text(OR_TYPED),
        cart.get_by_label("Name"),
    ]
    found = tops(*in_order)
    assert found == sorted(found)
    assert len(found) == len(in_order)
    consent = in_order[3]
    total = cart.locator(".sum-total dd").first.inner_text()
    expect(consent).to_contain_text(f"to hold {total} on your card")
    expect(consent.get_by_role("link", name="terms of service")).to_be_visible()
    # Of one the sentence says when it is charged; each of several says it itself.
    several = len(offers) > 1
    expect(cart.get_by_text(re.compile("We'll charge .* on .* if"))).to_have_count(
        0 if several else 1
    )
    dates = cart.get_by_role("listitem").filter(has_text=re.compile(r"Charged .+\sE[SD]T"))
    expect(dates).to_have_count(len(offers) if several else 0)

    wallet = open_wallet(guest, buttons_of(guest))
    assert wallet.locator("#lines > *").all_inner_texts() == lists
    in_wallet(guest)
    expect_all_held(guest, len(offers))
    expect(guest.get_by_text(re.compile(f"confirmation email .* {EMAIL}"))).to_be_visible()
    expect_held_once(stack, *offers)
    see_specials(guest, stack)
    expect(guest.locator("[data-cart-bar]")).to_be_hidden()


def test_the_wallet_shows_what_the_cart_says_when_it_opens(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    offers = [publish("Changed chifferi"), publish("Changed ciceri", price="16")]
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, "Changed chifferi", "Changed ciceri")
    expect(cart.get_by_text(OR_TYPED)).to_be_visible()
    # Of two specials one is left: it is paid now, and no card is saved first.
    dropped = cart.get_by_role("group", name="Portions of Changed ciceri")
    dropped.get_by_role("button", name="Remove from the cart").click()
    cart.get_by_role("button", name="One portion more").click()
    expect(cart.get_by_text("to hold $38.88 on your card")).to_be_visible()
    wallet = open_wallet(guest, buttons_of(guest))
    assert wallet.locator("#lines > *").all_inner_texts()[-2:] == ["Total", "$38.88"]
    wallet.get_by_role("button", name="Cancel").click()
    cart.get_by_role("button", name="One portion fewer").click()
    wallet = open_wallet(guest, buttons_of(guest))
    assert wallet.locator("#lines > *").all_inner_texts()[-2:] == ["Total", "$19.44"]
    in_wallet(guest)
    steps.expect_held(guest)
    expect_held_once(stack, offers[0])
    assert stack.orders(offers[1]) == []


def test_a_wallet_that_is_closed_reserves_nothing_and_leaves_the_step_as_it_was(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Closed conchiglie")
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, "Closed conchiglie")
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill("in-cart@guests.test")
    open_wallet(guest, buttons_of(guest)).get_by_role("button", name="Cancel").click()
    expect(guest.locator(WALLET)).to_have_count(0)
    expect(cart.get_by_label("Name")).to_have_value("Dana Guest")
    assert stack.orders(special) == []

    # The payment step has the card fields alone, and who typed a name is who orders.
    cart.get_by_role("button", name="Continue to payment").click()
    type_card(guest, steps.GOOD)
    expect(guest.locator(BUTTONS)).to_have_count(0)
    cart.get_by_role("button", name="Pre-Order Now · $19.44").click()
    expect(cart.get_by_text("to in-cart@guests.test.")).to_be_visible()
    expect_held_once(stack, special, email="in-cart@guests.test")


def test_a_wallet_stays_closed_while_something_is_missing(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Timed tagliolini")
    stack.query(ADD_TIMES, special)  # one portion each
    gone = publish("Gone gnocchetti")
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, "Timed tagliolini", "Gone gnocchetti")
    item = cart.get_by_role("listitem").filter(has_text="Timed tagliolini")
    item.get_by_role("button", name="One portion more").click()
    press_wallet(guest)
    expect(item.get_by_text("Choose a pickup time.")).to_be_visible()
    expect(item.get_by_role("combobox")).to_be_focused()
    expect(cart.get_by_text("Name is required")).to_have_count(0)  # a wallet says it
    item.get_by_role("button", name="One portion fewer").click()

    stack.bring_deadline(gone, seconds=-1)
    guest.reload()
    guest.locator("[data-cart-bar]").click()
    press_wallet(guest)
    expect(cart.get_by_text("Some items are no longer available")).to_be_in_viewport()
    expect(guest.locator(WALLET)).to_have_count(0)
    assert stack.orders(special) == []
    cart.get_by_role("button", name="Remove Gone gnocchetti").click()
    open_wallet(guest, buttons_of(guest))
    in_wallet(guest)
    steps.expect_held(guest)
    expect_held_once(stack, special)


def test_what_changes_while_the_wallet_is_open_is_said_and_nothing_is_held(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Dearer ditaloni", price="18")
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, "Dearer ditaloni")
    wallet = open_wallet(guest, buttons_of(guest))
    stack.query("UPDATE offers_specialoffer SET special_price = 17 WHERE id = %s", special)
    wallet.get_by_role("button", name="Pay", exact=True).click()
    expect(cart.get_by_text("Payment Setup Failed")).to_be_in_viewport()
    expect(cart.get_by_text("Dearer ditaloni is now $17.00 a portion.")).to_be_visible()
    expect(guest.locator(WALLET)).to_have_count(0)
    assert stack.orders(special) == []
    expect(cart.get_by_text("to hold $18.36 on your card")).to_be_visible()
    open_wallet(guest, buttons_of(guest))
    in_wallet(guest)
    steps.expect_held(guest)
    expect_held_once(stack, special)


@pytest.mark.parametrize("number", [1, 2], ids=["one", "two"])
def test_the_banks_checks_follow_a_wallet_as_they_follow_a_typed_card(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], number: int
) -> None:
    names = [f"Asked agnolotti {number}{nth}" for nth in "ab"[:number]]
    offers = [publish(name) for name in names]
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, *names)
    press_wallet(guest)
    in_wallet(guest, card="3220")
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    expect(bank.get_by_role("button", name="Fail authentication")).to_be_visible()
    expect(cart.get_by_role("button", name="Close")).to_be_disabled()
    answer_bank(guest, "Fail authentication")
    expect(cart.get_by_text("Payment Failed")).to_be_in_viewport()
    for special in offers:  # the portions are released
        expected = [(EMAIL, "cancelled", "unpaid")]
        eventually(lambda special=special: stack.orders(special), expected)  # type: ignore[misc]
        assert sum(stack.holds(special)) == 0

    press_wallet(guest)
    in_wallet(guest, card="3220")
    answer_bank(guest, "Complete authentication")
    if number == 2:  # the saved card's bank asks about each hold, one after the other
        guest.get_by_role("button", name="Confirm with your bank").click()
        for _ in offers:
            answer_bank(guest, "Complete authentication")
    expect_all_held(guest, number)
    expect_held_once(stack, *offers)


def test_after_a_wallets_card_was_declined_a_typed_one_is_held(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Declined ditali")
    guest = visitor(phone=True)
    cart = open_cart(guest, stack, "Declined ditali")
    press_wallet(guest)
    in_wallet(guest, card="0002")
    expect(cart.get_by_text("Payment Failed")).to_be_in_viewport()
    said = "Your card wasn't charged. Try again or fill in the form."
    expect(cart.get_by_text(said)).to_be_visible()
    expect(guest.locator(WALLET)).to_have_count(0)
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill("in-cart@guests.test")
    cart.get_by_role("button", name="Continue to payment").click()
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now · $19.44").click()
    steps.expect_held(guest)
    expect_held_once(stack, special, email="in-cart@guests.test")
    assert stack.orders(special)[0] == (EMAIL, "cancelled", "unpaid")


def test_a_wallet_that_confirms_twice_and_whose_answer_is_lost_holds_once(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    names = ["Lost lumache", "Lost lumaconi"]
    offers = [publish(name) for name in names]
    guest = visitor(phone=True)
    open_cart(guest, stack, *names)
    guest.evaluate(LOST_ANSWER)
    open_wallet(guest, buttons_of(guest))
    [wallet] = [frame for frame in guest.frames if "/js/wallet" in frame.url]
    wallet.evaluate(TWO_TAPS)

    # A page of its own asks for the result again.
    guest.wait_for_url("**/cart/return*")
    expect_all_held(guest, 2)
    for special in offers:
        assert len(stack.orders(special)) == 1
    expect_held_once(stack, *offers)
    guest.go_back()
    expect(guest.locator("[data-cart-bar]")).to_be_hidden()


def test_without_a_wallet_there_are_the_fields_alone(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    publish("Plain penne")
    guest = visitor(phone=True, user_agent=FIREFOX)
    with guest.expect_response("**/js/express.js"):
        cart = open_cart(guest, stack, "Plain penne")
    expect(cart.get_by_label("Name")).to_be_visible()
    expect(cart.locator(".wallets")).to_have_count(0)
    expect(cart.get_by_text(OR_TYPED)).to_have_count(0)
