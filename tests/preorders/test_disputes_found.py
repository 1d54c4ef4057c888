"""Disputes whose webhooks were lost, and those that have ended meanwhile: the reconciler."""

from decimal import Decimal

import pytest

from apps.preorders.models import Dispute
from tests.preorders.disputes import (
    FRAUDULENT,
    INQUIRY,
    TOTAL,
    answer,
    at_stripe,
    charged,
    check_ledger,
    decide,
    disputed,
    entries,
    hear,
    sweep,
)


@pytest.fixture
def order(world):
    return charged(world)


def test_reconciler_finds_a_dispute_whose_webhooks_were_lost(world):
    order = charged(world, FRAUDULENT)
    assert not Dispute.objects.exists()
    sweep(world, minutes=5)
    dispute = Dispute.objects.get()
    assert dispute.pre_order_id == order.pk
    # Decided months later, and these webhooks are lost as well.
    answer(world, dispute)
    world.later(days=80)
    world.stripe.control(decide_dispute={"dispute": dispute.dispute_id, "outcome": "won"})
    sweep(world, minutes=5)
    sweep(world, minutes=5)
    dispute.refresh_from_db()
    assert dispute.status == "won"
    assert entries(order)[-1] == ("transfer_return", TOTAL - 157)
    check_ledger(order)


@pytest.mark.parametrize(
    ("first", "then", "status"), [("lost", "won", "won"), ("won", "won", "won")]
)
def test_reconciler_finds_what_becomes_of_a_dispute_that_has_ended(
    world, order, first, then, status
):
    """A bank gives in weeks after its decision, and no webhook tells."""
    dispute = decide(world, disputed(world, order), first)
    if then != first:
        world.later(days=40)
        world.stripe.control(decide_dispute={"dispute": dispute.dispute_id, "outcome": then})
    sweep(world, days=1)
    sweep(world, minutes=5)
    dispute.refresh_from_db()
    assert (dispute.status, dispute.withdrawn) == (status, 0)
    assert [kind for kind, _ in entries(order)].count("transfer_return") == 1
    check_ledger(order)
    assert world.fresh(order).disputed_amount == 0


def test_reconciler_finds_that_a_closed_inquiry_became_a_chargeback(world):
    order = charged(world, INQUIRY)
    hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
    dispute = decide(world, Dispute.objects.get(), "closed")
    assert dispute.status == "warning_closed"
    world.later(days=30)
    world.stripe.control(decide_dispute={"dispute": dispute.dispute_id, "outcome": "escalated"})
    sweep(world, minutes=5)
    dispute.refresh_from_db()
    assert (dispute.status, dispute.withdrawn) == ("needs_response", Decimal("25.92"))
    check_ledger(order)


def test_reconciler_finds_a_dispute_after_an_outage_of_weeks_and_lists_all_once_a_day(world):
    order = charged(world, FRAUDULENT)
    sweep(world, days=20)
    assert Dispute.objects.get().pre_order_id == order.pk
    before = world.calls("GET /v1/disputes")
    for _ in range(3):
        sweep(world, minutes=5)
    assert world.calls("GET /v1/disputes") == before + 3
    sweep(world, days=1)
    assert world.calls("GET /v1/disputes") == before + 5
