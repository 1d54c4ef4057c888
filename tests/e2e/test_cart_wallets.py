"""Wallets in the cart's payment step: they hold what typed cards hold, once (decision 171)."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.cart_steps import answer_bank, put_into_cart, see_specials, type_card
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import BUTTONS, FIREFOX, TWO_TAPS, buttons_of, in_wallet, open_wallet

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
# The server confirms the cart, and the page never hears of it the first time.
LOST_ANSWER = """() => {
  const ask = window.fetch;
  let isLost = false;
  window.fetch = async (...asked) => {
    const answer = await ask(...asked);
    if (isLost || !/checkouts.*confirm/.test(String(asked[0]))) return answer;
    isLost = true;
    throw new TypeError("The answer is lost.");
  };
}"""


@pytest.fixture
def publish(stack: Stack) -> Callable[..., str]:
    """Publish a special as the demo owner; returns its id."""
    return partial(calls.publish, stack)


def to_payment(
    guest: Page, stack: Stack, *names: str, email: str = "in-cart@guests.test"
) -> Locator:
    see_specials(guest, stack)
    cart = put_into_cart(guest, *names)
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill(email)
    cart.get_by_role("button", name="Continue to payment").click()
    expect(guest.frame_locator(".card-fields iframe").get_by_label("CVC")).to_be_visible()
    return cart


def expect_held_once(stack: Stack, *specials: str, email: str = "in-cart@guests.test") -> None:
    for special in specials:
        ordered = (email, "pending", "authorized")
        eventually(lambda special=special: stack.orders(special), [ordered])  # type: ignore[misc]
        assert stack.holds(special) == [1]


@pytest.mark.parametrize(
    ("prices", "lists"),
    [
        ({"One-tap orzo": "18"}, ["1 × One-tap orzo", "$18.00", "Tax", "$1.44", "Total", "$19.44"]),
        # Their card is saved first; a setup has no amount.
        ({"Two-tap orecchiette": "18", "Two-tap orzotto": "16"}, []),
    ],
    ids=["one", "two"],
)
def test_a_cart_is_held_with_a_wallet_for_the_guest_who_was_typed(
    stack: Stack,
    visitor: Visitor,
    publish: Callable[..., str],
    prices: dict[str, str],
    lists: list[str],
) -> None:
    offers = [publish(name, price=price) for name, price in prices.items()]
    guest = visitor(phone=True)
    cart = to_payment(guest, stack, *prices)

    # What a guest agrees to is above all that orders.
    consent, buttons = cart.get_by_text(re.compile("By continuing")), cart.locator(BUTTONS)
    fields = cart.locator(".card-fields")
    expect(cart.get_by_text("Or pay with a card")).to_be_visible()
    tops = [each.bounding_box() for each in (consent, buttons, fields)]
    assert sorted(tops, key=lambda box: box["y"] if box else -1) == tops

    wallet = open_wallet(guest, buttons_of(guest))
    assert wallet.locator("#lines > *").all_inner_texts() == lists
    in_wallet(guest)
    expect(cart.get_by_role("heading", name="You're in!")).to_be_visible()
    expect(cart.get_by_text("Payment Successful!")).to_be_visible()
    expect_held_once(stack, *offers)
    cart.get_by_role("button", name="Done").click()
    expect(guest.locator("[data-cart-bar]")).to_be_hidden()


def test_a_wallet_that_is_closed_leaves_the_step_as_it_was_and_holds_nothing(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Closed conchiglie")
    guest = visitor(phone=True)
    cart = to_payment(guest, stack, "Closed conchiglie")
    type_card(guest, steps.GOOD)
    open_wallet(guest, buttons_of(guest)).get_by_role("button", name="Cancel").click()
    expect(guest.locator("iframe[title='Wallet']")).to_have_count(0)
    number = guest.frame_locator(".card-fields iframe").get_by_label("Card number")
    expect(number).to_have_value(steps.GOOD)
    assert stack.orders(special) == [("in-cart@guests.test", "pending", "unpaid")]
    assert stack.holds(special) == []
    cart.get_by_role("button", name="Pre-Order Now · $19.44").click()
    expect(cart.get_by_text("Payment Successful!")).to_be_visible()
    expect_held_once(stack, special)


@pytest.mark.parametrize("number", [1, 2], ids=["one", "two"])
def test_the_banks_checks_follow_a_wallet_as_they_follow_a_typed_card(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], number: int
) -> None:
    names = [f"Asked agnolotti {number}{nth}" for nth in "ab"[:number]]
    offers = [publish(name) for name in names]
    guest = visitor(phone=True)
    cart = to_payment(guest, stack, *names)
    buttons_of(guest).get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card="3220")
    answer_bank(guest, "Fail authentication")
    expect(cart.get_by_text("Payment Failed")).to_be_visible()
    # An order that the bank was asked about has a payment by now, or not yet; no hold either way.
    assert [sum(stack.holds(special)) for special in offers] == [0 for _ in offers]

    buttons_of(guest).get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card="3220")
    answer_bank(guest, "Complete authentication")
    if number == 2:  # the saved card's bank asks about each hold, one after the other
        cart.get_by_role("button", name="Confirm with your bank").click()
        for _ in offers:
            answer_bank(guest, "Complete authentication")
    expect(cart.get_by_text("Payment Successful!")).to_be_visible()
    expect_held_once(stack, *offers)


def test_after_a_wallets_card_was_declined_a_typed_one_is_held(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Declined ditali")
    guest = visitor(phone=True)
    cart = to_payment(guest, stack, "Declined ditali")
    buttons_of(guest).get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card="0002")
    expect(cart.get_by_text("Payment Failed")).to_be_visible()
    expect(guest.locator("iframe[title='Wallet']")).to_have_count(0)
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now · $19.44").click()
    expect(cart.get_by_text("Payment Successful!")).to_be_visible()
    expect_held_once(stack, special)


def test_a_wallet_that_confirms_twice_and_whose_answer_is_lost_holds_once(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    names = ["Lost lumache", "Lost lumaconi"]
    offers = [publish(name) for name in names]
    guest = visitor(phone=True)
    cart = to_payment(guest, stack, *names)
    guest.evaluate(LOST_ANSWER)
    open_wallet(guest, buttons_of(guest))
    [wallet] = [frame for frame in guest.frames if "/js/wallet" in frame.url]
    wallet.evaluate(TWO_TAPS)
    expect(cart.get_by_text(re.compile("We have your card"))).to_be_visible()

    # The wallet doesn't open again: the press asks for the result.
    buttons_of(guest).get_by_role("button", name="Google Pay").click()
    expect(cart.get_by_text("Payment Successful!")).to_be_visible()
    expect(guest.locator("iframe[title='Wallet']")).to_have_count(0)
    expect_held_once(stack, *offers)


def test_without_a_wallet_there_are_the_card_fields_alone(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    publish("Plain penne")
    guest = visitor(phone=True, user_agent=FIREFOX)
    cart = to_payment(guest, stack, "Plain penne")
    expect(cart.locator(BUTTONS)).to_have_count(0)
    expect(cart.get_by_text("Or pay with a card")).to_have_count(0)
