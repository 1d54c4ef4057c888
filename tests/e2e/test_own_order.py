"""A guest's own page of an order: found, changed, and canceled without an account."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
LINK = re.compile(r"http://\S+/order/[\w.-]+")


ACCESS = re.compile(r"http://\S+/order/[\w.-]+/open\?\S+")


def texts_to(stack: Stack, email: str) -> list[str]:
    return [text.replace("=\n", "").replace("=3D", "=") for text in stack.emails(to=email)]


def links_in_emails(stack: Stack, email: str) -> set[str]:
    found = (LINK.search(text) for text in texts_to(stack, email))
    return {each.group() for each in found if each}


def access_links(stack: Stack, email: str) -> set[str]:
    """The links of the plain texts that let their reader change an order."""
    texts = [text.partition("Content-Type: text/html")[0] for text in texts_to(stack, email)]
    return {found for text in texts for found in ACCESS.findall(text)}


def press(page: Page, button: str) -> Locator:
    """Press one of the buttons at the top, which opens its form right below. The page was just
    loaded, with all forms closed."""
    part = page.locator("#cancel" if button == "Cancel" else "#change-order")
    expect(part).to_be_hidden()
    page.get_by_role("link", name=f"{button} your order").click()
    return part


def fold(page: Page, action: str) -> Locator:
    """Open the form of a change other than the portions."""
    part = press(page, "Change").locator(
        "details", has=page.locator(f"input[name=action][value={action}]")
    )
    part.locator("summary").click()
    return part


def test_a_guest_changes_and_cancels_an_order_on_a_phone(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    special, email = (
        calls.publish(stack, "Agnolotti del plin", maxPreorders=2),
        "dana@own-order.test",
    )
    link = calls.link_to(stack, special)
    calls.place_order(stack, special, email, portions=2)
    guest = visitor(phone=True)

    eventually(lambda: len(links_in_emails(stack, email)), 1)
    [own_page] = links_in_emails(stack, email)
    guest.goto(own_page)
    title = guest.get_by_role("heading", level=1)
    expect(title).to_have_text("You made Agnolotti del plin happen!")
    expect(guest.get_by_role("button", name="Cancel order")).to_have_count(0)
    press(guest, "Change")
    guest.get_by_role("button", name="Email me a link to change it").click()
    expect(guest.get_by_text("Check your email. We sent a link")).to_be_visible()
    eventually(lambda: len(stack.emails(to=email)), 2)
    [to_change] = {link for link in access_links(stack, email) if "change-order" in link}
    guest.goto(to_change)
    part = guest.locator("#change-order")  # what the link is for is open
    expect(part).to_be_visible()
    assert guest.url == f"{own_page}?open=change#change-order"
    passer_by = visitor()
    eventually(lambda: steps.sees(passer_by, link, "Sold out"), True)

    part.get_by_role("button", name="One portion fewer").click()
    part.get_by_role("button", name="Change to 1 portion").click()
    expect(guest.get_by_text("Updated: 1 portion (was 2).")).to_be_visible()
    expect(guest.get_by_text("Your bank still holds $38.88")).to_be_visible()
    eventually(lambda: steps.sees(passer_by, link, "Sold out"), False)

    guest.goto(own_page)
    part = fold(guest, "note")
    part.get_by_label("Allergies or requests").fill("No sage, please")
    part.get_by_role("button", name="Save note").click()
    expect(guest.get_by_text("Note saved. The kitchen will see it.")).to_be_visible()
    expect(guest.get_by_role("definition").filter(has_text="No sage, please")).to_be_visible()

    guest.goto(own_page)
    press(guest, "Cancel").get_by_role("button", name="Cancel order").click()
    expect(title).to_have_text("Order canceled. You weren't charged")
    eventually(lambda: stack.orders(special), [(email, "cancelled", "released")])
    # Its page is found again, as an order that isn't to come.
    guest.goto(link)
    own = guest.locator("header [data-own-orders]")
    expect(own.locator("[data-own-count]")).to_have_text("")
    own.locator("summary").click()
    expect(own.get_by_text("Canceled", exact=True)).to_be_visible()
    own.get_by_role("link", name="Agnolotti del plin").click()
    expect(title).to_have_text("Order canceled. You weren't charged")
    [(portions, reserved)] = stack.query(
        "SELECT ordered_portions, reserved_portions FROM offers_specialoffer WHERE id = %s", special
    )
    assert (portions, reserved) == (0, 0)


@pytest.mark.parametrize("minimum", [1, 9], ids=["on", "short"])
def test_right_after_ordering_the_next_step_is_on_the_first_screen_of_a_phone(
    stack: Stack, visitor: Callable[..., Page], minimum: int
) -> None:
    special = calls.publish(stack, f"First view farfalle {minimum}", minimum=minimum)
    calls.place_order(stack, special, f"ida{minimum}@own-order.test", portions=1)
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 640})
    steps.order(guest, calls.link_to(stack, special), f"fay{minimum}@own-order.test")
    steps.expect_held(guest)
    notice = guest.locator(".notice:has(#sent-to)")
    expect(notice).to_contain_text(f"A confirmation email is on its way to fay{minimum}@")
    has_two_lines = (
        "each => each.offsetHeight < 2.5 * parseFloat(getComputedStyle(each).lineHeight)"
    )
    # Once the style sheet is there.
    eventually(lambda: guest.locator("#sent-to").evaluate(has_two_lines), True)
    is_calm = "each => getComputedStyle(each, '::before').borderRadius === '0px'"
    assert not notice.evaluate(is_calm)
    nexts = "#bring-friends .order-share .button" if minimum > 1 else ".order-actions > .button"
    for button in guest.locator(nexts).all():
        if button.is_visible():
            expect(button).to_be_in_viewport(ratio=1)
    guest.reload()
    assert guest.locator('.notice[data-part="card"]').evaluate(is_calm)


@pytest.mark.parametrize("width", [768, 1440])
def test_a_wide_page_of_an_order_without_a_photo_has_the_title_in_its_place(
    stack: Stack, visitor: Callable[..., Page], width: int
) -> None:
    special = calls.publish(stack, f"Plated panelle {width}")
    guest = visitor()
    guest.set_viewport_size({"width": width, "height": 900})
    steps.fill_order(guest, calls.link_to(stack, special), "plate@guests.test")
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)
    expect(guest.locator(".order-photo")).to_be_hidden()
    title = guest.get_by_role("heading", level=1).bounding_box()
    beside = guest.locator(".order-now").bounding_box()
    assert title
    assert beside
    assert title["x"] + title["width"] < beside["x"]
    assert abs(title["y"] - beside["y"]) < 64
    assert guest.evaluate("document.documentElement.scrollWidth") == width


def test_a_guest_changes_portions_and_their_time_with_one_press(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    special = calls.publish(stack, "Timed tortellini", minimum=2, maxPreorders=9)
    calls.set_times(stack, special, 2, 4, 3)
    guest = visitor(phone=True)
    steps.order(guest, calls.link_to(stack, special), "lou@own-order.test", portions=2)
    steps.expect_held(guest)
    guest.goto(guest.url.split("?")[0])
    part = press(guest, "Change")
    expect(part.locator("summary", has_text="Portions and time")).to_contain_text(
        "2 portions, 5:00–5:30 PM"
    )
    time, moved = (
        part.get_by_label("Time on"),
        part.get_by_text("Your time changes from 5:00–5:30 PM to"),
    )
    expect(moved).to_be_hidden()
    more = part.get_by_role("button", name="One portion more")
    more.click()
    expect(time.locator("option:checked")).to_contain_text("5:30–6:00 PM")
    expect(moved).to_contain_text("to 5:30–6:00 PM")
    expect(part.get_by_role("button", name="Change to 3 portions at 5:30–6:00 PM")).to_be_visible()
    more.click()
    expect(more).to_be_disabled()
    part.get_by_role("button", name="One portion fewer").click(click_count=2)
    expect(time.locator("option:checked")).to_have_text("5:00–5:30 PM")
    expect(moved).to_be_hidden()
    more.click()
    time.select_option(label="6:00–6:30 PM (3 left)")
    part.get_by_role("button", name="Change to 3 portions at 6:00–6:30 PM").click()
    updated = "Updated: 3 portions (was 2), 6:00–6:30 PM (was 5:00–5:30 PM)."
    expect(guest.get_by_text(updated)).to_be_visible()
    assert stack.query(
        "SELECT quantity, extract(minute FROM starts_at)::int FROM preorders_preorder"
        " JOIN offers_pickupslot s ON s.id = pickup_slot_id WHERE s.offer_id = %s",
        special,
    ) == [(3, 0)]
    assert stack.holds(special) == [2]
    # On a laptop its form stands beside what was ordered.
    guest.set_viewport_size({"width": 1440, "height": 900})
    guest.goto(guest.url.split("?")[0])
    form = press(guest, "Change").bounding_box()
    ordered = guest.get_by_role("region", name="Your order").bounding_box()
    assert form
    assert ordered
    assert form["y"] == ordered["y"]
    assert form["x"] >= ordered["x"] + ordered["width"]


def test_a_guest_who_leaves_the_banks_page_keeps_the_order_as_it_was(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    special = calls.publish(stack, "Kept cannelloni", minimum=4, maxPreorders=8)
    email = "kim@own-order.test"
    guest = visitor(phone=True)
    link = calls.link_to(stack, special)
    steps.order(guest, link, email, portions=2, number=steps.OFF_SESSION_DECLINED)
    steps.expect_held(guest)
    own_page = guest.url.split("?")[0]
    guest.goto(own_page)
    part = press(guest, "Change")
    part.get_by_role("button", name="One portion more").click()
    part.get_by_role("button", name="Change to 3 portions").click()
    steps.give_card(guest, steps.WANTS_3DS)
    expect(guest.get_by_role("button", name="Complete authentication")).to_be_visible()
    banks_page = guest.url

    guest.goto(own_page)
    expect(guest.get_by_text("Your order is still for 2 portions")).to_be_visible()
    expect(guest.get_by_role("link", name="Finish change to 3")).to_be_visible()
    assert guest.evaluate("document.documentElement.scrollWidth") == 360
    assert counted(stack, special) == (2, 3)
    guest.get_by_role("button", name="Keep 2 portions").click()
    answer = guest.get_by_role("status").filter(has_text="Your order stays at")
    expect(answer).to_have_text("Your order stays at 2 portions.")
    expect_no_change(guest)
    seats = guest.locator(".order-odds .seat")
    expect(seats).to_have_count(4)
    expect(seats.and_(guest.locator("[data-own]"))).to_have_count(2)
    expect(seats.and_(guest.locator("[data-being-ordered]"))).to_have_count(0)
    assert counted(stack, special) == (2, 2)

    # The bank's page, opened again, has nothing to confirm anymore.
    guest.goto(banks_page)
    expect(guest.get_by_text(re.compile("expired", re.IGNORECASE)).first).to_be_visible()
    expect(guest.get_by_role("button", name="Complete authentication")).to_have_count(0)
    guest.goto(own_page)
    expect_no_change(guest)
    assert counted(stack, special) == (2, 2)
    assert stack.orders(special) == [(email, "pending", "authorized")]
    assert stack.holds(special) == [1]
    assert stack.query("SELECT quantity FROM preorders_preorder WHERE offer_id = %s", special) == [
        (2,)
    ]


def counted(stack: Stack, special: str) -> tuple[int, int]:
    """The special's ordered portions, and those reserved, which are more while some wait."""
    [row] = stack.query(
        "SELECT ordered_portions, reserved_portions FROM offers_specialoffer WHERE id = %s", special
    )
    return row[0], row[1]


def expect_no_change(page: Page) -> None:
    """Expect a page of an order without an unfinished change."""
    expect(page.get_by_role("heading", level=1)).to_contain_text("You're in for")
    for role in ("link", "button"):
        expect(page.get_by_role(role, name=re.compile("^(Finish change|Keep 2)"))).to_have_count(0)
    expect(page.get_by_text("Your order is still for")).to_have_count(0)


def test_found_again_by_an_email_without_a_script(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    email = "gus@own-order.test"
    calls.place_order(stack, calls.publish(stack, "Vitello tonnato", minimum=3), email)
    guest = visitor(phone=True, java_script=False)
    guest.goto(stack.url("/find-order", restaurant="luigis"))
    guest.get_by_label("Email address").fill(email)
    guest.get_by_role("button", name="Email my orders").click()
    expect(guest.get_by_text("If there are orders or waitlist places with")).to_be_visible()
    eventually(lambda: len(stack.emails(to=email)), 2)
    guest.goto(min(access_links(stack, email), key=len))
    expect(guest.get_by_role("heading", level=1)).to_contain_text("You're in for")
    press(guest, "Cancel")
    expect(guest.get_by_role("button", name="Cancel order")).to_be_visible()
    path = guest.url.split("?")[0]
    guest.goto(path[:-1])
    expect(guest.get_by_role("heading", level=1)).to_have_text("This order link isn't valid")


def open_before_the_deadline(
    stack: Stack, guest: Page, name: str, email: str, *, minimum: int, seconds: float
) -> None:
    """Open the page of an order for two portions of a new special, whose deadline is near."""
    special = calls.publish(stack, name, minimum=minimum)
    calls.place_order(stack, special, email, portions=2)
    eventually(lambda: len(links_in_emails(stack, email)), 1)
    stack.bring_deadline(special, seconds=seconds)
    guest.goto(links_in_emails(stack, email).pop())
    expect(guest.get_by_role("heading", level=1)).to_contain_text(name)
    expect(guest.get_by_text("2 yours")).to_be_visible()
    expect(guest.get_by_role("link", name="Cancel your order")).to_be_visible()


def expect_nothing_of_before(guest: Page) -> None:
    """Expect a page that says nothing which is true only until orders close."""
    for words in ("2 yours", "Closes in", "Bring friends", "Know someone who"):
        expect(guest.get_by_text(words)).to_be_hidden()
    for button in ("Change", "Cancel"):
        expect(guest.get_by_role("link", name=f"{button} your order")).to_be_hidden()


@pytest.mark.parametrize(
    ("minimum", "name", "headline"),
    [
        (9, "Missed malloreddus", "Not this time. You weren't charged"),
        (2, "Met maltagliati", "Met maltagliati is on"),
    ],
    ids=["missed", "met"],
)
def test_the_page_of_an_order_left_open_says_the_result_by_itself(
    stack: Stack, visitor: Callable[..., Page], minimum: int, name: str, headline: str
) -> None:
    guest, email = visitor(phone=True), f"left-open-{minimum}@own-order.test"
    open_before_the_deadline(stack, guest, name, email, minimum=minimum, seconds=10)
    loads: list[str] = []
    guest.on("load", lambda page: loads.append(page.url))

    expect(guest.get_by_text("Orders have closed").first).to_be_visible()
    expect_nothing_of_before(guest)
    expect(guest.get_by_role("heading", level=1)).to_have_text(headline)
    expect_nothing_of_before(guest)
    expect(guest.get_by_text("Orders have closed")).to_have_count(0)
    expect(guest.get_by_text("Expired")).to_have_count(0)
    # Counting, then at the most twice more while the card is charged or released.
    seen = len(loads)
    assert 1 <= seen <= 3
    guest.wait_for_timeout(9_000)
    assert len(loads) == seen


def test_the_page_of_an_order_waits_for_its_open_form_when_orders_close(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    guest, email = visitor(phone=True), "form-open@own-order.test"
    open_before_the_deadline(stack, guest, "Open orecchiette", email, minimum=9, seconds=8)
    panel = press(guest, "Change")
    expect(guest.get_by_text("Orders have closed")).to_be_visible()
    expect_nothing_of_before(guest)
    guest.wait_for_timeout(5_000)
    expect(panel).to_be_visible()
    expect(guest.get_by_role("heading", level=1)).to_have_text("You're in for Open orecchiette")

    panel.locator("summary").first.click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Not this time. You weren't charged")
    expect(panel).to_have_count(0)


def test_the_list_marks_a_special_that_this_browser_ordered_and_leads_to_the_order(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    guest = visitor(phone=True)
    special = calls.publish(stack, "Marked malloreddus")
    steps.order(guest, calls.link_to(stack, special), "mia@own-order.test", portions=2)
    steps.expect_held(guest)
    own = guest.url.partition("?")[0]
    guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    card = guest.locator(f"[data-special='{special}']")
    card.get_by_role("link", name="You ordered 2 Marked malloreddus").click()
    expect(guest).to_have_url(own)
    guest.go_back()
    guest.locator("header [data-own-orders] summary").click()
    guest.get_by_role("button", name="Remove these from this device").click()
    expect(card.get_by_text("You ordered")).to_have_count(0)


def test_a_button_below_own_orders_stays_under_the_finger_when_their_state_is_known(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    guest = visitor(phone=True)
    special = calls.publish(stack, "Steady trofie")
    steps.order(guest, calls.link_to(stack, special), "mia.steady@own-order.test")
    steps.expect_held(guest)
    own = guest.url.partition("?")[0]
    guest.goto(stack.url("/specials", restaurant="luigis"))
    waiting: list[Route] = []
    guest.route(own, lambda route: waiting.append(route))  # a slow network
    header = guest.locator("header [data-own-orders]")
    with guest.expect_request(own):
        header.locator("summary").click()
    remove = header.get_by_role("button", name="Remove these from this device")
    remove.hover()
    guest.mouse.down()
    waiting[0].continue_()
    expect(header.locator("li").get_by_text("It's on")).to_be_visible()
    guest.mouse.up()
    expect(header.locator("li")).to_have_count(0)
