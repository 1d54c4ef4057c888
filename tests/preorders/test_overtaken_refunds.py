"""The guest disputes a charge while its refund is on the way: they get the money once."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy
from apps.offers.presentation import Special
from apps.preorders import tasks, webhooks
from apps.preorders.emails.kinds import email_to_resend
from apps.preorders.guest.order_status import order_status
from apps.preorders.models.states import EmailKind
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.disputes import charged, check_ledger, decide, disputed
from tests.preorders.world import REFUND_FAILS, REFUND_PENDING


def hear_of_refunds(world, order):
    """What the webhooks of a failed refund do."""
    for refund in stripe_api.Refund.list(payment_intent=order.payment_intent_id).data:
        event = SimpleNamespace(
            id=f"evt_{refund.id}", type="refund.failed", data={"object": refund.to_dict()}
        )
        webhooks.refund_changed(sender=None, event=event)
        world.work()


def open_issues(order):
    rows = Discrepancy.objects.filter(pre_order=order, resolved_at=None)
    return sorted(rows.values_list("kind", flat=True))


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


def test_winning_the_dispute_leaves_the_refund_that_it_overtook_to_a_person(world, overtaken):
    order, dispute = overtaken
    decide(world, dispute, "won")
    assert open_issues(order) == ["refund_failed"]
    check_ledger(order)


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
