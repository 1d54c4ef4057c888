"""PaymentOperations: the outbox, and early captures and renewals of holds that will expire
(DECISIONS X12)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.gateway import IntentStatus, ServerError, Unreachable
from apps.offers.models import SpecialOffer
from apps.preorders import tasks
from apps.preorders.core.transitions import request_operation
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import (
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement import expiry, operations, worker
from apps.preorders.settlement.steps import checkout_link
from tests.factories import DishFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import CAPTURE_DECLINED, DECLINED, GOOD, OFF_SESSION_DECLINED

RENEW = OperationKind.RENEW


def week_long_offer(world, **facts):
    """An offer whose holds expire soon after its deadline, so they must be renewed or captured
    before."""
    return world.offer(deadline=world.now + timedelta(days=6, hours=23), **facts)


def guard(world):
    """Run the schedule's check for expiring holds, a day before they do."""
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()


def sweep(world, **parts):
    world.later(**parts)
    tasks.run_due_operations_task.delay()
    world.work()


def order_facts(world, order):
    fresh = world.fresh(order)
    return str(fresh.status), str(fresh.payment_status)


class TestTheOutbox:
    @pytest.fixture
    def operation(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        return world.operation(order)

    def test_an_unreachable_processor_is_asked_again_with_the_same_key(
        self, world, operation, monkeypatch
    ):
        keys = []

        def lost(*_, key, **__):
            keys.append(key)
            raise Unreachable("no answer")

        monkeypatch.setattr(stripe_gateway, "capture", lost)
        for _ in range(3):
            worker.run_operation(operation.pk, now=world.now)
            sweep(world, minutes=1)
        assert len(keys) >= 3
        assert len(set(keys)) == 1

    def test_tries_come_further_apart_up_to_a_quarter_of_an_hour(self, world, operation):
        waits = []
        fault = {"kind": "500", "path_prefix": "/v1/payment_intents", "times": 99}
        world.stripe.control(http_fault=fault)
        for _ in range(14):
            worker.run_operation(operation.pk, now=world.now)
            due = world.fresh(operation).due_at
            waits.append((due - world.now).total_seconds())
            world.at(due)
        assert waits[:5] == [2, 4, 8, 16, 32]
        assert max(waits) == 900

    def test_an_operation_belongs_to_one_worker_at_a_time(self, world, operation, monkeypatch):
        taken = []

        def second(*args, **options):
            taken.append(worker.run_operation(operation.pk, now=world.now))
            return read(*args, **options)

        read = stripe_gateway.retrieve_intent
        monkeypatch.setattr(stripe_gateway, "retrieve_intent", second)
        assert worker.run_operation(operation.pk, now=world.now)
        assert set(taken) == {False}

    def test_a_worker_that_overslept_its_lease_changes_nothing(self, world, operation, monkeypatch):
        """Its capture was refused; meanwhile another went through all stages and sent the link."""
        read = stripe_gateway.retrieve_intent
        order = world.fresh(operation.pre_order)
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        stripe.PaymentMethod.detach(order.payment_method_id)  # no charge without the guest

        def asleep(*args, **options):
            monkeypatch.setattr(stripe_gateway, "retrieve_intent", read)
            hold = read(*args, **options)
            worker.run_operation(operation.pk, now=world.later(seconds=100))
            return hold

        before = world.now
        monkeypatch.setattr(stripe_gateway, "retrieve_intent", asleep)
        worker.run_operation(operation.pk, now=before)
        after = world.fresh(operation)
        assert after.stage == OperationStage.PAY_LINK
        assert after.reference.startswith("cs_")
        assert after.due_at > before + timedelta(hours=23)
        assert len(world.sessions()) == 2

    def test_a_worker_that_overslept_does_not_delay_the_one_in_the_same_stage(
        self, world, operation, monkeypatch
    ):
        """Its answer is old; a new key would let the other one's charge be made twice."""
        later = []

        def asleep(*_, **__):
            monkeypatch.setattr(stripe_gateway, "retrieve_intent", lost)
            worker.run_operation(operation.pk, now=world.later(seconds=100))
            later.append(world.fresh(operation))
            raise ServerError("an answer of long ago")

        def lost(*_, **__):
            raise Unreachable("no answer")

        before = world.now
        monkeypatch.setattr(stripe_gateway, "retrieve_intent", asleep)
        worker.run_operation(operation.pk, now=before)
        (others,) = later
        assert (others.attempts, others.stage) == (2, OperationStage.HOLD)
        after = world.fresh(operation)
        assert (after.epoch, after.due_at, after.error) == (0, others.due_at, "no answer")

    def test_a_worker_that_overslept_does_not_finish_the_operation(
        self, world, operation, monkeypatch
    ):
        mine = PaymentOperation.objects.get(pk=operation.pk)
        PaymentOperation.objects.filter(pk=operation.pk).update(attempts=mine.attempts + 1)
        operations.finish(mine, OperationStatus.FAILED, world.now, "too late")
        after = world.fresh(operation)
        assert (after.state, after.finished_at) == (OperationStatus.PENDING, None)
        operations.finish(after, OperationStatus.DONE, world.now, "")
        assert world.fresh(operation).state == OperationStatus.DONE

    def test_what_is_decided_first_stays(self, world, operation):
        order = world.fresh(operation.pre_order)
        again = request_operation(order, OperationKind.RELEASE, now=world.now)
        assert again.pk == operation.pk
        assert again.kind == OperationKind.CAPTURE


class TestEarlyCaptures:
    def test_when_the_minimum_is_met_a_dying_hold_is_charged_at_once(self, world):
        offer = week_long_offer(world, min_preorders=2)
        orders = [world.authorized_order(offer), world.authorized_order(offer)]
        guard(world)
        assert {order_facts(world, order) for order in orders} == {("pending", "captured")}
        assert world.fresh(offer).ordered_portions == 2
        assert all(world.emails(order) == ["charged_early", "received"] for order in orders)
        world.settle(offer)
        assert {order_facts(world, order) for order in orders} == {("confirmed", "captured")}
        assert_ledger_balances(world, offer)

    def test_holds_that_outlive_the_decision_are_left_alone(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=6), min_preorders=1)
        world.authorized_order(offer)
        world.later(days=5, hours=23)
        assert expiry.expiring_authorizations(now=world.now) == []

    def test_holds_are_left_alone_until_a_day_before_their_end(self, world):
        offer = week_long_offer(world, min_preorders=1)
        world.authorized_order(offer)
        world.later(days=5, hours=23)
        assert expiry.expiring_authorizations(now=world.now) == []
        world.later(hours=1, minutes=1)
        assert len(expiry.expiring_authorizations(now=world.now)) == 1

    def left_to_the_guest(self, world, **facts):
        """A declined early capture leaves the offer one short; its guest has a pay link."""
        offer = week_long_offer(world, min_preorders=2, **facts)
        early, broken = (
            world.authorized_order(offer),
            world.authorized_order(offer, card=OFF_SESSION_DECLINED),
        )
        fault = {"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        guard(world)
        assert order_facts(world, early) == ("pending", "captured")
        assert order_facts(world, broken) == ("pending", "capture_failed")
        assert world.fresh(offer).ordered_portions == 1
        return offer, early, broken

    def test_a_declined_one_does_not_count_and_is_called_off_when_the_offer_fails(self, world):
        offer, early, broken = self.left_to_the_guest(world)
        link = world.operation(broken).reference
        assert world.settle(offer).status == "failed"
        assert stripe.checkout.Session.retrieve(link).status == "expired"
        assert order_facts(world, early) == ("cancelled", "refunded")
        assert order_facts(world, broken) == ("cancelled", "released")
        assert world.emails(broken) == ["payment_needed", "received", "released"]
        assert_ledger_balances(world, offer)

    def test_one_whose_link_was_tried_with_a_declined_card_is_called_off_all_the_same(self, world):
        offer, _, broken = self.left_to_the_guest(world)
        world.stripe.pay(world.operation(broken).reference, number=DECLINED)
        assert world.settle(offer).status == "failed"
        assert order_facts(world, broken) == ("cancelled", "released")
        assert world.operation(broken).state == OperationStatus.FAILED
        assert_ledger_balances(world, offer)

    def test_an_order_paid_by_link_before_the_deadline_counts(self, world):
        offer, early, broken = self.left_to_the_guest(world)
        world.stripe.pay(world.operation(broken).reference, number=GOOD)
        tasks.apply_payment_intent_task.delay(world.intents(broken)[0].id)
        world.work()
        assert world.settle(offer).status == "succeeded"
        assert {order_facts(world, o) for o in (early, broken)} == {("confirmed", "captured")}
        assert_ledger_balances(world, offer)

    def test_an_order_paid_by_link_is_refunded_when_the_news_comes_after_the_offer_failed(
        self, world
    ):
        offer, _, broken = self.left_to_the_guest(world)
        world.at(offer.deadline)
        world.close(offer)
        world.stripe.pay(world.operation(broken).reference, number=GOOD)
        world.work()
        assert order_facts(world, broken) == ("cancelled", "refunded")
        assert_ledger_balances(world, offer)

    def test_the_seat_of_one_who_can_still_pay_is_not_sold_again(self, world):
        """Or the cap would be passed when they do (X25)."""
        offer, _, broken = self.left_to_the_guest(world, max_preorders=2)
        assert world.fresh(offer).reserved_portions == 2
        sweep(world, hours=24)
        assert order_facts(world, broken) == ("cancelled", "released")
        assert world.fresh(offer).reserved_portions == 1

    @pytest.mark.parametrize("consent", [False, True], ids=["", "agreed to the alternative"])
    def test_an_early_capture_not_carried_out_is_released_when_the_offer_fails(
        self, world, consent
    ):
        """Also where the guest agreed: it may be going through for the full amount right now."""
        dish = DishFactory(restaurant=world.restaurant, price=Decimal("15.00"))
        facts = {"has_alternative": True, "alternative_dish": dish} if consent else {}
        offer = week_long_offer(world, min_preorders=1, **facts)
        order = world.authorized_order(offer, consent=consent)
        world.work()
        world.later(days=6, minutes=10)
        tasks.renew_authorizations_task.apply(throw=True)
        world.tasks._commit_hooks()
        world.tasks.waiting.clear()
        SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=2)
        world.settle(offer)
        assert order_facts(world, order) == ("cancelled", "released")
        assert world.calls("POST /v1/payment_intents/{id}/capture") == 0
        assert_ledger_balances(world, offer)


class TestRenewals:
    def test_a_hold_is_renewed_without_the_guest(self, world):
        offer = week_long_offer(world, min_preorders=2)
        order = world.authorized_order(offer)
        guard(world)
        renewed = world.fresh(order)
        assert renewed.payment_intent_id != order.payment_intent_id
        assert renewed.capture_before > offer.deadline + timedelta(days=3)
        assert renewed.authorized_at > order.authorized_at + timedelta(days=6)
        assert stripe.PaymentIntent.retrieve(order.payment_intent_id).status == "canceled"
        assert world.emails(order) == ["received"]
        assert world.fresh(offer).ordered_portions == 1
        world.authorized_order(offer)
        world.settle(offer)
        assert order_facts(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)

    def test_the_new_hold_is_in_place_before_the_old_one_is_refunded(self, world):
        offer = week_long_offer(world, min_preorders=2)
        order = world.authorized_order(offer)
        world.later(days=6, minutes=10)
        tasks.renew_authorizations_task.apply(throw=True)
        worker.run_operation(world.operation(order, RENEW).pk, now=world.now)
        assert world.operation(order, RENEW).stage == OperationStage.CLEAN_UP
        assert {i.status for i in world.intents(order)} == {"requires_capture"}
        # News of the old intent must be treated neither as a stray's nor as the order's own.
        tasks.apply_payment_intent_task.apply(args=(order.payment_intent_id,), throw=True)
        world.work()
        assert world.fresh(order).payment_intent_id != order.payment_intent_id
        assert world.operation(order, RENEW).state == OperationStatus.DONE
        world.settle(offer)
        assert_ledger_balances(world, offer)

    def by_link(self, world, **facts):
        offer = week_long_offer(world, **{"min_preorders": 2, **facts})
        order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
        guard(world)
        assert world.emails(order) == ["received", "renew_authorization"]
        assert order_facts(world, order) == ("pending", "authorized")
        return offer, order, world.operation(order, RENEW).reference

    def test_a_hold_is_renewed_by_link_when_the_bank_wants_the_guest(self, world, monkeypatch):
        told: list[Any] = []
        monkeypatch.setattr(checkout_link, "notify_owners", lambda *each, **_: told.append(each))
        offer, order, link = self.by_link(world)
        assert told == []  # the restaurant can do nothing about it
        world.stripe.pay(link, number=GOOD)
        tasks.apply_payment_intent_task.delay(world.intents(order)[0].id)
        world.work()
        assert world.fresh(order).payment_intent_id != order.payment_intent_id
        assert world.operation(order, RENEW).state == OperationStatus.DONE
        world.authorized_order(offer)
        world.settle(offer)
        assert order_facts(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)

    def test_a_link_to_renew_ends_with_the_hold(self, world):
        _, order, _ = self.by_link(world)
        ends = operations.link_ends(world.operation(order, RENEW))
        assert ends == world.fresh(order).capture_before

    def test_a_link_to_renew_a_hold_that_ends_in_minutes_is_open_for_half_an_hour(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=7), min_preorders=2)
        order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
        world.at(world.fresh(order).capture_before - timedelta(minutes=10))
        tasks.renew_authorizations_task.delay()
        world.work()
        assert world.emails(order) == ["received", "renew_authorization"]
        ends = operations.link_ends(world.operation(order, RENEW))
        assert ends == world.now + timedelta(minutes=31)

    def test_a_link_used_after_the_hold_had_died_does_not_bring_the_order_back(self, world):
        offer, order, link = self.by_link(world)
        world.stripe.control(declare_dead=order.payment_intent_id)
        tasks.apply_payment_intent_task.delay(order.payment_intent_id)
        world.work()
        assert order_facts(world, order) == ("cancelled", "released")
        world.stripe.pay(link, number=GOOD)
        tasks.apply_payment_intent_task.delay(world.intents(order)[0].id)
        world.work()
        assert {i.status for i in world.intents(order)} == {"canceled", "requires_payment_method"}
        world.settle(offer)
        assert_ledger_balances(world, offer)

    def test_a_link_used_after_the_hold_was_charged_early_is_refunded(self, world):
        """The minimum was met meanwhile, so the old hold was charged rather than renewed."""
        offer, order, link = self.by_link(world)
        world.authorized_order(offer)
        world.later(minutes=5)
        tasks.renew_authorizations_task.delay()
        world.work()
        assert order_facts(world, order) == ("pending", "captured")
        world.stripe.pay(link, number=GOOD)
        late = world.intents(order)[0].id
        tasks.apply_payment_intent_task.delay(late)
        world.work()
        assert world.fresh(order).payment_intent_id == order.payment_intent_id
        assert stripe.PaymentIntent.retrieve(late).status == "canceled"
        world.settle(offer)
        assert_ledger_balances(world, offer)

    def test_a_renewal_that_is_pending_at_the_decision_is_dropped(self, world):
        offer, order, _ = self.by_link(world)
        SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=1)
        world.settle(offer)
        operation = world.operation(order, RENEW)
        assert operation.state == OperationStatus.FAILED
        assert order_facts(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)

    def test_a_renewal_is_tried_once_per_hold(self, world):
        _, order, link = self.by_link(world)
        for _ in range(3):
            world.later(minutes=5)
            tasks.renew_authorizations_task.delay()
            world.work()
        assert PaymentOperation.objects.filter(pre_order=order, kind=RENEW).count() == 1
        assert world.operation(order, RENEW).reference == link

    @pytest.mark.parametrize("seconds", [0, 2])
    def test_a_renewed_hold_is_renewed_again(self, world, seconds):
        """Also when the bank held the card in the very second in which it was asked to."""
        offer = world.offer(deadline=world.now + timedelta(days=25), min_preorders=2)
        order = world.authorized_order(offer)
        for _ in range(3):
            old = world.fresh(order)
            world.at(old.capture_before - timedelta(hours=23))
            tasks.renew_authorizations_task.apply(throw=True)
            world.later(seconds=seconds)
            world.work()
            renewed = world.fresh(order)
            assert renewed.payment_intent_id != old.payment_intent_id
            assert renewed.capture_before > old.capture_before + timedelta(days=2)
        assert [intent.status for intent in world.intents(order)] == [
            "requires_capture",
            "canceled",
            "canceled",
            "canceled",
        ]
        assert order_facts(world, order) == ("pending", "authorized")

    @pytest.mark.parametrize(("days_ago", "renewals"), [(7, 2), (1, 1)])
    def test_a_renewal_that_failed_counts_for_the_hold_it_was_tried_for(
        self, world, days_ago, renewals
    ):
        """The guest may have got another hold since, for more portions."""
        offer = week_long_offer(world, min_preorders=2)
        order = world.authorized_order(offer)
        world.later(days=6, minutes=10)
        tried = world.now - timedelta(days=days_ago)
        PaymentOperation.objects.create(
            restaurant=offer.restaurant,
            pre_order=order,
            kind=RENEW,
            state=OperationStatus.FAILED,
            due_at=tried,
            created_at=tried,
        )
        tasks.renew_authorizations_task.apply(throw=True)
        assert PaymentOperation.objects.filter(pre_order=order, kind=RENEW).count() == renewals

    def test_a_renewal_is_tried_again_when_stripe_does_not_answer(self, world):
        offer = week_long_offer(world, min_preorders=2)
        order = world.authorized_order(offer)
        fault = {"kind": "lost_response", "method": "POST", "path_prefix": "/v1/payment_intents"}
        world.stripe.control(http_fault=fault)
        guard(world)
        sweep(world, minutes=2)
        assert world.fresh(order).payment_intent_id != order.payment_intent_id
        held = [i for i in world.intents(order) if i.status == "requires_capture"]
        assert len(held) == 1
        world.settle(offer)
        assert_ledger_balances(world, offer)


class TestTheRetry:
    def test_a_lost_answer_charges_once(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, card=CAPTURE_DECLINED)
        world.at(offer.deadline)
        world.close(offer)
        lose_the_charge = {"kind": "lost_response", "method": "POST", "times": 1}
        real = stripe_gateway.charge_off_session
        done: list[Any] = []

        def charge(*args, **options):
            if not done:
                path = {"path_prefix": "/v1/payment_intents"}
                world.stripe.control(http_fault={**lose_the_charge, **path})
            done.append(options["key"])
            return real(*args, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stripe_gateway, "charge_off_session", charge)
            world.work()
            sweep(world, minutes=2)
        assert len(done) == 1  # the next worker found the charge instead of asking for another
        assert order_facts(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)

    def test_keeps_the_moment_at_which_the_card_was_held(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, card=CAPTURE_DECLINED)
        held_at = world.fresh(order).authorized_at
        world.settle(offer)
        sweep(world, minutes=2)
        charged = world.fresh(order)
        assert charged.payment_status == PaymentStatus.CAPTURED
        assert charged.payment_intent_id != order.payment_intent_id
        assert charged.authorized_at == held_at

    def test_the_first_hold_can_take_nothing_before_the_card_is_charged_again(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, card=CAPTURE_DECLINED)
        fault = {"kind": "500", "times": 1}
        world.stripe.control(cancel_fault=fault)
        world.settle(offer)
        assert len(world.intents(order)) == 1
        sweep(world, minutes=2)
        first = stripe_gateway.retrieve_intent(order.payment_intent_id)
        assert first.state is IntentStatus.DEAD
        assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
        assert_ledger_balances(world, offer)
