"""Stripe's answer is lost, Stripe fails, or the bank refuses."""

from datetime import timedelta

import pytest

from apps.common.errors import Unavailable
from apps.preorders import tasks
from apps.preorders.manage import activity
from apps.preorders.manage.api.detail import pay_link
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import (
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.operations import PAY_LINK_TTL
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import (
    ASKS_EVERY_TIME,
    CAPTURE_DECLINED,
    DECLINED,
    GOOD,
    OFF_SESSION_DECLINED,
)


def settled_with(world, *, minimum, **fault):
    """Two guests; the deadline passes while something is wrong at Stripe, then it recovers."""
    offer = world.offer(min_preorders=minimum)
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.stripe.control(**fault)
    world.settle(offer)
    for _ in range(4):
        sweep_later(world)
    return offer, orders


def sweep_later(world, **parts):
    """Let time pass, and run what the schedule runs all the time."""
    world.later(**(parts or {"minutes": 2}))
    tasks.run_due_operations_task.delay()
    world.work()


@pytest.mark.parametrize("kind", ["lost_response", "500"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_capture_survives_failing_answers(world, kind, times):
    offer, orders = settled_with(world, minimum=2, capture_fault={"kind": kind, "times": times})
    assert {world.fresh(order).payment_status for order in orders} == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("kind", ["lost_response", "500"])
@pytest.mark.parametrize("times", [1, 3])
def test_a_release_survives_failing_answers(world, kind, times):
    offer, orders = settled_with(world, minimum=3, cancel_fault={"kind": kind, "times": times})
    assert {world.fresh(order).payment_status for order in orders} == {PaymentStatus.RELEASED}
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("kind", ["lost_response", "500", "429"])
def test_settlement_is_right_though_the_first_reads_fail(world, kind):
    fault = {"kind": kind, "method": "GET", "path_prefix": "/v1/payment_intents", "times": 2}
    offer, _ = settled_with(world, minimum=2, http_fault=fault)
    assert_ledger_balances(world, offer)


def test_a_key_that_is_in_use_is_not_replaced_by_another(world, monkeypatch):
    """The first call timed out here and is still at work there: a new key would charge twice."""
    from apps.billing import stripe_gateway
    from apps.billing.gateway import StillWorking

    def busy(*_, key, **__):
        keys.append(key)
        raise StillWorking("in use")

    def free(*args, key, **options):
        keys.append(key)
        return charge(*args, key=key, **options)

    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=CAPTURE_DECLINED)
    keys: list[str] = []
    charge = stripe_gateway.charge_off_session
    monkeypatch.setattr(stripe_gateway, "charge_off_session", busy)
    world.settle(offer)
    monkeypatch.setattr(stripe_gateway, "charge_off_session", free)
    sweep_later(world)
    assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert_ledger_balances(world, offer)


# --- the bank says no -----------------------------------------------------------------------------
def test_a_declined_capture_is_tried_once_more_off_session(world):
    offer = world.offer(min_preorders=2)
    good, bad = world.authorized_order(offer), world.authorized_order(offer, card=CAPTURE_DECLINED)
    world.settle(offer)
    assert world.fresh(bad).payment_status == PaymentStatus.CAPTURED
    assert world.fresh(bad).payment_intent_id != bad.payment_intent_id
    assert world.emails(bad) == world.emails(good) == ["confirmed", "received"]
    assert_ledger_balances(world, offer)


def left_to_the_guest(world, card=OFF_SESSION_DECLINED):
    """An offer that goes ahead, with one order whose card declines everything."""
    offer = world.offer(min_preorders=2)
    good, bad = world.authorized_order(offer), world.begin(offer)
    world.pay(bad, card)
    world.hear(bad)
    bad = world.fresh(bad)
    world.stripe.control(
        capture_fault={"kind": "decline", "payment_intent": bad.payment_intent_id, "times": 9}
    )
    assert world.settle(offer).status == "succeeded"
    assert world.fresh(good).payment_status == PaymentStatus.CAPTURED
    bad = world.fresh(bad)
    assert bad.payment_status == PaymentStatus.CAPTURE_FAILED
    assert world.emails(bad) == ["payment_needed", "received"]
    return offer, bad


@pytest.mark.parametrize("card", [OFF_SESSION_DECLINED, ASKS_EVERY_TIME])
def test_a_pay_link_that_is_used(world, card):
    offer, bad = left_to_the_guest(world, card)
    link = world.operation(bad).reference
    assert world.stripe.pay(link, number=GOOD)["status"] == "complete"
    tasks.apply_payment_intent_task.delay(world.intents(bad)[0].id)
    world.work()
    assert world.fresh(bad).payment_status == PaymentStatus.CAPTURED
    assert world.emails(bad) == ["confirmed", "payment_needed", "received"]
    assert_ledger_balances(world, offer)


def test_a_pay_link_is_shown_with_its_end(world):
    _, bad = left_to_the_guest(world)
    activity.load_activity(bad)
    link = pay_link(bad, now=world.now)
    assert link
    assert link.url == Email.objects.get(pre_order=bad, kind="payment_needed").action_url
    assert link.until == world.now + PAY_LINK_TTL


def test_a_pay_link_that_is_not_used_ends_that_order_alone(world):
    offer, bad = left_to_the_guest(world)
    sweep_later(world, hours=23, minutes=58)
    assert world.fresh(bad).status == PreOrderStatus.PENDING
    sweep_later(world, minutes=3)
    bad = world.fresh(bad)
    assert (bad.status, bad.payment_status) == (PreOrderStatus.CANCELLED, PaymentStatus.RELEASED)
    assert world.emails(bad) == ["payment_lapsed", "payment_needed", "received"]
    assert_ledger_balances(world, offer)


def test_a_declined_card_on_a_pay_link_leaves_its_end_as_it_was(world):
    offer, bad = left_to_the_guest(world)
    world.stripe.pay(world.operation(bad).reference, number=DECLINED)
    sweep_later(world, hours=24)
    bad = world.fresh(bad)
    assert (bad.status, bad.payment_status) == (PreOrderStatus.CANCELLED, PaymentStatus.RELEASED)
    assert world.operation(bad).state == OperationStatus.FAILED
    assert world.emails(bad) == ["payment_lapsed", "payment_needed", "received"]
    assert_ledger_balances(world, offer)


def test_a_pay_link_that_was_used_unheard_is_found_at_its_end(world):
    offer, bad = left_to_the_guest(world)
    world.stripe.pay(world.operation(bad).reference, number=GOOD)
    sweep_later(world, hours=24)
    bad = world.fresh(bad)
    assert (bad.status, bad.payment_status) == (PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
    assert world.emails(bad) == ["confirmed", "payment_needed", "received"]
    assert_ledger_balances(world, offer)


def test_a_hold_that_died_before_its_capture_is_charged_again(world):
    offer = world.offer(min_preorders=2)
    living, dead = world.authorized_order(offer), world.authorized_order(offer)
    world.stripe.control(declare_dead=dead.payment_intent_id)
    world.settle(offer)
    assert world.fresh(living).payment_status == PaymentStatus.CAPTURED
    assert world.fresh(dead).payment_status == PaymentStatus.CAPTURED
    assert world.fresh(offer).status == "succeeded"
    assert_ledger_balances(world, offer)


def test_a_hold_that_died_and_was_heard_of_before_the_deadline_does_not_count(world):
    offer = world.offer(min_preorders=2)
    _, dead = world.authorized_order(offer), world.authorized_order(offer)
    world.stripe.control(declare_dead=dead.payment_intent_id)
    tasks.apply_payment_intent_task.delay(dead.payment_intent_id)
    world.work()
    assert world.fresh(dead).status == PreOrderStatus.CANCELLED
    assert world.fresh(offer).ordered_portions == 1
    assert world.settle(offer).status == "failed"
    assert_ledger_balances(world, offer)


def test_a_hold_that_died_before_its_release_is_released(world):
    offer = world.offer(min_preorders=3)
    orders = [world.authorized_order(offer), world.authorized_order(offer)]
    world.stripe.control(declare_dead=orders[0].payment_intent_id)
    world.settle(offer)
    assert {world.fresh(order).payment_status for order in orders} == {PaymentStatus.RELEASED}
    assert_ledger_balances(world, offer)


# --- opening a checkout ---------------------------------------------------------------------------
def test_a_lost_answer_to_opening_a_checkout_opens_one_page(world):
    fault = {"kind": "lost_response", "path_prefix": "/v1/checkout/sessions"}
    world.stripe.control(http_fault=fault)
    offer = world.offer(min_preorders=1)
    order = world.begin(offer)
    assert order.checkout_url
    assert len(world.sessions()) == 1
    world.pay(order)
    world.hear(order)
    world.settle(offer)
    assert_ledger_balances(world, offer)


def test_a_checkout_that_cannot_be_opened_reserves_nothing(world):
    fault = {"kind": "500", "path_prefix": "/v1/checkout/sessions"}
    world.stripe.control(http_fault=fault)
    offer = world.offer(min_preorders=1, max_preorders=1)
    with pytest.raises(Unavailable):
        world.begin(offer)
    assert world.fresh(offer).reserved_portions == 0
    order = world.authorized_order(offer)  # the only portion is still available
    assert PreOrder.objects.filter(offer=offer).count() == 2
    world.settle(offer)
    assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
    assert_ledger_balances(world, offer)


# --- refunds --------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["lost_response", "500"])
def test_a_refund_survives_failing_answers(world, kind):
    """Charged early because its hold was dying (X12); then the offer falls one short."""
    offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=2)
    early, broken = (
        world.authorized_order(offer),
        world.authorized_order(offer, card=OFF_SESSION_DECLINED),
    )
    world.stripe.control(
        capture_fault={"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
    )
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()
    assert world.fresh(early).payment_status == PaymentStatus.CAPTURED
    fault = {"kind": kind, "method": "POST", "path_prefix": "/v1/refunds"}
    world.stripe.control(http_fault=fault)
    world.settle(offer)
    for _ in range(3):
        sweep_later(world)
    assert world.fresh(early).payment_status == PaymentStatus.REFUNDED
    assert world.operation(early, OperationKind.REFUND).state == "done"
    assert world.emails(early) == ["charged_early", "received", "refunded"]
    assert_ledger_balances(world, offer)
