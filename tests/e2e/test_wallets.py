"""Wallets in a special's order form: what is ordered, and what never is (decision 99)."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import BUTTONS, FIREFOX, TWO_TAPS, buttons_of, in_wallet, open_wallet

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
EMAIL = "wallet@guests.test"  # of local Stripe's wallet
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def publish(stack: Stack) -> Callable[..., str]:
    """Publishes a special as the demo owner; its id."""
    return partial(calls.publish, stack)


def open_form(page: Page, stack: Stack, special: str) -> FrameLocator:
    """The special's order form on a phone; the wallets' buttons in it."""
    page.goto(calls.link_to(stack, special))
    steps.open_form(page)
    return buttons_of(page)


def press_pay(wallet: FrameLocator) -> None:
    wallet.get_by_role("button", name="Pay", exact=True).click()


def holds(stack: Stack, special: str) -> int:
    """How many payments Stripe was asked for."""
    found = stack.query(
        "SELECT count(*) FROM preorders_preorder WHERE offer_id = %s AND payment_intent_id <> ''",
        special,
    )
    return int(found[0][0])


def test_a_wallet_orders_from_a_shared_link_without_the_form(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Wallet vitello", price="18")
    guest = visitor(phone=True)
    guest.goto(stack.url(f"/specials/{special}", restaurant="luigis"))
    bar = guest.locator(".order-bar")
    bar.get_by_role("button", name="One portion more").click()
    bar.get_by_role("link", name=re.compile("Pre-Order")).click()
    buttons = buttons_of(guest)

    # A card that is declined leaves the guest in the form, and nothing reserved.
    buttons.get_by_role("button", name="Google Pay").click()
    wallet = guest.frame_locator("iframe[title='Wallet']")
    expect(wallet.get_by_text("$38.88")).to_be_visible()  # 2 × 18.00 and 8 %
    in_wallet(guest, card="0002")
    expect(guest.get_by_text("Payment Failed")).to_be_visible()
    ordered = (EMAIL, "cancelled", "unpaid")
    eventually(lambda: stack.orders(special), [ordered])

    # One that asks for the bank's check is held once it is passed.
    buttons.get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card="3220")
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name="Complete authentication").click()
    guest.wait_for_url("**/order/**")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special)[-1], (EMAIL, "pending", "authorized"))
    assert len(stack.orders(special)) == 2


@pytest.mark.parametrize(
    ("user_agent", "wallets"),
    [(None, ["Google Pay"]), (IPHONE, ["Apple Pay"]), (FIREFOX, [])],
    ids=["chromium", "iphone", "firefox"],
)
def test_each_browser_shows_the_wallets_that_it_supports(
    stack: Stack,
    visitor: Visitor,
    publish: Callable[..., str],
    user_agent: str | None,
    wallets: list[str],
) -> None:
    guest = visitor(phone=True, user_agent=user_agent)
    with guest.expect_response("**/js/express.js"):
        buttons = open_form(guest, stack, publish(f"Supported supplì {len(wallets)}"))
    # Without a wallet there are neither buttons nor the words that lead past them.
    expect(guest.locator("[data-express]")).to_have_count(len(wallets))
    if wallets:
        expect(guest.get_by_text("Or enter your name and email")).to_be_attached()
        shown = buttons.get_by_role("button").all_inner_texts()
        assert shown == [f"{name} TEST MODE" for name in wallets]


@pytest.mark.parametrize("card", ["3220", "4242"], ids=["same", "other"])
def test_a_bank_check_that_fails_in_a_wallet_is_tried_again_with_the_same_or_another_card(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], card: str
) -> None:
    special = publish(f"Checked cappelletti {card}")
    guest = visitor(phone=True)
    buttons = open_form(guest, stack, special)
    buttons.get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card="3220")
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name="Fail authentication").click()
    expect(guest.get_by_text("Payment Failed")).to_be_visible()
    expect(guest.get_by_text("Your card wasn't charged.")).to_be_visible()
    eventually(lambda: stack.orders(special), [(EMAIL, "cancelled", "unpaid")])

    buttons.get_by_role("button", name="Google Pay").click()
    in_wallet(guest, card=card)
    if card == "3220":
        bank.get_by_role("button", name="Complete authentication").click()
    guest.wait_for_url("**/order/**")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special)[-1], (EMAIL, "pending", "authorized"))
    assert stack.holds(special) == [1]


@pytest.mark.parametrize("otherwise", [[], ["no_wallets_on_behalf_of"]])
def test_the_form_orders_whether_or_not_wallets_show_on_behalf_of_a_restaurant(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], otherwise: list[str]
) -> None:
    """Stripe's pages leave open whether the platform's registration of a domain is enough."""
    special = publish(f"Either {len(otherwise)} erbazzone")
    stack.stripe.control(otherwise=otherwise)
    guest = visitor(phone=True)
    try:
        with guest.expect_response("**/js/express.js"):
            open_form(guest, stack, special)
        # Either the wallets' buttons, or neither they nor the room for them.
        frame = guest.locator(BUTTONS)
        expect(frame).to_have_count(0 if otherwise else 1)
        if not otherwise:
            expect(frame).to_be_visible()
        steps.order(guest, calls.link_to(stack, special), "either@guests.test")
        steps.expect_held(guest)
        eventually(lambda: stack.orders(special), [("either@guests.test", "pending", "authorized")])
    finally:
        stack.stripe.control(otherwise=[])


def test_a_wallet_that_is_canceled_reserves_nothing_and_can_be_opened_again(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Canceled cacciucco")
    guest = visitor(phone=True)
    buttons = open_form(guest, stack, special)
    open_wallet(guest, buttons).get_by_role("button", name="Cancel").click()
    expect(guest.locator("iframe[title='Wallet']")).to_have_count(0)
    assert stack.orders(special) == []
    press_pay(open_wallet(guest, buttons))
    guest.wait_for_url("**/order/**")
    eventually(lambda: stack.orders(special), [(EMAIL, "pending", "authorized")])


def test_two_taps_in_a_wallet_are_one_order_and_one_hold(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Twice tapped tortelli")
    guest = visitor(phone=True)
    open_wallet(guest, open_form(guest, stack, special))
    [wallet] = [frame for frame in guest.frames if "/js/wallet" in frame.url]
    wallet.evaluate(TWO_TAPS)
    guest.wait_for_url("**/order/**")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special), [(EMAIL, "pending", "authorized")])
    assert holds(stack, special) == 1


def test_a_deadline_that_passes_while_the_wallet_is_open_holds_nothing(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Late lasagne")
    guest = visitor(phone=True)
    wallet = open_wallet(guest, open_form(guest, stack, special))
    stack.bring_deadline(special, seconds=-1)
    press_pay(wallet)
    expect(guest.get_by_text("Payment Setup Failed")).to_be_visible()
    expect(guest.get_by_text("Orders for this special have closed.")).to_be_visible()
    expect(guest.get_by_text("Your card wasn't held or charged.")).to_be_visible()
    expect(guest.locator("iframe[title='Wallet']")).to_have_count(0)
    assert stack.orders(special) == []


def test_a_price_that_changes_while_the_wallet_is_open_holds_nothing(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Dearer ditalini", price="18")
    guest = visitor(phone=True)
    wallet = open_wallet(guest, open_form(guest, stack, special))
    stack.query("UPDATE offers_specialoffer SET special_price = 17 WHERE id = %s", special)
    press_pay(wallet)
    expect(guest.get_by_text("Dearer ditalini is now $17.00 a portion.")).to_be_visible()
    assert stack.orders(special) == []
    # After a reload it is ordered at the new price.
    press_pay(open_wallet(guest, open_form(guest, stack, special)))
    guest.wait_for_url("**/order/**")
    eventually(lambda: stack.orders(special), [(EMAIL, "pending", "authorized")])


def test_what_is_being_filled_in_stays_where_it_is_when_the_buttons_appear(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    guest = visitor(phone=True)
    waiting: list[Route] = []
    guest.route("**/js/stripe.js", lambda route: waiting.append(route))  # a slow network
    with guest.expect_request("**/js/stripe.js"):
        buttons = open_form(guest, stack, publish("Still stew"))
    form = guest.locator("#pre-order")
    form.get_by_label("One portion more").click()
    name = form.get_by_label("Name")
    name.fill("Dana")
    before = name.bounding_box()
    for request in waiting:
        request.continue_()
    expect(buttons.get_by_role("button", name="Google Pay")).to_be_attached()
    expect(guest.get_by_text("Or enter your name and email")).to_be_attached()
    after = name.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 2
    expect(guest.locator("#quantity")).to_have_value("2")
