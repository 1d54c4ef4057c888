"""What Stripe says and what we say, held against each other (design §4)."""

from datetime import timedelta

import pytest
import stripe

from apps.billing.models import Discrepancy
from apps.preorders import tasks
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OperationStatus, PaymentStatus
from apps.preorders.settlement.reconciliation import reconcile
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED


@pytest.fixture
def offer(world):
    return world.offer()


def differences():
    rows = Discrepancy.objects.order_by("pk")
    return [(row.description, row.resolved_at is not None) for row in rows]


def test_agreement_is_not_news(world, offer):
    orders = [world.book(offer), world.begin(offer), world.begin(offer), world.begin(offer)]
    world.pay(orders[2], DECLINED)
    world.pay(orders[3], ASKS_EVERY_TIME, authenticate="leave")
    for order in orders:
        world.hear(order)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 0
    assert differences() == []


def test_a_hold_nobody_told_us_of_is_found_written_down_and_healed(world, offer):
    order = world.begin(offer)
    world.pay(order)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert differences() == [("Stripe says held, the order says unpaid", True)]
    assert world.fresh(order).payment_status == PaymentStatus.AUTHORIZED
    assert reconcile(now=world.now) == 0


def test_news_on_its_way_is_no_difference(world, offer):
    order = world.begin(offer)
    world.pay(order)
    world.later(seconds=30)
    assert reconcile(now=world.now) == 0
    assert world.fresh(order).payment_status == PaymentStatus.UNPAID


@pytest.mark.parametrize("action", ["capture", "cancel"])
def test_what_was_done_in_the_dashboard_is_healed(world, offer, action):
    order = world.book(offer)
    getattr(stripe.PaymentIntent, action)(order.payment_intent_id)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert [healed for _, healed in differences()] == [True]
    expected = {"capture": PaymentStatus.CAPTURED, "cancel": PaymentStatus.RELEASED}[action]
    assert world.fresh(order).payment_status == expected


def test_a_refund_nobody_told_us_of(world):
    offer = world.offer(min_preorders=1)
    order = world.book(offer)
    world.settle(offer)
    stripe.Refund.create(
        payment_intent=order.payment_intent_id, reverse_transfer=True, refund_application_fee=True
    )
    world.later(hours=3)
    assert reconcile(now=world.now) == 0  # too long ago to be looked at again
    # An open difference keeps an intent in view however old it is.
    Discrepancy.objects.create(
        restaurant=offer.restaurant,
        pre_order=order,
        payment_intent_id=order.payment_intent_id,
        description="found before",
        found_at=world.now,
    )
    assert reconcile(now=world.now) == 1
    assert world.fresh(order).payment_status == PaymentStatus.REFUNDED
    assert all(healed for _, healed in differences())


def test_what_does_not_heal_waits_for_a_person_and_is_written_down_once(world, offer):
    order = world.book(offer)
    PreOrder.objects.filter(pk=order.pk).update(payment_status=PaymentStatus.REFUNDED)
    world.later(minutes=5)
    for _ in range(3):
        assert reconcile(now=world.now) == 1
        world.later(minutes=5)
    assert differences() == [("Stripe says held, the order says refunded", False)]
    PreOrder.objects.filter(pk=order.pk).update(payment_status=PaymentStatus.AUTHORIZED)
    assert reconcile(now=world.now) == 0
    assert differences() == [("Stripe says held, the order says refunded", True)]


def test_an_ended_checkout_is_no_difference(world, offer):
    order = world.begin(offer)
    world.pay(order, ASKS_EVERY_TIME, authenticate="leave")
    world.hear(order)
    world.later(minutes=32)
    tasks.end_abandoned_checkouts_task.delay()
    world.work()
    world.later(minutes=2)
    assert reconcile(now=world.now) == 0


def test_a_hold_past_its_end_is_looked_at_however_old(world):
    """No webhook told of its end, and its offer is still open."""
    offer = world.offer(deadline=world.now + timedelta(days=9))
    order = world.book(offer)
    world.later(days=7, hours=1)
    assert reconcile(now=world.now) == 1
    assert world.fresh(order).payment_status == PaymentStatus.RELEASED
    assert world.fresh(offer).ordered_portions == 0


def test_an_operation_that_is_overdue_is_looked_at(world):
    offer = world.offer(min_preorders=1)
    order = world.book(offer)
    world.at(offer.deadline)
    world.close(offer)
    stripe.PaymentIntent.capture(order.payment_intent_id)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert world.operation(order).state == OperationStatus.DONE
    world.work()
    assert_ledger_balances(world, offer)


def test_an_unreadable_intent_does_not_keep_the_others_from_being_fixed(world, offer):
    lost, found = world.begin(offer), world.begin(offer)
    world.pay(found)
    PreOrder.objects.filter(pk=lost.pk).update(payment_intent_id="pi_gone")
    world.later(hours=3)
    PreOrder.objects.filter(pk=found.pk).update(payment_intent_id=world.intents(found)[0].id)
    assert reconcile(now=world.now) == 1
    assert world.fresh(found).payment_status == PaymentStatus.AUTHORIZED


def test_an_intent_that_cannot_be_fixed_does_not_keep_the_others_from_being_fixed(world, offer):
    orders = [world.begin(offer), world.begin(offer)]
    for order in orders:
        world.pay(order)
    world.later(minutes=5)
    fault = {"kind": "500", "method": "GET", "path_prefix": "/v1/payment_intents/", "times": 1}
    world.stripe.control(http_fault=fault)
    reconcile(now=world.now)
    statuses = sorted(world.fresh(order).payment_status for order in orders)
    assert statuses == ["authorized", "unpaid"]
    assert reconcile(now=world.now + timedelta(minutes=5)) == 1
    assert {world.fresh(order).payment_status for order in orders} == {"authorized"}
    assert all(healed for _, healed in differences())


def test_the_scheduled_task_reconciles(world, offer):
    order = world.begin(offer)
    world.pay(order)
    world.later(minutes=5)
    tasks.reconcile_payments_task.delay()
    world.work()
    assert world.fresh(order).payment_status == PaymentStatus.AUTHORIZED
