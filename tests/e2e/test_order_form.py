"""The order form on a special's page: what it keeps, what it warns of, and how it is reached."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SIZES = pytest.mark.parametrize("phone", [True, False], ids=["360", "1440"])
TYPED = {"Name": "Dana Guest", "Email": "dana@drafts.test"}
NOTE = "A window seat, please"
# How each place is drawn.
COLORS = """places => places.map((place) => {
    const { backgroundColor, backgroundImage, borderColor, boxShadow } = getComputedStyle(place);
    return `${backgroundColor} ${backgroundImage} ${borderColor} ${boxShadow}`;
})"""


def type_draft(page: Page, *, portions: int = 3) -> Locator:
    form = steps.open_form(page)
    form.get_by_label("Portions", exact=True).fill(str(portions))
    for label, text in TYPED.items():
        form.get_by_label(label, exact=True).fill(text)
    steps.open_note(form).fill(NOTE)
    return form


def expect_draft(page: Page, *, portions: int = 3, total: str = "$58.32") -> None:
    form = steps.open_form(page)
    for label, text in TYPED.items():
        expect(form.get_by_label(label, exact=True)).to_have_value(text)
    expect(form.get_by_label("Allergies or requests")).to_have_value(NOTE)
    expect(form.get_by_label("Portions", exact=True)).to_have_value(str(portions))
    expect(form.locator(".sum [data-total]")).to_have_text(total)


@SIZES
def test_what_was_typed_survives_a_reload_and_a_checkout_that_is_left(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Drafted daube {phone}")
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, special))
    type_draft(guest)
    guest.reload()
    expect_draft(guest)

    guest.locator("#pre-order").get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
    guest.get_by_role("button", name="Back", exact=True).click()
    guest.wait_for_url(f"**/specials/{special}*")
    expect_draft(guest)
    # It is this tab's alone.
    other = visitor(phone=phone)
    other.goto(calls.link_to(stack, special))
    expect(steps.open_form(other).get_by_label("Name", exact=True)).to_have_value("")


@SIZES
def test_the_browsers_back_button_finds_the_total_of_the_portions_it_shows(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Returned ragout {phone}")))
    type_draft(guest).get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
    guest.go_back()
    expect_draft(guest)
    form = guest.locator("#pre-order")
    expect(form.get_by_role("button", name="Pre-Order Now")).to_be_enabled()
    form.get_by_label("One portion fewer").click()
    expect(form.locator(".sum [data-total]")).to_have_text("$38.88")
    expect(form.locator("#card-note")).to_contain_text("$38.88 held, not charged")
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)


@SIZES
def test_the_back_button_finds_the_form_after_an_error_was_corrected(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Corrected crostata {phone}")
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    form.get_by_label("One portion more").click()
    form.get_by_label("One portion more").click()
    form.get_by_label("Name", exact=True).fill("Dana")
    form.get_by_label("Email", exact=True).fill("dana@exam_ple.test")  # only the server refuses it
    form.get_by_role("button", name="Pre-Order Now").click()
    expect(guest.get_by_role("link", name="Valid email is required")).to_be_attached()
    expect(guest).to_have_url(re.compile(rf"/specials/{special}#pre-order$"))
    for label, text in TYPED.items():
        form.get_by_label(label, exact=True).fill(text)
    steps.open_note(form).fill(NOTE)
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
    guest.go_back()
    expect_draft(guest)
    guest.reload()
    expect_draft(guest)


@SIZES
def test_a_note_that_names_an_allergen_of_the_dish_is_answered_at_once(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(
        stack, f"Milky mousse {phone}", allergens=["milk", "gluten"], dietary=["vegetarian"]
    )
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    warnings = form.locator("[data-note-mentions]")
    note = steps.open_note(form)
    note.fill("No nuts, please")
    expect(warnings.filter(visible=True)).to_have_count(0)
    note.fill("I can't have milk")
    expect(warnings.filter(visible=True)).to_have_count(1)
    expect(warnings.filter(visible=True)).to_contain_text("This dish contains milk. Call")
    note.fill("I can't have milk or wheat")
    expect(warnings.filter(visible=True)).to_have_count(2)
    note.fill("")
    expect(warnings.filter(visible=True)).to_have_count(0)


@SIZES
def test_the_keyboard_alone_leads_from_the_list_to_a_held_card(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Tabbed tortelli {phone}")
    guest = visitor(phone=phone)
    guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    row = guest.locator("tr").filter(has_text=f"Tabbed tortelli {phone}")
    steps.press_at(guest, row.get_by_role("link", name=re.compile("Pre-Order")))
    guest.wait_for_url(f"**/specials/{special}*")
    opener = guest.locator("[data-open-sheet]")
    if opener.is_visible():
        steps.press_at(guest, opener)
    form = guest.locator("#pre-order")
    for label, text in TYPED.items():
        steps.tab_to(guest, form.get_by_label(label, exact=True))
        guest.keyboard.type(text)
    steps.press_at(guest, form.get_by_role("button", name="Pre-Order Now"))
    steps.expect_card_asked(guest)
    fields = guest.frame_locator(".card-fields iframe")
    for label, text in {"Card number": steps.GOOD, "Expiry": "1234", "CVC": "123"}.items():
        expect(fields.get_by_label(label)).to_be_visible()
        steps.tab_to(guest, fields.get_by_label(label))
        guest.keyboard.type(text)
    steps.press_at(guest, guest.get_by_role("button", name="Pre-Order Now ·"))
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special), [(TYPED["Email"], "pending", "authorized")])


@SIZES
def test_an_order_in_spanish_needs_no_java_script(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Paella sin prisa {phone}", minimum=3)
    guest = visitor(java_script=False, phone=phone, locale="es-MX")
    guest.goto(calls.link_to(stack, special))
    form = guest.locator("#pre-order")
    form.get_by_label("Porciones").fill("2")
    form.get_by_role("button", name="Actualizar el total").click()
    expect(form.locator(".sum [data-total]")).to_have_text("$38.88")
    expect(form.locator("#card-note")).to_contain_text("retención de $38.88")
    form.get_by_role("button", name="Reservar ahora").click()
    expect(guest.get_by_role("link", name="Escribe tu nombre")).to_be_visible()
    expect(form.get_by_label("Porciones")).to_have_value("2")
    form.get_by_label("Nombre").fill("Elena Comensal")
    form.get_by_label("Correo", exact=True).fill("elena@drafts.test")
    form.get_by_role("button", name="Reservar ahora").click()
    steps.give_card(guest, steps.GOOD)
    guest.wait_for_url("**/order/*")
    expect(guest.locator("html")).to_have_attribute("lang", "es")
    expect(guest.get_by_text("no se cobra nada").first).to_be_visible()
    eventually(lambda: stack.orders(special), [("elena@drafts.test", "pending", "authorized")])


@SIZES
def test_a_guest_who_picks_up_says_so_once_and_reads_nothing_else_afterwards(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, calls.publish(stack, f"Carried carbonara {phone}")))
    form = type_draft(guest)
    expect(form.get_by_label("Dine in", exact=True)).to_be_checked()
    choice = form.get_by_label("Pickup", exact=True)
    box = choice.bounding_box()
    assert box is not None
    assert box["height"] >= 42  # the chip's 44 pixels less its border
    choice.check()
    guest.reload()
    expect(steps.open_form(guest).get_by_label("Pickup", exact=True)).to_be_checked()
    guest.locator("#pre-order").get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)
    expect(guest.locator(".order-day")).to_contain_text("Pickup")
    expect(guest.get_by_text("Dine in or pickup").filter(visible=True)).to_have_count(0)


@SIZES
def test_the_pickup_time_follows_the_number_of_portions(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Timed tagliatelle {phone}")
    calls.set_times(stack, special, 1, 4, 3)
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    times = form.get_by_label("Pickup time").or_(form.get_by_label(re.compile("^Time on")))
    chosen = times.locator("option:checked")
    expect(chosen).to_contain_text("(1 left)")
    more = form.get_by_label("One portion more")
    more.click()
    expect(chosen).to_have_text(re.compile("^5:30"))
    expect(times.locator("option").first).to_be_disabled()
    # The most that a time takes is said at the most, and never twice.
    hint = form.locator("#quantity-hint")
    expect(hint).to_be_hidden()
    for _ in range(2):
        more.click()
    expect(more).to_be_disabled()
    expect(hint).to_be_visible()
    expect(hint).to_have_text("Up to 4, at 5:30–6:00 PM")
    total = form.locator(".sum [data-total]")
    form.locator("#quantity").fill("99")
    whole = "Up to 4, at 5:30\u2060–\u20606:00 PM"  # never broken at its dash
    expect(form.locator("#quantity-error")).to_have_text(whole)
    expect(hint).to_be_hidden()
    # It has no sum and no terms, and the time stays.
    expect(total).to_be_hidden()
    expect(form.locator(".card-steps")).to_be_hidden()
    expect(chosen).to_have_text(re.compile("^5:30"))
    form.locator("#quantity").fill("4")

    form.get_by_label("One portion fewer").click()
    times.select_option(index=2)
    more.click()
    problem = form.locator("#slotId-error")
    expect(problem).to_contain_text("has room for 3 portions. Choose another time.")
    for label, text in TYPED.items():
        form.get_by_label(label, exact=True).fill(text)
    form.get_by_role("button", name="Pre-Order Now").click()
    expect(times).to_be_focused()
    expect(problem).to_be_visible()
    times.select_option(index=1)
    expect(problem).to_be_empty()
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.give_card(guest, steps.GOOD)
    steps.expect_held(guest)
    taken = stack.query("SELECT quantity FROM preorders_preorder WHERE offer_id = %s", special)
    assert taken == [(4,)]


@SIZES
def test_each_portion_more_fills_a_place_and_finds_a_time_with_room(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Filling fusilli {phone}", minimum=4)
    calls.place_order(stack, special, f"first{phone}@drafts.test")
    calls.set_times(stack, special, 1, 2, 4)
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, special))
    places = guest.locator(".seat")
    times = guest.locator("#pre-order select[name=slotId]")
    line = guest.locator("#pre-order [data-with-yours]")
    beside_the_count = guest.locator(".how-close > [data-with-yours]")
    # A phone has these buttons in its bar, too, where the places are in view.
    more = guest.get_by_role("button", name="One portion more").filter(visible=True)

    def expect_places(yours: int, says: str, time: str) -> None:
        expect(places.and_(guest.locator("[data-yours]"))).to_have_count(yours)
        expect(places.and_(guest.locator("[data-filled]"))).to_have_count(1)
        expect(places).to_have_count(4)
        expect(line).to_have_text(says)
        expect(beside_the_count).to_have_text(says)
        expect(times.locator("option:checked")).to_have_text(re.compile(rf"^{time}"))

    expect_places(1, "With yours, 2 more and it's on", "5:00")
    more.click()
    expect_places(2, "With yours, 1 more and it's on", "5:30")
    # One is ordered, two would be, one is free; a phone has no words beside them that count two.
    assert len(set(places.evaluate_all(COLORS))) == (2 if phone else 3)
    more.click()
    expect_places(3, "Your 3 portions make it happen!", "6:00")
    more.click()
    expect_places(3, "Your 4 portions make it happen!", "6:00")
    expect(more).to_be_disabled()
    steps.open_form(guest)
    # Once in view: with the number in a phone's sheet, and with the count where that is beside it.
    expect(line).to_be_visible(visible=phone)
    expect(beside_the_count).to_be_visible(visible=not phone)
    expect(guest.locator("#slotId-error")).to_be_empty()
    guest.locator("#pre-order").get_by_label("One portion fewer").click()
    expect_places(3, "Your 3 portions make it happen!", "6:00")
    # Nobody ordered anything by looking.
    counted = "SELECT ordered_portions, reserved_portions FROM offers_specialoffer WHERE id = %s"
    assert stack.query(counted, special) == [(1, 1)]


@SIZES
def test_without_a_script_the_server_says_which_times_fit(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    special = calls.publish(stack, f"Scriptless sugo {phone}")
    calls.set_times(stack, special, 1, 4)
    guest = visitor(java_script=False, phone=phone)
    guest.goto(calls.link_to(stack, special))
    form = guest.locator("#pre-order")
    form.get_by_label("Portions", exact=True).fill("3")
    for label, text in TYPED.items():
        form.get_by_label(label, exact=True).fill(text)
    form.get_by_role("button", name="Pre-Order Now").click()
    refused = guest.get_by_role("link", name=re.compile("has room for 1 portion, so we chose 5:30"))
    expect(refused).to_be_visible()
    form.get_by_role("button", name="Pre-Order Now").click()
    steps.expect_card_asked(guest)
