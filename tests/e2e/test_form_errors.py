"""What the server finds wrong with an order leads the guest to it, in the sheet and on the page."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import buttons_of

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SIZES = pytest.mark.parametrize("phone", [True, False], ids=["360", "1440"])
# Neither outside the window nor below the sheet's head or the bar with its button.
IS_UNCOVERED = """element => {
    const { left, top, bottom, width } = element.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => {
        const seen = document.elementFromPoint(left + Math.min(width / 2, 20), y);
        return seen !== null && element.contains(seen);
    });
}"""


def expect_in_view(*parts: Locator) -> None:
    for part in parts:
        expect(part).to_be_in_viewport(ratio=1)
        eventually(partial(part.evaluate, IS_UNCOVERED), True)  # once the page has settled


def send(page: Page, **typed: str) -> Locator:
    form = page.locator("#pre-order")
    for name, text in typed.items():
        form.locator(f"[name={name}]").fill(text)
    form.get_by_role("button", name="Pre-Order Now").click()
    expect(page).to_have_title(re.compile("^Not sent:"))
    return form


def label_of(form: Locator, field: str) -> Locator:
    return form.locator(f"label[for={field}]")


@SIZES
def test_the_only_wrong_field_is_in_view_and_ready_to_be_corrected(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Mistyped minestrone {phone}")))
    steps.open_form(guest)
    # Only the server finds this wrong.
    form = send(guest, customerName="Dana Guest", customerEmail="dana@exam_ple.test")
    email, problem = form.locator("#customerEmail"), form.locator("#customerEmail-error")
    expect(email).to_be_focused()
    expect(email).to_have_accessible_description("Valid email is required")
    expect_in_view(label_of(form, "customerEmail"), email, problem)
    # The wallets' buttons above it move nothing away.
    buttons = buttons_of(guest)
    expect(buttons.get_by_role("button", name="Google Pay")).to_be_attached()
    expect_in_view(label_of(form, "customerEmail"), email, problem)
    expect(guest.get_by_role("link", name="Valid email is required")).to_be_attached()
    if phone:
        # The sheet's head covers no half of the summary.
        head = guest.locator(".order-sheet-close").bounding_box()
        summary = form.get_by_role("alert").first.bounding_box()
        assert head
        assert summary
        edge = head["y"] + head["height"]
        assert summary["y"] >= edge - 1 or summary["y"] + summary["height"] <= edge + 1
    guest.keyboard.press("ControlOrMeta+A")
    guest.keyboard.type("dana@example.test")
    expect(problem).to_be_empty()
    guest.keyboard.press("Enter")
    steps.expect_card_asked(guest)


@SIZES
def test_an_incomplete_form_says_what_is_missing_before_anything_is_sent(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Blank bruschetta {phone}")))
    steps.open_form(guest)
    form = guest.locator("#pre-order")
    asked: list[str] = []
    guest.on("request", lambda request: asked.append(request.method))
    form.get_by_role("button", name="Pre-Order Now").click()
    name, email = form.locator("#customerName"), form.locator("#customerEmail")
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description("Name is required")
    expect(email).to_have_accessible_description("Valid email is required")
    expect_in_view(label_of(form, "customerName"), name, form.locator("#customerName-error"))
    assert "POST" not in asked
    name.fill("Dana Guest")
    expect(form.locator("#customerName-error")).to_be_empty()
    email.fill("dana@")
    email.press("Enter")
    expect(email).to_be_focused()
    expect_in_view(label_of(form, "customerEmail"), email, form.locator("#customerEmail-error"))
    assert "POST" not in asked


@SIZES
def test_without_a_script_the_form_begins_with_what_is_wrong(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(java_script=False, phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Plain panzanella {phone}")))
    form = send(guest, customerName="Dana Guest", customerEmail="dana@")
    expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    form.get_by_role("link", name="Valid email is required").click()
    expect(form.locator("#customerEmail")).to_be_focused()
    expect(label_of(form, "customerEmail")).to_be_in_viewport(ratio=1)


@SIZES
def test_an_address_that_looks_mistyped_is_asked_about_and_can_be_sent_anyway(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Slipped sformato {phone}")))
    steps.open_form(guest)
    form = guest.locator("#pre-order")
    form.get_by_label("Name").fill("Grace Guest")
    email = form.get_by_label("Email")
    email.press_sequentially("grace@gmial.con")
    question = form.get_by_role("status").get_by_role("button")
    expect(question).to_have_text("Did you mean grace@gmail.com?")
    expect_in_view(question)
    question.click()
    expect(email).to_have_value("grace@gmail.com")
    expect(email).to_be_focused()
    expect(question).to_have_count(0)
    email.fill("grace@gmial.con")
    expect(question).to_be_visible()
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)


@SIZES
def test_a_mistyped_address_is_asked_about_before_the_order_is_sent(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    special = calls.publish(stack, f"Asked agnolotti {phone}", minimum=9)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    form.get_by_label("Name").fill("Grace Guest")
    expect(form.get_by_label("One portion more")).to_be_visible()  # the script is there
    email = form.get_by_label("Email")
    email.fill("grace")
    expect(form.locator(".email-typo")).to_be_attached()
    # At once, because the question comes by itself after a pause.
    email.evaluate("field => { field.value = 'grace@gmial.com'; field.form.requestSubmit(); }")
    meant = form.get_by_role("button", name="Did you mean grace@gmail.com?")
    expect(meant).to_be_focused()
    expect_in_view(meant)
    meant.click()
    expect(form.get_by_label("Email")).to_have_value("grace@gmail.com")
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
    assert [row[0] for row in stack.orders(special)] == ["grace@gmail.com"]
