"""Pressing the button again: the same order gets its checkout back, another order gets its own.
What makes it another one must not be lost: an allergy entered before the second press, another
time, a price that has changed meanwhile. The form and the cart decide this in two places.
"""

from datetime import timedelta
from typing import Any

import pytest

from apps.offers.models import PickupSlot, SpecialOffer
from apps.preorders.checkout import phone_orders
from apps.preorders.checkout import services as checkout_services
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import PreOrderStatus
from tests.factories import DishFactory
from tests.preorders.world import DANA

NOTE = "Peanut allergy!"
MINUTES_TO_REUSE = 21  # of a page's 31, the last ten are too few to be given again


class Form:
    """The order form: one special."""

    PATH = "/api/pre-orders"
    CREATED = "checkoutUrl"
    # Anybody can type a name and an address, so without access only a double press gets it again.
    MINUTES_TO_REUSE = 2

    @staticmethod
    def body(offer, *, quantity=2, name="Dana", email="dana@example.test", phone="1", **wishes):
        return {
            "dishId": str(offer.pk),
            "quantity": quantity,
            "customerName": name,
            "customerEmail": email,
            "customerPhone": phone,
            **wishes,
        }


class CartOfOne:
    """The cart, with the same special in it."""

    PATH = "/api/create-multi-offer-payment-intent"
    CREATED = "clientSecret"
    MINUTES_TO_REUSE = MINUTES_TO_REUSE

    @staticmethod
    def body(offer, *, quantity=2, name="Dana", email="dana@example.test", phone="1", **wishes):
        item = {"dishId": str(offer.pk), "name": offer.name, "quantity": quantity, **wishes}
        return {"items": [item], "guest": {"name": name, "email": email, "phone": phone}}


@pytest.fixture(params=[Form, CartOfOne])
def place(request) -> Any:
    return request.param


@pytest.fixture
def offer(world):
    """With two pickup times and an alternative."""
    offer = world.offer()
    offer.has_alternative = True
    offer.alternative_dish = DishFactory(restaurant=offer.restaurant, price="15.00")
    offer.save()
    for hour in (1, 2):
        starts = offer.deadline + timedelta(hours=hour)
        PickupSlot.objects.create(
            offer=offer,
            restaurant=offer.restaurant,
            starts_at=starts,
            ends_at=starts + timedelta(minutes=30),
        )
    return offer


@pytest.fixture
def press(api, offer, place):
    """Send the order with these changes; returns where it leads."""
    guest = api(at=offer.restaurant)
    slots = list(PickupSlot.objects.order_by("starts_at").values_list("pk", flat=True))

    def send(*, time=0, **changes):
        wanted = {"slotId": slots[time], "alternativeConsent": True, "note": "", **changes}
        answer = guest.post(place.PATH, place.body(offer, **wanted))
        assert answer.status_code == 201, answer.content
        return answer.json()[place.CREATED]

    return send


def test_the_same_order_sent_twice_gets_one_checkout(press):
    wishes = {"note": NOTE, "time": 1, "alternativeConsent": True}
    assert press(**wishes) == press(**wishes)
    assert press(email="Dana@Example.test", **wishes) == press(**wishes)
    assert PreOrder.objects.count() == 1


def test_the_guest_is_written_to_in_the_language_of_the_last_press(api, offer, place):
    guest = api(at=offer.restaurant)
    sent = place.body(offer, slotId=PickupSlot.objects.order_by("starts_at")[0].pk)
    for language in ("en-us", "es"):
        answer = guest.post(place.PATH, sent, headers={"Accept-Language": language})
        assert answer.status_code == 201, answer.content
        assert PreOrder.objects.filter(language=language).count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"note": NOTE},
        {"time": 1},
        {"alternativeConsent": False},
        {"quantity": 3},
        {"name": "Dan"},
        {"email": "dan@example.test"},
        {"phone": "2"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_order_with_one_other_wish_is_another_order(press, change):
    first = press()
    assert press(**change) != first
    assert press(**change) != first  # it is the second one's own again
    assert PreOrder.objects.count() == 2


@pytest.mark.parametrize(
    ("model", "change"),
    [("special", {"special_price": "25.00"}), ("alternative", {"price": "14.00"})],
    ids=["the special's", "the alternative's"],
)
def test_an_order_at_another_price_is_another_order(press, offer, model, change):
    first = press()
    if model == "special":
        SpecialOffer.objects.filter(pk=offer.pk).update(**change)
    else:
        type(offer.alternative_dish).objects.filter(pk=offer.alternative_dish_id).update(**change)
    assert press() != first
    assert PreOrder.objects.count() == 2


def test_a_checkout_is_given_again_for_a_while(world, press, place):
    first = press()
    world.later(minutes=place.MINUTES_TO_REUSE, seconds=-1)
    assert press() == first
    world.later(seconds=1)
    assert press() != first


def test_the_newest_checkout_is_given_again(world, press):
    press()
    world.later(minutes=MINUTES_TO_REUSE)
    assert press() == press()


def test_the_same_typed_at_once_in_another_browser_is_another_order(api, offer, place, press):
    first = press()
    slot = PickupSlot.objects.earliest("starts_at").pk
    body = place.body(offer, slotId=slot, alternativeConsent=True, note="")
    other = {"User-Agent": "Another browser"}
    answer = api(at=offer.restaurant).post(place.PATH, body, headers=other)
    assert answer.json()[place.CREATED] != first
    assert PreOrder.objects.count() == 2


def test_the_same_order_of_another_special_is_another_order(api, offer, world, place):
    guest = api(at=offer.restaurant)
    for each in (world.offer(), world.offer()):
        assert guest.post(place.PATH, place.body(each)).status_code == 201
    assert PreOrder.objects.count() == 2


def test_an_order_by_phone_is_not_given_to_the_form(world):
    offer = world.offer()
    order = {"offer_id": offer.pk, "quantity": 1, "guest": DANA, "now": world.now}
    by_phone = phone_orders.begin_phone_order(**order)
    by_form = checkout_services.begin_order(**order, claimed_total=None)
    assert by_form != by_phone


def test_a_cart_whose_card_is_known_is_not_given_again(world):
    """Its orders wait for their holds; the guest would confirm an intent that is done."""
    specials = world.offer(), world.offer()
    begun = world.begin_cart(*specials)
    assert world.begin_cart(*specials).cart == begun.cart
    Cart.objects.filter(pk=begun.cart.pk).update(payment_method_id="pm_card")
    assert world.begin_cart(*specials).cart != begun.cart


def test_a_cart_of_which_an_order_has_ended_is_not_given_again(world):
    specials = world.offer(), world.offer()
    begun = world.begin_cart(*specials)
    PreOrder.objects.filter(pk=begun.items[0].pk).update(status=PreOrderStatus.CANCELLED)
    assert world.begin_cart(*specials).cart != begun.cart


def test_a_checkout_of_a_cart_is_not_given_to_the_form(api, offer, world):
    guest = api(at=offer.restaurant)
    slot = PickupSlot.objects.earliest("starts_at").pk
    for place in (CartOfOne, Form):
        sent = place.body(offer, slotId=slot)
        assert guest.post(place.PATH, sent).status_code == 201
    assert PreOrder.objects.count() == 2


def test_as_many_portions_as_one_order_can_have_are_accepted(press, offer):
    SpecialOffer.objects.filter(pk=offer.pk).update(max_per_order=5)
    press(quantity=5)
    assert PreOrder.objects.get().quantity == 5


def test_one_portion_more_than_one_order_can_have_is_refused(api, offer, place):
    SpecialOffer.objects.filter(pk=offer.pk).update(max_per_order=5)
    answer = api(at=offer.restaurant).post(place.PATH, place.body(offer, quantity=6))
    assert answer.status_code == 400
    assert "You can order up to 5 portions at once." in answer.json()["errors"][0]["message"]
    assert not PreOrder.objects.exists()
