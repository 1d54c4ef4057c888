"""The way to the cart: where it stands on each page and width, and what it says after adding."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.cart_steps import see_specials
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
BAR, NOTICE = "[data-cart-bar]", "[data-cart-notice]"
NAME = re.compile(r"^Cart · Portions: 1 \$19\.44 with tax")
DOUBLED = """addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.fontSize = "200%";
})"""


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box
    return box


def expect_in_cart(page: Page, name: str) -> None:
    expect(page.locator(NOTICE)).to_be_visible()
    expect(page.locator("[data-live]")).to_have_text(f"Added to cart: {name}")
    # As it is once it has faded in.
    page.locator(NOTICE).evaluate(
        "each => Promise.all(each.getAnimations().map((one) => one.finished))"
    )


def test_the_bar_has_the_new_sum_at_once_and_what_was_added_stands_above_it(
    stack: Stack, visitor: Visitor
) -> None:
    calls.publish(stack, "Barred bavette")
    guest = visitor(phone=True)
    see_specials(guest, stack)
    add = guest.locator("[data-add-to-cart]").filter(has_text="Barred bavette")
    add.click()
    expect_in_cart(guest, "Barred bavette")
    bar, notice = guest.locator(BAR), guest.locator(NOTICE)
    expect(bar).to_have_accessible_name(NAME)
    shown, said = box_of(bar), box_of(notice)
    assert shown["width"] == said["width"] == 360
    assert shown["y"] + shown["height"] == 740
    assert said["y"] + said["height"] == pytest.approx(shown["y"], abs=0.5)
    # It goes by itself, and nothing moves.
    expect(notice).to_be_hidden()
    assert box_of(bar) == shown
    # What is said is a part of the button.
    add.click()
    notice.click()
    expect(guest.get_by_role("dialog")).to_be_visible()
    expect(notice).to_be_hidden()


def expect_in_header(page: Page) -> None:
    """At its end, where the page's column ends."""
    cart, header = box_of(page.locator(BAR)), box_of(page.locator(".site-header"))
    assert header["y"] == 0
    assert cart["y"] + cart["height"] / 2 == pytest.approx(header["height"] / 2, abs=1)
    column = box_of(page.locator(".site-header > .wrap > p"))
    assert cart["x"] + cart["width"] == pytest.approx(column["x"] + column["width"], abs=1)
    expect(page.locator(".site-header > .wrap > p > :last-child")).to_be_hidden()
    # Nothing else is above it, so that it can be pressed.
    page.locator(BAR).click(trial=True)


@pytest.mark.parametrize("width", [360, 820, 1024, 1440, 1600])
def test_a_specials_page_keeps_its_cart_in_view_and_has_one_bar_at_most(
    stack: Stack, visitor: Visitor, width: int
) -> None:
    special = calls.publish(stack, "Round rigatoni")
    guest = visitor(phone=width < 960)
    guest.set_viewport_size({"width": width, "height": 740})
    guest.goto(stack.url(f"/specials/{special}", restaurant="luigis"))
    share, back = guest.locator("[data-share]").first, guest.locator("[data-back-to-list]")
    around = back, share, guest.locator(".photo")
    places = [box_of(each) for each in around]
    if width < 960:
        guest.locator("[data-open-sheet]").click()
    guest.locator("#pre-order [data-add-to-cart]").click()
    expect_in_cart(guest, "Round rigatoni")
    cart = guest.locator(BAR)
    said, foot = box_of(guest.locator(NOTICE)), guest.locator(".sticky-action")
    if foot.is_visible():
        assert said["y"] + said["height"] <= box_of(foot)["y"]
    # On a page that begins with it, nothing else stands elsewhere.
    guest.goto(stack.url(f"/specials/{special}?afresh=1", restaurant="luigis"))
    expect(cart).to_have_accessible_name(NAME)
    count = cart.locator(".in-cart") if width < 960 else cart.locator(".cart-face")
    expect(count).to_contain_text("1" if width < 960 else "$19.44 with tax")
    shown = box_of(cart)
    if width < 960:
        assert shown["width"] == shown["height"] == 44
    expect_in_header(guest)
    assert [box_of(each) for each in around] == places
    # It stays in view however far the page is read.
    guest.mouse.wheel(0, 900)
    expect(guest.locator("#where")).to_be_in_viewport()
    expect(cart).to_be_in_viewport(ratio=1)
    expect(count).to_be_in_viewport(ratio=1)
    # The others go with the photo.
    assert box_of(share)["y"] < 0
    expect_in_header(guest)
    steps.tab_to(guest, cart)
    guest.keyboard.press("Enter")
    expect(guest.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
def test_large_text_leaves_the_cart_room_above_the_bar(
    stack: Stack, visitor: Visitor, locale: str
) -> None:
    special = calls.publish(stack, "Grand gramigna")
    guest = visitor(phone=True, locale=locale)
    guest.add_init_script(DOUBLED)
    guest.goto(stack.url(f"/specials/{special}", restaurant="luigis"))
    guest.locator("[data-open-sheet]").click()
    guest.locator("#pre-order [data-add-to-cart]").click()
    # What was added covers little, never the page's button, and goes by itself.
    notice = guest.locator(NOTICE)
    expect(notice).to_be_visible()
    said, button = box_of(notice), box_of(guest.locator("[data-open-sheet]"))
    assert said["height"] < 740 / 4
    assert said["y"] + said["height"] <= button["y"]
    # The note of that button has air on both sides.
    note = box_of(guest.locator(".order-bar-note > :visible, .order-bar-note:not(:has(*))").first)
    assert note["x"] - button["x"] >= 8
    assert button["x"] + button["width"] - note["x"] - note["width"] >= 8
    expect(notice).to_be_hidden()
    back, share, cart = (
        box_of(guest.locator(each).first) for each in ("[data-back-to-list]", "[data-share]", BAR)
    )
    assert back["x"] >= 0
    assert back["x"] + back["width"] <= share["x"]
    assert share["x"] + share["width"] <= 360
    assert cart["x"] + cart["width"] <= 360
    assert cart["y"] + cart["height"] <= box_of(guest.locator(".sticky-action"))["y"]


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_a_laptops_cart_is_in_the_header_and_what_was_added_is_beside_it(
    stack: Stack, visitor: Visitor, path: str
) -> None:
    calls.publish(stack, "Margin mafaldine")
    guest = visitor()
    guest.goto(stack.url(path, restaurant="luigis"))
    add = guest.locator("[data-offer]").filter(has_text="Margin mafaldine")
    add.locator("[data-add-to-cart]").first.click()
    expect_in_cart(guest, "Margin mafaldine")
    cart, said = guest.locator(BAR), box_of(guest.locator(NOTICE))
    assert said["x"] + said["width"] <= box_of(cart)["x"]
    assert said["y"] + said["height"] <= box_of(guest.locator(".site-header"))["height"]
    expect_in_header(guest)
    guest.goto(stack.url(f"{path}?afresh=2", restaurant="luigis"))
    words, amount = cart.locator(".cart-face > span").all()
    for width in (960, 1024, 1280, 1536):
        guest.set_viewport_size({"width": width, "height": 800})
        expect_in_header(guest)
        guest.mouse.wheel(0, 300)
        expect(words).to_be_in_viewport(ratio=1)
        expect(amount).to_be_in_viewport(ratio=1)
        expect_in_header(guest)
    # Where the header has no room, a bar as wide as the page.
    for width in (768, 959):
        guest.set_viewport_size({"width": width, "height": 800})
        expect(words).to_be_in_viewport(ratio=1)
        expect(amount).to_be_in_viewport(ratio=1)
        assert box_of(cart)["width"] == width
        assert box_of(cart)["y"] + box_of(cart)["height"] == 800
