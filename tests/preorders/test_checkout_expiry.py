"""Checkouts that are ended because their time is over: read at Stripe first, and closed there."""

import logging
from datetime import timedelta

import pytest

from apps.billing import gateway, stripe_gateway
from apps.preorders.core.cart_items import PAGE_OPENING_TIME
from apps.preorders.models import PreOrder
from apps.preorders.settlement import checkout_expiry

LOGGER = "apps.preorders.settlement.checkout_expiry"


@pytest.mark.parametrize("close", [True, False])
def test_an_order_whose_page_was_opened_meanwhile_is_not_ended(world, close):
    order = world.begin(world.offer())
    read_before = world.fresh(order)
    read_before.checkout_session_id = ""
    overdue = order.offer.deadline + PAGE_OPENING_TIME
    checkout_expiry.finish_checkout(read_before, now=overdue, close=close)
    assert world.fresh(order).status == "pending"


def test_an_abandoned_checkout_is_closed_at_stripe_and_ends(world):
    order = world.begin(world.offer())
    PreOrder.objects.filter(pk=order.pk).update(checkout_expires_at=world.now)
    assert [each.status for each in world.sessions()] == ["open"]
    checkout_expiry.end_abandoned_checkouts(now=world.now)
    assert [each.status for each in world.sessions()] == ["expired"]
    assert world.fresh(order).status == "cancelled"


def test_the_setup_intent_of_an_abandoned_cart_is_canceled(world):
    begun = world.begin_cart(world.offer(name="Arancini"), world.offer(name="Bucatini"))
    PreOrder.objects.filter(cart=begun.cart).update(checkout_expires_at=world.now)
    checkout_expiry.end_abandoned_checkouts(now=world.now)
    assert {each.status for each in PreOrder.objects.filter(cart=begun.cart)} == {"cancelled"}
    assert world.calls("POST /v1/setup_intents/{id}/cancel") == 1


def test_reading_a_cart_without_closing_it_leaves_its_setup_intent(world):
    begun = world.begin_cart(world.offer(name="Arancini"), world.offer(name="Bucatini"))
    items = list(PreOrder.objects.filter(cart=begun.cart).select_related("offer", "cart"))
    PreOrder.objects.filter(cart=begun.cart).update(status="cancelled")
    errors = []
    checkout_expiry.finish_checkouts(
        items, now=world.now, close=False, on_error=lambda *error: errors.append(error)
    )
    assert not errors
    assert world.calls("POST /v1/setup_intents/{id}/cancel") == 0


@pytest.mark.parametrize(
    ("error", "level", "message"),
    [
        (gateway.Unreachable(), logging.WARNING, "cannot be read"),
        (RuntimeError("a mistake of ours"), logging.ERROR, "cannot be ended"),
    ],
)
def test_only_a_mistake_of_ours_is_logged_as_an_error(
    world, monkeypatch, caplog, error, level, message
):
    order = world.begin(world.offer())
    world.at(order.checkout_expires_at + timedelta(seconds=1))

    def fail(session_id):
        raise error

    monkeypatch.setattr(stripe_gateway, "retrieve_checkout", fail)
    with caplog.at_level(logging.WARNING, LOGGER):
        checkout_expiry.end_abandoned_checkouts(now=world.now)
    (record,) = [each for each in caplog.records if each.name == LOGGER]
    assert record.levelno == level
    assert message in record.getMessage()
    assert world.fresh(order).status == "pending"
