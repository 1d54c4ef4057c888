"""A restaurant that charges euros and is paid in zloty: refunds and disputes in the right currency.

Charges are on the restaurant's behalf, so Stripe's transfer and the transactions of a dispute are
in zloty: https://docs.stripe.com/connect/destination-charges#settlement-merchant
"""

from decimal import Decimal
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy
from apps.preorders.core.pricing import price_of
from apps.preorders.models import Dispute
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.disputes import at_stripe, decide, disputed, entries, hear

TOTAL = 5184  # euro cents
ZLOTY = 4.4  # for a euro, at local Stripe


@pytest.fixture
def order(world):
    warsaw = world.open_restaurant(country="PL", currency="eur")
    offer = world.offer(restaurant=warsaw, min_preorders=1)
    order = world.authorized_order(offer, 2)
    world.settle(offer)
    return world.fresh(order)


def transfer_of(order) -> Any:
    intent: Any = stripe_api.PaymentIntent.retrieve(
        order.payment_intent_id, expand=["latest_charge.transfer"]
    )
    return intent.latest_charge.transfer


def differences(world):
    world.later(minutes=5)
    reconcile(now=world.now)
    return list(Discrepancy.objects.filter(resolved_at=None).values_list("description", flat=True))


def test_a_transfer_is_in_the_restaurants_currency_and_no_difference(world, order):
    transfer = transfer_of(order)
    assert (transfer.currency, transfer.amount) == ("pln", 22810)
    assert differences(world) == []


@pytest.mark.parametrize("amount", ["0.01", "13.37", None])
def test_a_refund_is_recorded_in_the_charges_currency_and_no_difference(world, order, amount):
    world.refund(order, amount)
    world.work()
    order = world.fresh(order)
    sent = Decimal(amount or "51.84")
    assert order.refunded_amount == sent
    assert ("refund", int(sent * 100)) in entries(order)
    assert differences(world) == []


def test_a_refund_in_the_dashboard_that_reverses_nothing_is_still_a_difference(world, order):
    stripe_api.Refund.create(payment_intent=order.payment_intent_id, amount=1000)
    differences(world)
    world.work()
    assert differences(world) == ["Stripe reversed a transfer of €0.00, the order says €10.00"]


def test_a_dispute_is_recorded_in_the_charges_currency(world, order):
    dispute = disputed(world, order)
    order = world.fresh(order)
    assert (dispute.amount, dispute.withdrawn) == (Decimal("51.84"), Decimal("51.84"))
    assert order.disputed_amount == Decimal("51.84")
    assert dict(entries(order))["dispute"] == TOTAL
    assert dict(entries(order))["transfer_reversal"] == TOTAL
    transfer = transfer_of(order)
    assert (transfer.amount_reversed, transfer.reversed) == (22810, True)


def test_a_disputed_part_takes_its_share_of_the_transfer(world, order):
    disputed(world, order, amount=1000)
    assert transfer_of(order).amount_reversed == 4400
    assert dict(entries(world.fresh(order)))["transfer_reversal"] == 1000


def test_a_won_dispute_returns_what_was_taken_and_another_one_takes_it_again(world, order):
    dispute = disputed(world, order)
    decide(world, dispute, "won")
    order = world.fresh(order)
    (made,) = stripe_api.Transfer.list(transfer_group=dispute.dispute_id).data
    recorded = dict(entries(order))
    assert recorded["transfer_return"] == TOTAL - price_of(order).fees.application_fee.cents
    assert made.currency == "pln"
    assert abs(made.amount - recorded["transfer_return"] * ZLOTY) <= 1
    assert order.disputed_amount == 0
    (found,) = at_stripe(order)
    # Taking back a transfer without a charge waits until the restaurant's balance is available.
    world.later(days=8)
    again = disputed(world, order)
    assert again.dispute_id != found.id
    made = stripe_api.Transfer.retrieve(made.id)
    assert made.reversed
    assert Dispute.objects.get(pk=again.pk).withdrawn == Decimal("51.84")
    hear(world, ("charge.dispute.updated", again.dispute_id))
    assert differences(world) == []
