"""The moments and numbers at which settlement changes what it does, each to the second."""

from datetime import timedelta
from typing import Any

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.gateway import Declined, Refused, ServerError
from apps.billing.models import Discrepancy
from apps.offers.states import OfferStatus
from apps.preorders.models import Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement import expiry, operations, worker
from apps.preorders.settlement.steps import authorization, capture
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory, save_crowd

SECOND = timedelta(seconds=1)

pytestmark = pytest.mark.usefixtures("db", "platform", "clock")


def operation_of(order, kind=OperationKind.CAPTURE, **facts):
    created = {"due_at": NOON, "created_at": NOON, **facts}
    return PaymentOperation.objects.create(
        restaurant=order.restaurant, pre_order=order, kind=kind, **created
    )


class TestClaiming:
    def test_the_sweep_leaves_a_message_a_minute_and_goes_on_with_what_was_begun_at_once(self):
        waiting, lost, begun, later = (
            operation_of(PreOrderFactory(), **facts)
            for facts in (
                {"due_at": NOON - timedelta(minutes=1) + SECOND},
                {"due_at": NOON - timedelta(minutes=1)},
                {"attempts": 1, "due_at": NOON},
                {"attempts": 1, "due_at": NOON + SECOND},
            )
        )
        assert worker.due_operations(now=NOON) == [lost.pk, begun.pk]
        assert {waiting.pk, later.pk}.isdisjoint(worker.due_operations(now=NOON))

    def test_a_worker_owns_what_it_claims_for_ninety_seconds(self):
        offer = SpecialOfferFactory(status=OfferStatus.SUCCEEDED)
        operation = operation_of(PreOrderFactory(offer=offer))
        (claimed,) = worker.claim_operations([operation.pk], now=NOON).values()
        operation.refresh_from_db()
        for each in (claimed, operation):
            assert (each.attempts, each.due_at) == (1, NOON + timedelta(seconds=90))
        assert not worker.claim_operations([operation.pk], now=NOON + timedelta(seconds=89))
        assert worker.claim_operations([operation.pk], now=NOON + timedelta(seconds=90))

    def test_one_that_waited_more_than_five_seconds_for_its_turn_gets_a_whole_lease(
        self, monkeypatch
    ):
        monkeypatch.setattr(worker, "_STEPS", AnyStep())
        offer = SpecialOfferFactory(status=OfferStatus.SUCCEEDED)
        operation = operation_of(PreOrderFactory(offer=offer))
        (claimed,) = worker.claim_operations([operation.pk], now=NOON).values()
        for waited, ends in ((5, 90), (6, 96)):
            now = NOON + timedelta(seconds=waited)
            assert worker.run_operation(operation.pk, now=now, claimed=claimed)
            operation.refresh_from_db()
            assert operation.due_at == NOON + timedelta(seconds=ends)

    def test_what_was_claimed_and_not_begun_is_as_before(self):
        offer = SpecialOfferFactory(status=OfferStatus.SUCCEEDED)
        operation = operation_of(PreOrderFactory(offer=offer), attempts=2)
        claimed = worker.claim_operations([operation.pk], now=NOON)
        worker.return_operations(claimed.values(), now=NOON + SECOND)
        operation.refresh_from_db()
        assert (operation.attempts, operation.due_at) == (2, NOON + SECOND)


class AnyStep(dict[Any, Any]):
    """Steps that do nothing."""

    def __missing__(self, key):
        return lambda operation, now: None


class TestAlarms:
    @pytest.mark.parametrize(("attempts", "alarms"), [(6, 0), (7, 1), (8, 1)])
    def test_the_eighth_failure_of_stripe_is_told(self, monkeypatch, attempts, alarms):
        def fails(operation, now):
            raise ServerError("no")

        operation = operation_of(PreOrderFactory(), attempts=attempts)
        monkeypatch.setattr(worker, "_STEPS", dict.fromkeys(worker._STEPS, fails))
        worker.run_operation(operation.pk, now=NOON)
        assert Discrepancy.objects.count() == alarms

    def test_a_long_answer_is_cut_to_what_the_column_holds(self, monkeypatch):
        def fails(operation, now):
            raise ServerError("x" * 300)

        operation = operation_of(PreOrderFactory())
        monkeypatch.setattr(worker, "_STEPS", dict.fromkeys(worker._STEPS, fails))
        worker.run_operation(operation.pk, now=NOON)
        operation.refresh_from_db()
        assert operation.error == "x" * 255

    def test_a_long_reason_is_cut_to_what_the_column_holds(self):
        operation = operation_of(PreOrderFactory())
        operations.finish(operation, OperationStatus.FAILED, NOON, "x" * 300)
        operation.refresh_from_db()
        assert (operation.state, operation.error) == ("failed", "x" * 255)

    def test_a_long_message_of_a_bank_is_cut_to_what_the_column_holds(self, monkeypatch):
        def declines(operation, now):
            authorization._record_refusal(operation, "card_declined", "x" * 300, "pi_1", now)

        operation = operation_of(PreOrderFactory(), OperationKind.AUTHORIZE)
        monkeypatch.setattr(worker, "_STEPS", dict.fromkeys(worker._STEPS, declines))
        worker.run_operation(operation.pk, now=NOON)
        operation.refresh_from_db()
        assert (operation.state, operation.error) == ("failed", "x" * 255)


class TestDeclinedCaptures:
    """Five declined captures pause a special, if no more were charged, for four hours."""

    @pytest.mark.parametrize(
        ("declined", "charged", "pauses"),
        [(4, 0, False), (5, 0, True), (5, 5, True), (5, 6, False), (6, 5, True)],
    )
    def test_a_special_pauses_when_five_were_declined_and_no_more_charged(
        self, declined, charged, pauses
    ):
        offer = SpecialOfferFactory()
        operation = operation_of(PreOrderFactory(offer=offer))
        save_crowd(declined, offer=offer, payment_status=PaymentStatus.CAPTURE_FAILED)
        save_crowd(charged, offer=offer, payment_status=PaymentStatus.CAPTURED)
        assert capture._has_too_many_declines(operation, NOON) is pauses

    def test_a_capture_of_four_hours_ago_pauses_nothing(self):
        offer = SpecialOfferFactory()
        operation = operation_of(PreOrderFactory(offer=offer))
        save_crowd(5, offer=offer, payment_status=PaymentStatus.CAPTURE_FAILED)
        end = NOON + timedelta(hours=4)
        assert capture._has_too_many_declines(operation, end - SECOND)
        assert not capture._has_too_many_declines(operation, end)


class TestRenewals:
    def expiring(self, *orders):
        found = {order.pk for order in expiry.expiring_authorizations(now=NOON)}
        return [order.pk in found for order in orders]

    def test_a_hold_is_seen_to_a_day_before_its_end(self):
        offer = SpecialOfferFactory(deadline=NOON + timedelta(days=3))
        day = timedelta(hours=24)
        orders = [
            PreOrderFactory(offer=offer, capture_before=NOON + day + late)
            for late in (-SECOND, timedelta(0), SECOND)
        ]
        assert self.expiring(*orders) == [True, True, False]

    def test_a_hold_that_lasts_two_hours_longer_than_the_grace_is_left_alone(self):
        offer = SpecialOfferFactory(deadline=NOON + timedelta(hours=3))
        settled = offer.deadline + timedelta(minutes=10) + timedelta(hours=2)
        orders = [
            PreOrderFactory(offer=offer, capture_before=settled + late)
            for late in (-SECOND, timedelta(0))
        ]
        assert self.expiring(*orders) == [True, False]

    @pytest.mark.parametrize(
        "meanwhile",
        [
            {"payment_status": PaymentStatus.RELEASED},
            {"capture_before": NOON + timedelta(days=6)},
        ],
        ids=["released", "renewed"],
    )
    def test_a_hold_that_changed_since_it_was_read_is_left_alone(self, meanwhile):
        order = PreOrderFactory()
        PreOrder.objects.filter(pk=order.pk).update(**meanwhile)
        expiry.renew_or_capture(order, now=NOON)
        assert not PaymentOperation.objects.exists()

    def test_a_hold_of_a_decided_special_is_left_alone(self):
        expiry.renew_or_capture(
            PreOrderFactory(offer=SpecialOfferFactory(status=OfferStatus.SUCCEEDED)), now=NOON
        )
        assert not PaymentOperation.objects.exists()


class TestChargingAgain:
    def test_a_first_hold_that_was_captured_after_all_is_charged_once(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        operation = world.operation(order)
        PaymentOperation.objects.filter(pk=operation.pk).update(stage=OperationStage.RETRY)
        stripe.PaymentIntent.capture(str(order.payment_intent_id))
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
        assert len(world.intents(order)) == 1


class TestTheLastHold:
    def test_the_hold_that_a_closing_special_waited_for_decides_it(self, world):
        offer = world.offer(min_preorders=1)
        world.at(offer.deadline - SECOND)
        order = world.begin(offer)
        world.at(offer.deadline)
        assert world.close(offer) == OfferStatus.CLOSING
        world.pay(order)
        world.hear(order)
        assert world.work().count("preorders.close_offer") == 1
        assert world.fresh(offer).status == OfferStatus.SUCCEEDED

    def test_a_hold_before_the_deadline_asks_for_no_decision(self, world):
        world.authorized_order(world.offer(min_preorders=1))
        assert "preorders.close_offer" not in world.work()


class TestLinks:
    def test_a_pay_link_lasts_a_minute_less_than_a_day_and_is_read_half_a_minute_later(
        self, world, monkeypatch
    ):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.stripe.control(capture_fault={"kind": "decline", "times": 9})
        monkeypatch.setattr(stripe_gateway, "charge_off_session", refuse)
        world.settle(offer)
        operation = world.operation(order)
        assert operation.stage == OperationStage.PAY_LINK
        ends = world.now + timedelta(hours=23, minutes=59)
        assert operations.link_ends(operation) == ends
        assert operation.due_at == ends + timedelta(seconds=30)

    def test_a_guest_of_a_cart_has_five_minutes_before_the_email_about_a_decline(self, world):
        begun = world.begin_cart(world.offer(name="One"), world.offer(name="Two"))
        refused = begun.items[0]
        world.stripe.control(hold_fault={"kind": "generic_decline", "pre_order": str(refused.pk)})
        world.give_card(begun)
        world.confirm_cart(begun)
        email = Email.objects.get(pre_order=refused, kind=EmailKind.DECLINED)
        assert email.due_at == world.now + timedelta(minutes=5)


def refuse(*_, **__):
    raise Declined("card_declined", "Your card was declined.")


def test_a_refund_that_another_one_overtook_is_no_failure(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)

    def overtaken(intent_id, **_):
        stripe.Refund.create(payment_intent=intent_id)
        raise Refused("charge_already_refunded", "Charge has already been refunded.")

    monkeypatch.setattr(stripe_gateway, "refund", overtaken)
    world.refund(world.fresh(order))
    world.work()
    assert world.fresh(order).payment_status == PaymentStatus.REFUNDED
    assert world.operation(order, OperationKind.REFUND).state == OperationStatus.DONE
    assert not Discrepancy.objects.exists()


@pytest.mark.parametrize(
    ("waited", "state"),
    [
        (timedelta(days=30) - SECOND, OperationStatus.PENDING),
        (timedelta(days=30), OperationStatus.FAILED),
    ],
)
def test_a_refund_of_a_cent_waits_thirty_days_for_the_platforms_balance(
    world, monkeypatch, waited, state
):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    world.refund(world.fresh(order), "0.01")
    operation = world.operation(order, OperationKind.REFUND)

    def too_low(*_, **__):
        raise Refused("balance_insufficient", "Insufficient funds.")

    monkeypatch.setattr(stripe_gateway, "refund", too_low)
    PaymentOperation.objects.filter(pk=operation.pk).update(created_at=world.now - waited)
    worker.run_operation(operation.pk, now=world.now)
    assert world.fresh(operation).state == state
