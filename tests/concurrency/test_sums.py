"""Sums on the restaurant's row and its month's, which everything that happens to it updates."""

from decimal import Decimal
from threading import Event
from time import monotonic, sleep

import pytest
from django.db import transaction

from apps.billing import ledger, services
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement import worker
from tests.threads import STUCK_AFTER, at_once, is_anyone_waiting_for_a_lock


def until_stuck_or(done, at_most=10):
    """Returns when a session waits for another's lock, or when there is nothing to wait for."""
    end = monotonic() + at_most
    while monotonic() < end and not done.is_set():
        if is_anyone_waiting_for_a_lock():
            return True
        sleep(0.01)
    assert done.is_set()
    return False


def publish(world):
    with transaction.atomic():
        return services.count_publication(restaurant_id=world.restaurant.pk, now=world.now)


@pytest.fixture(params=["0.00", "5.00"])
def charges(world, request):
    """Operations of two offers that go ahead, without and with a share for the platform."""
    rate = Decimal(request.param)
    offers = [world.offer(min_preorders=1, revenue_share_rate=rate) for _ in range(2)]
    for offer in offers:
        for _ in range(3):
            world.authorized_order(offer)
    world.at(offers[0].deadline)
    for offer in offers:
        world.close(offer)
    return list(PaymentOperation.objects.values_list("pk", flat=True))


def assert_done(answers):
    assert not [each for each in answers if isinstance(each, Exception)], answers


@pytest.mark.parametrize("month_is_new", [True, False])
def test_a_publication_during_a_charge_does_not_deadlock(world, charges, monkeypatch, month_is_new):
    """Both want the restaurant and its month, and neither may wait for what waits for it."""
    if not month_is_new:
        publish(world)
    add = ledger._add_to_month
    begun = Event()

    def and_then_a_publication_begins(*sums):
        add(*sums)
        begun.set()
        until_stuck_or(done)

    def publish_now():
        assert begun.wait(STUCK_AFTER)
        try:
            return publish(world)
        finally:
            done.set()

    done = Event()
    monkeypatch.setattr(ledger, "_add_to_month", and_then_a_publication_begins)
    charge = lambda: worker.run_operation(charges[0], now=world.now)  # noqa: E731
    assert_done(at_once(charge, publish_now))


@pytest.mark.parametrize("month_is_new", [True, False])
def test_a_charge_during_a_publication_does_not_deadlock(world, charges, monkeypatch, month_is_new):
    if not month_is_new:
        publish(world)
    month_of = services.billing_cycle
    begun, done = Event(), Event()

    def and_then_a_charge_begins(**which):
        begun.set()
        until_stuck_or(done)
        return month_of(**which)

    def charge():
        assert begun.wait(STUCK_AFTER)
        try:
            return worker.run_operation(charges[0], now=world.now)
        finally:
            done.set()

    monkeypatch.setattr(services, "billing_cycle", and_then_a_charge_begins)
    assert_done(at_once(lambda: publish(world), charge))


def test_many_captures_and_publications_at_once_are_all_counted(world, charges):
    assert_done(
        at_once(
            *[lambda pk=pk: worker.run_operation(pk, now=world.now) for pk in charges],
            *[lambda: publish(world)] * 4,
        )
    )
    assert world.fresh(world.restaurant).monthly_special_offers_count == 4
    month = world.restaurant.billing_cycles.get()
    assert month.special_offers_count == 4
    assert str(month.total_revenue) == "155.52"
