"""Stripe's records compared with ours (design §4)."""

from datetime import timedelta
from typing import Any

import pytest
import stripe

from apps.billing.models import Discrepancy
from apps.preorders import tasks
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OperationStatus, PaymentStatus
from apps.preorders.settlement.reconciliation import reconcile
from tests.database import unlocked
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED, REFUND_PENDING


@pytest.fixture
def offer(world):
    return world.offer()


def differences():
    rows = Discrepancy.objects.order_by("pk")
    return [(row.description, row.resolved_at is not None) for row in rows]


def test_agreement_is_not_news(world, offer):
    orders = [
        world.authorized_order(offer),
        world.begin(offer),
        world.begin(offer),
        world.begin(offer),
    ]
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
    order = world.authorized_order(offer)
    getattr(stripe.PaymentIntent, action)(order.payment_intent_id)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert [healed for _, healed in differences()] == [True]
    expected = {"capture": PaymentStatus.CAPTURED, "cancel": PaymentStatus.RELEASED}[action]
    assert world.fresh(order).payment_status == expected


def test_a_refund_that_nobody_told_us_of_is_found(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    stripe.Refund.create(
        payment_intent=order.payment_intent_id, reverse_transfer=True, refund_application_fee=True
    )
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert world.fresh(order).payment_status == PaymentStatus.REFUNDED
    assert all(healed for _, healed in differences())


def test_an_open_difference_keeps_an_intent_in_view_however_old_it_is(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    assert reconcile(now=world.later(days=20)) == 0
    Discrepancy.objects.create(
        restaurant=offer.restaurant,
        pre_order=order,
        payment_intent_id=order.payment_intent_id,
        description="found before",
        found_at=world.now,
    )
    assert reconcile(now=world.now) == 0
    assert differences() == [("found before", True)]


def test_what_does_not_heal_waits_for_a_person_and_is_written_down_once(world, offer):
    order = world.authorized_order(offer)
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
    order = world.authorized_order(offer)
    world.later(days=7, hours=1)
    assert reconcile(now=world.now) == 1
    assert world.fresh(order).payment_status == PaymentStatus.RELEASED
    assert world.fresh(offer).ordered_portions == 0


def test_an_operation_that_is_overdue_is_looked_at(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
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


# --- long lists, long outages ---------------------------------------------------------------------
def charged_twice(world, order):
    """Charge the order's guest a second time, without any news of it."""
    own: Any = stripe.PaymentIntent.retrieve(order.payment_intent_id)
    return stripe.PaymentIntent.create(
        amount=1000,
        currency="usd",
        customer=own.customer,
        payment_method=own.payment_method,
        payment_method_types=["card"],
        off_session=True,
        confirm=True,
        metadata={"pre_order_id": str(order.pk)},
        transfer_data={"destination": own.transfer_data.destination},
    )


def refunded(intent):
    found: Any = stripe.PaymentIntent.retrieve(intent.id, expand=["latest_charge"])
    return found.latest_charge.amount_refunded


def test_a_second_charge_is_found_after_an_outage_of_a_day(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    reconcile(now=world.later(minutes=5))
    second = charged_twice(world, order)
    assert reconcile(now=world.later(hours=26)) == 1
    assert refunded(second) == 1000


def test_a_hold_that_was_granted_long_after_its_intent_was_made_is_found_within_a_day(world):
    offer = world.offer(deadline=world.now + timedelta(days=6))
    order = world.begin(offer)
    second = stripe.PaymentIntent.create(
        amount=2592,
        currency="usd",
        capture_method="manual",
        payment_method_types=["card"],
        metadata={"pre_order_id": str(order.pk)},
    )
    world.pay(order)
    world.hear(order)
    for _ in range(3):
        reconcile(now=world.later(hours=2))
    stripe.PaymentIntent.confirm(second.id, payment_method="pm_card_visa")
    assert reconcile(now=world.later(hours=1)) == 0
    assert reconcile(now=world.later(hours=24)) == 1
    assert stripe.PaymentIntent.retrieve(second.id).status == "canceled"


def passes(calls):
    """A clock that leaves time for this many pages or intents."""
    left = iter([True] * calls)
    return lambda: next(left, False)


def test_a_pass_that_runs_out_of_time_is_continued_and_skips_nothing(world, monkeypatch):
    monkeypatch.setattr("apps.billing.stripe_gateway.intents.PAGE_SIZE", 2)
    offer = world.offer()
    orders = [world.begin(offer) for _ in range(7)]
    for order in orders:
        world.pay(order)
    world.later(minutes=5)
    found, rounds = 0, 0
    while found < len(orders):
        rounds += 1
        assert rounds < 9, "a pass makes no progress"
        found += reconcile(now=world.now, has_time=passes(3))
    assert rounds > 1
    assert {world.fresh(order).payment_status for order in orders} == {"authorized"}


def test_what_is_unsettled_is_compared_before_anything_else(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    stripe.PaymentIntent.capture(order.payment_intent_id, application_fee_amount=fee_of(order))
    for _ in range(3):
        stripe.PaymentIntent.create(amount=1000, currency="usd")
    world.later(minutes=5)
    assert reconcile(now=world.now, has_time=passes(1)) == 1
    assert world.fresh(order).payment_status == PaymentStatus.CAPTURED


def fee_of(order):
    return int((order.revenue_share + order.processing_fee) * 100)


# --- every amount ---------------------------------------------------------------------------------
@pytest.fixture
def charged(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    world.later(minutes=5)
    return world.fresh(order)


def test_another_fee_than_ours_is_a_difference_and_the_ledger_has_stripes(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    stripe.PaymentIntent.capture(order.payment_intent_id, application_fee_amount=100)
    for _ in range(2):
        assert reconcile(now=world.later(minutes=5)) == 1
    ours = f"{order.revenue_share + order.processing_fee:.2f}"
    assert differences() == [
        ("Stripe says captured, the order says authorized", True),
        (f"Stripe collected a fee of $1.00, the order says ${ours}", False),
    ]
    fees = order.payment_history.filter(transaction_type="fee").get()
    capture = order.payment_history.filter(transaction_type="capture").get()
    assert fees.amount + capture.platform_fee_amount == 1


def test_a_hold_below_the_total_is_a_difference(world, offer):
    order = world.authorized_order(offer)
    PreOrder.objects.filter(pk=order.pk).update(total_amount=order.total_amount + 1)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    assert differences() == [("Stripe holds $25.92, the order says $26.92", False)]


def test_another_transfer_than_the_ledgers_is_a_difference(world, charged):
    with unlocked("billing_paymenthistory"):
        charged.payment_history.filter(transaction_type="transfer").update(transfer_id="tr_other")
    assert reconcile(now=world.now) == 1
    [(found, healed)] = differences()
    assert found.endswith("the ledger says tr_other")
    assert not healed


def test_a_refund_whose_transfer_was_not_reversed_is_a_difference(world, charged):
    stripe.Refund.create(payment_intent=charged.payment_intent_id, amount=500)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 1
    reconcile(now=world.later(minutes=5))
    assert differences()[-1] == ("Stripe reversed a transfer of $0.00, the order says $5.00", False)


def test_a_pending_refund_is_no_difference(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=REFUND_PENDING)
    world.settle(offer)
    world.refund(order)
    world.work()
    refund = stripe.Refund.list(payment_intent=order.payment_intent_id).data[0]
    world.stripe.control(keep_pending=refund.id)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 0
