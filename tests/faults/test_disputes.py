"""A worker dies around any call about a dispute; the next one finishes, and money moves once."""

from typing import Any

import stripe as stripe_api

from apps.billing import stripe_gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.preorders.models import Dispute, PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStatus
from apps.preorders.settlement import disputes
from tests.faults.test_killed_workers import around, finish
from tests.preorders.disputes import check_ledger


def charged_orders(world, how_many):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(how_many)]
    world.settle(offer)
    return [world.fresh(order) for order in orders]


def dispute(world, order):
    """Its webhook was processed; nobody has carried out what it decided."""
    made = world.stripe.control(dispute={"payment_intent": order.payment_intent_id})
    found = disputes.apply_dispute(made["dispute"], now=world.now)
    assert found is not None
    return found


def die_in_turn(world, mortals, found, kind):
    world.tasks.waiting.clear()  # messages die with the workers that had them
    deaths = []
    for moment, each in enumerate(found):
        operation = PaymentOperation.objects.get(dispute=each, kind=kind)
        death = mortals.run("run_operation", operation.pk, now=world.now, moment=moment)
        deaths.append(death.where)
    return deaths


REVERSAL = around("retrieve_intent", "retrieve_transfer", "reverse_transfer", "retrieve_transfer")
RETURN = around("transfer_for_dispute", "retrieve_intent", "retrieve_transfer", "return_transfer")
ANSWER = around("retrieve_dispute", "retrieve_intent", "submit_evidence")


def test_transfer_is_reversed_once(world, mortals):
    orders = charged_orders(world, len(REVERSAL))
    found = [dispute(world, order) for order in orders]
    assert die_in_turn(world, mortals, found, OperationKind.REVERSE_TRANSFER) == REVERSAL
    finish(world)
    for order in orders:
        check_ledger(order)
        intent: Any = stripe_api.PaymentIntent.retrieve(
            order.payment_intent_id, expand=["latest_charge.transfer"]
        )
        reversals = intent.latest_charge.transfer.reversals.data
        assert [each.amount for each in reversals] == [2592]


def test_transfer_is_made_again_once(world, mortals):
    orders = charged_orders(world, len(RETURN))
    found = [dispute(world, order) for order in orders]
    world.work()
    for each in found:
        world.stripe.control(decide_dispute={"dispute": each.dispute_id, "outcome": "won"})
        disputes.apply_dispute(each.dispute_id, now=world.now)
    assert die_in_turn(world, mortals, found, OperationKind.RETURN_TRANSFER) == RETURN
    finish(world)
    for order, each in zip(orders, found, strict=True):
        check_ledger(order)
        assert len(stripe_api.Transfer.list(transfer_group=each.dispute_id).data) == 1


def test_evidence_is_submitted_once(world, mortals):
    orders = charged_orders(world, len(ANSWER))
    found = [dispute(world, order) for order in orders]
    world.work()
    for each in found:
        disputes.request_dispute_operation(each, OperationKind.ANSWER_DISPUTE, now=world.now)
    assert die_in_turn(world, mortals, found, OperationKind.ANSWER_DISPUTE) == ANSWER
    finish(world)
    for each in found:
        at_stripe = stripe_api.Dispute.retrieve(each.dispute_id)
        assert (at_stripe.status, at_stripe.evidence_details.submission_count) == (
            "under_review",
            1,
        )
        each.refresh_from_db()
        assert (each.status, each.submissions) == ("under_review", 1)


def test_dispute_that_is_won_while_its_reversal_waits_takes_nothing(world):
    (order,) = charged_orders(world, 1)
    found = dispute(world, order)
    world.tasks.waiting.clear()
    world.stripe.control(decide_dispute={"dispute": found.dispute_id, "outcome": "won"})
    disputes.apply_dispute(found.dispute_id, now=world.now)
    finish(world)
    finish(world)
    check_ledger(order)
    assert stripe_api.Transfer.list(transfer_group=found.dispute_id).data == []
    states = dict(PaymentOperation.objects.filter(dispute=found).values_list("kind", "state"))
    assert states == {"reverse_transfer": "failed", "return_transfer": "done"}


def test_dispute_that_is_won_while_its_reversal_is_carried_out_returns_it(world, mortals):
    """The worker dies after the reversal; the dispute is won before anybody notices."""
    (order,) = charged_orders(world, 1)
    found = dispute(world, order)
    world.tasks.waiting.clear()
    operation = PaymentOperation.objects.get(dispute=found)
    after_reversal = REVERSAL.index("after reverse_transfer")
    mortals.run("run_operation", operation.pk, now=world.now, moment=after_reversal)
    world.stripe.control(decide_dispute={"dispute": found.dispute_id, "outcome": "won"})
    disputes.apply_dispute(found.dispute_id, now=world.now)
    for _ in range(3):
        finish(world)
    check_ledger(order)
    (again,) = stripe_api.Transfer.list(transfer_group=found.dispute_id).data
    assert again.amount == 2592 - 157
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()


def test_reversal_that_is_refused_waits_with_an_alarm_and_ends(world, monkeypatch):
    def refused(*_, **__):
        raise Refused("balance_insufficient", "no")

    (order,) = charged_orders(world, 1)
    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "reverse_transfer", refused)
        found = dispute(world, order)
        finish(world)
        assert Discrepancy.objects.get(kind="refused").resolved_at is None
    finish(world)
    check_ledger(order)
    assert Dispute.objects.get(pk=found.pk).withdrawn
    operation = PaymentOperation.objects.get(dispute=found)
    assert operation.state == OperationStatus.DONE
