"""Many want the last portions at once (DECISIONS X25)."""

from threading import Barrier, BrokenBarrierError

import pytest

from apps.common.errors import Conflict
from apps.preorders.checkout import acceptance, payment_page
from apps.preorders.core.portions import reserved_portions
from apps.preorders.models import PreOrder
from tests.threads import at_once

# Seconds that threads wait for each other between counting and writing. With the lock, they never
# meet there, so the first one gives up after this long …
IN_VAIN = 0.05
# … and without the lock they always meet.
SURELY = 10


@pytest.fixture
def meet_after_counting(monkeypatch):
    """Each thread waits for the others between counting what is left and taking it.

    With the lock nobody else gets there, and the wait ends by its timeout.
    """

    def arrange(people, within=IN_VAIN):
        barrier = Barrier(people)
        count = reserved_portions

        def counted(offer):
            taken = count(offer)
            try:
                barrier.wait(within)
            except BrokenBarrierError:
                barrier.reset()
            return taken

        monkeypatch.setattr(acceptance, "reserved_portions", counted)

    return arrange


def order_at_once(world, offer, people, quantity=1):
    names = [f"Guest {number}" for number in range(people)]
    return at_once(*[lambda name=name: world.begin(offer, quantity, name=name) for name in names])


def refusals(answers):
    wrong = [each for each in answers if not isinstance(each, PreOrder | Conflict)]
    assert not wrong, wrong
    return [each for each in answers if isinstance(each, Conflict)]


def test_two_guests_want_the_last_portion(world, meet_after_counting):
    offer = world.offer(min_preorders=1, max_preorders=1)
    meet_after_counting(2)
    (refusal,) = refusals(order_at_once(world, offer, 2))
    assert refusal.message == "Sold out. Your card wasn't held or charged."
    assert world.fresh(offer).reserved_portions == 1
    assert len(world.sessions()) == 1


def test_twenty_guests_want_ten_portions(world):
    offer = world.offer(min_preorders=1, max_preorders=10)
    refused = refusals(order_at_once(world, offer, 20))
    assert len(refused) == 10
    assert world.fresh(offer).reserved_portions == 10
    assert PreOrder.objects.filter(offer=offer).in_checkout().portions() == 10


def test_large_orders_never_share_a_portion(world):
    offer = world.offer(min_preorders=1, max_preorders=10)
    refused = refusals(order_at_once(world, offer, 8, quantity=3))
    assert len(refused) == 5
    assert all(each.message.startswith("Only 1 portion is left") for each in refused)
    assert world.fresh(offer).reserved_portions == 9


def test_without_the_lock_the_last_portion_is_sold_twice(world, without_locks, meet_after_counting):
    """The control: the race is real, and the lock alone prevents it."""
    offer = world.offer(min_preorders=1, max_preorders=1)
    meet_after_counting(2, SURELY)
    assert refusals(order_at_once(world, offer, 2)) == []
    assert PreOrder.objects.filter(offer=offer).in_checkout().portions() == 2


def test_one_guest_pressing_twice_at_once_makes_one_order(world, monkeypatch):
    monkeypatch.setattr(payment_page, "DOUBLE_SUBMIT_WINDOWS", (0.05,) * 20)
    world.stripe.control(latency={"path_prefix": "/v1/checkout/sessions", "seconds": 0.1})
    offer = world.offer(min_preorders=1, max_preorders=1)
    orders = at_once(*[lambda: world.begin(offer, name="Dana", email="dana@example.test")] * 3)
    assert len({order.pk for order in orders}) == 1
    assert len({order.checkout_url for order in orders}) == 1
    assert len(world.sessions()) == 1
