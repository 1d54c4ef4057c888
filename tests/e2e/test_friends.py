"""A guest brings a friend: the portion is reserved, the link is sent, and each pays."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.test_form_errors import expect_in_view
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import buttons_of, in_wallet, open_wallet

pytestmark = pytest.mark.e2e


def reserve_one(starter: Page, link: str) -> Locator:
    """Orders as Ana and reserves a portion for a friend; the part of her page that says so."""
    steps.order(starter, link, "ana@friends.test")
    steps.expect_held(starter)
    part = starter.locator("#bring-friends")
    part.get_by_text("Reserve portions for friends").first.click()
    part.get_by_role("button", name="Reserve for friends").click()
    return part


def friends_link(part: Locator) -> str:
    return (part.locator("#friends-link").get_attribute("href") or "").removesuffix("?preview")


def page_of(starter: Page) -> str:
    """The order's page without the part that was reached, which would not load it again."""
    return starter.url.partition("#")[0]


def test_a_friend_orders_with_the_link_and_the_starter_sees_who_is_in(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    starter, friend = visitor(phone=True), visitor(phone=True)
    special = calls.publish(stack, "Risotto for friends", maxPreorders=2)
    part = reserve_one(starter, calls.link_to(stack, special))
    expect(part.get_by_role("heading", name="1 portion for your friends")).to_be_visible()
    expect(part).to_contain_text("Reserved until")
    starter.set_viewport_size({"width": 360, "height": 740})
    starter.goto(page_of(starter))
    expect_in_view(part.get_by_role("heading"), part.get_by_role("button", name="Copy link"))
    link = friends_link(part)
    # As they see it, although this browser ordered.
    part.get_by_role("link", name="See the invitation").click()
    expect(starter.get_by_text("This is what your friends see.")).to_be_visible()
    expect(starter.get_by_text("Join Dana")).to_be_visible()
    starter.go_back()
    part.get_by_role("button", name="Copy link").click()  # copies where a device can't share
    expect(part.get_by_role("button", name="Copied!")).to_be_visible()

    eventually(lambda: steps.sees(friend, calls.link_to(stack, special), "Join the waitlist"), True)
    friend.set_viewport_size({"width": 360, "height": 640})
    friend.goto(link)
    reserved = friend.get_by_text("1 portion is reserved for a friend until")
    expect_in_view(friend.get_by_text("Join Dana", exact=True), reserved)
    card = friend.get_by_role("complementary", name="Pre-order")
    expect_in_view(friend.locator(".photo > .media"), card.locator(".price-large"))
    friend.set_viewport_size({"width": 360, "height": 700})
    expect_in_view(card.locator(".seats-line"), card.locator(".seats-sentence"))
    assert friend.locator(".photo > .media").evaluate("photo => photo.clientHeight") >= 120
    form = steps.open_form(friend)
    form.get_by_label("Name", exact=True).fill("Bea Ruiz")
    form.get_by_label("Email").fill("bea@friends.test")
    sees = form.get_by_role("radiogroup", name="Dana sees")
    expect(sees.get_by_role("radio", name="A friend")).to_be_checked()
    shown = sees.get_by_role("radio", name="Your first name")
    shown.check()
    form.get_by_role("button", name="Pre-Order Now").click()
    # The way back from the payment is to the invitation, with what was typed.
    steps.expect_card_asked(friend)
    expect(friend.get_by_text("We'll email the confirmation to bea@friends.test.")).to_be_visible()
    friend.get_by_role("button", name="Back", exact=True).click()
    expect(friend).to_have_url(f"{link}#pre-order")
    expect(friend.get_by_label("Email")).to_have_value("bea@friends.test")
    expect(shown).to_be_checked()
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(friend, steps.GOOD)
    steps.expect_held(friend)
    expect(friend.get_by_text("Your portion is in, with Dana")).to_be_visible()

    # The starter's open page says so by itself; what was open there stays open.
    expect(part.get_by_role("heading", name="1 friend is in")).to_be_visible(timeout=20_000)
    expect(part).to_contain_text("Bea, 1 portion")
    expect(part.get_by_role("button", name="Release 1 portion")).to_have_count(0)
    expect(part.locator(f'[data-share="{link}"]')).to_be_visible()
    expect(starter.get_by_text("We'll charge your card $")).to_be_visible()

    # The buttons are below the photo, on the first screen of a desktop.
    starter.set_viewport_size({"width": 1440, "height": 900})
    starter.goto(page_of(starter))
    starter.evaluate("scrollTo(0, 0)")
    expect_in_view(starter.locator(".order-actions"))

    # Who is in isn't invited again, and the starter is shown what friends see.
    preview = "This is what your friends see."
    for page, sentence in [(friend, "You joined Dana."), (starter, preview)]:
        own = page_of(page).partition("?")[0]
        page.goto(link)
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(page.get_by_text("Join Dana", exact=True)).to_be_hidden()
        page.get_by_role("link", name="See your order").click()
        expect(page).to_have_url(own)

    eventually(lambda: steps.sees(starter, page_of(starter), "1 friend is in"), True)
    expect(part).to_contain_text("Bea")
    eventually(
        lambda: sorted(stack.orders(special)),
        [
            ("ana@friends.test", "pending", "authorized"),
            ("bea@friends.test", "cancelled", "unpaid"),
            ("bea@friends.test", "pending", "authorized"),
        ],
    )

    # The friend's open page says by itself that the starter left.
    starter.locator("a[href*='open=cancel']").first.click()
    starter.locator("#cancel form button").first.click()
    left = "Dana canceled. Your portion is still in."
    expect(friend.get_by_text(left)).to_be_visible(timeout=20_000)
    expect(friend.get_by_text("in, with Dana")).to_have_count(0)


def test_who_is_in_is_offered_more_but_not_asked_to_order_again(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    guest = visitor(phone=True)
    link = calls.link_to(stack, calls.publish(stack, "Gnocchi for more"))
    guest.goto(link)
    button = guest.locator(".order-bar").get_by_role("link")
    expect(button).to_have_accessible_name(re.compile("^Pre-Order"))
    expect(button).to_have_class(re.compile("button-primary"))
    steps.order(guest, link, "more@friends.test")
    steps.expect_held(guest)
    guest.goto(link)
    expect(button).to_have_accessible_name(re.compile("^Order more"))
    expect(button).not_to_have_class(re.compile("button-primary"))


def test_a_friend_orders_the_last_reserved_portion_with_a_wallet(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    starter, friend = visitor(phone=True), visitor(phone=True)
    special = calls.publish(stack, "Wallet rigatoni", maxPreorders=2)
    part = reserve_one(starter, calls.link_to(stack, special))
    friend.goto(friends_link(part))
    steps.open_form(friend).get_by_label("Your first name").check()
    open_wallet(friend, buttons_of(friend))
    in_wallet(friend)
    friend.wait_for_url("**/order/**")
    steps.expect_held(friend)
    eventually(
        lambda: sorted(stack.orders(special)),
        [
            ("ana@friends.test", "pending", "authorized"),
            ("wallet@guests.test", "pending", "authorized"),
        ],
    )
    eventually(lambda: steps.sees(starter, page_of(starter), "1 friend is in"), True)
    expect(part).to_contain_text("Wallet")
