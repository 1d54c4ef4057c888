"""A guest who doubles the text size on a phone reads every page without scrolling sideways (WCAG
1.4.4 and 1.4.10), and names have room."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, cart_steps, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
# As soon as there is a document, whichever page it is.
DOUBLED = """new MutationObserver((_, observer) => {
  if (!document.documentElement) return;
  document.documentElement.style.fontSize = "200%";
  observer.disconnect();
}).observe(document, { childList: true });"""
WIDTH = "() => document.fonts.ready.then(() => document.scrollingElement.scrollWidth)"
# Texts that are less than 5em wide.
SQUEEZED = """(texts) => texts.flatMap((text) => {
  const { width } = text.getBoundingClientRect();
  const isSqueezed = width < 5 * parseFloat(getComputedStyle(text).fontSize);
  return isSqueezed ? [`${text.textContent} is ${Math.round(width)} wide`] : [];
})"""
# What is pressed or typed in and ends beyond its card's inner edge.
BEYOND = """(parts) => parts.flatMap((part) => {
  const card = part.closest(".card-body");
  const edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
  const beyond = Math.round(part.getBoundingClientRect().right - edge);
  return part.checkVisibility() && beyond > 0 ? [`${part.textContent} is ${beyond} beyond`] : [];
})"""
IS_STICKY = "(part) => getComputedStyle(part).position === 'sticky'"
CUT = "(box) => box.scrollWidth > box.clientWidth + 1"
# How much larger its plate is than a logo: above it, in height, and in width, in pixels.
AROUND_LOGO = """(plate) => {
  const outer = plate.getBoundingClientRect();
  const logo = plate.querySelector(".brand-logo").getBoundingClientRect();
  return [logo.y - outer.y, outer.height - logo.height, outer.width - logo.width].map(Math.round);
}"""
ONE_ORDER = """localStorage.setItem("own-orders", JSON.stringify([{ code: "A1B2C3D4",
  path: "/order/a-b", name: "Chirashi", day: "2099-01-01", when: "Thu, Jan 1" }]))"""


def findings(page: Page, names: Locator) -> list[str]:
    """What is wrong with the page: its width, names without room, and parts beyond their card."""
    expect(names.first).to_be_attached()
    width = page.evaluate(WIDTH)
    found = [] if width <= 360 else [f"{width} pixels wide"]
    if names.page.locator(".site-header .brand").evaluate(CUT):
        found.append("the restaurant's name is cut")
    pressed = page.locator(".card-body :is(.button, .control, p > a)")
    return [*found, *names.evaluate_all(SQUEEZED), *pressed.evaluate_all(BEYOND)]


def test_every_page_of_a_guest_fits_a_phone_and_gives_names_room(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    names = "Slow-braised osso buco", "Handmade tagliatelle"
    special = calls.publish(stack, names[0], minimum=14)
    calls.publish(stack, names[1], minimum=3)
    guest = visitor(phone=True)
    guest.add_init_script(DOUBLED)
    found = {}
    cart_steps.see_specials(guest, stack)
    found["list"] = findings(guest, guest.locator("[data-offer] h2"))
    guest.locator("[data-add-to-cart]").filter(has_text=names[1]).click()
    found["toast"] = findings(guest, guest.locator("[data-cart-says]"))
    cart = cart_steps.put_into_cart(guest, names[0])
    found["cart"] = findings(guest, cart.locator(".cart-item h3"))
    assert cart.locator(".cart-item h3").count() == 2
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill("a-guest-with-a-long-address@guests.test")
    cart.get_by_role("button", name="Continue to payment").click()
    expect(guest.frame_locator(".card-fields iframe").get_by_label("CVC")).to_be_visible()
    found["payment"] = findings(guest, cart.locator(".cart-head"))
    actions = guest.locator(".card-actions")
    assert actions.evaluate(IS_STICKY) is False
    way_on, back = (
        button.bounding_box()
        for button in (actions.locator(".button-primary"), actions.locator(".button").first)
    )
    assert way_on
    assert back
    assert back["y"] > way_on["y"]
    assert back["width"] == way_on["width"]
    cart_steps.type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now").click()
    expect(guest.get_by_role("link", name="View or change").first).to_be_visible()
    found["results"] = findings(guest, guest.locator(".cart-item h3"))

    # From here on, the header has the guest's orders.
    guest.get_by_role("link", name=f"View or change {names[0]}").click()
    steps.expect_held(guest)
    found["order"] = findings(guest, guest.locator("h1"))
    for fold in ("Emails and your data", "Email preferences", "My data"):
        guest.locator("summary").get_by_text(fold, exact=True).click()
    found["order's emails"] = findings(guest, guest.locator("h1"))
    guest.get_by_role("link", name="Change your order").click()
    form = guest.get_by_role("button", name="Change portions")
    expect(form).to_be_visible()
    found["change form"] = findings(guest, guest.locator("h1"))
    guest.goto(calls.link_to(stack, special))
    found["special"] = findings(guest, guest.locator("h1"))
    cart_steps.see_specials(guest, stack)
    expect(guest.locator(".own-orders")).to_be_visible()
    found["list with orders"] = findings(guest, guest.locator("[data-offer] h2"))
    guest.goto(stack.url("/find-order", restaurant="luigis"))
    found["finding an order"] = findings(guest, guest.locator("h1"))
    assert {name: errors for name, errors in found.items() if errors} == {}


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
def test_large_text_leaves_a_specials_name_free_and_its_form_room(
    stack: Stack, visitor: Callable[..., Page], locale: str
) -> None:
    guest = visitor(phone=True, locale=locale)
    guest.add_init_script(DOUBLED)
    guest.goto(stack.url("/specials", restaurant="luigis"))
    guest.locator("[data-offer]:has(.media img) .card-link").first.click()
    tools, name = guest.locator(".special-tools > :visible"), guest.locator("h1")
    expect(tools).to_have_count(2)
    photo = guest.locator(".photo").bounding_box()
    assert photo
    for number in range(2):
        pill = tools.nth(number).bounding_box()
        assert pill
        assert pill["x"] >= 0
        assert pill["x"] + pill["width"] <= 360
        assert pill["y"] + pill["height"] <= photo["y"] + photo["height"]
    expect(name).to_be_in_viewport()
    expect(tools.nth(1)).to_have_accessible_name(re.compile("Share|Compartir"))
    guest.locator("[data-open-sheet]").click()
    sheet = guest.locator(".order-sheet")
    head, end = sheet.locator(".order-sheet-close"), sheet.locator(".order-end")
    expect(end).to_be_attached()
    assert end.evaluate(IS_STICKY) is False
    # Its head has the whole name and the day; the buttons have their words.
    expect(head.locator("small")).to_be_visible()
    assert head.locator("span").first.evaluate("each => each.scrollHeight - each.clientHeight") <= 1
    expect(end.locator(".order-bar-note")).to_be_visible()
    words = "each => getComputedStyle(each, '::after').content"
    assert re.search("Add to cart|Agregar", end.locator("[data-add-to-cart]").evaluate(words))
    # What closes it stays in reach, and its head leaves the form most of the screen.
    end.scroll_into_view_if_needed()
    expect(sheet.get_by_role("button", name=re.compile("^(Close|Cerrar)$"))).to_be_in_viewport()
    box = head.bounding_box()
    assert box
    assert box["height"] < 740 / 4


def test_large_text_leaves_a_spanish_time_whole(stack: Stack, visitor: Callable[..., Page]) -> None:
    special = calls.publish(stack, "Timed tonnarelli")
    calls.set_times(stack, special, 4)
    guest = visitor(phone=True, locale="es-MX")
    guest.add_init_script(DOUBLED)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    form.get_by_label("Nombre").fill("Eva Comensal")
    form.get_by_label("Correo", exact=True).fill("eva@large-text.test")
    form.get_by_role("button", name="Reservar ahora").click()
    expect(guest.frame_locator(".card-fields iframe").locator("#number")).to_be_visible()
    steps.give_card(guest, steps.GOOD)
    time = guest.locator(".order-day span", has_text="5:00")
    expect(time).to_be_visible()
    box = time.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 360 - 32


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
def test_a_logo_beside_the_guests_orders_is_whole_at_the_usual_text_size(
    stack: Stack, visitor: Callable[..., Page], locale: str
) -> None:
    guest = visitor(phone=True, locale=locale)
    guest.goto(stack.url("/specials", restaurant="sakura"))
    guest.evaluate(ONE_ORDER)
    guest.reload()
    orders = guest.locator(".own-orders > summary")
    expect(orders).to_contain_text(re.compile("Your orders|Tus pedidos"))
    logo, button = guest.locator(".brand-logo").bounding_box(), orders.bounding_box()
    assert logo
    assert button
    assert logo["x"] + logo["width"] <= button["x"]
    assert guest.locator(".brand").evaluate(CUT) is False
    # On one line, as before.
    assert logo["y"] < button["y"] + button["height"] / 2 < logo["y"] + logo["height"]
    # Its plate on a dark page ends where it ends; the page doesn't change at once.
    guest.emulate_media(color_scheme="dark")
    eventually(lambda: guest.locator(".brand").evaluate(AROUND_LOGO), [8, 16, 24])
