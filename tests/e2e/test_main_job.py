"""The main job, as an owner and two guests live it: both outcomes, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.pictures import photo_of_a_dish
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def email_count(stack: Stack, guest: str) -> Callable[[], int]:
    return lambda: len(stack.emails(to=guest))


def test_minimum_met_charges_both_cards_and_confirms_by_email(
    stack: Stack, visitor: Visitor
) -> None:
    owner = visitor()
    steps.open_dashboard(owner, stack)
    link = steps.publish(owner, "Saffron risotto", minimum=3, photo=photo_of_a_dish())
    assert link.startswith(stack.url("/specials/", restaurant="luigis"))

    first, second = visitor(phone=True), visitor()
    second.goto(steps.short_link(link))
    expect(second).to_have_url(link)
    steps.order(first, link, "ada@guests.test")
    expect(first.get_by_role("heading", level=1)).to_be_visible()
    steps.expect_held(first)
    # The other guest's open page moves by itself.
    expect(second.locator("[data-current]").first).to_have_text("1")
    expect(second.get_by_text("2 more and it's on").first).to_be_visible()
    steps.order(second, link, "ben@guests.test", portions=2)
    steps.expect_held(second)
    # So does the first guest's page of the order.
    expect(first.locator(".order-odds")).to_contain_text("It's on")

    special = steps.offer_id(link)
    stack.bring_deadline(special, seconds=1)
    eventually(
        lambda: stack.orders(special),
        [
            ("ada@guests.test", "confirmed", "captured"),
            ("ben@guests.test", "confirmed", "captured"),
        ],
    )
    for guest in ("ada@guests.test", "ben@guests.test"):
        eventually(email_count(stack, guest), 2)
    first.goto(first.url)
    expect(first.get_by_role("heading", level=1)).to_have_text("Saffron risotto is on")
    expect(first.get_by_role("status").get_by_text("We charged your card $19.44.")).to_be_visible()

    # The restaurant's ledger: 18.00 + 8 % for one portion, twice that for two.
    owner.goto(stack.url("/restaurant?tab=orders"))
    expect(owner.get_by_text("$19.44").first).to_be_visible()
    expect(owner.get_by_text("$38.88").first).to_be_visible()
    expect(owner.get_by_text("ada@guests.test").first).to_be_visible()
    assert stack.query(
        "SELECT transaction_type, sum(amount)::text FROM billing_paymenthistory"
        " WHERE offer_id = %s GROUP BY 1 ORDER BY 1",
        special,
    )[:2] == [("authorization", "58.32"), ("capture", "58.32")]


def test_minimum_missed_releases_both_holds_and_says_nobody_was_charged(
    stack: Stack, visitor: Visitor
) -> None:
    owner = visitor(phone=True)
    steps.open_dashboard(owner, stack)
    link = steps.publish(owner, "Squid ink linguine", minimum=3)
    special = steps.offer_id(link)
    for recipient in ("cleo@guests.test", "dan@guests.test"):
        guest = visitor(phone=True)
        steps.order(guest, link, recipient)
        steps.expect_held(guest)

    stack.bring_deadline(special, seconds=1)
    eventually(
        lambda: stack.orders(special),
        [
            ("cleo@guests.test", "cancelled", "released"),
            ("dan@guests.test", "cancelled", "released"),
        ],
    )
    for recipient in ("cleo@guests.test", "dan@guests.test"):
        eventually(email_count(stack, recipient), 2)
        assert "charged nothing" in stack.emails(to=recipient)[-1]
    charges = stack.query(
        "SELECT count(*) FROM billing_paymenthistory"
        " WHERE offer_id = %s AND transaction_type = 'capture'",
        special,
    )
    assert charges == [(0,)]
    visit = visitor()
    eventually(lambda: steps.sees(visit, link, "Not this time"), True)
    expect(visit.get_by_role("button", name="Offer Expired")).to_be_disabled()
