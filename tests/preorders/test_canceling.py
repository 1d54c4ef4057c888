"""An order is canceled before its offer is decided."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict
from apps.preorders import tasks
from apps.preorders.emails import rendering
from apps.preorders.guest.canceling import CANNOT_CANCEL, cancel_own_order
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.models.states import OperationKind, PaymentStatus
from apps.preorders.settlement import cancellation
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import OFF_SESSION_DECLINED


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=4)


def test_a_held_card_is_released_and_its_portions_are_free_at_once(world, offer):
    order, other = world.authorized_order(offer, 2), world.authorized_order(offer, 2)
    cancelled = world.cancel(order)
    assert (cancelled.status, cancelled.payment_status) == ("cancelled", "authorized")
    assert world.fresh(offer).ordered_portions == world.fresh(offer).reserved_portions == 2
    world.begin(offer, 2)
    release = world.operation(order)
    assert (release.reason, release.actor) == ("ill", "Maria")
    world.work()
    assert world.fresh(order).payment_status == PaymentStatus.RELEASED
    assert world.emails(order) == ["cancelled", "received"]
    world.at(offer.deadline + timedelta(minutes=40))
    world.settle(offer)
    assert world.fresh(other).payment_status == PaymentStatus.CAPTURED
    assert_ledger_balances(world, offer)


def test_the_email_and_the_activity_say_so(world, offer):
    order = world.authorized_order(offer)
    world.cancel(order, reason="")
    canceled = Email.objects.get(pre_order=order, kind="cancelled")
    email = rendering.render_order_email(canceled)
    assert email.subject == f"Order canceled: {offer.name}. You weren't charged"
    assert "We're releasing the hold of $25.92 on your card" in email.body
    assert "1 portion\n" in email.body
    assert "with tax" not in email.body
    world.work()
    canceled.refresh_from_db()
    email = rendering.render_order_email(canceled)
    assert "We released the hold of $25.92 on your card" in email.body
    move = order.transitions.get(field="status")
    assert (move.reason, move.actor) == ("", "Maria")


def test_an_order_canceled_twice_is_canceled_once(world, offer):
    order = world.authorized_order(offer)
    world.cancel(order)
    world.cancel(order)
    world.work()
    world.cancel(order)
    assert world.emails(order) == ["cancelled", "received"]
    assert PaymentOperation.objects.count() == 1


class TestInCheckout:
    def test_the_page_is_closed(self, world, offer):
        order = world.begin(offer, 2)
        world.cancel(order)
        assert world.fresh(offer).reserved_portions == 0
        assert [session.status for session in world.sessions()] == ["expired"]
        email = rendering.render_order_email(Email.objects.get(pre_order=order, kind="cancelled"))
        assert "Your card wasn't held or charged." in email.body

    def test_a_card_given_a_moment_before_is_released(self, world, offer):
        order = world.begin(offer, 2)
        world.pay(order)
        world.cancel(order)
        world.work()
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("cancelled", "released")
        assert world.emails(order) == ["cancelled"]
        world.settle(offer)
        assert_ledger_balances(world, offer)

    def test_a_page_that_cannot_be_closed_is_released_later(self, world, offer):
        order = world.begin(offer, 2)
        world.stripe.control(
            http_fault={"kind": "500", "method": "POST", "path_prefix": "/v1/checkout/sessions/"}
        )
        world.cancel(order)
        assert world.fresh(order).status == "cancelled"
        world.pay(order)
        world.hear_of_intent(order)
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.RELEASED
        world.settle(offer)
        assert_ledger_balances(world, offer)


class TestTooLate:
    def refusal(self, world, order):
        before = world.fresh(order).status
        with pytest.raises(Conflict) as refused:
            world.cancel(order)
        assert world.fresh(order).status == before
        assert "cancelled" not in world.emails(order)
        return refused.value.message

    def test_an_order_cannot_be_canceled_at_the_deadline(self, world, offer):
        order = world.authorized_order(offer, 2)
        world.at(offer.deadline)
        assert self.refusal(world, order) == cancellation.BEING_DECIDED

    def test_the_guest_reads_it_in_their_own_words(self, world, offer):
        order = world.authorized_order(offer, 2)
        world.at(offer.deadline)
        with pytest.raises(Conflict) as refused:
            cancel_own_order(order=order, now=world.now)
        assert refused.value.message == str(CANNOT_CANCEL[cancellation.BEING_DECIDED])

    def test_an_order_cannot_be_canceled_after_the_decision(self, world, offer):
        order = world.authorized_order(offer, 2)
        world.at(offer.deadline)
        world.close(offer)
        assert self.refusal(world, order) == cancellation.BEING_CHARGED
        world.work()
        world.at(offer.deadline)
        assert self.refusal(world, order) == cancellation.ALREADY_CHARGED

    def test_while_its_hold_is_released(self, world, offer):
        order = world.authorized_order(offer, 1)
        world.at(offer.deadline)
        world.close(offer)
        assert self.refusal(world, order) == cancellation.BEING_RELEASED

    def test_while_the_guest_is_asked_to_pay(self, world, offer):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        world.settle(offer)
        assert self.refusal(world, order) == cancellation.ASKED_TO_PAY

    def test_an_order_that_is_charged_early_cannot_be_canceled(self, world):
        offer = world.offer(min_preorders=1, deadline=world.now + timedelta(days=6, hours=23))
        order = world.authorized_order(offer)
        world.later(days=6, minutes=10)
        tasks.renew_authorizations_task.delay()
        assert PaymentOperation.objects.filter(kind=OperationKind.CAPTURE).exists() is False
        world.work()
        world.at(offer.deadline)
        assert self.refusal(world, order) == cancellation.ALREADY_CHARGED


def test_below_the_minimum_the_others_are_released_too(world, offer):
    order, other = world.authorized_order(offer), world.authorized_order(offer)
    world.cancel(order)
    world.settle(offer)
    assert world.fresh(other).payment_status == PaymentStatus.RELEASED
    assert_ledger_balances(world, offer)
