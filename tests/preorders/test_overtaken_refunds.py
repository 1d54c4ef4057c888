"""The guest disputes a charge while its refund is on the way: they get the money once."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
import stripe as stripe_api

from apps.billing import stripe_gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.offers.presentation import Special
from apps.preorders import tasks, webhooks
from apps.preorders.emails.kinds import email_to_resend
from apps.preorders.guest.order_status import order_status
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.disputes import (
    charged,
    check_ledger,
    decide,
    disputed,
    entries,
    hear,
    sweep,
)
from tests.preorders.world import REFUND_FAILS, REFUND_PENDING


def hear_of_refunds(world, order):
    """Process the webhooks of a failed refund."""
    for refund in stripe_api.Refund.list(payment_intent=order.payment_intent_id).data:
        event = SimpleNamespace(
            id=f"evt_{refund.id}", type="refund.failed", data={"object": refund.to_dict()}
        )
        webhooks.refund_changed(sender=None, event=event)
        world.work()


def open_issues(order):
    rows = Discrepancy.objects.filter(pre_order=order, resolved_at=None)
    return sorted(rows.values_list("kind", flat=True))


def refunds(order):
    """The order's refunds at Stripe, oldest first."""
    found = stripe_api.Refund.list(payment_intent=order.payment_intent_id).data
    return [(each.status, each.amount) for each in reversed(found)]


def headline(world, order):
    order = world.fresh(order)
    return order_status(order, Special(order.offer, world.now)).headline


@pytest.fixture(params=["4242424242424242", REFUND_PENDING], ids=["just sent", "pending"])
def overtaken(world, request):
    """A part of the charge was refunded, and the bank took back the whole charge before it came."""
    order = charged(world, request.param)
    world.refund(order, "5.00")
    world.work()
    dispute = disputed(world, order)
    hear_of_refunds(world, order)
    return world.fresh(order), dispute


def test_a_refund_that_a_dispute_overtakes_is_promised_to_nobody_again(world, overtaken):
    order, _ = overtaken
    assert (order.refunded_amount, order.returned_amount) == (Decimal(0), Decimal("5.00"))
    assert order.disputed_amount == order.total_amount
    assert EmailKind.REFUND_RETURNED not in world.emails(order)
    assert email_to_resend(order) != EmailKind.REFUND_RETURNED
    assert order_status(order, Special(order.offer, world.now)).title == "Payment disputed"
    assert open_issues(order) == ["refund_failed"]
    check_ledger(order)


def test_losing_the_dispute_ends_the_refund_that_it_overtook(world, overtaken):
    order, dispute = overtaken
    decide(world, dispute, "lost")
    assert open_issues(order) == []


def test_winning_the_dispute_repeats_the_refund_that_it_overtook(world, overtaken):
    order, dispute = overtaken
    decide(world, dispute, "won")
    sweep(world, days=1)  # the card's bank may take its time again
    assert world.fresh(order).refunded_amount == Decimal("5.00")
    assert refunds(order) == [("failed", 500), ("succeeded", 500)]
    assert open_issues(order) == []
    check_ledger(order)


class TestAFullRefund:
    """Nothing is left of the charge for the restaurant: the order is canceled."""

    @pytest.fixture
    def overtaken(self, world):
        order = charged(world)
        world.refund(order)
        world.work()
        dispute = disputed(world, order)
        hear_of_refunds(world, order)
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("cancelled", "captured")
        return order, dispute

    def test_is_repeated_once_when_the_dispute_is_won(self, world, overtaken):
        order, dispute = overtaken
        decide(world, dispute, "won")
        assert refunds(order) == [("failed", 2592), ("succeeded", 2592)]
        for _ in range(3):
            hear_of_refunds(world, order)
            hear(world, ("charge.dispute.closed", dispute.dispute_id))
            sweep(world, days=1)
        assert refunds(order) == [("failed", 2592), ("succeeded", 2592)]
        order = world.fresh(order)
        assert (order.payment_status, order.refunded_amount) == ("refunded", Decimal("25.92"))
        assert headline(world, order) == "We refunded your $25.92"
        assert world.emails(order).count("refunded") == 2  # the first was true when it was sent
        assert open_issues(order) == []
        assert entries(order)[-1] == ("refund_repeated", 2592)
        check_ledger(order)
        assert reconcile(now=world.later(minutes=5)) == 0

    def test_is_not_repeated_when_the_dispute_is_lost(self, world, overtaken):
        order, dispute = overtaken
        decide(world, dispute, "lost")
        hear_of_refunds(world, order)
        assert refunds(order) == [("failed", 2592)]
        assert open_issues(order) == []

    def test_is_repeated_when_its_failure_is_heard_of_last(self, world):
        order = charged(world)
        world.refund(order)
        world.work()
        decide(world, disputed(world, order), "won")
        hear_of_refunds(world, order)
        assert refunds(order) == [("failed", 2592), ("succeeded", 2592)]
        assert open_issues(order) == []
        check_ledger(order)

    def test_that_is_refused_after_the_dispute_is_paid_another_way(
        self, world, overtaken, monkeypatch
    ):
        """Whether Stripe refunds the charge of a won dispute is not documented."""
        order, dispute = overtaken

        def refused(*_, **__):
            raise Refused("charge_not_refundable", "no")

        monkeypatch.setattr(stripe_gateway, "repeat_refund", refused)
        decide(world, dispute, "won")
        assert headline(world, order) == "Our refund of $25.92 didn't reach you"
        [email] = Email.objects.filter(pre_order=order, kind=EmailKind.REFUND_RETURNED)
        assert email.amount == Decimal("25.92")
        [issue] = Discrepancy.objects.filter(pre_order=order, resolved_at=None)
        assert (issue.kind, issue.description[:7]) == ("refund_returned", "$25.92:")

    def test_is_on_its_way_while_the_repeated_one_is_pending(self, world, overtaken):
        order, dispute = overtaken
        world.stripe.control(platform_funds=0)
        decide(world, dispute, "won")
        assert headline(world, order) == "We're refunding your $25.92"


def test_a_guest_is_told_of_each_refund_that_did_not_reach_them(world, monkeypatch):
    """The bank returned one, and another one couldn't be repeated after a dispute was won."""
    order = charged(world, REFUND_FAILS)
    world.refund(order, "5.00")
    world.work()
    world.later(minutes=2)
    hear_of_refunds(world, order)
    assert world.emails(order).count("refund_returned") == 1
    # Only Stripe's dashboard refunds more now, and the guest disputes before that arrives.
    stripe_api.Refund.create(
        payment_intent=order.payment_intent_id, amount=600, reverse_transfer=True
    )
    dispute = disputed(world, order)
    hear_of_refunds(world, order)

    def refused(*_, **__):
        raise Refused("charge_not_refundable", "no")

    monkeypatch.setattr(stripe_gateway, "repeat_refund", refused)
    decide(world, dispute, "won")
    emails = Email.objects.filter(pre_order=order, kind=EmailKind.REFUND_RETURNED)
    amounts = list(emails.order_by("number").values_list("number", "amount"))
    assert amounts == [(1, Decimal("5.00")), (2, Decimal("6.00"))]


def test_a_canceled_order_whose_refund_was_refused_is_not_said_to_be_refunded(world):
    """The dispute came before the refund, so Stripe refused it; a person decides."""
    order = charged(world)
    world.refund(order)
    dispute = disputed(world, order)
    assert open_issues(order) == ["refund_failed"]
    PreOrder.objects.filter(pk=order.pk).update(status="cancelled")
    decide(world, dispute, "won")
    assert open_issues(order) == ["refund_failed"]
    assert headline(world, order) == "We haven't refunded your $25.92 yet"


def test_the_reconciler_finds_an_overtaken_refund_that_nobody_told_of(world):
    order = charged(world)
    world.refund(order, "5.00")
    world.work()
    world.stripe.control(dispute={"payment_intent": order.payment_intent_id})
    world.later(minutes=5)
    tasks.reconcile_payments_task.delay()
    tasks.reconcile_disputes_task.delay()
    world.work()
    order = world.fresh(order)
    assert (order.refunded_amount, order.returned_amount) == (Decimal(0), Decimal("5.00"))
    assert open_issues(order) == ["refund_failed"]
    assert reconcile(now=world.later(minutes=5)) == 0


def test_a_returned_refund_is_not_owed_once_the_bank_took_the_charge_back(world):
    order = charged(world, REFUND_FAILS)
    world.refund(order, "5.00")
    world.work()
    world.later(minutes=2)
    hear_of_refunds(world, order)
    assert open_issues(order) == ["refund_returned"]
    dispute = disputed(world, order)
    assert open_issues(order) == ["refund_returned"]
    decide(world, dispute, "lost")
    assert open_issues(order) == []
