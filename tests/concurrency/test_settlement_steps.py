"""Steps of settlement at the same moment: two workers, or a worker and the guest."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing import payouts, stripe_gateway
from apps.billing.models import ConnectAccount, Payout
from apps.common.errors import Conflict
from apps.preorders import tasks
from apps.preorders.disputes import services as dispute_services
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import disputes, worker
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.disputes import at_stripe, charged, check_ledger
from tests.preorders.test_early_charge import guard, offer_with_dying_holds
from tests.threads import at_once

SIXTY = "4000000000006009"  # has 60.00; a portion with tax is 25.92


def problems(answers):
    return [
        each for each in answers if isinstance(each, Exception) and not isinstance(each, Conflict)
    ]


def run(world, operation):
    return lambda: worker.run_operation(operation.pk, now=world.now)


def operation_of(world, order, kind):
    world.tasks.waiting.clear()  # nobody but the test's threads carries it out
    return PaymentOperation.objects.get(pre_order=order, kind=kind)


def settle(world, offer):
    """Run the sweeps, the decision, and everything that follows from it."""
    for due in (tasks.run_due_operations_task, tasks.send_pending_emails_task):
        world.later(seconds=100)
        due.delay()
        world.work()
    world.settle(offer)


# --- two workers, one step ------------------------------------------------------------------------
def test_three_workers_refund_once(world):
    order = charged(world)
    world.refund(order, "5.00")
    answers = at_once(*[run(world, operation_of(world, order, OperationKind.REFUND))] * 3)
    assert not problems(answers), answers
    assert answers.count(True) == 1
    sent = stripe_api.Refund.list(payment_intent=order.payment_intent_id).data
    assert [each.amount for each in sent] == [500]
    check_ledger(order)


def test_three_workers_reverse_and_return_a_transfer_once(world):
    order = charged(world)
    made = world.stripe.control(dispute={"payment_intent": order.payment_intent_id})
    dispute = disputes.apply_dispute(made["dispute"], now=world.now)
    reversal = operation_of(world, order, OperationKind.REVERSE_TRANSFER)
    answers = at_once(*[run(world, reversal)] * 3)
    assert not problems(answers), answers
    world.stripe.control(decide_dispute={"dispute": made["dispute"], "outcome": "won"})
    hear = lambda: disputes.apply_dispute(made["dispute"], now=world.now)  # noqa: E731
    assert not problems(at_once(hear, hear, hear))
    back = operation_of(world, order, OperationKind.RETURN_TRANSFER)
    assert not problems(at_once(*[run(world, back)] * 3))
    assert len(stripe_api.Transfer.list(transfer_group=made["dispute"]).data) == 1
    assert dispute is not None
    check_ledger(order)


def test_three_workers_answer_a_dispute_once(world, monkeypatch):
    order = charged(world)
    made = world.stripe.control(dispute={"payment_intent": order.payment_intent_id})
    dispute = disputes.apply_dispute(made["dispute"], now=world.now)
    assert dispute is not None
    facts = {"restaurant": world.restaurant, "dispute_id": dispute.pk, "remarks": "Picked up."}
    press = lambda: dispute_services.answer_dispute(**facts, by="Maria", now=world.now)  # noqa: E731
    pressed = at_once(press, press, press)
    assert sum(isinstance(each, Conflict) for each in pressed) == 2
    answer = operation_of(world, order, OperationKind.ANSWER_DISPUTE)
    assert not problems(at_once(*[run(world, answer)] * 3))
    (found,) = at_stripe(order)
    assert found.evidence_details.submission_count == 1


def test_three_workers_request_one_payout(world):
    order = charged(world)
    world.later(days=10)
    payouts.schedule_payouts(now=world.now)
    payout = Payout.objects.get()
    request = lambda: payouts.run_payout(payout_id=payout.pk, now=world.now)  # noqa: E731
    assert not problems(at_once(request, request, request))
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    assert len(stripe_api.Payout.list(stripe_account=account).data) == 1
    assert world.fresh(payout).payout_id
    assert order.status == "confirmed"


# --- a worker and the guest -----------------------------------------------------------------------
@pytest.mark.parametrize("moment", ["before", "after"])
def test_guest_who_cancels_while_the_early_capture_runs_pays_nothing(world, monkeypatch, moment):
    offer = offer_with_dying_holds(world)
    leaving, staying = world.authorized_order(offer), world.authorized_order(offer)
    guard(world)
    world.tasks.waiting.clear()
    capture = stripe_gateway.capture

    def meanwhile(intent_id, **facts):
        if intent_id != leaving.payment_intent_id:
            return capture(intent_id, **facts)
        if moment == "before":
            cancel_own_order(order=world.fresh(leaving), now=world.now)
        done = capture(intent_id, **facts)
        if moment == "after":
            cancel_own_order(order=world.fresh(leaving), now=world.now)
        return done

    monkeypatch.setattr(stripe_gateway, "capture", meanwhile)
    for order in (leaving, staying):
        run(world, PaymentOperation.objects.get(pre_order=order, kind=OperationKind.CAPTURE))()
    settle(world, offer)
    gone = world.fresh(leaving)
    assert gone.status == "cancelled"
    assert gone.payment_status in ("refunded", "released")
    (intent,) = world.intents(leaving)
    assert intent.amount_received == (
        intent.latest_charge.amount_refunded if intent.amount_received else 0
    )
    assert world.fresh(staying).status in ("cancelled", "confirmed")
    assert_ledger_balances(world, offer)


def test_early_captures_and_cancellations_at_once_leave_nobody_charged_without_an_order(world):
    offer = offer_with_dying_holds(world, min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(3)]
    guard(world)
    world.tasks.waiting.clear()
    captures = PaymentOperation.objects.filter(kind=OperationKind.CAPTURE)
    leave = [partial(cancel_own_order, order=world.fresh(order), now=world.now) for order in orders]
    answers = at_once(*[run(world, each) for each in captures], *leave)
    assert not problems(answers), answers
    settle(world, offer)
    for order in orders:
        assert world.fresh(order).status == "cancelled"
        for intent in world.intents(order):
            charge = intent.latest_charge
            assert intent.amount_received == (charge.amount_refunded if charge else 0)
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("other", ["cancel", "change"])
def test_letting_a_hold_go_first_at_once_with_another_press_leaves_one_outcome(world, other):
    """Whichever comes first: one live hold at most, and the order and Stripe agree."""
    offer = world.offer(min_preorders=1, max_preorders=9)
    world.stripe.control(card_limit={"number": SIXTY, "limit": 6000})
    orders = []
    for _ in range(3):
        order = world.authorized_order(offer, 1, SIXTY)
        orders.append(changes.change_quantity(order=order, quantity=2, now=world.now))
        world.stripe.control(card_limit={"number": SIXTY, "limit": 6000 * (len(orders) + 1)})
    for order in orders:
        fresh = world.fresh(order)
        press: Callable[[], Any] = partial(cancel_own_order, order=fresh, now=world.now)
        if other == "change":
            press = partial(changes.change_quantity, order=fresh, quantity=3, now=world.now)
        answers = at_once(partial(replacement.release_first, order=fresh, now=world.now), press)
        assert not problems(answers), answers
        world.work()
    world.later(minutes=40)
    world.settle(offer)
    for order in orders:
        live = [each for each in world.intents(order) if each.status == "requires_capture"]
        assert live == []
        assert world.fresh(order).status in ("cancelled", "confirmed")
    assert_ledger_balances(world, offer)
