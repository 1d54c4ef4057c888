"""Intents that Stripe is still processing: nothing is canceled, and nobody is charged twice."""

from dataclasses import replace

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import IntentStatus
from apps.preorders import tasks
from apps.preorders.models.states import OperationStatus
from apps.preorders.settlement.checkout_expiry import finish_checkout
from tests.preorders.world import CAPTURE_DECLINED


@pytest.fixture
def processing(monkeypatch):
    """Stripe's answers say `processing`, from these calls."""

    def answer(*names):
        for name in names:
            original = getattr(stripe_gateway, name)

            def slow(*args, original=original, **options):
                return replace(original(*args, **options), state=IntentStatus.PROCESSING)

            monkeypatch.setattr(stripe_gateway, name, slow)

    return answer


def test_a_charge_that_is_processing_waits_and_is_no_failure(world, processing, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    with monkeypatch.context() as patched:
        original = stripe_gateway.capture

        def slow(*args, **options):
            return replace(original(*args, **options), state=IntentStatus.PROCESSING)

        patched.setattr(stripe_gateway, "capture", slow)
        world.settle(offer)
        assert world.fresh(order).payment_status == "authorized"
        assert world.operation(order).state == OperationStatus.PENDING
    world.later(minutes=2)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.fresh(order).payment_status == "captured"
    assert world.calls("POST /v1/payment_intents/{id}/capture") == 1


def test_no_link_is_sent_while_the_second_charge_is_processing(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=CAPTURE_DECLINED)
    with monkeypatch.context() as patched:
        original = stripe_gateway.charge_off_session

        def slow(*args, **options):
            return replace(original(*args, **options), state=IntentStatus.PROCESSING)

        patched.setattr(stripe_gateway, "charge_off_session", slow)
        world.settle(offer)
        assert "payment_needed" not in world.emails(order)
    world.later(minutes=2)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.fresh(order).payment_status == "captured"
    charged = [each for each in world.intents(order) if each.status == "succeeded"]
    assert len(charged) == 1


def test_a_cart_item_that_is_processing_is_ended_without_canceling_its_intent(world, processing):
    offer = world.offer()
    begun = world.begin_cart(offer)
    [order] = begun.cart.items.all()
    processing("retrieve_intent")
    finish_checkout(order, now=world.later(minutes=40), close=True)
    assert world.fresh(order).status == "cancelled"
    assert world.calls("POST /v1/payment_intents/{id}/cancel") == 0
