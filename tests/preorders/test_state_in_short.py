"""What a browser that remembers an order says of its state."""

import pytest

from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from apps.preorders.documents.qr import shows_code
from apps.preorders.guest.order_status.in_short import state_in_short
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.factories import PreOrderFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("status", "payment", "said"),
    [
        ("pending", "authorized", "Card held"),
        ("confirmed", "captured", "It's on"),
        ("pending", "unpaid", ""),
        ("pending", "capture_failed", "Charge failed"),
        ("cancelled", "released", "Canceled"),
        ("cancelled", "refunded", "Refunded"),
        ("confirmed", "refunded", "Refunded"),
        ("fulfilled", "captured", "Picked up"),
        ("no_show", "captured", "Not picked up"),
    ],
)
def test_an_order_says_its_state_in_a_few_words(platform, clock, status, payment, said):
    order = PreOrderFactory(status=PreOrderStatus(status), payment_status=PaymentStatus(payment))
    order.service_mode = "pickup"
    assert in_short(order, clock) == said


def test_a_held_order_of_a_special_that_is_on_says_so(platform, clock):
    order = PreOrderFactory(status=PreOrderStatus.PENDING, payment_status=PaymentStatus.AUTHORIZED)
    order.offer.ordered_portions = order.offer.min_preorders
    assert in_short(order, clock) == "It's on"


def test_an_order_of_a_special_that_fell_short_says_so(platform, clock):
    order = PreOrderFactory(status=PreOrderStatus.CANCELLED, payment_status=PaymentStatus.RELEASED)
    order.offer.status = OfferStatus.FAILED
    assert in_short(order, clock) == "Not enough orders"


def test_a_dinner_that_took_place_is_served_and_not_picked_up(platform, clock):
    order = PreOrderFactory(status=PreOrderStatus.FULFILLED, payment_status=PaymentStatus.CAPTURED)
    order.service_mode = "dine_in"
    assert in_short(order, clock) == "Served"


def in_short(order, clock):
    return state_in_short(order, Special(order.offer, clock.now), is_coming=shows_code(order))
