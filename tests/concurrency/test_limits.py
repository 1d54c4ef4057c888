"""Limits of money hold when two people press at the same moment (decision 47)."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.billing import new_restaurants, payouts
from apps.billing import tasks as billing_tasks
from apps.common.errors import Conflict
from apps.common.money import Money
from apps.preorders.checkout import acceptance
from apps.preorders.checkout import services as checkout_services
from apps.preorders.core import locks
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import refunds
from tests.threads import Meeting, at_once


def refusals(answers):
    assert all(each is None or isinstance(each, Conflict) for each in answers), answers
    return [str(each) for each in answers if each]


# --- what a new restaurant sells ------------------------------------------------------------------
@pytest.fixture
def offers(world, settings):
    """Two specials of a new restaurant, of which one portion fits in all: 108.00 with tax."""
    settings.NEW_RESTAURANT_LIMIT = 150
    price = {"special_price": Decimal("100.00"), "regular_price": Decimal("120.00")}
    return [world.offer(**price) for _ in range(2)]


def order_at_once(world, offers):
    def order(offer):
        world.begin(offer)

    return at_once(*[lambda each=offer: order(each) for offer in offers])


def test_two_specials_of_a_new_restaurant_take_no_more_than_its_limit(world, offers, monkeypatch):
    meeting = Meeting(2)
    checked = meeting.before(new_restaurants.new_restaurant_limit)
    monkeypatch.setattr(acceptance, "new_restaurant_limit", checked)
    [refusal] = refusals(order_at_once(world, offers))
    assert "can't take more pre-orders right now" in refusal
    assert meeting.has_happened
    assert PreOrder.objects.count() == 1


def test_without_the_accounts_lock_both_are_taken(world, offers, monkeypatch):
    """The control: both have read what is left before either of them takes it."""
    reserve = Meeting(2).before(checkout_services.reserve)
    monkeypatch.setattr(checkout_services, "reserve", reserve)
    monkeypatch.setattr(new_restaurants, "lock_account", lambda restaurant: None)
    assert refusals(order_at_once(world, offers)) == []
    assert PreOrder.objects.count() == 2


# --- what the platform advances -------------------------------------------------------------------
@pytest.fixture
def paid_out(world, settings):
    """Two charged orders of 108.00 whose money has left; the platform advances one refund."""
    settings.REFUND_ADVANCE_LIMIT = 150
    offer = world.offer(
        min_preorders=1,
        special_price=Decimal("100.00"),
        regular_price=Decimal("120.00"),
        serve_date=world.now.date() + timedelta(days=2),
    )
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.settle(offer)
    day = payouts.payout_day(offer.serve_date)
    world.at(world.now.replace(month=day.month, day=day.day, hour=16))
    billing_tasks.schedule_payouts()
    world.work()
    world.later(minutes=5)
    return [world.fresh(each) for each in orders]


def refund_at_once(world, orders, **amounts):
    def refund(order):
        refunds.refund_order(order=order, amount=None, reason="late", by="Maria", now=world.now)

    return at_once(*[lambda each=order: refund(each) for order in orders])


def requested():
    return PaymentOperation.objects.filter(kind=OperationKind.REFUND).count()


def test_two_refunds_at_once_take_no_more_than_the_platform_advances(world, paid_out, monkeypatch):
    meeting = Meeting(2)
    monkeypatch.setattr(refunds, "lock_order", meeting.before(locks.lock_order))
    [refusal] = refusals(refund_at_once(world, paid_out))
    assert "too low for this refund, so nothing was refunded yet" in refusal
    assert meeting.has_happened
    assert requested() == 1


def test_a_large_refund_pressed_twice_is_requested_once(world, paid_out, settings, monkeypatch):
    settings.REFUND_CONFIRMED_ABOVE, settings.REFUND_ADVANCE_LIMIT = 50, 1000
    order = paid_out[0]

    def refund(confirmed):
        refunds.refund_order(
            order=order,
            amount=Money.of("60.00"),
            reason="late",
            by="Maria",
            now=world.now,
            confirmed=confirmed,
        )

    monkeypatch.setattr(refunds, "lock_order", Meeting(2).before(locks.lock_order))
    calls = [lambda: refund(Money.of("60.00"))] * 2
    [refusal] = refusals(at_once(*calls))
    assert "is in progress" in refusal
    assert requested() == 1
