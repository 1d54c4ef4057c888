"""Guests charged before the decision, because their hold would end (DECISIONS X12): they are told
at once and keep every right of the others (decision 50)."""

from datetime import timedelta

import pytest
from django.core import mail

from apps.common.errors import Conflict, Invalid
from apps.preorders import tasks
from apps.preorders.emails.outbox import send_email
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.manage.actions import Action
from apps.preorders.manage.bulk import apply_to_orders
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.models.states import EmailKind, OperationKind
from apps.preorders.settlement import expiry
from apps.preorders.special.rescue import (
    Extend,
    GoAhead,
    RestaurantPortions,
    latest_deadline,
    portions_to_keep,
    preview_rescue,
    rescue_offer,
)
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import OFF_SESSION_DECLINED


def carry_out(world, offer, action):
    facts = {"restaurant": world.restaurant, "offer_id": offer.pk, "now": world.now}
    return rescue_offer(action=action, by="Maria", **facts)


def state(world, order):
    fresh = world.fresh(order)
    return fresh.status, fresh.payment_status


def settled(world, offer):
    """Let the deadline pass, and check that nobody paid twice and that the ledger equals Stripe's
    to the cent."""
    world.settle(offer)
    assert_ledger_balances(world, offer)


def offer_with_dying_holds(world, **facts):
    """Its holds end before it can be settled."""
    return world.offer(
        **{
            "deadline": world.now + timedelta(days=6, hours=23),
            "serve_date": (world.now + timedelta(days=20)).date(),
            "min_preorders": 2,
            **facts,
        }
    )


def guard(world):
    """Let the schedule decide about these holds. A worker carries it out when the test says so."""
    world.later(days=6, minutes=10)
    for order in expiry.expiring_authorizations(now=world.now):
        expiry.renew_or_capture(order, now=world.now)


@pytest.fixture
def early(world):
    """Two portions of two, charged a day before the deadline because their holds end."""
    offer = offer_with_dying_holds(world)
    orders = [world.authorized_order(offer), world.authorized_order(offer)]
    guard(world)
    world.work()
    assert {world.fresh(order).payment_status for order in orders} == {"captured"}
    return offer, orders


def email_text(order, kind):
    email = Email.objects.get(pre_order=order, kind=kind)
    send_email(email.pk, now=email.due_at)
    message = next(each for each in mail.outbox if str(email.pk) in str(each.extra_headers))
    return message.subject, str(message.body)


class TestTelling:
    def test_a_guest_is_told_of_an_early_charge_once(self, world, early):
        offer, (order, _) = early
        assert world.emails(order) == ["charged_early", "received"]
        tasks.renew_authorizations_task.delay()
        world.work()
        assert world.emails(order) == ["charged_early", "received"]
        subject, body = email_text(order, EmailKind.CHARGED_EARLY)
        assert subject == f"We charged your card early for {offer.name}"
        assert (
            " ".join(body.split()).find(
                "We charged your card $25.92 already, because your bank's hold would have ended "
                "before the deadline. If fewer than 2 portions are ordered by Mon, Mar 29, 11:00 AM"
                " EDT, we'll refund all of it. You can cancel until then and "
                "get a full refund."
            )
            >= 0
        ), body

    def test_the_email_is_in_the_language_of_the_order(self, world):
        order = world.authorized_order(offer_with_dying_holds(world, min_preorders=1))
        type(order).objects.filter(pk=order.pk).update(language="es")
        guard(world)
        world.work()
        subject, body = email_text(world.fresh(order), EmailKind.CHARGED_EARLY)
        assert subject.startswith("Hicimos el cobro en tu tarjeta antes de tiempo")
        assert "Puedes cancelar hasta" in " ".join(body.split())

    def test_the_email_is_dropped_when_the_order_was_canceled_first(self, world):
        offer = offer_with_dying_holds(world, min_preorders=1)
        order = world.authorized_order(offer)
        guard(world)
        (capture,) = PaymentOperation.objects.filter(pre_order=order)
        tasks.run_operations_task([capture.pk])
        world.cancel(order)
        email = Email.objects.get(pre_order=order, kind=EmailKind.CHARGED_EARLY)
        assert not send_email(email.pk, now=world.now)
        assert world.fresh(email).dropped_at == world.now

    def test_an_extension_is_told_to_those_who_paid_already(self, world, early):
        offer, orders = early
        carry_out(world, offer, Extend(world.now + timedelta(days=6)))
        for order in orders:
            assert world.emails(order) == ["charged_early", "extended", "received"]


class TestExtending:
    def test_goes_at_most_seven_days_beyond_the_first_early_charge(self, world, early):
        offer, _ = early
        charged = world.now
        assert latest_deadline(offer, world.now).moment == charged + timedelta(days=7)
        carry_out(world, offer, Extend(world.now + timedelta(days=6)))
        world.later(days=5)
        latest = latest_deadline(world.fresh(offer), world.now)
        assert latest.moment == charged + timedelta(days=7)
        assert latest.reason.startswith("A card was charged early, and its guest can wait seven")
        with pytest.raises(Invalid, match="A card was charged early"):
            carry_out(world, offer, Extend(charged + timedelta(days=8)))


class TestCanceling:
    def test_by_the_guest_gives_everything_back(self, world, early):
        offer, (order, other) = early
        cancel_own_order(order=order, now=world.now)
        assert state(world, order) == ("cancelled", "captured")
        assert world.fresh(offer).ordered_portions == 1
        world.work()
        assert state(world, order) == ("cancelled", "refunded")
        assert world.emails(order) == ["cancelled", "charged_early", "received", "refunded"]
        assert state(world, other) == ("pending", "captured")
        settled(world, offer)

    def test_by_the_restaurant_works_for_many_at_once(self, world, early):
        offer, orders = early
        outcome = apply_to_orders(
            restaurant=world.restaurant,
            action=Action.CANCEL,
            ids=[order.pk for order in orders],
            reason="closed",
            by="Maria",
            now=world.now,
        )
        assert outcome.refused == []
        world.work()
        assert [state(world, order) for order in orders] == [("cancelled", "refunded")] * 2
        settled(world, offer)

    def test_canceling_twice_refunds_an_early_charge_once(self, world, early):
        _, (order, _) = early
        cancel_own_order(order=order, now=world.now)
        cancel_own_order(order=order, now=world.now)
        world.work()
        assert world.calls("POST /v1/refunds") == 1
        assert world.emails(order).count("cancelled") == 1

    def test_refunds_what_is_left_of_a_charge_refunded_in_part(self, world, early):
        offer, (order, _) = early
        world.refund(order, "5.00")
        world.work()
        cancel_own_order(order=order, now=world.now)
        world.work()
        assert state(world, order) == ("cancelled", "refunded")
        settled(world, offer)

    def test_says_that_it_is_refunded_and_not_that_nothing_was_charged(self, world, early):
        _, (order, _) = early
        cancel_own_order(order=order, now=world.now)
        subject, body = email_text(order, EmailKind.CANCELLED)
        assert subject.endswith("We're refunding your card")
        assert "weren't charged" not in body
        assert "All you paid goes back to the same card." in " ".join(body.split())

    def test_canceling_before_the_charge_is_sent_charges_nothing(self, world):
        offer = offer_with_dying_holds(world, min_preorders=1)
        order = world.authorized_order(offer)
        guard(world)
        assert world.operation(order).kind == OperationKind.CAPTURE
        cancel_own_order(order=order, now=world.now)
        world.work()
        assert state(world, order) == ("cancelled", "released")
        assert world.calls("POST /v1/payment_intents/{id}/capture") == 0
        assert world.emails(order) == ["cancelled", "received"]
        settled(world, offer)

    def test_while_the_charge_goes_through_refunds_it(self, world):
        """The worker charged the card and died before it could say so."""
        offer = offer_with_dying_holds(world, min_preorders=1)
        order = world.authorized_order(offer)
        guard(world)
        intent = world.intents(order)[0].id
        world.stripe.control(capture_fault={"kind": "lost_response", "payment_intent": intent})
        tasks.run_operations_task([world.operation(order).pk])
        assert state(world, order) == ("pending", "authorized")
        cancel_own_order(order=order, now=world.now)
        world.work()
        assert state(world, order) == ("cancelled", "refunded")
        settled(world, offer)

    def test_after_a_declined_charge_ends_the_payment_link(self, world):
        offer = offer_with_dying_holds(world, min_preorders=1)
        order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
        world.stripe.control(
            capture_fault={"kind": "decline", "payment_intent": world.intents(order)[0].id}
        )
        guard(world)
        world.work()
        assert state(world, order) == ("pending", "capture_failed")
        link = world.sessions()[0]
        assert link.status == "open"
        cancel_own_order(order=order, now=world.now)
        world.work()
        assert state(world, order) == ("cancelled", "released")
        assert world.sessions()[0].status == "expired"
        settled(world, offer)

    def test_is_refused_after_the_deadline_and_nothing_is_refunded(self, world, early):
        offer, (order, _) = early
        world.at(offer.deadline)
        with pytest.raises(Conflict, match="The deadline has passed|already charged"):
            cancel_own_order(order=order, now=world.now)
        world.work()
        assert state(world, order) == ("pending", "captured")

    def test_the_special_fails_when_too_many_leave_and_the_rest_is_refunded(self, world, early):
        offer, (order, other) = early
        cancel_own_order(order=order, now=world.now)
        assert world.settle(offer).status == "failed"
        assert state(world, other) == ("cancelled", "refunded")
        assert_ledger_balances(world, offer)
        _, missed = email_text(other, EmailKind.REFUNDED)
        assert "get the 2 portions it needed by" in missed
        assert "won't cook it, and your order is canceled" in missed
        _, left = email_text(order, EmailKind.REFUNDED)
        assert "We refunded $25.92" in left


class TestRestaurantPortions:
    def charged_because_of_them(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=10)
        order = world.authorized_order(offer)
        carry_out(world, offer, RestaurantPortions(9))
        guard(world)
        world.work()
        assert world.fresh(order).payment_status == "captured"
        return offer, order

    def test_that_a_card_was_charged_for_stay(self, world):
        """An owner meets the minimum with their own portions, cards are charged, and they take the
        portions back: the money is in their account, and the special fails."""
        offer, _ = self.charged_because_of_them(world)
        for action in (RestaurantPortions(0), RestaurantPortions(8)):
            with pytest.raises(Invalid, match="Enter 9 or more"):
                carry_out(world, offer, action)
            with pytest.raises(Invalid, match="charged early because your portions"):
                preview_rescue(
                    restaurant=world.restaurant, offer_id=offer.pk, action=action, now=world.now
                )
        assert world.fresh(offer).restaurant_portions == 9
        assert carry_out(world, offer, RestaurantPortions(10)).restaurant_portions == 10

    def test_can_be_taken_back_once_the_charge_is_refunded(self, world):
        offer, order = self.charged_because_of_them(world)
        world.refund(order)
        world.work()
        assert carry_out(world, offer, RestaurantPortions(0)).restaurant_portions == 0

    def test_stay_while_the_charge_they_caused_is_under_way(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=10)
        world.authorized_order(offer)
        carry_out(world, offer, RestaurantPortions(9))
        guard(world)
        with pytest.raises(Invalid, match="Enter 9 or more"):
            carry_out(world, offer, RestaurantPortions(0))

    def test_that_guests_count_on_stay_in_the_last_day(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 3)
        carry_out(world, offer, RestaurantPortions(4))
        world.later(seconds=1)
        assert portions_to_keep(world.fresh(offer), world.now) == 2
        with pytest.raises(Invalid, match="less than a day away. Enter 2 or more"):
            carry_out(world, offer, RestaurantPortions(1))
        assert carry_out(world, offer, RestaurantPortions(2)).restaurant_portions == 2

    def test_can_be_taken_back_in_the_last_day_while_the_minimum_is_not_met(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 1)
        carry_out(world, offer, RestaurantPortions(3))
        world.later(hours=23)
        assert carry_out(world, offer, RestaurantPortions(0)).restaurant_portions == 0

    def test_can_be_taken_back_once_it_is_guaranteed_because_nothing_depends_on_them(self, world):
        offer, _ = self.charged_because_of_them(world)
        carry_out(world, offer, GoAhead())
        assert carry_out(world, offer, RestaurantPortions(0)).restaurant_portions == 0
        assert world.settle(offer).status == "succeeded"
