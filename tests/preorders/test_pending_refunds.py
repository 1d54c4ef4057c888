"""Refunds that are pending at Stripe: nothing is said to be refunded before it is."""

from decimal import Decimal

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy, PaymentHistory
from apps.common.errors import Conflict
from apps.offers.presentation import Special
from apps.preorders import tasks
from apps.preorders.guest.order_status import order_status
from apps.preorders.manage import fulfillment
from apps.preorders.manage.activity import activity_of
from tests.preorders.world import REFUND_PENDING


@pytest.fixture(params=[True, False], ids=["counted", "not counted"])
def order(world, request):
    """Charged. Whether pending refunds count in `amount_refunded` is not documented."""
    world.stripe.control(refund_counting={"pending": request.param})
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=REFUND_PENDING)
    world.settle(offer)
    return world.fresh(order)


def refunds_of(order):
    return list(stripe_api.Refund.list(payment_intent=order.payment_intent_id, limit=100))


def sweep(world, **parts):
    world.later(**parts)
    tasks.run_due_operations_task.delay()
    world.work()


def headline(world, order):
    order = world.fresh(order)
    return order_status(order, Special(order.offer, world.now)).headline


def test_a_pending_refund_is_not_said_to_be_done(world, order):
    world.refund(order)
    world.work()
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("captured", "confirmed")
    assert order.refunded_amount == Decimal(0)
    assert "refunded" not in world.emails(order)
    assert not PaymentHistory.objects.filter(pre_order=order, transaction_type="refund").exists()
    assert headline(world, order) == "We're refunding your $25.92"
    assert any("Stripe hasn't finished it yet" in event.detail for event in activity_of(order))
    with pytest.raises(Conflict, match="being refunded"):
        fulfillment.mark_picked_up(
            restaurant=world.restaurant, order_id=order.pk, by="Maria", now=world.now
        )
    with pytest.raises(Conflict, match="in progress"):
        world.refund(order, "1.00")


def test_a_pending_refund_is_recorded_once_it_has_succeeded(world, order):
    world.refund(order)
    world.work()
    sweep(world, minutes=5)  # it succeeded, but nobody said so
    assert world.fresh(order).payment_status == "captured"
    sweep(world, hours=1)
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("refunded", "cancelled")
    assert order.refunded_amount == order.total_amount
    assert world.emails(order).count("refunded") == 1
    assert world.operation(order, "refund").state == "done"
    assert len(refunds_of(order)) == 1


def test_a_webhook_of_a_pending_refund_that_succeeded_ends_it_at_once(world, order):
    world.refund(order, "5.00")
    world.work()
    world.later(minutes=2)
    tasks.apply_refunds_task.delay(order.payment_intent_id)
    world.work()
    order = world.fresh(order)
    assert (order.refunded_amount, order.status) == (Decimal("5.00"), "confirmed")
    assert world.operation(order, "refund").state == "done"


def test_a_pending_refund_that_fails_is_owed_by_a_person(world, order):
    world.refund(order)
    world.work()
    world.stripe.control(fail_refund=refunds_of(order)[0].id)
    tasks.apply_refunds_task.delay(order.payment_intent_id)
    world.work()
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("captured", "cancelled")
    assert (order.refunded_amount, order.returned_amount) == (Decimal(0), order.total_amount)
    assert world.operation(order, "refund").state == "failed"
    assert Discrepancy.objects.filter(pre_order=order, kind="refund_returned").count() == 1
    assert len(refunds_of(order)) == 1


def test_a_refund_that_is_pending_for_days_raises_an_alarm(world, order, monkeypatch):
    world.refund(order)
    world.work()
    alarms = Discrepancy.objects.filter(pre_order=order, kind="refund_pending")
    refund = refunds_of(order)[0]
    world.stripe.control(keep_pending=refund.id)
    sweep(world, days=2)
    assert not alarms.exists()
    sweep(world, days=2)
    assert alarms.filter(resolved_at=None).count() == 1
