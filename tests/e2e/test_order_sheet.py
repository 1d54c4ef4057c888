"""The sheet that a phone's order form opens as: Back, its head, and its first screen."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.test_form_errors import expect_in_view
from tests.e2e.wallet_steps import buttons_of

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def sheet_of(page: Page) -> Locator:
    return page.locator("dialog.order-sheet")


def from_the_list(page: Page, stack: Stack, special: str) -> None:
    page.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    page.locator(f"[data-special='{special}']").get_by_role("link").first.click()
    page.wait_for_url(f"**/specials/{special}")


def test_back_closes_the_sheet_and_forward_opens_it(stack: Stack, visitor: Visitor) -> None:
    special = calls.publish(stack, "Backed bucatini")
    guest = visitor(phone=True)
    from_the_list(guest, stack, special)
    sheet = sheet_of(guest)
    steps.open_form(guest)
    guest.go_back()
    expect(sheet).to_be_hidden()
    expect(guest).to_have_url(re.compile(rf"/specials/{special}$"))
    guest.go_forward()
    expect(sheet).to_be_visible()
    with guest.expect_navigation():  # the page's own: one from outside can cancel "forward"
        guest.evaluate("location.reload()")
    expect(sheet).to_be_visible()
    guest.go_back()
    expect(sheet).to_be_hidden()
    guest.go_back()
    expect(guest).to_have_url(re.compile("/specials.afresh=1$"))


@pytest.mark.parametrize("way", ["button", "key", "cart", "tap beside it"])
def test_a_sheet_that_is_closed_leaves_nothing_for_back(
    stack: Stack, visitor: Visitor, way: str
) -> None:
    special = calls.publish(stack, f"Closed calzone {way}")
    guest = visitor(phone=True)
    from_the_list(guest, stack, special)
    steps.open_form(guest)
    if way == "button":
        sheet_of(guest).get_by_role("button", name="Close", exact=True).click()
    elif way == "key":
        guest.keyboard.press("Escape")
    elif way == "cart":
        sheet_of(guest).get_by_role("button", name="Add to cart").click()
    else:
        guest.mouse.click(180, 4)
    expect(sheet_of(guest)).to_be_hidden()
    guest.wait_for_function("!history.state?.sheet")
    guest.go_back()
    expect(guest).to_have_url(re.compile("/specials.afresh=1$"))


def test_escape_in_a_field_of_the_sheet_leads_back_to_the_button(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Escaped escalope")))
    opener = guest.locator("[data-open-sheet]").first
    opener.focus()
    guest.keyboard.press("Enter")
    sheet_of(guest).get_by_label("Name").focus()
    guest.keyboard.press("Escape")
    expect(sheet_of(guest)).to_be_hidden()
    expect(opener).to_be_focused()


def test_a_link_to_the_form_opens_the_sheet_which_back_closes(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Linked linguine")) + "#pre-order")
    expect(sheet_of(guest)).to_be_visible()
    guest.go_back()
    expect(sheet_of(guest)).to_be_hidden()
    expect(guest.locator("[data-open-sheet]")).to_be_visible()


def test_the_way_back_from_the_payment_leads_past_the_order_that_waits(
    stack: Stack, visitor: Visitor
) -> None:
    special = calls.publish(stack, "Returned rigatoni")
    guest = visitor(phone=True)
    from_the_list(guest, stack, special)
    form = steps.open_form(guest)
    form.get_by_label("Name", exact=True).fill("Dana Guest")
    form.get_by_label("Email", exact=True).fill("dana@sheets.test")
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
    guest.go_back()
    expect(guest.get_by_text("Your order hasn't been placed yet")).to_be_visible()
    expect(sheet_of(guest)).to_be_hidden()
    guest.get_by_role("link", name="Change order").click()
    expect(sheet_of(guest)).to_be_visible()
    expect(form.get_by_label("Name", exact=True)).to_have_value("Dana Guest")
    guest.go_back()
    expect(sheet_of(guest)).to_be_hidden()
    guest.go_back()
    expect(guest).to_have_url(re.compile("/specials.afresh=1$"))


def test_a_link_to_what_is_wrong_leaves_the_sheet_open(stack: Stack, visitor: Visitor) -> None:
    guest = visitor(phone=True)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Corrected minestra")))
    form = steps.open_form(guest)
    form.get_by_label("Name", exact=True).fill("Dana")
    form.get_by_label("Email", exact=True).fill("dana@exam_ple.test")  # only the server refuses it
    form.get_by_role("button", name="Pre-Order Now").click()
    expect(guest).to_have_title(re.compile("^Not sent:"))
    form.get_by_label("Name", exact=True).focus()
    form.get_by_role("link", name="Valid email is required").click()
    expect(form.get_by_label("Email", exact=True)).to_be_focused()
    expect(sheet_of(guest)).to_be_visible()
    guest.go_back()
    expect(sheet_of(guest)).to_be_hidden()
    expect(guest).to_have_title(re.compile("^Not sent:"))


def test_the_head_says_the_time_and_the_way_that_are_chosen(stack: Stack, visitor: Visitor) -> None:
    special = calls.publish(stack, "Headed harissa", serviceMode="both")
    calls.set_times(stack, special, 1, 4)
    guest = visitor(phone=True)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    head = sheet_of(guest).locator(".order-sheet-close > small")
    expect(head).to_have_text(re.compile(r"\d · 5:00–5:30 PM · Dine in\s*$"))
    form.get_by_label("One portion more").click()  # for which the first time has no room
    expect(head).to_contain_text("5:30–6:00 PM")
    form.get_by_label("Pickup", exact=True).check()
    expect(head).to_have_text(re.compile(r"5:30–6:00 PM · Pickup\s*$"))


@pytest.mark.parametrize("limits", [(), (1, 2, 8)], ids=["any time", "times"])
def test_a_choice_of_an_alternative_leaves_the_name_on_the_first_screen(
    stack: Stack, visitor: Visitor, limits: tuple[int, ...]
) -> None:
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 740})
    special = calls.publish(
        stack,
        f"Sheet with fallback {len(limits)}",
        minimum=4,
        serviceMode="both",
        hasAlternative=True,
        alternativeDishId=calls.cheapest_dish(stack),
    )
    if limits:
        calls.set_times(stack, special, *limits)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    expect(buttons_of(guest).get_by_role("button", name="Google Pay")).to_be_visible()
    choices = form.get_by_role("group", name=re.compile("^If fewer than 4")).get_by_role("radio")
    expect_in_view(
        choices.first.locator(".."),
        choices.last.locator(".."),
        form.get_by_label("Name", exact=True),
        form.get_by_role("button", name="Pre-Order Now"),
    )


def test_what_is_in_the_alternative_shows_once_it_is_chosen(stack: Stack, visitor: Visitor) -> None:
    guest = visitor(phone=True)
    special = calls.publish(
        stack,
        "Marked maritozzo",
        minimum=4,
        hasAlternative=True,
        alternativeDishId=calls.cheapest_dish(stack),
    )
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    marks = form.locator("#alternative-marks")
    step = form.locator("[data-outcome=instead][data-when-short]")
    expect(marks).to_be_hidden()
    expect(step).to_be_hidden()
    form.get_by_role("radio", name=re.compile("^Make me")).check()
    expect(marks).to_be_visible()
    expect(step).to_be_visible()
    expect(step).to_have_css("position", "static")


def test_a_tablet_that_is_turned_keeps_its_wallets_and_what_was_typed(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor()
    guest.set_viewport_size({"width": 1024, "height": 768})
    guest.goto(calls.link_to(stack, calls.publish(stack, "Turned tortelli")))
    wallet = buttons_of(guest).get_by_role("button", name="Google Pay")
    expect(wallet).to_be_visible()
    name = guest.locator("#pre-order").get_by_label("Name", exact=True)
    name.fill("Dana Guest")
    loaded: list[str] = []
    guest.on("request", lambda request: loaded.append(request.url))
    guest.set_viewport_size({"width": 768, "height": 1024})
    steps.open_form(guest)
    expect(wallet).to_be_visible()
    guest.set_viewport_size({"width": 1024, "height": 768})
    expect(sheet_of(guest)).to_be_hidden()
    expect(wallet).to_be_visible()
    expect(name).to_have_value("Dana Guest")
    assert [url for url in loaded if "/js/" in url] == []


def test_the_terms_are_named_once_above_every_button_that_orders(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Agreed agnolotti")))
    form = steps.open_form(guest)
    wallet = buttons_of(guest).get_by_role("button", name="Google Pay")
    expect(wallet).to_be_visible()
    terms = form.get_by_role("link", name="terms of service")
    expect(terms).to_have_count(1)
    expect_in_view(terms.locator(".."), wallet, form.get_by_role("button", name="Pre-Order Now"))
    guest.set_viewport_size({"width": 1440, "height": 900})
    expect(terms).to_have_count(1)
    expect(terms).to_be_visible()
