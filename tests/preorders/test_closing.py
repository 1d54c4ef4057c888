"""What the deadline decides, and from which data (DECISIONS X13, X15, X21, X22)."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict
from apps.offers.models import SpecialOffer
from apps.preorders import tasks
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import deadline
from apps.preorders.settlement.checkout_expiry import finish_checkout
from tests.faults.ledger import assert_ledger_balances


@pytest.mark.parametrize(
    ("quantities", "minimum", "outcome"),
    [
        ([3], 3, "succeeded"),  # one order of three portions
        ([2, 2], 4, "succeeded"),  # exactly
        ([2, 1], 4, "failed"),  # one short
        ([1, 1, 1], 4, "failed"),
        ([5], 4, "succeeded"),
        ([], 1, "failed"),
    ],
)
def test_portions_are_counted_not_orders(world, quantities, minimum, outcome):
    offer = world.offer(min_preorders=minimum)
    orders = [world.authorized_order(offer, quantity) for quantity in quantities]
    done = world.settle(offer)
    assert done.status == outcome
    assert done.decided_at == world.now
    kinds = {operation.kind for operation in PaymentOperation.objects.all()}
    assert kinds <= {OperationKind.CAPTURE if outcome == "succeeded" else OperationKind.RELEASE}
    assert PaymentOperation.objects.count() == len(orders)
    assert_ledger_balances(world, offer)


def test_the_houses_portions_count_and_cost_nobody_anything(world):
    offer = world.offer(min_preorders=3, restaurant_portions=2)
    order = world.authorized_order(offer)
    assert world.fresh(offer).ordered_portions == 3
    done = world.settle(offer)
    assert (done.status, done.ordered_portions) == ("succeeded", 3)
    assert world.fresh(order).payment_status == "captured"
    assert PaymentOperation.objects.count() == 1
    assert_ledger_balances(world, offer)


def test_the_restaurant_alone_does_not_cook(world):
    offer = world.offer(min_preorders=1, restaurant_portions=1)
    assert world.settle(offer).status == "failed"


def test_the_restaurants_word_goes_ahead_below_the_minimum(world):
    offer = world.offer(min_preorders=9, goes_ahead=True)
    order = world.authorized_order(offer)
    done = world.settle(offer)
    assert done.status == "succeeded"
    decided = done.transitions.get(new="succeeded")
    assert (decided.reason_code, decided.reason) == ("guaranteed", "1 of 9 portions")
    assert world.fresh(order).payment_status == "captured"
    assert_ledger_balances(world, offer)


def test_an_offer_without_orders_fails_even_if_the_restaurant_guaranteed_it(world):
    offer = world.offer(min_preorders=9, goes_ahead=True)
    assert world.settle(offer).status == "failed"


def test_the_houses_portions_are_nobody_elses(world):
    offer = world.offer(min_preorders=3, max_preorders=4, restaurant_portions=2)
    world.authorized_order(offer)
    with pytest.raises(Conflict, match="Only 1 portion is left"):
        world.begin(offer, 2)
    world.begin(offer, 1)
    assert world.fresh(offer).reserved_portions == 4


def test_open_checkouts_are_not_portions(world):
    offer = world.offer(min_preorders=2)
    world.authorized_order(offer)
    world.begin(offer)
    assert world.fresh(offer).ordered_portions == 1
    assert world.fresh(offer).reserved_portions == 2


def test_an_offer_stays_open_before_the_deadline(world):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.at(offer.deadline - timedelta(seconds=1))
    assert world.close(offer) == "active"
    assert deadline.due_offers(now=world.now) == []
    assert not PaymentOperation.objects.exists()


def test_a_decided_offer_stays_as_it_is(world):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.settle(offer)
    SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=5)
    world.later(days=1)
    assert world.close(offer) == "succeeded"
    assert PaymentOperation.objects.count() == 1


def test_a_deleted_offer_is_not_closed(world):
    offer = world.offer(status="deleted")
    world.at(offer.deadline)
    assert world.close(offer) == "deleted"


class TestWaiting:
    @pytest.fixture
    def offer(self, world):
        return world.offer(min_preorders=2, deadline=world.now + timedelta(minutes=5))

    def test_an_offer_waits_for_a_checkout_begun_before_the_deadline(self, world, offer):
        world.authorized_order(offer)
        waited_for = world.begin(offer)
        world.at(offer.deadline)
        assert world.close(offer) == "closing"
        world.later(minutes=4)
        world.pay(waited_for)
        assert world.close(offer) == "succeeded"
        world.work()
        assert_ledger_balances(world, offer)

    def test_an_open_checkout_delays_the_decision_no_longer_than_the_grace(self, world, offer):
        world.authorized_order(offer)
        slow = world.begin(offer)
        world.at(offer.deadline + timedelta(minutes=9, seconds=59))
        assert world.close(offer) == "closing"
        world.later(seconds=1)
        assert world.close(offer) == "failed"
        assert world.pay(slow)["error"]
        world.work()
        assert_ledger_balances(world, offer)

    def test_news_of_the_last_open_checkout_sets_the_decision_off(self, world, offer):
        """It does not wait for the next look."""
        world.authorized_order(offer)
        last = world.begin(offer)
        world.at(offer.deadline)
        world.close(offer)
        world.pay(last)
        world.hear(last)
        assert "preorders.close_offer" in world.work()
        assert world.fresh(offer).status == "succeeded"
        assert_ledger_balances(world, offer)

    def test_an_offer_does_not_wait_for_an_order_without_a_checkout_page(self, world, offer):
        """Its web process died; nobody has an address to pay at."""
        world.authorized_order(offer, 2)
        lost = world.begin(offer)
        PreOrder.objects.filter(pk=lost.pk).update(checkout_session_id=None, checkout_url="")
        world.at(offer.deadline)
        assert world.close(offer) == "succeeded"
        assert world.fresh(lost).status == "cancelled"

    def test_an_order_that_got_its_page_a_moment_ago_stays_open(self, world, offer):
        """The closer read the order before the page was noted."""
        order = world.begin(offer)
        stale = PreOrder.objects.select_related("offer").get(pk=order.pk)
        stale.checkout_session_id = None
        finish_checkout(stale, now=offer.deadline, close=False)
        assert world.fresh(order).status == "pending"

    @pytest.mark.parametrize("path", ["/v1/checkout/sessions", "/v1/payment_intents"])
    @pytest.mark.parametrize("kind", ["500", "lost_response"])
    def test_an_offer_waits_until_stripe_can_be_read(self, world, offer, path, kind):
        world.authorized_order(offer)
        unknown = world.begin(offer)
        world.pay(unknown)
        world.at(offer.deadline + timedelta(minutes=30))
        world.stripe.control(http_fault={"kind": kind, "path_prefix": path})
        assert world.close(offer) == "closing"
        assert not PaymentOperation.objects.exists()
        assert world.close(offer) == "succeeded"
        world.work()
        assert_ledger_balances(world, offer)


class TestTheTrigger:
    """Due offers are found by their state, within seconds of the deadline (DECISIONS X61)."""

    def test_the_sweep_settles_the_offers_that_are_due(self, world):
        offers = [world.offer(min_preorders=1) for _ in range(2)]
        for offer in offers:
            world.authorized_order(offer)
        later = world.offer(deadline=world.now + timedelta(days=2))
        world.at(offers[0].deadline)
        tasks.close_due_offers_task.delay()
        world.work()
        assert [world.fresh(offer).status for offer in offers] == ["succeeded"] * 2
        assert world.fresh(later).status == "active"
        for offer in offers:
            decided = offer.transitions.get(new="succeeded")
            assert decided.at - offer.deadline <= timedelta(seconds=5)

    def test_the_sweep_settles_the_offers_of_an_outage_of_days(self, world):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer)
        world.at(offer.serving_ends + timedelta(days=3))
        tasks.close_due_offers_task.delay()
        world.work()
        assert world.fresh(offer).status == "failed"  # nobody cooked, so nobody pays
        assert_ledger_balances(world, offer)

    def test_a_waiting_offer_is_looked_at_every_few_seconds_only(self, world):
        offer = world.offer(deadline=world.now + timedelta(minutes=5))
        world.begin(offer)
        world.at(offer.deadline)
        for _ in range(3):
            tasks.close_due_offers_task.delay()
        assert world.work().count("preorders.close_offer") == 1

    def test_a_lost_message_to_the_workers_costs_a_minute(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        world.tasks._commit_hooks()
        world.tasks.waiting.clear()
        world.later(seconds=59)
        tasks.run_due_operations_task.delay()
        assert world.work() == ["preorders.run_due_operations"]  # left to the queue still
        world.later(seconds=1)
        tasks.run_due_operations_task.delay()
        world.work()
        assert world.fresh(order).payment_status == "captured"
