"""Captures that Stripe refuses: only a decline of the card ends the authorization."""

from functools import partial
from uuid import uuid4

import pytest
import stripe as stripe_api

from apps.billing import stripe_gateway
from apps.billing.gateway import Declined, Refused, ServerError, Unreachable
from apps.billing.models import Discrepancy
from apps.preorders import tasks
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import pauses, worker
from apps.preorders.settlement.steps import capture


def sweep(world, **parts):
    world.later(**parts)
    tasks.run_due_operations_task.delay()
    world.work()


def refuse(monkeypatch, error, *names):
    """Make Stripe refuse captures. Each refusal names its request, as Stripe's do."""

    def refused(*_, **__):
        raise error(f"Request req_{uuid4().hex}: no")

    for name in names or ("capture", "charge_off_session", "create_checkout"):
        monkeypatch.setattr(stripe_gateway, name, refused)


def assert_untouched(world, order):
    intent = stripe_api.PaymentIntent.retrieve(order.payment_intent_id)
    assert intent.status == "requires_capture"
    assert world.fresh(order).payment_status == "authorized"


def alarms(kind):
    return Discrepancy.objects.filter(kind=kind, resolved_at=None)


@pytest.mark.parametrize(
    "error",
    [
        partial(Refused, "insufficient_capabilities_for_transfer"),
        partial(Refused, "amount_too_small"),
        partial(Refused, "a_code_of_tomorrow"),
        ServerError,
        Unreachable,
    ],
    ids=["account", "amount", "unknown", "server", "rate limit"],
)
def test_authorization_waits_untouched_when_refusal_is_not_the_cards(world, monkeypatch, error):
    offer = world.offer(min_preorders=2)
    orders = [world.authorized_order(offer) for _ in range(2)]
    with monkeypatch.context() as patched:
        refuse(patched, error)
        world.settle(offer)
        # Stripe repeats what it answered to a key; only a lost answer is asked for again with it.
        epochs = set(PaymentOperation.objects.values_list("epoch", flat=True))
        assert (0 in epochs) is (error is Unreachable)
        refused = isinstance(error(""), Refused)
        assert alarms("refused").count() == (len(orders) if refused else 0)
        for _ in range(worker.ALARM_AFTER_ATTEMPTS):
            sweep(world, minutes=16)
        for order in orders:
            assert_untouched(world, order)
            assert world.emails(order) == ["received"]
        assert alarms("refused").count() == len(orders)
    sweep(world, minutes=16)
    assert {world.fresh(order).payment_status for order in orders} == {"captured"}
    world.later(minutes=5)
    tasks.reconcile_payments_task.delay()
    world.work()
    assert not alarms("refused").exists()


def test_expired_authorization_is_retried_off_session(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.stripe.control(declare_dead=order.payment_intent_id)
    world.settle(offer)
    assert world.fresh(order).payment_status == "captured"
    assert world.fresh(order).payment_intent_id != order.payment_intent_id


@pytest.mark.parametrize("passes", [True, False])
def test_second_charge_waits_six_hours_when_refusal_is_not_the_cards(world, monkeypatch, passes):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    with monkeypatch.context() as patched:
        refuse(patched, partial(Declined, "card_declined"), "capture")
        refuse(patched, partial(Refused, "account_restricted"), "charge_off_session")
        world.settle(offer)
        sweep(world, hours=5, minutes=50)
        assert world.fresh(order).payment_status == "capture_failed"
        assert order.transitions.get(new="capture_failed").reason_code == "card_declined"
        assert world.emails(order) == ["received"]
        assert alarms("refused").count() == 1
        if not passes:
            sweep(world, minutes=16)
            assert world.emails(order) == ["payment_needed", "received"]
    if passes:
        sweep(world, minutes=16)
        assert world.fresh(order).payment_status == "captured"
        assert world.emails(order) == ["confirmed", "received"]


def test_declined_captures_pause_before_many_authorizations_are_voided(world, monkeypatch):
    monkeypatch.setattr(capture, "PAUSE_AFTER_DECLINES", 2)
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(5)]
    declined = partial(Declined, "card_declined")
    with monkeypatch.context() as patched:
        refuse(patched, declined)
        world.settle(offer)
        waiting = [order for order in orders if world.fresh(order).payment_status == "authorized"]
        assert len(waiting) == 3
        for order in waiting:
            assert_untouched(world, order)
        operations = [world.operation(order, OperationKind.CAPTURE) for order in waiting]
        asked = [operation for operation in operations if operation.error]
        # Stripe repeats its refusal to a key, so whoever was refused is asked for with another one.
        assert [(each.error, each.epoch) for each in asked] == [("card_declined", 1)] * len(asked)
        assert asked
    calls = world.calls("POST /v1/payment_intents/{id}/capture")
    sweep(world, minutes=16)
    assert world.calls("POST /v1/payment_intents/{id}/capture") == calls  # nobody is asked again
    (pause,) = pauses.settlement_pauses(now=world.now)
    assert (pause.scope, pause.target, pause.started_by) == ("special", offer.pk, "")
    assert pause.ends_at == offer.deadline + capture.PAUSE
    assert alarms("paused").count() == 1
    sweep(world, hours=4)
    assert {world.fresh(order).payment_status for order in waiting} == {"captured"}
    assert pauses.settlement_pauses(now=world.now) == []


def test_declined_captures_go_on_when_nobody_lifted_the_pause(world, monkeypatch):
    monkeypatch.setattr(capture, "PAUSE_AFTER_DECLINES", 1)
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(2)]
    refuse(monkeypatch, partial(Declined, "card_declined"), "capture", "charge_off_session")
    world.settle(offer)
    sweep(world, hours=4, minutes=1)
    assert {world.fresh(order).payment_status for order in orders} == {"capture_failed"}
