"""`apply_payment_intent`: every transition, only forward, whichever news arrives and when."""

from dataclasses import replace
from datetime import timedelta

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.gateway import IntentStatus
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.checkout.payment_page import charge_of
from apps.preorders.models import PaymentOperation, PreOrder, PreOrderTransition
from apps.preorders.models.states import OperationKind, PreOrderStatus
from apps.preorders.settlement import checkout_expiry
from apps.preorders.settlement.payments import (
    apply_payment_intent,
    is_late,
    refresh_order,
    sync_intent,
)
from tests.conftest import NOON
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED, GOOD, REFUND_FAILS


def statuses(world, order):
    fresh = world.fresh(order)
    return str(fresh.status), str(fresh.payment_status)


def activity(order):
    """The audit log of the payment."""
    rows = PreOrderTransition.objects.filter(pre_order=order, field="payment_status")
    return list(rows.order_by("pk").values_list("old", "new"))


def hold_of(world, order, **changes):
    """What Stripe shows now, as a snapshot that a test can deliver later or change."""
    intent = world.intents(order)[0].id
    return replace(stripe_gateway.retrieve_intent(intent), **changes)


@pytest.fixture
def offer(world):
    return world.offer()


@pytest.fixture
def order(world, offer):
    return world.begin(offer)


class TestInTheCheckout:
    def test_a_held_card_authorizes_the_order(self, world, offer, order):
        world.pay(order)
        world.hear(order)
        assert statuses(world, order) == ("pending", "authorized")
        order = world.fresh(order)
        (intent,) = world.intents(order)
        assert order.payment_intent_id == intent.id
        assert order.payment_customer_id == intent.customer
        assert order.payment_method_id == intent.payment_method
        assert order.capture_before > world.now + timedelta(days=6, hours=23)
        assert abs(order.authorized_at - world.now) < timedelta(minutes=1)
        assert world.fresh(offer).ordered_portions == 1
        assert world.emails(order) == ["received"]
        assert activity(order) == [("unpaid", "authorized")]

    def test_a_held_card_authorizes_the_order_that_it_names_and_no_other(self, world, offer, order):
        other = world.begin(offer)
        world.pay(other)
        updated = sync_intent(hold_of(world, other), now=world.now, known=order)
        assert updated == other
        assert statuses(world, other) == ("pending", "authorized")
        assert statuses(world, order) == ("pending", "unpaid")

    def test_a_declined_card_changes_nothing_but_what_is_known(self, world, offer, order):
        world.pay(order, DECLINED)
        world.hear(order)
        assert statuses(world, order) == ("pending", "unpaid")
        assert world.fresh(order).authorized_at is None
        assert world.emails(order) == []
        world.pay(order, GOOD)
        world.hear(order)
        assert statuses(world, order) == ("pending", "authorized")

    @pytest.mark.parametrize(("passed", "then"), [(True, "authorized"), (False, "unpaid")])
    def test_an_order_requires_action_while_the_bank_asks_the_guest(
        self, world, offer, order, passed, then
    ):
        world.pay(order, ASKS_EVERY_TIME, authenticate="leave")
        world.hear(order)
        assert statuses(world, order) == ("pending", "requires_action")
        assert world.fresh(offer).ordered_portions == 0
        world.authenticate(order, passed=passed)
        world.hear(order)
        assert statuses(world, order) == ("pending", then)

    def test_an_order_that_has_no_page_yet_is_not_asked_about(self, world, offer, order):
        """A guest who looks while the page is being opened."""
        PreOrder.objects.filter(pk=order.pk).update(checkout_session_id=None)
        refresh_order(world.fresh(order), now=world.now)
        assert world.calls("GET /v1/checkout/sessions/{id}") == 0
        assert statuses(world, order) == ("pending", "unpaid")

    def test_an_abandoned_checkout_ends_the_order(self, world, offer, order):
        world.pay(order, ASKS_EVERY_TIME, authenticate="leave")
        world.hear(order)
        world.later(minutes=32)
        checkout_expiry.end_abandoned_checkouts(now=world.now)
        assert statuses(world, order) == ("cancelled", "unpaid")
        assert world.fresh(offer).reserved_portions == 0
        assert world.emails(order) == []

    def test_an_unreadable_checkout_does_not_keep_the_others_from_ending(self, world, offer):
        orders = [world.begin(offer), world.begin(offer)]
        PreOrder.objects.filter(pk=orders[0].pk).update(checkout_session_id="cs_test_gone")
        world.later(minutes=32)
        checkout_expiry.end_abandoned_checkouts(now=world.now)
        assert [statuses(world, order)[0] for order in orders] == ["pending", "cancelled"]


class TestForwardOnly:
    def test_news_that_comes_three_times_is_recorded_once(self, world, offer, order):
        world.pay(order)
        for _ in range(3):
            world.hear(order)
            apply_payment_intent(world.intents(order)[0].id, now=world.now)
        assert activity(order) == [("unpaid", "authorized")]
        assert world.emails(order) == ["received"]

    def test_a_reading_from_before_the_card_was_held_comes_late(self, world, offer, order):
        """Read when the first card was declined, told when the second one is held."""
        world.pay(order, DECLINED)
        stale = hold_of(world, order)
        assert stale.state is IntentStatus.OPEN
        world.later(minutes=1)
        world.pay(order, GOOD)
        world.hear(order)
        known = world.fresh(order)
        sync_intent(stale, now=world.now)
        assert statuses(world, order) == ("pending", "authorized")
        reported = world.fresh(order)
        assert reported.authorized_at == known.authorized_at
        assert reported.capture_before == known.capture_before
        assert reported.payment_method_id == known.payment_method_id
        world.authorized_order(offer, 2)
        world.settle(offer)
        assert statuses(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)

    @pytest.mark.parametrize("minimum", [1, 2])
    def test_a_reading_from_before_the_decision_comes_after_it(self, world, minimum):
        offer = world.offer(min_preorders=minimum)
        order = world.authorized_order(offer)
        stale = hold_of(world, order)
        world.settle(offer)
        after = statuses(world, order), activity(order), world.emails(order)
        for state in (IntentStatus.OPEN, IntentStatus.NEEDS_ACTION, IntentStatus.HELD):
            sync_intent(replace(stale, state=state), now=world.now)
        assert (statuses(world, order), activity(order), world.emails(order)) == after
        assert_ledger_balances(world, offer)

    def test_an_intent_without_an_order_is_ignored(self, world, offer):
        intent = stripe.PaymentIntent.create(amount=5000, currency="usd")
        assert apply_payment_intent(intent.id, now=world.now) is None
        foreign = stripe.PaymentIntent.create(
            amount=5000, currency="usd", metadata={"pre_order_id": "not one of ours"}
        )
        assert apply_payment_intent(foreign.id, now=world.now) is None


class TestLate:
    """Holds that came too late to count are released automatically (DECISIONS X22)."""

    @pytest.mark.parametrize("minimum", [1, 9])
    def test_a_card_held_after_the_decision_is_late(self, world, minimum):
        """The closer was told of an ended page; the bank held the card all the same."""
        offer = world.offer(min_preorders=minimum, deadline=world.now + timedelta(minutes=5))
        first, late = world.authorized_order(offer), world.begin(offer)
        PreOrder.objects.filter(pk=late.pk).update(status=PreOrderStatus.CANCELLED)
        world.settle(offer)
        world.pay(late)
        world.hear(late)
        world.work()
        assert statuses(world, late) == ("cancelled", "released")
        assert world.emails(late) == ["released"]
        assert world.fresh(offer).status == ("succeeded" if minimum == 1 else "failed")
        assert world.fresh(first).payment_status in ("captured", "released")
        assert_ledger_balances(world, offer)

    @pytest.mark.parametrize(
        ("offer_status", "order_status", "late"),
        [
            (OfferStatus.ACTIVE, PreOrderStatus.PENDING, False),
            (OfferStatus.CLOSING, PreOrderStatus.PENDING, False),
            (OfferStatus.SUCCEEDED, PreOrderStatus.PENDING, True),
            (OfferStatus.FAILED, PreOrderStatus.PENDING, True),
            (OfferStatus.DELETED, PreOrderStatus.PENDING, True),
            (OfferStatus.ACTIVE, PreOrderStatus.CANCELLED, True),
        ],
    )
    def test_a_hold_in_time_counts_while_offer_and_order_are_undecided(
        self, offer_status, order_status, late
    ):
        offer = SpecialOffer(status=offer_status, deadline=NOON)
        order = PreOrder(status=order_status, offer=offer)
        assert is_late(order, NOON) is late

    def test_a_card_held_for_a_deleted_offer_is_late(self, world, offer, order):
        SpecialOffer.objects.filter(pk=offer.pk).update(status=OfferStatus.DELETED)
        world.pay(order)
        world.hear(order)
        world.work()
        assert statuses(world, order) == ("cancelled", "released")

    def test_a_hold_placed_after_the_grace_is_released_and_not_counted(self, world, order):
        world.pay(order)
        moment = order.offer.deadline + timedelta(minutes=10, seconds=1)
        sync_intent(hold_of(world, order, authorized_at=moment), now=moment)
        assert world.operation(order).kind == OperationKind.RELEASE
        assert world.fresh(order.offer).ordered_portions == 0

    def test_a_moment_before_the_graces_end(self, world, order):
        world.pay(order)
        moment = order.offer.deadline + timedelta(minutes=10)
        sync_intent(hold_of(world, order, authorized_at=moment), now=moment)
        assert not PaymentOperation.objects.exists()
        assert world.fresh(order.offer).ordered_portions == 1


class TestHoldsThatEnd:
    def test_an_order_whose_hold_ends_before_the_decision_does_not_count(self, world, offer):
        order = world.authorized_order(offer)
        world.stripe.control(declare_dead=order.payment_intent_id)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        assert statuses(world, order) == ("cancelled", "released")
        assert world.emails(order) == ["received", "released"]
        assert world.fresh(offer).ordered_portions == 0

    def test_when_it_was_to_be_charged_the_worker_goes_on(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        world.stripe.control(declare_dead=order.payment_intent_id)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        assert statuses(world, order) == ("pending", "capture_failed")
        world.work()
        assert statuses(world, order) == ("confirmed", "captured")
        assert_ledger_balances(world, offer)


class TestMoneyMovedByHand:
    """Money that somebody moves in Stripe's dashboard."""

    def test_a_refund_made_at_stripe_is_recorded(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.settle(offer)
        stripe.Refund.create(
            payment_intent=order.payment_intent_id,
            reverse_transfer=True,
            refund_application_fee=True,
        )
        apply_payment_intent(order.payment_intent_id, now=world.now)
        world.work()
        assert statuses(world, order) == ("cancelled", "refunded")
        assert world.emails(order) == ["confirmed", "received", "refunded"]
        assert world.fresh(offer).status == "succeeded"  # X15: not rewritten

    def test_a_refund_in_part_leaves_the_order_paid(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        world.settle(offer)
        stripe.Refund.create(payment_intent=order.payment_intent_id, amount=100)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        assert statuses(world, order) == ("confirmed", "captured")

    def test_a_capture_before_the_deadline_counts_and_is_confirmed_at_it(self, world):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        stripe.PaymentIntent.capture(order.payment_intent_id)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        world.work()
        assert statuses(world, order) == ("pending", "captured")
        assert world.fresh(offer).ordered_portions == 1
        assert world.emails(order) == ["charged_early", "received"]
        world.settle(offer)
        assert statuses(world, order) == ("confirmed", "captured")
        assert world.emails(order) == ["charged_early", "confirmed", "received"]
        assert_ledger_balances(world, offer)

    def test_a_capture_of_an_order_that_was_to_be_released_is_refunded(self, world):
        offer = world.offer(min_preorders=2)
        order = world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        stripe.PaymentIntent.capture(order.payment_intent_id)
        world.work()
        assert statuses(world, order) == ("cancelled", "refunded")
        assert_ledger_balances(world, offer)

    def test_a_release_before_the_deadline_ends_the_order(self, world, offer):
        order = world.authorized_order(offer)
        stripe.PaymentIntent.cancel(order.payment_intent_id)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        assert statuses(world, order) == ("cancelled", "released")


class TestStrays:
    """Another intent that names an order and has money in it is released or refunded at once."""

    def stray(self, world, order, **how):
        order = world.fresh(order)
        charge = charge_of(order)
        return stripe_gateway.charge_off_session(
            charge,
            customer_id=order.payment_customer_id,
            payment_method_id=order.payment_method_id,
            key="a program gone wrong",
            **how,
        )

    @pytest.mark.parametrize("hold_only", [True, False])
    def test_a_stray_intent_is_refunded_or_released(self, world, hold_only):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        stray = self.stray(world, order, hold_only=hold_only)
        apply_payment_intent(stray.intent_id, now=world.now)
        apply_payment_intent(stray.intent_id, now=world.now)  # once more, and nothing more
        assert world.fresh(order).payment_intent_id == order.payment_intent_id
        assert statuses(world, order) == ("pending", "authorized")
        after = stripe_gateway.retrieve_intent(stray.intent_id)
        assert after.state is (IntentStatus.DEAD if hold_only else IntentStatus.CAPTURED)
        assert after.captured == after.refunded == (Money(0) if hold_only else order_total(order))
        world.settle(offer)
        assert_ledger_balances(world, offer)

    @pytest.mark.parametrize("card", [GOOD, REFUND_FAILS])
    def test_a_refunded_stray_is_left_alone(self, world, offer, card, caplog):
        """A card that refuses one refund refuses the next one too."""
        order = world.authorized_order(offer, card=card)
        stray = self.stray(world, order, hold_only=False)
        apply_payment_intent(stray.intent_id, now=world.now)
        world.later(minutes=2)
        reads = world.calls("GET /v1/refunds")
        caplog.clear()
        apply_payment_intent(stray.intent_id, now=world.now)
        assert world.calls("POST /v1/refunds") == 1
        if card == GOOD:
            assert world.calls("GET /v1/refunds") == reads
            assert caplog.records == []

    def test_what_is_left_of_a_stray_is_refunded(self, world, offer):
        order = world.authorized_order(offer)
        stray = self.stray(world, order, hold_only=False)
        stripe.Refund.create(payment_intent=stray.intent_id, amount=1000)
        apply_payment_intent(stray.intent_id, now=world.now)
        after = stripe_gateway.retrieve_intent(stray.intent_id)
        assert after.refunded == after.captured == order_total(order)

    def test_a_stray_that_failed_is_of_no_consequence(self, world, offer):
        order = world.authorized_order(offer)
        intent = stripe.PaymentIntent.create(
            amount=2592, currency="usd", metadata={"pre_order_id": str(order.pk)}
        )
        apply_payment_intent(intent.id, now=world.now)
        assert world.fresh(order).payment_intent_id == order.payment_intent_id
        assert stripe.PaymentIntent.retrieve(intent.id).status == "requires_payment_method"


def order_total(order):
    return Money.of(order.total_amount)


def test_the_audit_activity_tells_the_whole_story(world):
    """Every change of state, with the moment and the reason."""
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    rows = PreOrderTransition.objects.filter(pre_order=order).order_by("pk")
    assert list(rows.values_list("field", "old", "new", "reason_code")) == [
        ("payment_status", "unpaid", "authorized", ""),
        ("payment_status", "authorized", "captured", ""),
        ("status", "pending", "confirmed", "went_ahead"),
    ]
    assert all(row.at <= world.now for row in rows)
    assert list(
        offer.transitions.order_by("pk").values_list("old", "new", "reason_code", "reason")
    ) == [
        ("active", "closing", "", ""),
        ("closing", "succeeded", "minimum_met", "1 of 1 portions"),
    ]
    assert world.fresh(offer).decided_at == world.now
