"""The receipt of a charged order: what it says, in letters that can be drawn."""

import re
import zlib

import pytest

from apps.preorders.models import PreOrder
from apps.preorders.receipt import receipt_of
from apps.preorders.romanizing import in_western_letters


def texts(pdf: bytes) -> list[str]:
    """Every piece of text on the page, in order."""
    found: list[str] = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        page = zlib.decompress(stream).decode("latin-1")
        found += re.findall(r"\((.*?)\) Tj", page)
    return [text.replace("\\(", "(").replace("\\)", ")") for text in found]


@pytest.fixture
def order(world):
    offer = world.offer(min_preorders=1, name="Osso Buco")
    made = world.begin(offer, 2, name="Зоя Dvořák")
    world.pay(made)
    world.hear(made)
    world.settle(offer)
    return made


def receipt(order):
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    return texts(receipt_of(found))


def test_it_says_what_was_paid_to_whom_and_with_which_card(order):
    said = receipt(order)
    assert said[0] == "Luigi's"
    pairs = dict(zip(said, said[1:], strict=False))
    assert pairs["Order code"] == order.code
    assert pairs["Guest"] == "Zoya Dvorák"
    assert pairs["Card"] == "Visa ending in 4242"
    assert pairs["2 × Osso Buco ($24.00)"] == "$48.00"
    assert pairs["Tax (8%)"] == "$3.84"
    assert pairs["Total charged"] == "$51.84"
    assert "Refunded" not in said


def test_what_was_given_back_since_is_on_it(world, order):
    world.refund(world.fresh(order), "10.00")
    world.work()
    said = receipt(order)
    pairs = dict(zip(said, said[1:], strict=False))
    assert pairs["Refunded"] == "-$10.00"
    assert pairs["Paid in the end"] == "$41.84"


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("José Ñandú", "José Ñandú"),
        ("Łukasz Dvořák", "Lukasz Dvorák"),
        ("Щукин Яша", "Shchukin Yasha"),
        ("Γιώργος", "Giorgos"),
        ("山田", "??"),
        ("Fish 🐟 & chips – “hot”", 'Fish  & chips - "hot"'),
    ],
)
def test_letters_that_cannot_be_drawn_stay_readable(name, drawn):
    assert in_western_letters(name) == drawn
