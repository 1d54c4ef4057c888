"""A special's own page near its deadline: what would happen, and what helps it along."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.onboarding_steps import words_in
from tests.e2e.stack import Stack
from tests.e2e.test_own_order import access_links
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


@pytest.fixture(params=["phone", "desk"])
def owner(visitor: Visitor, stack: Stack, request: pytest.FixtureRequest) -> Page:
    page = visitor(phone=request.param == "phone")
    steps.sign_in(page, stack)
    return page


def publish(stack: Stack, *, minimum: int, name: str = "Porchetta") -> str:
    """A special that is decided in three hours and served the day after; its id."""
    return calls.publish(stack, name, minimum=minimum, deadline=timedelta(hours=3))


def open_page(owner: Page, stack: Stack, offer: str) -> None:
    owner.goto(stack.url(f"/restaurant/offers/{offer}"))
    expect(owner.get_by_role("heading", name="If it closed right now")).to_be_visible()


def action(owner: Page, name: str, confirm: str, proposal: str, value: str | None = None) -> None:
    """Open the action's dialog, read what it would do, and confirm it."""
    owner.get_by_role("button", name=name, exact=True).click()
    dialog = owner.get_by_role("dialog")
    if value is not None:
        dialog.locator("input").fill(value)
    expect(dialog.get_by_role("status")).to_contain_text(proposal)
    dialog.get_by_role("button", name=confirm, exact=True).click()
    expect(dialog).to_be_hidden()


def test_a_lowered_minimum_is_met_at_the_deadline(owner: Page, stack: Stack) -> None:
    special = publish(stack, minimum=4)
    calls.place_order(stack, special, "ada@offers.test", portions=2)
    calls.place_order(stack, special, "ben@offers.test", portions=1)
    open_page(owner, stack, special)
    expect(
        owner.get_by_text("It doesn't go ahead, 1 portion short: 2 holds are released.")
    ).to_be_visible()
    expect(owner.get_by_text("1 more and it's on").first).to_be_visible()

    action(
        owner,
        "Lower the minimum",
        "Lower minimum",
        "3 of 4 portions ordered. Lower the minimum to 3, and 2 cards are charged on",
    )
    expect(owner.get_by_text("It goes ahead: 2 cards are charged.")).to_be_visible()
    # 18.00 and 8 % tax: 38.88 and 19.44, less 4.9 % and 30 cents each.
    sums = owner.locator("dl.sum").first
    expect(sums).to_contain_text("$58.32")
    expect(sums).to_contain_text("$54.86")
    expect(owner.get_by_text("Minimum lowered from 4 to 3").last).to_be_visible()

    stack.bring_deadline(special, seconds=1)
    eventually(
        lambda: stack.orders(special),
        [
            ("ada@offers.test", "confirmed", "captured"),
            ("ben@offers.test", "confirmed", "captured"),
        ],
    )
    owner.reload()
    expect(owner.get_by_role("heading", name="Results")).to_be_visible()
    expect(
        owner.get_by_text("It went ahead with 3 portions: 2 cards were charged.")
    ).to_be_visible()
    expect(owner.locator("dl.sum").first).to_contain_text("$54.86")


def test_the_restaurant_takes_portions_on_and_gives_its_word(owner: Page, stack: Stack) -> None:
    special = publish(stack, minimum=6)
    calls.place_order(stack, special, "cleo@offers.test", portions=1)
    open_page(owner, stack, special)
    action(
        owner,
        "Add restaurant portions",
        "Save restaurant portions",
        "With 2 restaurant portions, it's still 3 portions short.",
        value="2",
    )
    expect(owner.get_by_text("3 portions ordered, minimum 6, 2 of them yours.")).to_be_visible()
    action(owner, "Guarantee it", "Guarantee it", "Your guests will see that it's on")
    expect(
        owner.get_by_text("It goes ahead below the minimum, as you guaranteed: 1 card is charged.")
    ).to_be_visible()

    stack.bring_deadline(special, seconds=1)
    eventually(lambda: stack.orders(special), [("cleo@offers.test", "confirmed", "captured")])


def test_an_extension_is_told_and_a_guest_can_leave(
    owner: Page, stack: Stack, visitor: Visitor
) -> None:
    special = publish(stack, minimum=4, name="Vitello Tonnato")
    email = f"dora-{special[:8]}@offers.test"
    calls.place_order(stack, special, email, portions=2)
    open_page(owner, stack, special)
    action(
        owner,
        "Extend the deadline",
        "Extend deadline",
        "We'll email 1 guest, who can cancel for free.",
    )
    expect(owner.get_by_text(re.compile("^Deadline extended from")).last).to_be_visible()

    def links() -> list[str]:
        return [link for link in access_links(stack, email) if "%23cancel" in link]

    eventually(lambda: len(links()), 1)
    guest = visitor(phone=True, java_script=False)
    guest.goto(links()[0])
    expect(guest.get_by_role("heading", name="You're in for")).to_be_visible()
    assert stack.orders(special) == [(email, "pending", "authorized")]
    guest.get_by_role("button", name="Cancel order").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text(
        "Order canceled. You weren't charged"
    )
    eventually(lambda: stack.orders(special), [(email, "cancelled", "released")])
    # The owner's open page follows by itself.
    expect(owner.get_by_text("no cards are on hold")).to_be_visible()


def test_a_special_is_canceled_and_every_guest_is_told_why(owner: Page, stack: Stack) -> None:
    special = publish(stack, minimum=2, name="Fritto misto")
    email = f"finn-{special[:8]}@offers.test"
    calls.place_order(stack, special, email, portions=2)
    open_page(owner, stack, special)
    owner.get_by_role("button", name="Cancel this special").click()
    dialog = owner.get_by_role("dialog", name="Cancel Fritto misto?")
    expect(dialog.get_by_text("1 order ends: holds are released")).to_be_visible()
    dialog.get_by_role("button", name="Cancel special").click()
    expect(dialog.get_by_text("Tell your guests why.")).to_be_visible()
    assert stack.orders(special) == [(email, "pending", "authorized")]
    dialog.get_by_role("button", name="Keep special").click()
    expect(dialog).to_be_hidden()

    owner.get_by_role("button", name="Cancel this special").click()
    dialog.get_by_label("Reason", exact=True).fill("The boats stayed in the harbor.")
    dialog.get_by_label("Show this reason on the special's page, too").check()
    dialog.get_by_role("button", name="Cancel special").click()
    expect(dialog).to_be_hidden()
    expect(owner.get_by_role("button", name="Cancel this special")).to_have_count(0)
    eventually(lambda: stack.orders(special), [(email, "cancelled", "released")])
    eventually(lambda: len(stack.emails(to=email)), 2)
    told = words_in(stack.emails(to=email)[-1])
    assert "canceled this special. You weren't charged" in told
    assert "> The boats stayed in the harbor." in told
    owner.goto(calls.link_to(stack, special))
    expect(owner.get_by_role("heading", name="Canceled. No one pays.")).to_be_visible()
    expect(owner.get_by_text("“The boats stayed in the harbor.”")).to_be_visible()


def test_the_advisor_speaks_while_a_special_is_written(owner: Page, stack: Stack) -> None:
    owner.goto(stack.url("/restaurant?tab=specials"))
    owner.get_by_role("button", name=re.compile("[Aa]dd special offer|Create First")).first.click()
    dialog = owner.get_by_role("dialog")
    dialog.get_by_label("Special price").fill("18")
    dialog.get_by_label("Minimum pre-orders").fill("8")
    head = dialog.locator("summary", has_text="What to expect")
    expect(head).to_contain_text(re.compile("chance of reaching 8 portions|Forecasts start after"))
    head.click()
    dialog.get_by_label("Fixed cost").fill("100")
    dialog.get_by_label("Cost per portion").fill("6.50")
    expect(dialog.get_by_text(re.compile(r"to cover \$100.00 in fixed costs"))).to_be_visible()
    expect(dialog.get_by_text("With a minimum of 8, you could lose up to")).to_be_visible()
    dialog.get_by_label("Cost per portion").press("Enter")
    expect(dialog.get_by_text("Name is required")).to_have_count(0)


def test_pick_up_times_are_set_for_an_evening_at_once(owner: Page, stack: Stack) -> None:
    special = publish(stack, minimum=4)
    open_page(owner, stack, special)
    section = owner.get_by_role("region", name="Pickup times")
    section.get_by_role("button", name="Create time slots").click()
    section.get_by_label("From", exact=True).fill("17:00")
    section.get_by_label("To", exact=True).fill("18:30")
    section.get_by_label("Portions each").fill("6")
    section.get_by_role("button", name="Add 3 times").click()
    steps.expect_whole_times(section.locator("input[type=time]"))
    section.get_by_role("button", name="Remove time 2").click()
    section.get_by_role("button", name="Save pickup times").click()
    expect(owner.get_by_text("Pickup times saved").first).to_be_visible()
    zone = steps.LUIGIS_ZONE.key
    saved = stack.query(
        "SELECT to_char(starts_at AT TIME ZONE %s, 'HH24:MI'), capacity FROM offers_pickupslot"
        " WHERE offer_id = %s ORDER BY starts_at",
        zone,
        special,
    )
    assert saved == [("17:00", 6), ("18:00", 6)]
    owner.reload()
    expect(section.get_by_label("Time 2 from")).to_have_value("18:00")


def test_the_chart_has_a_table_behind_it(owner: Page, stack: Stack) -> None:
    special = publish(stack, minimum=4)
    calls.place_order(stack, special, "eve@offers.test", portions=3)
    open_page(owner, stack, special)
    expect(owner.locator("figure svg.recharts-surface").first).to_be_visible()
    owner.get_by_role("button", name="Show table").click()
    rows = owner.get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.last).to_contain_text("3")
    wide = owner.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
