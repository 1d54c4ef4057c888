"""Steps of tests about disputes: a charged order, the bank's actions, and the ledger compared with
Stripe's."""

from types import SimpleNamespace
from typing import Any

import stripe as stripe_api

from apps.billing.models import PaymentHistory
from apps.preorders import tasks, webhooks
from apps.preorders.disputes import services
from apps.preorders.models import Dispute

FRAUDULENT, NOT_RECEIVED = "4000000000000259", "4000000000002685"
INQUIRY, WARNING, MULTIPLE = "4000000000001976", "4000000000005423", "4000000404000079"

TOTAL = 2592  # cents: the order of `charged`


def charged(world, card="4242424242424242", *, portions=1, **facts):
    """An order that was charged at its deadline; the program knows of nothing after that."""
    offer = world.offer(**{"min_preorders": 1, **facts})
    order = world.authorized_order(offer, portions, card=card)
    world.settle(offer)
    return world.fresh(order)


def hear(world, *events):
    """Process the webhooks of these events, given as types and dispute ids."""
    for number, (kind, object_id) in enumerate(events):
        event = SimpleNamespace(
            id=f"evt_{kind}_{object_id}_{number}", type=kind, data={"object": {"id": object_id}}
        )
        if kind.startswith("radar."):
            webhooks.fraud_warning_changed(sender=None, event=event)
        else:
            webhooks.dispute_changed(sender=None, event=event)
        world.work()


def at_stripe(order):
    return stripe_api.Dispute.list(payment_intent=order.payment_intent_id).data


def disputed(world, order, **how):
    """Dispute the order's charge, and process the news."""
    made = world.stripe.control(dispute={"payment_intent": order.payment_intent_id, **how})
    hear(world, ("charge.dispute.created", made["dispute"]))
    return Dispute.objects.get(dispute_id=made["dispute"])


def answer(world, dispute, remarks="They picked it up."):
    """Send the evidence, and let a worker do it."""
    services.answer_dispute(
        restaurant=world.restaurant,
        dispute_id=dispute.pk,
        remarks=remarks,
        by="Maria",
        now=world.now,
    )
    world.work()
    dispute.refresh_from_db()
    return dispute


def decide(world, dispute, outcome, **how):
    world.stripe.control(decide_dispute={"dispute": dispute.dispute_id, "outcome": outcome, **how})
    hear(world, ("charge.dispute.closed", dispute.dispute_id))
    dispute.refresh_from_db()
    return dispute


def entries(order):
    """The order's ledger after the charge: types and cents, oldest first."""
    known = {"authorization", "capture", "fee", "transfer"}
    rows = PaymentHistory.objects.filter(pre_order=order).order_by("pk")
    return [
        (row.transaction_type, int(row.amount * 100))
        for row in rows
        if row.transaction_type not in known
    ]


def sweep(world, **parts):
    """Let time pass, and the schedule do what it does."""
    world.later(**parts)
    tasks.run_due_operations_task.delay()
    tasks.reconcile_disputes_task.delay()
    world.work()


def check_ledger(order):
    """Compare the order's ledger with Stripe's balances, to the cent."""
    rows = list(PaymentHistory.objects.filter(pre_order=order))
    kind = PaymentHistory.Type

    def total(*kinds, column="amount"):
        return sum(int(getattr(row, column) * 100) for row in rows if row.transaction_type in kinds)

    intent: Any = stripe_api.PaymentIntent.retrieve(
        order.payment_intent_id,
        expand=["latest_charge.transfer", "latest_charge.application_fee"],
    )
    charge = intent.latest_charge
    disputes = at_stripe(order)
    moves = [move for each in disputes for move in each.balance_transactions]
    assert total(kind.DISPUTE) == -sum(min(move.amount, 0) for move in moves)
    assert total(kind.REINSTATED) == sum(max(move.amount, 0) for move in moves)
    fees = total(kind.DISPUTE_FEE) - total(kind.DISPUTE_FEE_RETURNED)
    assert fees == sum(move.fee for move in moves)
    own = [row for row in rows if row.transfer_id in ("", charge.transfer.id)]
    back = [row for row in own if row.transaction_type in (kind.REFUND, kind.TRANSFER_REVERSAL)]
    assert sum(int(row.amount * 100) for row in back) == charge.transfer.amount_reversed
    fee_back = sum(int((row.platform_fee_amount + row.processing_fee_amount) * 100) for row in back)
    assert fee_back == charge.application_fee.amount_refunded
    again = [
        made for each in disputes for made in stripe_api.Transfer.list(transfer_group=each.id).data
    ]
    assert total(kind.TRANSFER_RETURN) == sum(made.amount for made in again)
    for made in again:
        taken = [
            row.amount - row.platform_fee_amount - row.processing_fee_amount
            for row in rows
            if row.transaction_type == kind.TRANSFER_REVERSAL and row.transfer_id == made.id
        ]
        assert sum(int(net * 100) for net in taken) == made.amount_reversed
