"""Refunds that Stripe refuses: they end, say so, and leave the order as it was."""

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import Refused
from apps.billing.models import Discrepancy
from apps.common.errors import Conflict
from apps.offers.presentation import Special
from apps.preorders import tasks
from apps.preorders.guest.order_status import order_status
from apps.preorders.manage import fulfillment, pickup
from apps.preorders.manage.activity import activity_of
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus
from tests.preorders.disputes import check_ledger


def sweep(world, **parts):
    world.later(**parts)
    tasks.run_due_operations_task.delay()
    world.work()


@pytest.fixture
def order(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    return world.fresh(order)


def operation_of(order):
    return PaymentOperation.objects.filter(kind=OperationKind.REFUND).latest("pk")


def refuse(monkeypatch, code):
    def refused(*_, **__):
        raise Refused(code, "no")

    monkeypatch.setattr(stripe_gateway, "refund", refused)


@pytest.mark.parametrize(
    ("code", "text", "at_once"),
    [
        ("charge_disputed", "The guest disputed the charge with their bank", True),
        ("lock_timeout", "Lock timeout", False),
    ],
)
def test_refund_refused_for_good_ends_and_says_so(world, monkeypatch, order, code, text, at_once):
    with monkeypatch.context() as patched:
        refuse(patched, code)
        world.refund(order)
        world.work()
        assert (operation_of(order).state == OperationStatus.FAILED) == at_once
        for _ in range(20):
            sweep(world, minutes=20)
        assert operation_of(order).state == OperationStatus.FAILED
    events = {(event.text, event.detail) for event in activity_of(world.fresh(order))}
    assert ("Refund failed", text) in events
    stored = world.fresh(order)
    assert (stored.status, stored.payment_status) == ("confirmed", "captured")
    assert PreOrder.objects.filter(pk=order.pk).counted().exists()
    assert "refunded" not in world.emails(order)
    alarm = Discrepancy.objects.get(pre_order=order, kind="refund_failed")
    assert alarm.resolved_at is None
    # Nothing is blocked: the same refund can be requested again, and succeeds.
    world.refund(stored, reason="again")
    world.work()
    assert world.fresh(order).payment_status == "refunded"
    tasks.reconcile_payments_task.delay()
    world.work()
    alarm.refresh_from_db()
    assert alarm.resolved_at


def test_refund_that_the_platforms_balance_does_not_cover_waits_until_it_does(world, order):
    """Staff top it up, which takes days; the guest was promised it, and is told the truth."""
    world.stripe.control(refuse_uncovered=True, platform_funds=0)
    world.refund(order)
    world.work()
    for _ in range(10):
        sweep(world, hours=12)
    assert operation_of(order).state == OperationStatus.PENDING
    alarm = Discrepancy.objects.get(pre_order=order, resolved_at=None)
    assert alarm.description == "Stripe refuses the refund: balance_insufficient"
    status = order_status(world.fresh(order), Special(order.offer, world.now))
    assert status.headline == "We're refunding your $25.92"
    assert status.text.startswith("It's taking longer than usual because of a problem on our side.")
    assert "refunded" not in world.emails(order)
    world.stripe.control(platform_funds=1_000_000)
    sweep(world, minutes=20)
    assert world.fresh(order).payment_status == "refunded"
    assert world.emails(order).count("refunded") == 1
    tasks.reconcile_payments_task.delay()
    world.work()
    alarm.refresh_from_db()
    assert alarm.resolved_at


def test_a_refund_waits_for_the_platforms_funds_and_the_guest_reads_why(world, order):
    """Stripe accepts it and leaves it pending: https://docs.stripe.com/refunds"""
    world.stripe.control(platform_funds=0)
    world.refund(order)
    world.work()
    for _ in range(8):
        sweep(world, hours=12)
    assert operation_of(order).state == OperationStatus.PENDING
    alarm = Discrepancy.objects.get(pre_order=order, resolved_at=None)
    assert (alarm.kind, "balance is too low" in alarm.description) == ("refund_pending", True)
    status = order_status(world.fresh(order), Special(order.offer, world.now))
    assert status.headline == "We're refunding your $25.92"
    assert status.text.startswith("It's taking longer than usual because of a problem on our side.")
    assert "refunded" not in world.emails(order)
    world.stripe.control(platform_funds=1_000_000)
    for _ in range(2):
        sweep(world, hours=2)
    assert world.fresh(order).payment_status == "refunded"
    assert world.emails(order).count("refunded") == 1
    check_ledger(order)
    tasks.reconcile_payments_task.delay()
    world.work()
    alarm.refresh_from_db()
    assert alarm.resolved_at


def test_refund_for_passing_reason_is_done_later(world, order):
    world.stripe.control(refuse_uncovered=True, platform_funds=0)
    world.refund(order)
    world.work()
    world.stripe.control(platform_funds=1_000_000)
    sweep(world, minutes=20)
    assert world.fresh(order).payment_status == "refunded"


def test_an_order_that_is_being_refunded_cannot_be_picked_up(world, order):
    world.refund(order)  # requested, not carried out yet
    with pytest.raises(Conflict, match="being refunded"):
        fulfillment.mark_picked_up(
            restaurant=world.restaurant, order_id=order.pk, by="Maria", now=world.now
        )
    found = pickup.look_up(restaurant=world.restaurant, code=str(order.pk), now=world.now)
    assert (found.verdict, "Don't hand anything over" in found.sentence) == ("cancelled", True)


def test_partly_refunded_order_is_picked_up(world, order):
    world.refund(order, "5.00")
    done = fulfillment.mark_picked_up(
        restaurant=world.restaurant, order_id=order.pk, by="Maria", now=world.now
    )
    assert done.status == "fulfilled"
