"""Refunds of a partly captured hold: the ledger equals Stripe to the cent, and nobody ends up with
both the money and the meal.

Stripe counts only real refunds in `amount_refunded`, not what a capture left of the hold:
https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
"""

from datetime import timedelta
from decimal import Decimal

import pytest
import stripe as stripe_api

from apps.billing.models import PaymentHistory
from apps.billing.stripe_gateway import intents
from apps.common.money import Money
from apps.preorders import tasks
from apps.preorders.guest.changes import change_quantity
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStatus


def answer(amount, captured, refunded):
    return {
        "id": "pi_1",
        "status": "succeeded",
        "amount": amount,
        "currency": "usd",
        "metadata": {"pre_order_id": "x"},
        "latest_charge": {
            "id": "ch_1",
            "amount": amount,
            "amount_captured": captured,
            "amount_refunded": refunded,
            "created": 1,
        },
    }


@pytest.mark.parametrize("refunded", [0, 500, 1000, 2000])
def test_snapshot_counts_only_real_refunds(refunded):
    assert intents._hold(answer(3000, 2000, refunded)).refunded == Money(refunded)


@pytest.fixture
def order(world):
    """Three portions held, two wanted and charged: 51.84 of a hold of 77.76."""
    offer = world.offer(min_preorders=2)
    order = world.authorized_order(offer, 3)
    change_quantity(order=order, quantity=2, now=world.now)
    world.settle(offer)
    order = world.fresh(order)
    assert (order.payment_status, str(order.total_amount)) == ("captured", "51.84")
    return order


def sweep(world, times=3, **parts):
    for _ in range(times):
        world.later(**(parts or {"minutes": 2}))
        tasks.run_due_operations_task.delay()
        world.work()


def refunded_at_stripe(order):
    page = stripe_api.Refund.list(payment_intent=order.payment_intent_id, limit=100)
    return sum(refund.amount for refund in page.auto_paging_iter())


def refunded_in_ledger(order):
    rows = PaymentHistory.objects.filter(pre_order_id=order.pk, transaction_type="refund")
    return sum(Money.of(row.amount).cents for row in rows)


def test_order_ends_when_all_of_it_is_refunded(world, order):
    world.refund(order)
    world.work()
    sweep(world)
    order = world.fresh(order)
    assert refunded_at_stripe(order) == refunded_in_ledger(order) == 5184
    assert order.refunded_amount == Decimal("51.84")
    assert (order.status, order.payment_status) == ("cancelled", "refunded")
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()


def test_part_is_refunded_once_even_after_stripe_forgot_the_key(world, order):
    world.refund(order, "5.00")
    world.work()
    assert world.fresh(order).refunded_amount == Decimal("5.00")
    sweep(world, times=3, hours=25)
    assert refunded_at_stripe(order) == refunded_in_ledger(order) == 500
    refund = PaymentOperation.objects.get(pre_order=order, kind=OperationKind.REFUND)
    assert refund.state == OperationStatus.DONE


def test_refund_in_the_dashboard_is_found_by_the_reconciler(world, order):
    stripe_api.Refund.create(
        payment_intent=order.payment_intent_id,
        amount=2000,
        reverse_transfer=True,
        refund_application_fee=True,
    )
    world.at(world.now + timedelta(minutes=5))
    tasks.reconcile_payments_task.delay()
    world.work()
    assert world.fresh(order).refunded_amount == Decimal("20.00")
    assert refunded_in_ledger(order) == 2000
