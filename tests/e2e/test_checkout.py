"""Everything else that can happen to a guest between the form and the confirmation."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.cart_steps import answer_bank
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


@pytest.fixture
def published(stack: Stack) -> Callable[..., str]:
    """Publishes a special as the demo owner; its public link."""

    def publish(name: str, **more: Any) -> str:
        return calls.link_to(stack, calls.publish(stack, name, **more))

    return publish


def test_a_declined_card_says_so_and_another_one_goes_through(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Declined lasagne"), visitor()
    steps.order(guest, link, "declined@guests.test", number=steps.DECLINED)
    fields = guest.frame_locator(".card-fields iframe")
    expect(fields.get_by_role("alert")).to_have_text("Your card was declined.")
    expect(guest.get_by_text("Nothing was held or charged.")).to_be_in_viewport()
    expect(guest.get_by_text("1 × Declined lasagne")).to_be_visible()
    assert stack.orders(steps.offer_id(link))[0][2] == "unpaid"
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)
    eventually(lambda: stack.orders(steps.offer_id(link))[0][2], "authorized")


def test_three_d_secure_accepted_holds_the_card(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Secure ravioli"), visitor(phone=True)
    steps.order(guest, link, "secure@guests.test", number=steps.WANTS_3DS)
    answer_bank(guest, "Complete authentication")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(steps.offer_id(link))[0][2], "authorized")


@pytest.mark.parametrize("again_with", [steps.WANTS_3DS, steps.GOOD], ids=["same", "other"])
def test_three_d_secure_failed_holds_nothing_and_takes_the_same_or_another_card(
    stack: Stack, visitor: Visitor, published: Callable[..., str], again_with: str
) -> None:
    email = f"insecure{again_with[-4:]}@guests.test"
    link, guest = published(f"Insecure ravioli {again_with[-4:]}"), visitor(phone=True)
    steps.order(guest, link, email, number=steps.WANTS_3DS)
    answer_bank(guest, "Fail authentication")
    expect(guest.get_by_role("alert")).to_be_visible()
    eventually(lambda: stack.orders(steps.offer_id(link))[0][2], "unpaid")
    steps.give_card(guest, again_with)
    if again_with == steps.WANTS_3DS:
        answer_bank(guest, "Complete authentication")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(steps.offer_id(link)), [(email, "pending", "authorized")])
    assert stack.holds(steps.offer_id(link)) == [1]


def test_the_whole_order_works_without_java_script(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Plain polenta"), visitor(java_script=False, phone=True)
    guest.goto(stack.url("/specials", restaurant="luigis"))
    row = guest.locator("tr, li, article").filter(has_text="Plain polenta").last
    row.get_by_role("link", name=re.compile("Pre-Order")).first.click()
    steps.order(guest, guest.url, "plain@guests.test", portions=2)
    steps.expect_held(guest)
    eventually(
        lambda: stack.orders(steps.offer_id(link)),
        [("plain@guests.test", "pending", "authorized")],
    )


def test_an_abandoned_checkout_holds_nothing_and_can_be_taken_up_again(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Abandoned arancini"), visitor(java_script=False)
    steps.fill_order(guest, link, "abandoned@guests.test")
    guest.get_by_role("link", name=re.compile("Cancel|Back", re.IGNORECASE)).first.click()
    expect(guest.get_by_text("Your card wasn't held or charged").first).to_be_visible()
    assert stack.orders(steps.offer_id(link))[0][1:] == ("pending", "unpaid")
    guest.get_by_role("link", name="Continue to payment").click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)


def test_back_from_the_payment_gives_the_portions_back_and_leads_to_the_form_as_it_was(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Left linguine", maxPreorders=2), visitor(phone=True)
    steps.fill_order(guest, link, "back@guests.test", portions=2)
    steps.expect_card_asked(guest)
    expect(guest.get_by_text("We'll email the confirmation to back@guests.test.")).to_be_visible()
    guest.get_by_role("button", name="Back", exact=True).click()
    guest.wait_for_url(f"**/specials/{steps.offer_id(link)}#pre-order")
    assert stack.orders(steps.offer_id(link)) == [("back@guests.test", "cancelled", "unpaid")]
    form = guest.locator(".order-sheet[open] #pre-order")
    expect(form.get_by_label("Portions")).to_have_value("2")
    expect(form.get_by_label("Email")).to_have_value("back@guests.test")
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)
    assert stack.holds(steps.offer_id(link)) == [1]


@pytest.mark.parametrize("way", ["afresh", "back"])
@pytest.mark.parametrize("java_script", [True, False], ids=["script", "plain"])
def test_the_last_portion_is_found_again_by_whoever_left_its_payment_page(
    stack: Stack, visitor: Visitor, published: Callable[..., str], way: str, java_script: bool
) -> None:
    link = published(f"Left lasagne {way} {java_script}", maxPreorders=1)
    guest = visitor(phone=True, java_script=java_script)
    steps.fill_order(guest, link, "left@guests.test")
    steps.expect_card_asked(guest)
    if way == "back" and java_script:
        guest.go_back()  # to the page as it was, which learns that the last portion is taken
    else:
        left, guest = guest, guest.context.new_page()
        left.close()
        guest.goto(link)
    expect(guest.get_by_text("Your order hasn't been placed yet")).to_be_visible(timeout=20_000)
    expect(guest.get_by_text("waitlist")).to_have_count(0)
    to_payment = guest.get_by_role("link", name="Continue to payment").filter(visible=True)
    expect(to_payment).to_have_count(1)
    to_payment.click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)


def test_a_checkout_given_up_does_not_keep_the_offer_from_its_deadline(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Forgotten focaccia"), visitor()
    steps.fill_order(guest, link, "forgot@guests.test")
    steps.expect_card_asked(guest)
    special = steps.offer_id(link)
    stack.bring_deadline(special, seconds=-601)  # the grace for open checkouts is over, too
    eventually(
        lambda: stack.query("SELECT status FROM offers_specialoffer WHERE id = %s", special),
        [("failed",)],
    )
    assert stack.orders(special) == [("forgot@guests.test", "cancelled", "unpaid")]
    guest.reload()
    expect(guest.get_by_text("Not ordered")).to_be_visible()


def test_a_deadline_during_three_d_secure_waits_for_the_bank(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link, guest = published("Borderline bollito"), visitor()
    special = steps.offer_id(link)
    steps.order(guest, link, "border@guests.test", number=steps.WANTS_3DS)
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    expect(bank.get_by_role("button", name="Complete authentication")).to_be_visible()
    stack.bring_deadline(special, seconds=-1)
    eventually(
        lambda: stack.query("SELECT status FROM offers_specialoffer WHERE id = %s", special),
        [("closing",)],
    )
    other = visitor()
    eventually(lambda: steps.sees(other, link, "Deciding now"), True)
    answer_bank(guest, "Complete authentication")
    eventually(lambda: stack.orders(special), [("border@guests.test", "confirmed", "captured")])


def test_one_of_two_guests_gets_the_last_portion(
    stack: Stack, visitor: Visitor, published: Callable[..., str]
) -> None:
    link = published("Last tiramisu", maxPreorders=1)
    special = steps.offer_id(link)
    first, second, third = visitor(), visitor(phone=True), visitor(phone=True)
    second.goto(link)  # saw it free, and acts on that
    form = steps.open_form(second)
    third.goto(link)
    bar = third.locator(".sticky-action")
    pre_order = bar.get_by_role("link", name="Pre-Order · $19.44")
    expect(pre_order).to_be_visible()
    steps.fill_order(first, link, "first@guests.test")
    expect(bar.get_by_role("link", name="Join the waitlist")).to_be_visible()
    expect(pre_order).to_be_hidden()
    form.get_by_label("Name").fill("Eve Eater")
    form.get_by_label("Email").fill("second@guests.test")
    form.get_by_role("button", name="Pre-Order Now").click()
    # The first guest hasn't paid, so it may open up again, and nothing else is offered meanwhile.
    expect(second.get_by_text("Somebody was quicker")).to_be_visible()
    expect(second.get_by_text("Just sold out")).to_have_count(0)
    bar = second.locator(".sticky-action")
    expect(bar.get_by_role("link")).to_have_text(["Join the waitlist"])
    steps.give_card(first, steps.GOOD)
    steps.expect_held(first)
    eventually(lambda: stack.orders(special), [("first@guests.test", "pending", "authorized")])
