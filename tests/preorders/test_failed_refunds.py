"""Refunds that the guest's bank returns weeks later: the order and the ledger show it, and the
guest is told."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy, PaymentHistory
from apps.billing.stripe_gateway import OWN_EVENTS
from apps.common.errors import Conflict
from apps.offers.presentation import Special
from apps.preorders import tasks, webhooks
from apps.preorders.guest.order_status import order_status
from apps.preorders.manage.activity import activity_of
from apps.preorders.manage.ledger import ledger_for_restaurant
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.world import REFUND_FAILS


@pytest.fixture(params=[False, True], ids=["not counted", "counted"])
def _counting(world, request):
    """Run with both answers to what isn't documented: whether failed refunds count in
    `amount_refunded`."""
    world.stripe.control(refund_counting={"failed": request.param})


@pytest.fixture
def order(world, _counting):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=REFUND_FAILS)
    world.settle(offer)
    return world.fresh(order)


@pytest.fixture
def refunded(world, order):
    """An order that is refunded in full, as far as anybody knows."""
    world.refund(order)
    world.work()
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("refunded", "cancelled")
    return order


def hear(world, order, event="refund.failed", times=1):
    refund = stripe_api.Refund.list(payment_intent=order.payment_intent_id).data[0]
    for number in range(times):
        data = {"object": refund.to_dict()}
        news = SimpleNamespace(id=f"evt_{refund.id}_{number}", type=event, data=data)
        webhooks.refund_changed(sender=None, event=news)
        world.work()
    return refund


def alarms(order):
    return Discrepancy.objects.filter(pre_order=order, kind="refund_returned")


def page(world, order):
    order = world.fresh(order)
    return order_status(order, Special(order.offer, world.now))


def ledger_of(order):
    entries = PaymentHistory.objects.filter(
        pre_order=order, transaction_type__in=["refund", "refund_returned"]
    )
    return sorted(entries.values_list("transaction_type", "amount", "reference"))


@pytest.mark.parametrize("event", ["refund.created", "refund.updated", "refund.failed"])
def test_we_hear_of_every_change_of_a_refund(event):
    assert event in OWN_EVENTS
    assert event in webhooks.REFUND_EVENTS


@pytest.mark.parametrize("times", [1, 2])
def test_a_returned_refund_makes_the_order_charged_again(world, refunded, times):
    world.later(days=20)
    refund = hear(world, refunded, times=times)
    order = world.fresh(refunded)
    assert (order.payment_status, order.status) == ("captured", "cancelled")
    assert (order.refunded_amount, order.returned_amount) == (Decimal(0), order.total_amount)
    amount = order.total_amount
    assert ledger_of(order) == [
        ("refund", amount, refund.id),
        ("refund_returned", amount, refund.id),
    ]
    alarm = alarms(order).get()
    assert alarm.resolved_at is None
    assert alarm.description == f"$25.92: expired or canceled card ({refund.id})"
    texts = [event.text for event in activity_of(order)]
    assert texts.count("A refund didn't reach the guest. They don't have this money") == 1
    assert reconcile(now=world.now) == 0


def test_the_guest_is_told_that_the_bank_returned_the_refund(world, refunded):
    assert world.emails(refunded).count("refunded") == 1
    world.later(days=20)
    hear(world, refunded, times=2)
    assert world.emails(refunded).count("refund_returned") == 1
    said = page(world, refunded)
    assert said.headline == "Our refund of $25.92 didn't reach you"
    assert said.text.startswith("You don't have this money yet.")


def test_the_page_says_when_a_returned_refund_was_paid_another_way(world, refunded):
    world.later(days=20)
    hear(world, refunded)
    alarms(refunded).update(resolved_at=world.now)
    assert page(world, refunded).headline == "We paid your refund of $25.92 another way"


def test_the_restaurant_is_not_paid_by_a_returned_refund(world, refunded):
    """Its transfer stays reversed: https://docs.stripe.com/connect/destination-charges"""
    before = ledger_for_restaurant(restaurant=world.restaurant).totals
    world.later(days=20)
    hear(world, refunded)
    assert ledger_for_restaurant(restaurant=world.restaurant).totals == before
    assert before.payout == Decimal(0)


def test_a_returned_part_leaves_the_order_as_it_is(world, order):
    world.refund(order, "5.00")
    world.work()
    assert "Your order stands" in page(world, world.fresh(order)).text
    world.later(days=20)
    hear(world, order)
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("captured", "confirmed")
    assert (order.refunded_amount, order.returned_amount) == (Decimal(0), Decimal("5.00"))
    assert "Your order stands" not in page(world, order).text  # it was served meanwhile
    with pytest.raises(Conflict, match="card can't be refunded"):
        world.refund(order, "5.00")


def test_a_refund_that_failed_before_we_heard_of_it_cancels_the_order_too(world, order):
    """Its transfer was reversed, so the restaurant has no money for a meal."""
    world.refund(order)
    world.stripe.control(
        http_fault={"kind": "lost_response", "method": "POST", "path_prefix": "/v1/refunds"}
    )
    world.work()
    world.later(minutes=20)  # it failed meanwhile
    tasks.run_due_operations_task.delay()
    world.work()
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("captured", "cancelled")
    assert order.returned_amount == order.total_amount
    assert world.operation(order, "refund").state == "failed"
    assert len(stripe_api.Refund.list(payment_intent=order.payment_intent_id).data) == 1
    assert world.emails(order).count("refunded") == 0
    assert world.emails(order).count("refund_returned") == 1


def test_reconciler_finds_a_returned_refund_whose_webhook_was_lost(world, refunded):
    world.later(days=20)
    for _ in range(2):
        tasks.reconcile_payments_task.delay()
        world.work()
    assert alarms(refunded).filter(resolved_at=None).count() == 1
    assert world.fresh(refunded).payment_status == "captured"


def test_a_stray_charge_whose_refund_fails_is_refunded_once(world, order):
    """Otherwise each time it is heard of, another refund would be tried."""
    own: Any = stripe_api.PaymentIntent.retrieve(order.payment_intent_id)
    stray = stripe_api.PaymentIntent.create(
        amount=1000,
        currency="usd",
        payment_method="pm_card_refundFail",
        payment_method_types=["card"],
        confirm=True,
        metadata={"pre_order_id": str(order.pk)},
        transfer_data={"destination": own.transfer_data.destination},
    )
    for _ in range(3):
        tasks.apply_payment_intent_task.delay(stray.id)
        world.work()
        world.later(minutes=5)
    refunds = stripe_api.Refund.list(payment_intent=stray.id).data
    assert [(each.amount, each.status) for each in refunds] == [(1000, "failed")]
