"""The receipt of a charged order: what it says, in characters that its fonts have."""

from datetime import time
from io import BytesIO

import pytest
from pypdf import PdfReader

from apps.offers.models import SpecialOffer
from apps.preorders.core.links import order_url
from apps.preorders.documents.pdf import SUBSTITUTES, in_western_glyphs, is_western
from apps.preorders.documents.receipt import receipt_of
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant


def pdf_of(order: PreOrder) -> bytes:
    return receipt_of(PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk))


def said_in(pdf: bytes) -> list[str]:
    """The page's lines, in order. Text in an embedded font has two bytes a character."""
    [page] = PdfReader(BytesIO(pdf)).pages
    return page.extract_text().replace("\0", "").splitlines()


@pytest.fixture
def order(world):
    offer = world.offer(min_preorders=1, name="Osso Buco")
    made = world.begin(offer, 2, name="Zoya Dvořák")
    world.pay(made)
    world.hear(made)
    world.settle(offer)
    return made


def test_a_receipt_says_what_was_paid_to_whom_and_with_which_card(order):
    said = said_in(pdf_of(order))
    assert said[0] == "Luigi's"
    assert f"Order code {order.code}" in said
    assert "Guest Zoya Dvorák" in said
    assert "Card Visa ending in 4242" in said
    assert "2 × Osso Buco ($24.00) $48.00" in said
    assert "Tax (8%) $3.84" in said
    assert "Total charged $51.84" in said
    assert not [line for line in said if "Refunded" in line]


def test_a_receipt_from_a_shared_link_says_why_it_names_nobody(order):
    own, shared = (said_in(receipt_of(order, with_guest=named)) for named in (True, False))
    why = "From a shared link. The guest's own copy names the guest and the card."
    assert why in shared
    assert why not in own
    assert not [line for line in shared if "Zoya" in line or "4242" in line]


def test_a_receipt_says_when_and_how_it_is_eaten_and_how_the_bank_names_it(world, order):
    PreOrder.objects.filter(pk=order.pk).update(statement_name="LUIGIS* SPECIAL")
    SpecialOffer.objects.filter(pk=order.offer_id).update(
        service_mode="dine_in", serve_from=time(19), serve_until=time(21, 30)
    )
    said = said_in(pdf_of(order))
    [served] = [line for line in said if line.startswith("For ")]
    assert served.endswith(", 7:00–9:30 PM, Dine in")
    assert "On your statement LUIGIS* SPECIAL" in said


def test_the_price_of_one_portion_is_said_once(world):
    offer = world.offer(min_preorders=1, name="Osso Buco")
    one = world.begin(offer, 1)
    world.pay(one)
    world.hear(one)
    world.settle(offer)
    assert "1 × Osso Buco $24.00" in said_in(pdf_of(one))


def test_a_receipt_opens_its_order(order):
    [page] = PdfReader(BytesIO(pdf_of(order))).pages
    links = [each.get_object()["/A"]["/URI"] for each in page.annotations or []]
    assert links == [order_url(PreOrder.objects.get(pk=order.pk))]
    assert "See this order online" in page.extract_text()


def test_a_receipt_has_the_restaurants_tax_number_if_it_has_one(world, order):
    assert "Tax number" not in "".join(said_in(pdf_of(order)))
    Restaurant.objects.filter(pk=world.restaurant.pk).update(tax_number="EIN 12-3456789")
    assert "Tax number EIN 12-3456789" in said_in(pdf_of(order))


def test_what_was_refunded_since_is_on_it(world, order):
    world.refund(world.fresh(order), "10.00")
    world.work()
    said = said_in(pdf_of(order))
    assert "Refunded -$10.00" in said
    assert "Paid after refunds $41.84" in said


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("José Ñandú", "José Ñandú"),
        ("Łukasz Dvořák", "Lukasz Dvorák"),
        ("Œuvre – “hot” €5…", "Œuvre – “hot” €5…"),
        ("Fish 🐟 & chips", "Fish  & chips"),
        ("山", SUBSTITUTES),
    ],
)
def test_characters_that_cannot_be_drawn_stay_readable(name, drawn):
    assert in_western_glyphs(name, is_western) == drawn


@pytest.mark.parametrize("name", ["山田太郎", "김민준", "王小明", "Зоя", "Γιωργος"])
def test_names_in_other_scripts_are_drawn_in_their_own_script(order, name):
    PreOrder.objects.filter(pk=order.pk).update(customer_name=f"{name} 😀")
    assert f"Guest {name} " in said_in(pdf_of(order))


def test_a_receipt_with_only_western_characters_embeds_no_font(order):
    PreOrder.objects.filter(pk=order.pk).update(customer_name="Zoë Müller")
    assert b"/FontFile" not in pdf_of(order)
