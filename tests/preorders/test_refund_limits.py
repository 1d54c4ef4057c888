"""Large refunds need a confirmation, and the platform advances only a limited amount (decision
47)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command

from apps.billing import payouts
from apps.billing import tasks as billing_tasks
from apps.billing.gateway import Unreachable
from apps.billing.models import Discrepancy
from apps.common.errors import Conflict
from apps.common.money import Money
from apps.preorders import tasks
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import refund_limits
from apps.preorders.settlement.refund_limits import NeedsConfirmation
from apps.preorders.settlement.refunds import refund_order, refund_preview


@pytest.fixture
def order(world):
    """An order of ten portions for 1,080.00, charged."""
    offer = world.offer(
        min_preorders=1,
        special_price=Decimal("100.00"),
        regular_price=Decimal("120.00"),
        revenue_share_rate=Decimal("3.00"),
        serve_date=world.now.date() + timedelta(days=2),
    )
    order = world.authorized_order(offer, 10)
    world.settle(offer)
    return world.fresh(order)


def refund(world, order, amount=None, confirmed=None, **more):
    return refund_order(
        order=order,
        amount=None if amount is None else Money.of(amount),
        reason="late",
        by="Maria",
        now=world.now,
        confirmed=None if confirmed is None else Money.of(confirmed),
        **more,
    )


def requested_refunds():
    return PaymentOperation.objects.filter(kind=OperationKind.REFUND).count()


def pay_everything_out(world, order):
    day = payouts.payout_day(order.offer.serve_date)
    world.at(world.now.replace(month=day.month, day=day.day, hour=16))
    billing_tasks.schedule_payouts()
    world.work()
    world.later(minutes=5)


def held():
    rows = Discrepancy.objects.filter(kind="refund_held", resolved_at=None)
    return list(rows.values_list("description", flat=True))


def test_a_large_refund_is_refused_until_its_amount_is_typed_again(world, order):
    for wrong in (None, "1000.00"):
        with pytest.raises(NeedsConfirmation) as refusal:
            refund(world, order, confirmed=wrong)
        assert refusal.value.extra == {"needsConfirmation": True}
        assert [each.field for each in refusal.value.fields] == ["confirmAmount"]
    assert requested_refunds() == 0
    refund(world, order, confirmed="1080.00")
    world.work()
    assert world.fresh(order).payment_status == "refunded"


def test_a_refund_up_to_the_threshold_needs_no_confirmation(world, order):
    refund(world, order, "200.00")
    world.work()
    assert world.fresh(order).refunded_amount == Decimal("200.00")


def test_the_preview_says_what_must_be_confirmed_and_what_is_missing(world, order):
    before = refund_preview(order=order, amount=Money.of("200.01"), now=world.now)
    assert (before.needs_confirmation, before.advance) == (True, Decimal(0))
    pay_everything_out(world, order)
    after = refund_preview(order=order, amount=Money.of("100.00"), now=world.now)
    assert after.needs_confirmation is False
    assert after.advance == after.effect.less_payout.amount


def test_a_refund_after_the_payout_is_advanced_up_to_the_limit_and_then_held(world, order):
    pay_everything_out(world, order)
    refund(world, order, "200.00")
    world.work()
    world.later(minutes=5)
    refund(world, order, "200.00", is_released=False)
    world.work()
    world.later(minutes=5)
    with pytest.raises(Conflict, match="too low for this refund, so nothing was refunded yet"):
        refund(world, order, "199.00")
    assert requested_refunds() == 2
    assert world.fresh(order).refunded_amount == Decimal("400.00")
    assert len(held()) == 1


def test_refunds_of_the_same_minute_count_although_the_balance_was_just_read(world, order):
    pay_everything_out(world, order)
    for amount in ("200.00", "199.00"):
        refund(world, order, amount)
        world.work()
    with pytest.raises(Conflict, match="too low"):
        refund(world, order, "198.00")
    assert world.fresh(order).refunded_amount == Decimal("399.00")


def test_refunds_in_progress_count_too(world, order):
    pay_everything_out(world, order)
    second = world.offer(
        min_preorders=1,
        special_price=Decimal("100.00"),
        regular_price=Decimal("120.00"),
        deadline=world.now + timedelta(days=1),
        serve_date=world.now.date() + timedelta(days=3),
    )
    other = world.authorized_order(second, 3)
    world.settle(second)
    other = world.fresh(other)
    refund(world, order, "1080.00", confirmed="1080.00", is_released=True)
    with pytest.raises(Conflict, match="too low"):
        refund(world, other, "100.00")


def test_staff_release_a_refund_that_was_held(world, order):
    pay_everything_out(world, order)
    with pytest.raises(Conflict, match="too low"):
        refund(world, order, confirmed="1080.00")
    assert len(held()) == 1
    call_command("release_refund", str(order.pk), reason="the kitchen burned", by="Sam")
    world.work()
    assert world.fresh(order).payment_status == "refunded"
    assert held() == []


def test_the_stored_balance_counts_while_stripe_does_not_answer(world, order, monkeypatch):
    pay_everything_out(world, order)

    def silent(*args, **named):
        raise Unreachable("no answer")

    monkeypatch.setattr(refund_limits, "read_balance", silent)
    with pytest.raises(Conflict, match="too low"):
        refund(world, order, confirmed="1080.00")


def test_a_refund_that_a_failed_special_causes_is_never_held(world):
    """Charged early, and the offer fails: the guest was promised the money."""
    offer = world.offer(
        min_preorders=2,
        special_price=Decimal("300.00"),
        regular_price=Decimal("320.00"),
        deadline=world.now + timedelta(days=6, hours=23),
    )
    early, leaving = world.authorized_order(offer), world.authorized_order(offer)
    type(early).objects.filter(pk=leaving.pk).update(capture_before=offer.deadline + timedelta(9))
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()
    world.cancel(leaving)
    world.at(offer.deadline)
    assert world.close(offer) == "failed"
    world.work()
    assert world.fresh(early).payment_status == "refunded"
