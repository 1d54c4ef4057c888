"""Refunds that the bank returns weeks later: an alarm is raised once, and the activity says so."""

from types import SimpleNamespace

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy
from apps.billing.stripe_gateway import OWN_EVENTS
from apps.preorders import tasks, webhooks
from apps.preorders.manage.activity import activity_of


@pytest.fixture
def order(world):
    """Charged, then refunded in full."""
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    world.refund(order)
    world.work()
    order = world.fresh(order)
    assert order.payment_status == "refunded"
    return order


def fail_refund(world, order):
    refund = stripe_api.Refund.list(payment_intent=order.payment_intent_id).data[0]
    world.later(days=20)
    world.stripe.control(fail_refund=refund.id)
    return stripe_api.Refund.retrieve(refund.id)


def alarms(order):
    return Discrepancy.objects.filter(pre_order=order, kind="refund_returned")


def texts(world, order):
    return [event.text for event in activity_of(world.fresh(order))]


@pytest.mark.parametrize("event", ["refund.created", "refund.updated", "refund.failed"])
def test_we_hear_of_every_change_of_a_refund(event):
    assert event in OWN_EVENTS
    assert event in webhooks.REFUND_EVENTS


@pytest.mark.parametrize("times", [1, 2])
def test_failed_refund_raises_one_alarm_and_is_on_the_activity(world, order, times):
    refund = fail_refund(world, order)
    for number in range(times):
        event = SimpleNamespace(
            id=f"evt_{number}", type="refund.failed", data={"object": refund.to_dict()}
        )
        webhooks.refund_changed(sender=None, event=event)
        world.work()
    alarm = alarms(order).get()
    assert alarm.resolved_at is None
    assert alarm.description == f"$25.92: lost or stolen card ({refund.id})"
    found = texts(world, order)
    assert found.count("The bank returned a refund. The guest doesn't have this money") == 1


def test_reconciler_finds_failed_refund_whose_webhook_was_lost(world, order):
    fail_refund(world, order)
    for _ in range(2):
        tasks.reconcile_payments_task.delay()
        world.work()
    assert alarms(order).filter(resolved_at=None).count() == 1
