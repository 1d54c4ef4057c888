"""Carts at once: the last portion, a button pressed twice, a confirmation and its webhook."""

from threading import Barrier, BrokenBarrierError, Event

import pytest

from apps.billing import new_restaurants
from apps.common.errors import Conflict
from apps.offers.models import SpecialOffer
from apps.preorders import tasks
from apps.preorders.cart import items
from apps.preorders.checkout import acceptance, payment_page
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core import email_queue
from apps.preorders.core.portions import reserved_portions
from apps.preorders.models import Cart, PreOrder
from apps.preorders.settlement import cart_items as settlement_cart_items
from apps.preorders.settlement import worker
from apps.preorders.settlement.steps import authorization
from tests.preorders.world import OFF_SESSION_DECLINED
from tests.threads import STUCK_AFTER, at_once, is_anyone_waiting_for_a_lock, wait_until

IN_VAIN, SURELY = 0.05, 10  # see test_portions


@pytest.fixture
def meet_after_counting(monkeypatch):
    """Each thread waits for the others between counting what is left of a special and taking it."""

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


def guest(number):
    return GuestDetails(f"Guest {number}", f"guest{number}@example.test", "1")


def test_two_carts_want_the_last_portion(world, meet_after_counting):
    """Whoever comes second gets nothing of anything, in whatever order their carts name it."""
    last = world.offer(min_preorders=1, max_preorders=1)
    plenty = world.offer(min_preorders=1)
    meet_after_counting(2)
    answers = at_once(
        lambda: world.begin_cart(last, plenty, guest=guest(1)),
        lambda: world.begin_cart(plenty, last, guest=guest(2)),
    )
    (refusal,) = [each for each in answers if isinstance(each, Conflict)]
    assert "Sold out" in refusal.message
    assert PreOrder.objects.count() == 2
    assert Cart.objects.count() == 1
    assert [world.fresh(offer).reserved_portions for offer in (last, plenty)] == [1, 1]


def test_without_the_locks_the_last_portion_is_sold_twice(world, meet_after_counting, monkeypatch):
    """The control: the race is real, and the locks alone prevent it."""

    def read(offer_ids):
        offers = SpecialOffer.objects.select_related("restaurant__connect_account")
        return list(offers.filter(pk__in=list(offer_ids)).order_by("pk"))

    monkeypatch.setattr(items, "lock_offers", read)
    monkeypatch.setattr(new_restaurants, "lock_account", lambda restaurant: None)
    last = world.offer(min_preorders=1, max_preorders=1)
    meet_after_counting(2, SURELY)
    at_once(
        lambda: world.begin_cart(last, guest=guest(1)),
        lambda: world.begin_cart(last, guest=guest(2)),
    )
    assert PreOrder.objects.filter(offer=last).in_checkout().portions() == 2


def test_many_carts_of_the_same_specials_never_wait_in_a_circle(world):
    offers = [world.offer(min_preorders=1, max_preorders=3) for _ in range(4)]
    calls = [
        lambda number=number: world.begin_cart(
            *(offers if number % 2 else offers[::-1]), guest=guest(number)
        )
        for number in range(8)
    ]
    answers = at_once(*calls)
    assert sum(isinstance(each, Conflict) for each in answers) == 5, answers
    assert [world.fresh(offer).reserved_portions for offer in offers] == [3] * 4
    assert PreOrder.objects.count() == 12


def test_one_guest_pressing_twice_at_once_makes_one_checkout(world, monkeypatch):
    monkeypatch.setattr(payment_page, "DOUBLE_SUBMIT_WINDOWS", (0.05,) * 20)
    world.stripe.control(latency={"path_prefix": "/v1/setup_intents", "seconds": 0.1})
    offers = [world.offer(max_preorders=1, min_preorders=1) for _ in range(2)]
    begun = at_once(*[lambda: world.begin_cart(*offers)] * 3)
    assert len({each.client_secret for each in begun}) == 1
    assert Cart.objects.count() == 1


def test_a_confirmation_a_webhook_and_the_sweep_at_once_hold_each_line_once(world):
    offers = [world.offer(min_preorders=1) for _ in range(3)]
    begun = world.begin_cart(*offers)
    world.give_card(begun)

    def webhook():
        for operation in settlement_cart_items.authorize_items(begun.cart.pk, now=world.now):
            worker.run_operation(operation, now=world.now)

    answers = at_once(lambda: world.confirm_cart(begun), webhook, lambda: world.confirm_cart(begun))
    assert not [each for each in answers if isinstance(each, Exception)], answers
    tasks.run_due_operations_task.delay()
    world.work()
    assert {world.fresh(item).payment_status for item in begun.items} == {"authorized"}
    assert [len(world.intents(item)) for item in begun.items] == [1, 1, 1]
    assert [world.fresh(offer).ordered_portions for offer in offers] == [1, 1, 1]


def test_a_decline_and_the_webhook_of_the_card_never_wait_in_a_circle(world, monkeypatch):
    """The webhook locks the order and reads its operation; the decline writes both."""
    begun = world.begin_cart(world.offer(min_preorders=1), world.offer(min_preorders=1))
    world.give_card(begun, OFF_SESSION_DECLINED)
    declined, other = settlement_cart_items.authorize_items(begun.cart.pk, now=world.now)
    is_recorded = Event()
    queue = email_queue.queue_email

    def queue_and_wait(*args, **options):
        queue(*args, **options)
        is_recorded.set()
        wait_until(is_anyone_waiting_for_a_lock)

    def webhook():
        assert is_recorded.wait(STUCK_AFTER)
        return settlement_cart_items.authorize_items(begun.cart.pk, now=world.now)

    monkeypatch.setattr(authorization, "queue_email", queue_and_wait)
    answers = at_once(lambda: worker.run_operation(declined, now=world.now), webhook)
    assert answers == [True, [other]]
