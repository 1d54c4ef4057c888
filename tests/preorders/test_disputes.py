"""Disputes: the money they move, what they do to an order, and lost webhooks of every kind."""

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
from apps.preorders.models import Dispute, EarlyFraudWarning, Email, PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStatus
from tests.preorders.disputes import (
    FRAUDULENT,
    INQUIRY,
    MULTIPLE,
    WARNING,
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

TOTAL = 2592


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


def test_charge_that_is_disputed_twice_is_taken_back_once(world):
    order = charged(world, MULTIPLE)
    hear(world, *(("charge.dispute.created", each.id) for each in at_stripe(order)))
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 2
    check_ledger(order)
    assert world.fresh(order).disputed_amount == Decimal("25.92")
    first, second = Dispute.objects.order_by("pk")
    decide(world, first, "won")
    decide(world, second, "lost")
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


def test_early_fraud_warning_is_recorded_and_ends_with_a_refund(world):
    order = charged(world, WARNING)
    found = stripe_api.radar.EarlyFraudWarning.list(payment_intent=order.payment_intent_id).data[0]
    hear(
        world,
        ("radar.early_fraud_warning.created", found.id),
        ("radar.early_fraud_warning.created", found.id),
    )
    warning = EarlyFraudWarning.objects.get()
    assert (warning.pre_order_id, warning.is_actionable) == (order.pk, True)
    assert Email.objects.filter(fraud_warning=warning).count() == 1
    world.refund(order)
    world.work()
    hear(world, ("radar.early_fraud_warning.updated", found.id))
    warning.refresh_from_db()
    assert not warning.is_actionable
    assert Email.objects.filter(fraud_warning=warning).count() == 1


def test_reconciler_finds_a_warning_whose_webhook_was_lost(world):
    charged(world, WARNING)
    sweep(world, minutes=5)
    assert EarlyFraudWarning.objects.get().is_actionable


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


def reversed_again(dispute):
    """The amount taken back from the transfer that was made when this dispute was won."""
    (again,) = stripe_api.Transfer.list(transfer_group=dispute.dispute_id).data
    return again.amount_reversed


@pytest.mark.parametrize("outcome", ["lost", "won"])
def test_a_second_dispute_takes_back_what_winning_the_first_one_returned(world, order, outcome):
    """The charge's own transfer is fully reversed by then: only the second transfer is left."""
    before = ledger_for_restaurant(restaurant=world.restaurant).totals
    first = decide(world, disputed(world, order), "won")
    world.later(days=10)  # the money is available to the restaurant
    second = disputed(world, order)
    assert reversed_again(first) == TOTAL - 157
    assert entries(order)[-1] == ("transfer_reversal", TOTAL)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, outcome)
    check_ledger(order)
    after = ledger_for_restaurant(restaurant=world.restaurant).totals
    if outcome == "won":
        assert entries(order)[-1] == ("transfer_return", TOTAL - 157)
        assert after == before
    else:
        assert (after.payout, after.platform_fees) == (Decimal(0), Decimal(0))
        assert stripe_api.Transfer.list(transfer_group=second.dispute_id).data == []


def test_a_third_dispute_takes_back_what_winning_the_second_one_returned(world, order):
    for _ in range(2):
        decide(world, disputed(world, order), "won")
        world.later(days=10)
    disputed(world, order)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0


def test_a_second_dispute_of_everything_takes_both_transfers_after_a_partial_one_was_won(
    world, order
):
    first = decide(world, disputed(world, order, amount=900), "won")
    world.later(days=10)
    second = disputed(world, order)
    assert reversed_again(first) == 900 - 55
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, "won")
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == Decimal("24.35")


def test_a_second_dispute_of_a_part_takes_its_share_of_what_was_returned(world, order):
    first = decide(world, disputed(world, order), "won")
    world.later(days=10)
    disputed(world, order, amount=900)
    assert reversed_again(first) == 845  # 900 of 2592, of the 2435 that were returned
    # 845 stand for 899.5: what can be taken without the fees is rounded to the cent.
    assert entries(order)[-1] == ("transfer_reversal", 899)
    check_ledger(order)


def test_a_second_dispute_waits_for_what_winning_the_first_one_returns(world, order):
    """The platform's balance is too low at first, so the return is still to come."""
    first = disputed(world, order)
    world.stripe.control(platform_funds=0)
    decide(world, first, "won")
    assert [kind for kind, _ in entries(order)][-1] == "reinstated"
    disputed(world, order)
    reversal = PaymentOperation.objects.filter(kind=OperationKind.REVERSE_TRANSFER).latest("pk")
    assert reversal.state == OperationStatus.PENDING
    world.stripe.control(platform_funds=1_000_000)
    for _ in range(3):
        sweep(world, days=5)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()


def test_a_second_dispute_after_the_payout_waits_for_the_restaurants_balance(world, order):
    """Stripe takes a second transfer back only from a balance that covers it."""
    decide(world, disputed(world, order), "won")
    disputed(world, order)  # before the returned money is available
    assert Discrepancy.objects.get(kind="refused").resolved_at is None
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 1
    check_ledger(order)
    sweep(world, days=10)
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 2
    check_ledger(order)


def test_a_dispute_that_found_nothing_to_take_takes_what_winning_another_one_returns(world, order):
    """Both are open at the same time, and each is about the whole charge."""
    first, second = disputed(world, order), disputed(world, order)
    assert Dispute.objects.filter(withdrawn__gt=0).count() == 2
    check_ledger(order)
    decide(world, first, "won")
    sweep(world, days=10)
    sweep(world, minutes=20)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, "won")
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == Decimal("24.35")
