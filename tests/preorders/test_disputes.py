"""Disputes: the money they move, and what they do to an order."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
import stripe as stripe_api

from apps.billing import stripe_gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.billing.stripe_gateway import OWN_EVENTS
from apps.common.errors import Conflict
from apps.preorders import tasks, webhooks
from apps.preorders.disputes.notices import dispute_sentence
from apps.preorders.manage.ledger import ledger_for_restaurant
from apps.preorders.manage.money_summary import money_of
from apps.preorders.models import Dispute, Email, PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStatus
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


def emails(dispute):
    """The kinds of emails about the dispute, by name."""
    return sorted(Email.objects.filter(dispute=dispute).values_list("kind", flat=True))


@pytest.mark.parametrize(
    "event",
    [
        "charge.dispute.created",
        "charge.dispute.updated",
        "charge.dispute.funds_withdrawn",
        "charge.dispute.funds_reinstated",
        "charge.dispute.closed",
        "radar.early_fraud_warning.created",
        "radar.early_fraud_warning.updated",
    ],
)
def test_we_hear_of_every_change(event):
    assert event in OWN_EVENTS
    assert event in webhooks.DISPUTE_EVENTS + webhooks.FRAUD_WARNING_EVENTS


def test_dispute_takes_the_restaurants_part_back(world):
    order = charged(world, FRAUDULENT)
    (found,) = at_stripe(order)
    before = ledger_for_restaurant(restaurant=world.restaurant).totals
    hear(world, ("charge.dispute.created", found.id))
    dispute = Dispute.objects.get(dispute_id=found.id)
    assert (dispute.status, dispute.reason, dispute.amount) == (
        "needs_response",
        "fraudulent",
        Decimal("25.92"),
    )
    assert dispute.due_by == datetime.fromtimestamp(found.evidence_details.due_by, UTC)
    assert entries(order) == [
        ("dispute", TOTAL),
        ("dispute_fee", 1500),
        ("transfer_reversal", TOTAL),
    ]
    check_ledger(order)
    order = world.fresh(order)
    assert (order.status, order.payment_status) == ("confirmed", "captured")
    assert order.disputed_amount == Decimal("25.92")
    assert money_of(order).payout == 0
    after = ledger_for_restaurant(restaurant=world.restaurant).totals
    assert before.payout > 0
    assert (after.payout, after.platform_fees) == (Decimal(0), Decimal(0))
    assert emails(dispute) == ["dispute_opened"]
    assert "refunded" not in world.emails(order)


@pytest.mark.parametrize("return_fee", [True, False])
def test_won_dispute_pays_the_restaurant_again_whatever_becomes_of_the_fee(
    world, order, return_fee
):
    before = ledger_for_restaurant(restaurant=world.restaurant).totals
    dispute = answer(world, disputed(world, order))
    assert dispute.status == "under_review"
    world.later(days=75)
    decide(world, dispute, "won", return_fee=return_fee)
    assert dispute.status == "won"
    assert [kind for kind, _ in entries(order)] == [
        "dispute",
        "dispute_fee",
        "transfer_reversal",
        "reinstated",
        *(["dispute_fee_back"] if return_fee else []),
        "transfer_return",
    ]
    check_ledger(order)
    assert ledger_for_restaurant(restaurant=world.restaurant).totals == before
    order = world.fresh(order)
    assert (order.status, order.disputed_amount) == ("confirmed", 0)
    assert money_of(order).payout == before.payout
    assert dispute.fee == (0 if return_fee else 15)
    assert emails(dispute) == ["dispute_closed", "dispute_opened"]


def test_lost_dispute_leaves_the_money_with_the_guest(world, order):
    dispute = decide(world, disputed(world, order), "lost")
    assert (dispute.status, dispute.withdrawn) == ("lost", Decimal("25.92"))
    assert [kind for kind, _ in entries(order)] == ["dispute", "dispute_fee", "transfer_reversal"]
    check_ledger(order)
    # Nobody cooks for it anymore.
    assert world.fresh(order).status == "cancelled"
    assert emails(dispute) == ["dispute_closed", "dispute_opened"]


def test_dispute_that_is_prevented_by_giving_the_money_back_ends_the_order(world, order):
    dispute = disputed(world, order)
    decide(world, dispute, "prevented")
    order = world.fresh(order)
    assert (dispute.status, order.status, order.disputed_amount) == (
        "prevented",
        "cancelled",
        Decimal("25.92"),
    )
    assert "The guest keeps $25.92" in dispute_sentence(dispute, order)
    check_ledger(order)


def test_inquiry_that_is_prevented_before_money_moved_leaves_the_order(world):
    order = charged(world, INQUIRY)
    (found,) = at_stripe(order)
    hear(world, ("charge.dispute.created", found.id))
    dispute = Dispute.objects.get(dispute_id=found.id)
    decide(world, dispute, "prevented")
    order = world.fresh(order)
    assert (dispute.status, order.status, order.disputed_amount) == ("prevented", "confirmed", 0)
    assert "keeps" not in dispute_sentence(dispute, order)
    assert entries(order) == []


def test_lost_dispute_of_a_served_order_leaves_it_as_it_is(world, order):
    world.later(days=20)
    decide(world, disputed(world, order), "lost")
    assert world.fresh(order).status == "confirmed"


def test_duplicate_and_reordered_events_record_everything_once(world):
    order = charged(world, FRAUDULENT)
    (found,) = at_stripe(order)
    world.stripe.control(decide_dispute={"dispute": found.id, "outcome": "won"})
    kinds = ["closed", "funds_reinstated", "created", "funds_withdrawn", "updated", "created"]
    hear(world, *((f"charge.dispute.{kind}", found.id) for kind in kinds))
    dispute = Dispute.objects.get()
    assert (dispute.status, dispute.movements) == ("won", 2)
    # It was won before we heard of it: nothing was taken from the restaurant.
    assert entries(order) == [
        ("dispute", TOTAL),
        ("dispute_fee", 1500),
        ("reinstated", TOTAL),
    ]
    check_ledger(order)
    assert emails(dispute) == ["dispute_closed"]
    assert [one.new for one in dispute.transitions.all()] == ["won"]


def test_partial_refund_and_dispute_of_the_whole_take_no_more_than_was_transferred(world, order):
    world.refund(order, "5.00")
    world.work()
    disputed(world, world.fresh(order))
    assert entries(order) == [
        ("refund", 500),
        ("dispute", TOTAL),
        ("dispute_fee", 1500),
        ("transfer_reversal", TOTAL - 500),
    ]
    check_ledger(order)
    assert ledger_for_restaurant(restaurant=world.restaurant).totals.payout == 0


def test_part_of_a_charge_can_be_disputed(world, order):
    dispute = disputed(world, order, amount=900)
    check_ledger(order)
    assert world.fresh(order).disputed_amount == 9
    decide(world, dispute, "won")
    check_ledger(order)


def test_dispute_during_a_pending_refund_ends_the_refund_and_says_so(world, order):
    world.refund(order)
    dispute = disputed(world, order)
    refund = PaymentOperation.objects.get(kind=OperationKind.REFUND)
    assert (refund.state, refund.error) == (OperationStatus.FAILED, "charge_disputed")
    alarm = Discrepancy.objects.get(kind="refund_failed")
    assert alarm.resolved_at is None
    assert "refunded" not in world.emails(order)
    with pytest.raises(Conflict, match="disputed this charge"):
        world.refund(world.fresh(order))
    check_ledger(order)
    decide(world, dispute, "lost")
    # The guest has their money, by the bank.
    alarm.refresh_from_db()
    assert alarm.resolved_at
    with pytest.raises(Conflict):
        world.refund(world.fresh(order))


def test_charge_of_a_won_dispute_is_not_refunded_here(world, order):
    decide(world, disputed(world, order), "won")
    with pytest.raises(Conflict, match="in your favor"):
        world.refund(world.fresh(order))


def test_inquiry_moves_no_money(world):
    order = charged(world, INQUIRY)
    hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
    dispute = Dispute.objects.get()
    assert dispute.is_inquiry
    assert dispute.withdrawn == 0
    assert entries(order) == []
    assert world.fresh(order).disputed_amount == 0
    # A refund resolves it.
    world.refund(world.fresh(order))
    world.work()
    hear(world, ("charge.dispute.closed", dispute.dispute_id))
    dispute.refresh_from_db()
    assert dispute.status == "warning_closed"
    assert world.fresh(order).payment_status == "refunded"
    check_ledger(order)


def test_inquiry_that_escalates_takes_the_money_and_is_announced_again(world):
    order = charged(world, INQUIRY)
    hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
    dispute = Dispute.objects.get()
    decide(world, dispute, "escalated")
    assert (dispute.status, dispute.is_inquiry) == ("needs_response", False)
    assert [kind for kind, _ in entries(order)] == ["dispute", "dispute_fee", "transfer_reversal"]
    check_ledger(order)
    assert emails(dispute) == ["dispute_opened", "dispute_opened"]


def test_dispute_of_an_unknown_charge_is_left_alone(world, order):
    with_card = stripe_api.PaymentIntent.create(
        amount=500,
        currency="usd",
        payment_method="pm_card_createDispute",
        payment_method_types=["card"],
        confirm=True,
    )
    found = stripe_api.Dispute.list(payment_intent=with_card.id).data[0]
    hear(world, ("charge.dispute.created", found.id))
    assert not Dispute.objects.exists()


def test_owners_are_reminded_once_before_an_answer_is_due(world, order):
    dispute = disputed(world, order)
    sweep(world, days=11)
    assert emails(dispute) == ["dispute_opened"]
    for _ in range(2):
        sweep(world, days=1.4)
        tasks.reconcile_disputes_task.delay()
        world.work()
    assert emails(dispute) == ["dispute_due", "dispute_opened"]


def test_third_chargeback_raises_one_alarm_for_the_restaurant(world):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(4)]
    world.settle(offer)
    for order in orders[:2]:
        disputed(world, world.fresh(order))
    assert not Discrepancy.objects.filter(kind="chargebacks").exists()
    for order in orders[2:]:
        disputed(world, world.fresh(order))
    alarm = Discrepancy.objects.get(kind="chargebacks")
    assert alarm.description == "3 of 4 charges disputed (75.00%)"


@pytest.mark.parametrize(
    ("country", "currency", "waits"), [("AU", "aud", False), ("PT", "eur", True)]
)
def test_what_no_transfer_returns_is_staffs_to_pay_at_once(
    world, monkeypatch, country, currency, waits
):
    """Beyond the regions of Stripe's transfers; elsewhere a refusal may pass for thirty days."""
    restaurant = world.open_restaurant(country=country, currency=currency)
    offer = world.offer(restaurant=restaurant, min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    dispute = disputed(world, order)

    def refused(**_):
        raise Refused("account_closed", "no")

    with monkeypatch.context() as patched:
        if waits:
            patched.setattr(stripe_gateway, "return_transfer", refused)
        decide(world, dispute, "won")
        operation = dispute.operations.get(kind="return_transfer")
        assert operation.state == ("pending" if waits else "failed")
        if waits:
            assert "We're transferring your part" in dispute_sentence(world.fresh(dispute), order)
            sweep(world, days=31)
            assert world.fresh(operation).state == "failed"
    tasks.reconcile_payments_task.delay()
    world.work()
    issue = Discrepancy.objects.get(kind="transfer_failed", resolved_at=None)
    code = "account_closed" if waits else "transfers_not_allowed"
    amount = {"AU": "A$24.35", "PT": "€24.40"}[country]
    assert issue.description == (
        "No transfer reaches the restaurant's account. Pay it another way: "
        f"{amount} for a won dispute ({code})"
    )
    assert "we'll pay you another way" in dispute_sentence(world.fresh(dispute), order)
    assert stripe_api.Transfer.list(transfer_group=dispute.dispute_id).data == []
