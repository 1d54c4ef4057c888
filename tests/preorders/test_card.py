"""Which card is held or was charged: on the guest's own page, in their emails, and nowhere once
they are erased."""

import pytest

from apps.preorders.core.links import order_path
from apps.preorders.core.selectors import card_of
from apps.preorders.emails import rendering
from apps.preorders.guest import changes
from apps.preorders.guest.data_export import guest_data
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind
from tests.pages import text_of
from tests.preorders.access import allow
from tests.preorders.world import GOOD, OFF_SESSION_DECLINED

MASTERCARD = "5555555555554444"


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1, max_per_order=5)


def email_of(order, kind):
    email = order.emails.filter(kind=kind).latest("number")
    return str(rendering.render_order_email(email).body)


def test_the_held_card_is_on_the_guests_page_and_in_their_emails(world, api, offer):
    order = world.authorized_order(offer, card=MASTERCARD)
    assert (order.card_brand, order.card_digits) == ("mastercard", "4444")
    assert "Card: Mastercard ending in 4444\n" in email_of(order, EmailKind.RECEIVED)
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    guest = api(at=world.restaurant)
    assert "4444" not in text_of(guest.get(order_path(found)))
    allow(guest, found, now=world.now)
    assert "Card Mastercard ending in 4444" in text_of(guest.get(order_path(found)))
    world.settle(offer)
    assert "Card: Mastercard ending in 4444\n" in email_of(order, EmailKind.CONFIRMED)
    assert guest_data(world.fresh(order))["orders"][0]["card"] == {
        "brand": "mastercard",
        "lastFourDigits": "4444",
    }


def test_an_order_without_a_held_card_names_none(world, offer):
    order = world.begin(offer)
    assert card_of(order) == ""
    world.pay(order, "4000000000000002")
    world.hear(order)
    assert card_of(world.fresh(order)) == ""


def test_one_email_about_a_cart_names_its_card(world, offer):
    begun = world.begin_cart(offer, world.offer(min_preorders=1))
    world.give_card(begun, MASTERCARD)
    world.confirm_cart(begun)
    for item in begun.items:
        assert card_of(world.fresh(item)) == "Mastercard ending in 4444"


def test_a_larger_hold_on_another_card_is_that_cards(world, offer):
    order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
    before = card_of(order)
    changes.change_quantity(order=order, quantity=3, now=world.now)
    assert card_of(world.fresh(order)) == before
    asks = PaymentOperation.objects.get(pre_order=order)
    world.stripe.pay(asks.reference, number=MASTERCARD)
    world.hear_of_intent(order)
    assert card_of(world.fresh(order)) == "Mastercard ending in 4444"


def test_news_after_an_erasure_do_not_bring_the_card_back(world, offer):
    order = world.authorized_order(offer, card=GOOD)
    world.settle(offer)
    world.later(days=4)
    erase_guest(order=world.fresh(order), now=world.now)
    world.work()
    world.hear_of_intent(order)
    world.refund(world.fresh(order))
    world.work()
    gone = world.fresh(order)
    assert (gone.payment_status, gone.card_brand, gone.card_digits) == ("refunded", "", "")


@pytest.mark.parametrize(
    ("brand", "words"),
    [
        ("visa", "Visa ending in 4242"),
        ("amex", "American Express ending in 4242"),
        ("jcb", "JCB ending in 4242"),
        ("unknown", "Card ending in 4242"),
        ("cartes_bancaires", "Cartes Bancaires ending in 4242"),
    ],
)
def test_brands_are_named_as_guests_know_them(brand, words):
    assert card_of(PreOrder(card_brand=brand, card_digits="4242")) == words
