"""A worker dies around any call about a dispute; the next one finishes, and money moves once."""

from typing import Any

import pytest
import stripe as stripe_api

from apps.billing.models import ConnectAccount, Discrepancy
from apps.preorders.core.email_queue import queue_email
from apps.preorders.models import Dispute, PaymentOperation
from apps.preorders.models.states import EmailKind, OperationKind, OperationStatus
from apps.preorders.settlement import disputes, payments
from tests.faults.test_killed_workers import around, finish
from tests.preorders.disputes import check_ledger
from tests.preorders.world import REFUND_FAILS


def charged_orders(world, how_many):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(how_many)]
    world.settle(offer)
    return [world.fresh(order) for order in orders]


def dispute(world, order):
    """A dispute whose webhook was processed, and whose operations nobody has carried out."""
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
RETURN = around("retrieve_intent", "retrieve_transfer", "transfer_for_dispute", "return_transfer")
REVERSE_AGAIN = around(
    "retrieve_intent",
    "retrieve_transfer",
    "retrieve_transfer",
    "reverse_transfer",
    "retrieve_transfer",
)
ANSWER = around("retrieve_dispute", "upload_evidence", "submit_evidence")


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


def test_what_winning_returned_is_taken_back_once_by_a_second_dispute(world, mortals):
    orders = charged_orders(world, len(REVERSE_AGAIN))
    first = [dispute(world, order) for order in orders]
    world.work()
    for each in first:
        world.stripe.control(decide_dispute={"dispute": each.dispute_id, "outcome": "won"})
        disputes.apply_dispute(each.dispute_id, now=world.now)
    world.work()
    world.later(days=10)
    second = [dispute(world, order) for order in orders]
    assert die_in_turn(world, mortals, second, OperationKind.REVERSE_TRANSFER) == REVERSE_AGAIN
    finish(world)
    for order, each in zip(orders, first, strict=True):
        check_ledger(order)
        (again,) = stripe_api.Transfer.list(transfer_group=each.dispute_id).data
        assert [one.amount for one in again.reversals.data] == [2592 - 157]


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


@pytest.mark.usefixtures("impatient")
def test_a_retry_sends_the_document_that_the_first_attempt_uploaded(world):
    """An email is sent in between, so a new document would have other content, and Stripe would
    refuse it under the same key."""
    (order,) = charged_orders(world, 1)
    found = dispute(world, order)
    world.work()
    failing(world, "timeout", "/v1/disputes", times=1)
    disputes.request_dispute_operation(found, OperationKind.ANSWER_DISPUTE, now=world.now)
    world.work()
    operation = PaymentOperation.objects.get(kind=OperationKind.ANSWER_DISPUTE)
    assert operation.state == OperationStatus.PENDING
    assert operation.error != "idempotency_error"
    first = operation.reference
    assert first.startswith("file_")
    world.later(minutes=3)
    queue_email(order, EmailKind.PICK_UP, now=world.now)
    world.work()
    finish(world)
    operation.refresh_from_db()
    assert (operation.state, operation.epoch) == (OperationStatus.DONE, 0)
    at_stripe = stripe_api.Dispute.retrieve(found.dispute_id)
    assert at_stripe.evidence.service_documentation == first
    assert len(stripe_api.File.list(purpose="dispute_evidence").data) == 1


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


def test_reversal_that_is_refused_waits_with_an_alarm_and_ends(world):
    """The restaurant's part was paid out, and Stripe lets its account owe nothing."""
    (order,) = charged_orders(world, 1)
    world.later(days=8)
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    (part,) = stripe_api.Balance.retrieve(stripe_account=account).available
    stripe_api.Payout.create(amount=part.amount, currency="usd", stripe_account=account)
    world.stripe.control(refuse_uncovered=True)
    found = dispute(world, order)
    finish(world)
    assert Discrepancy.objects.get(kind="refused").resolved_at is None
    world.stripe.control(refuse_uncovered=False)
    finish(world)
    check_ledger(order)
    assert Dispute.objects.get(pk=found.pk).withdrawn
    operation = PaymentOperation.objects.get(dispute=found)
    assert operation.state == OperationStatus.DONE


# --- answers that are lost, late, or wrong --------------------------------------------------------
FAULTS = ["500", "lost_response", "429", "lock_timeout", "timeout"]
# Two failures, and for each a retry that meets the call still running and is refused: Stripe
# answers 409 to a key in use (https://docs.stripe.com/api/idempotent_requests).
ROUNDS = 6


def failing(world, kind, path, times=2):
    fault = {"kind": kind, "method": "POST", "path_prefix": path, "times": times}
    world.stripe.control(http_fault=fault)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.usefixtures("impatient")
def test_a_transfer_survives_failing_answers_there_and_back(world, kind):
    (order,) = charged_orders(world, 1)
    failing(world, kind, "/v1/transfers")
    found = dispute(world, order)
    for _ in range(ROUNDS):
        finish(world)
    check_ledger(order)
    failing(world, kind, "/v1/transfers")
    world.stripe.control(decide_dispute={"dispute": found.dispute_id, "outcome": "won"})
    disputes.apply_dispute(found.dispute_id, now=world.now)
    for _ in range(ROUNDS):
        finish(world)
    check_ledger(order)
    (again,) = stripe_api.Transfer.list(transfer_group=found.dispute_id).data
    assert again.amount == 2592 - 157
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("what", [OperationKind.ANSWER_DISPUTE, OperationKind.ACCEPT_DISPUTE])
@pytest.mark.usefixtures("impatient")
def test_an_answer_to_a_dispute_survives_failing_answers(world, kind, what):
    (order,) = charged_orders(world, 1)
    found = dispute(world, order)
    world.work()
    failing(world, kind, "/v1/disputes")
    disputes.request_dispute_operation(found, what, now=world.now)
    for _ in range(6):
        finish(world)
    at_stripe = stripe_api.Dispute.retrieve(found.dispute_id)
    is_answer = what == OperationKind.ANSWER_DISPUTE
    assert at_stripe.status == ("under_review" if is_answer else "lost")
    assert at_stripe.evidence_details.submission_count == (1 if is_answer else 0)
    found.refresh_from_db()
    assert found.status == at_stripe.status
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()
    check_ledger(order)


def test_a_transfer_waits_for_the_platform_s_balance_with_an_alarm(world):
    (order,) = charged_orders(world, 1)
    found = dispute(world, order)
    finish(world)
    world.stripe.control(
        platform_funds=0, decide_dispute={"dispute": found.dispute_id, "outcome": "won"}
    )
    disputes.apply_dispute(found.dispute_id, now=world.now)
    finish(world)
    assert stripe_api.Transfer.list(transfer_group=found.dispute_id).data == []
    assert Discrepancy.objects.get(kind="refused").resolved_at is None
    world.stripe.control(platform_funds=10_000)
    world.later(hours=1)
    finish(world)
    check_ledger(order)
    assert len(stripe_api.Transfer.list(transfer_group=found.dispute_id).data) == 1


# --- news -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("moment", [0, 1])
def test_a_worker_killed_while_hearing_of_a_dispute_leaves_it_to_the_next(world, mortals, moment):
    (order,) = charged_orders(world, 1)
    made = world.stripe.control(dispute={"payment_intent": order.payment_intent_id})["dispute"]
    death = mortals.run("apply_dispute", made, now=world.now, moment=moment)
    assert death.where == around("retrieve_dispute")[moment]
    for _ in range(2):
        disputes.apply_dispute(made, now=world.now)
    finish(world)
    check_ledger(order)
    assert Dispute.objects.get().transitions.count() == 1


@pytest.mark.parametrize("moment", [0, 1])
def test_a_worker_killed_while_hearing_of_a_returned_refund_tells_of_it_once(
    world, mortals, moment
):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=REFUND_FAILS)
    world.settle(offer)
    world.refund(order, "5.00")
    world.work()
    world.later(minutes=2)  # the bank returned it
    intent = world.fresh(order).payment_intent_id
    death = mortals.run("apply_refunds", intent, now=world.now, moment=moment)
    assert death.where == around("retrieve_with_refunds")[moment]
    for _ in range(2):
        payments.apply_refunds(intent, now=world.now)
    check_ledger(order)
    assert Discrepancy.objects.filter(kind="refund_returned").count() == 1
    assert world.emails(order).count("refund_returned") == 1
    assert str(world.fresh(order).returned_amount) == "5.00"
