"""Webhooks come twice, in any order, late, or never; the outcome is the same."""

import pytest
import stripe as stripe_api

from apps.billing import tasks as billing_tasks
from apps.billing.models import ProcessedEvent
from apps.preorders.models import Email, PreOrderTransition
from apps.preorders.models.states import PaymentStatus
from tests.faults.ledger import assert_ledger_balances

pytestmark = pytest.mark.usefixtures("webhooks")

BOTH_OUTCOMES = pytest.mark.parametrize(
    ("minimum", "outcome"), [(3, PaymentStatus.CAPTURED), (4, PaymentStatus.RELEASED)]
)
DISORDER = {
    "once": {},
    "three times": {"duplicate": 2},
    "shuffled": {"shuffle": True},
    "twice and shuffled": {"duplicate": 1, "shuffle": True},
}


def arrive(world):
    """Deliver all webhooks, and let a worker process them."""
    world.stripe.wait_delivered()
    world.work()


def pre_order(world, minimum):
    """Three guests pay, and none of them comes back to our page."""
    offer = world.offer(min_preorders=minimum)
    orders = [world.begin(offer) for _ in range(3)]
    for order in orders:
        world.pay(order)
    return offer, orders


def assert_all(world, orders, status):
    assert {str(world.fresh(order).payment_status) for order in orders} == {str(status)}


def events(offer):
    """The numbers of transitions and of emails of the offer's orders."""
    changes = PreOrderTransition.objects.filter(pre_order__offer=offer).count()
    return changes, Email.objects.filter(pre_order__offer=offer).count()


@BOTH_OUTCOMES
@pytest.mark.parametrize("disorder", DISORDER)
def test_orders_settle_when_news_comes_only_by_disordered_webhooks(
    world, disorder, minimum, outcome
):
    world.stripe.control(webhooks=DISORDER[disorder])
    offer, orders = pre_order(world, minimum)
    arrive(world)
    assert_all(world, orders, PaymentStatus.AUTHORIZED)
    world.settle(offer)
    arrive(world)
    assert_all(world, orders, outcome)
    assert_ledger_balances(world, offer)


@BOTH_OUTCOMES
def test_webhooks_in_reverse_order_end_in_the_same_outcome(world, minimum, outcome):
    world.stripe.control(webhooks={"mode": "hold"})
    offer, orders = pre_order(world, minimum)
    world.stripe.control(flush="reverse")
    arrive(world)
    world.settle(offer)
    world.stripe.control(flush="reverse")
    arrive(world)
    assert_all(world, orders, outcome)
    assert_ledger_balances(world, offer)


@BOTH_OUTCOMES
def test_orders_settle_when_every_webhook_is_lost(world, minimum, outcome):
    world.stripe.control(webhooks={"mode": "drop"})
    offer, orders = pre_order(world, minimum)
    world.settle(offer)
    assert_all(world, orders, outcome)
    assert_ledger_balances(world, offer)


@BOTH_OUTCOMES
def test_told_everything_when_all_is_over(world, minimum, outcome):
    """Late news of a hold is not a late hold: it was heard of by asking, and it counts."""
    world.stripe.control(webhooks={"mode": "hold"})
    offer, orders = pre_order(world, minimum)
    world.settle(offer)
    before = events(offer)
    world.later(hours=1)
    world.stripe.control(flush="shuffle")
    arrive(world)
    assert events(offer) == before
    assert_all(world, orders, outcome)
    assert_ledger_balances(world, offer)


def test_every_event_repeated_a_day_later_changes_nothing(world):
    offer, orders = pre_order(world, 3)
    arrive(world)
    world.settle(offer)
    arrive(world)
    before = events(offer)
    seen = ProcessedEvent.objects.count()
    world.later(days=1)
    for event in world.stripe.look(1000)["events"]:
        world.stripe.control(resend=event["id"])
    arrive(world)
    assert events(offer) == before
    assert ProcessedEvent.objects.count() == seen
    assert_all(world, orders, PaymentStatus.CAPTURED)
    assert_ledger_balances(world, offer)


def test_a_worker_that_loses_the_message_of_a_webhook(world):
    """The delivery is kept when it is answered; a sweep finds it by its state."""
    offer, orders = pre_order(world, 3)
    world.stripe.wait_delivered()
    world.tasks.waiting.clear()
    assert_all(world, orders, PaymentStatus.UNPAID)
    world.later(minutes=1)
    billing_tasks.process_waiting_webhooks.delay()
    done = world.work()
    assert done.count("billing.process_webhook") >= len(orders)
    assert_all(world, orders, PaymentStatus.AUTHORIZED)
    world.settle(offer)
    arrive(world)
    assert_ledger_balances(world, offer)


def test_each_event_is_noted_once_and_the_last_one_names_its_intent(world):
    """DECISIONS X62."""
    world.stripe.control(webhooks={"duplicate": 1})
    offer, orders = pre_order(world, 3)
    arrive(world)
    world.settle(offer)
    arrive(world)
    events = world.stripe.look(1000)["events"]
    noted = dict(ProcessedEvent.objects.values_list("stripe_event_id", "payment_intent_id"))
    ours = {order.payment_intent_id for order in map(world.fresh, orders)}
    for event in events:
        terminal = event["type"] in ("payment_intent.succeeded", "payment_intent.canceled")
        if event["id"] in noted:
            assert noted[event["id"]] == (event["object"] if terminal else None)
    assert {intent for intent in noted.values() if intent} == ours


def test_a_refund_made_in_the_processors_own_pages(world):
    """Nobody here asked for it: the webhook alone tells, and tells twice."""
    world.stripe.control(webhooks={"duplicate": 1, "shuffle": True})
    offer, orders = pre_order(world, 3)
    arrive(world)
    world.settle(offer)
    arrive(world)
    order = world.fresh(orders[0])
    stripe_api.Refund.create(
        payment_intent=order.payment_intent_id,
        amount=1000,
        reverse_transfer=True,
        refund_application_fee=True,
    )
    arrive(world)
    assert str(world.fresh(order).refunded_amount) == "10.00"
    assert world.emails(order) == ["confirmed", "received", "refunded"]
    assert_ledger_balances(world, offer)
