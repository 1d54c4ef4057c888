"""A guest whose browser is set to Spanish reads Spanish, from the list to the email."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
GUEST = "elena@guests.test"


def test_a_guest_orders_in_spanish_from_the_list_to_the_email(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    special = calls.publish(stack, "Ropa vieja", minimum=3)
    link = calls.link_to(stack, special)

    guest = visitor(phone=True, locale="es-MX")
    guest.goto(link)
    expect(guest.locator("html")).to_have_attribute("lang", "es")
    expect(guest.get_by_text("Faltan 3 para que se cocine").first).to_be_visible()
    form = steps.open_form(guest)
    form.get_by_label("Porciones").fill("2")
    expect(form.locator(".sum [data-total]")).to_have_text("$38.88")
    form.get_by_role("button", name="Reservar ahora").click()
    expect(form.get_by_text("Escribe tu nombre", exact=True)).to_be_visible()
    form.get_by_label("Nombre").fill("Elena Comensal")
    form.get_by_label("Correo", exact=True).fill(GUEST)
    form.get_by_role("button", name="Reservar ahora").click()
    fields = guest.frame_locator(".card-fields iframe")
    expect(fields.get_by_label("Número de tarjeta")).to_be_visible()
    steps.give_card(guest, steps.GOOD)
    guest.wait_for_url("**/order/*")
    expect(guest.get_by_text("no se cobra nada").first).to_be_visible()
    eventually(lambda: stack.orders(special), [(GUEST, "pending", "authorized")])
    eventually(lambda: len(stack.emails(to=GUEST)), 1)
    email = stack.emails(to=GUEST)[0]
    assert "¡Listo, Elena!" in email
    assert "Hasta entonces puedes cambiar o cancelar gratis." in email

    # The choice is made once, and stays for the pages after.
    guest.get_by_role("link", name="English").click()
    expect(guest.locator("html")).to_have_attribute("lang", "en-US")
    expect(guest.get_by_text("You're in for").first).to_be_visible()
    guest.goto(stack.url("/specials", restaurant="luigis"))
    heading = guest.get_by_role("heading", name="Special Offers Available for Pre-Order")
    expect(heading).to_be_visible()
    guest.get_by_role("link", name="Español").click()
    expect(guest.get_by_role("heading", name="Ofertas especiales para reservar")).to_be_visible()
    expect(guest.get_by_role("row", name=re.compile("Ropa vieja"))).to_contain_text("Falta 1")
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_button_of_the_list_holds_its_spanish_label(
    stack: Stack, visitor: Callable[..., Page]
) -> None:
    guest = visitor(locale="es-MX")
    guest.goto(stack.url("/specials", restaurant="sakura"))
    buttons = guest.locator(".offers .actions .button")
    expect(buttons.filter(has_text="Anotarme en la lista")).to_have_count(1)
    widths = "(all) => all.map((one) => one.scrollWidth - one.clientWidth)"
    assert set(buttons.evaluate_all(widths)) == {0}
