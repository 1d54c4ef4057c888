"""The minimum is missed, and a guest had agreed to the alternative (DECISIONS X18)."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.billing.models import PaymentHistory, PlatformFee
from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.preorders import tasks
from apps.preorders.emails import rendering
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import OperationKind, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.operations import link_ends
from tests.factories import DishFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import CAPTURE_DECLINED, GOOD, OFF_SESSION_DECLINED


def with_alternative(world, price="15.00", **facts):
    dish = DishFactory(restaurant=world.restaurant, name="Penne al forno", price=Decimal(price))
    return world.offer(
        **{"min_preorders": 5, "has_alternative": True, "alternative_dish": dish, **facts}
    )


def lines(order):
    rows = PaymentHistory.objects.filter(pre_order=order).order_by("pk")
    return [(row.transaction_type, str(row.amount)) for row in rows]


@pytest.mark.parametrize(
    ("price", "unit", "total"),
    [("15.00", "15.00", "32.40"), ("24.00", "24.00", "51.84"), ("40.00", "24.00", "51.84")],
)
def test_who_agreed_gets_it_at_no_more_than_was_held(world, price, unit, total):
    offer = with_alternative(world, price)
    agreed = world.authorized_order(offer, 2, consent=True)
    other = world.authorized_order(offer, 1)
    assert (agreed.alternative_price, other.alternative_price) == (Decimal(price), None)
    done = world.settle(offer)
    assert done.status == "failed"
    agreed, other = world.fresh(agreed), world.fresh(other)
    assert (agreed.status, agreed.payment_status) == ("confirmed", "captured")
    assert agreed.serves_alternative
    assert agreed.served_name == "Penne al forno"
    assert (agreed.unit_price, agreed.total_amount) == (Decimal(unit), Decimal(total))
    assert agreed.total_amount == agreed.subtotal + agreed.tax
    assert (other.status, other.payment_status) == ("cancelled", "released")
    intent = world.intents(agreed)[0]
    assert intent.amount_received == int(agreed.total_amount * 100)
    assert_ledger_balances(world, offer)


def test_the_ledger_hold_the_lower_amount_and_its_fees(world):
    world.restaurant  # noqa: B018
    offer = with_alternative(world, revenue_share_rate=Decimal("3.00"))
    order = world.authorized_order(offer, 2, consent=True)
    world.settle(offer)
    order = world.fresh(order)
    assert lines(order) == [
        ("authorization", "51.84"),
        ("capture", "32.40"),
        ("fee", "1.89"),
        ("transfer", "29.54"),
    ]
    assert PlatformFee.objects.get(pre_order=order).platform_fee_amount == Decimal("0.97")
    assert_ledger_balances(world, offer)


def test_the_special_is_served_when_the_minimum_is_met(world):
    offer = with_alternative(world, min_preorders=2)
    order = world.authorized_order(offer, 2, consent=True)
    world.settle(offer)
    order = world.fresh(order)
    assert (order.status, str(order.total_amount)) == ("confirmed", "51.84")
    assert not order.serves_alternative
    assert_ledger_balances(world, offer)


def test_the_price_is_that_of_the_day_of_the_order(world):
    offer = with_alternative(world, "15.00")
    order = world.authorized_order(offer, consent=True)
    offer.alternative_dish.price = Decimal("23.00")
    offer.alternative_dish.save(update_fields=["price"])
    world.settle(offer)
    assert str(world.fresh(order).unit_price) == "15.00"


def test_consent_means_nothing_without_an_alternative(world):
    offer = world.offer(min_preorders=5)
    order = world.authorized_order(offer, consent=True)
    assert order.alternative_price is None
    world.settle(offer)
    assert world.fresh(order).payment_status == "released"


def test_orders_with_and_without_consent_are_two_orders(world):
    offer = with_alternative(world)
    same = {"name": "Ana", "email": "ana@example.test"}
    first = world.begin(offer, consent=True, **same)
    assert world.begin(offer, consent=True, **same).pk == first.pk
    assert world.begin(offer, **same).pk != first.pk


def test_the_emails_say_what_is_served_and_what_is_charged(world):
    offer = with_alternative(world)
    order = world.authorized_order(offer, 2, consent=True)
    received = rendering.render_order_email(
        Email.objects.get(pre_order=order, kind="received")
    ).body
    assert "If not, you'll get Penne al forno instead and pay $32.40." in received
    world.settle(offer)
    assert world.emails(order) == ["confirmed", "received"]
    email = rendering.render_order_email(Email.objects.get(pre_order=order, kind="confirmed"))
    assert email.subject == f"Penne al forno instead of {offer.name}: Wed, Mar 24"
    assert "We charged your card $32.40," in email.body
    assert "Enough guests ordered" not in email.body


class TestADeclinedCharge:
    def test_a_declined_charge_is_retried_with_the_lower_amount(self, world):
        offer = with_alternative(world)
        order = world.authorized_order(offer, 2, CAPTURE_DECLINED, consent=True)
        world.settle(offer)
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("confirmed", "captured")
        assert sorted(intent.amount for intent in world.intents(order)) == [3240, 5184]
        assert_ledger_balances(world, offer)

    def broken(self, world):
        offer = with_alternative(world)
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED, consent=True)
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        world.settle(offer)
        assert world.emails(order) == ["payment_needed", "received"]
        return offer, order

    def test_a_declined_charge_is_paid_by_link(self, world):
        offer, order = self.broken(world)
        email = rendering.render_order_email(
            Email.objects.get(pre_order=order, kind="payment_needed")
        )
        assert "is making you Penne al forno" in email.body
        until = formats.moment(link_ends(world.operation(order)), world.restaurant.zone)
        assert f"Pay by {until} to keep your 2 portions." in email.body
        assert "declined the charge, so you haven't paid anything, and the hold on" in email.body
        assert "within 24 hours" not in email.body
        world.stripe.pay(world.operation(order).reference, number=GOOD)
        world.later(hours=24, minutes=5)
        tasks.run_due_operations_task.delay()
        world.work()
        assert world.fresh(order).status == PreOrderStatus.CONFIRMED
        assert_ledger_balances(world, offer)

    def test_an_order_whose_payment_link_stays_unpaid_ends(self, world):
        offer, order = self.broken(world)
        world.later(hours=24, minutes=5)
        tasks.run_due_operations_task.delay()
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.RELEASED
        assert ("release", "51.84") in lines(order)
        assert_ledger_balances(world, offer)


class TestAChargeBeforeTheDeadline:
    """A hold that was about to expire was captured early (X12); then the offer fell below its
    minimum."""

    def early(self, world, *, consent, minimum=2):
        offer = with_alternative(
            world, min_preorders=minimum, deadline=world.now + timedelta(days=6, hours=23)
        )
        early, leaving = (
            world.authorized_order(offer, consent=consent),
            world.authorized_order(offer),
        )
        world.later(days=6, minutes=10)
        return offer, early, leaving

    def guarded(self, world, offer, leaving):
        """All expiring holds are handled, and the other order is canceled before the deadline."""
        PreOrder.objects.filter(pk=leaving.pk).update(capture_before=offer.deadline + timedelta(9))
        tasks.renew_authorizations_task.delay()
        world.work()
        world.cancel(leaving)
        world.work()

    def test_keeps_what_the_alternative_costs(self, world):
        offer, early, leaving = self.early(world, consent=True)
        self.guarded(world, offer, leaving)
        assert world.fresh(early).payment_status == "captured"
        assert world.settle(offer).status == "failed"
        early = world.fresh(early)
        assert (early.status, early.payment_status) == ("confirmed", "captured")
        assert (early.total_amount, early.refunded_amount) == (Decimal("25.92"), Decimal("9.72"))
        assert world.emails(early) == ["charged_early", "confirmed", "received", "refunded"]
        email = rendering.render_order_email(Email.objects.get(pre_order=early, kind="confirmed"))
        assert (
            "We charged your card $25.92 early, because your bank's hold was about to end. Penne "
            "al forno costs $16.20, so we're refunding $9.72 to the same card." in email.body
        )
        assert "Penne al forno, 1 portion, $16.20 with tax\n" in email.body
        assert "the rest of the hold" not in email.body
        assert_ledger_balances(world, offer)

    def test_goes_back_whole_without_consent(self, world):
        offer, early, leaving = self.early(world, consent=False)
        self.guarded(world, offer, leaving)
        world.settle(offer)
        assert world.fresh(early).payment_status == "refunded"
        assert_ledger_balances(world, offer)

    def test_under_way_at_the_decision_is_called_off(self, world):
        """Nobody knows yet whether the whole amount was taken; it goes back."""
        offer, early, leaving = self.early(world, consent=True)
        PreOrder.objects.filter(pk=leaving.pk).update(capture_before=offer.deadline + timedelta(9))
        lost = {"kind": "lost_response", "payment_intent": early.payment_intent_id}
        world.stripe.control(capture_fault=lost)
        tasks.renew_authorizations_task.delay()
        world.work()
        assert world.operation(early, OperationKind.CAPTURE).state == "pending"
        SpecialOffer.objects.filter(pk=offer.pk).update(min_preorders=5)
        world.settle(offer)
        world.later(minutes=5)
        tasks.run_due_operations_task.delay()
        world.work()
        early = world.fresh(early)
        assert (early.status, early.payment_status) == ("cancelled", "refunded")
        assert not early.serves_alternative
        assert_ledger_balances(world, offer)
