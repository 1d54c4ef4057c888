"""What could keep an offer undecided: stored errors, checkouts that can't be read, slow pages."""

from datetime import timedelta

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.billing.models import Discrepancy
from apps.preorders import tasks


def test_a_failed_cancellation_does_not_keep_the_offer_undecided(world):
    """Stripe replays a stored 500 for its key."""
    offer = world.offer(min_preorders=1)
    world.book(offer)
    world.begin_cart(offer)  # somebody looked at the card form and left
    world.at(offer.deadline + timedelta(minutes=11))
    world.stripe.control(cancel_fault={"kind": "500", "times": 1})
    assert world.close(offer) == "closing"
    world.later(minutes=1)
    assert world.close(offer) == "succeeded"


@pytest.mark.parametrize("error", [Unreachable("no"), RuntimeError("a bug")])
def test_checkout_that_cannot_be_read_raises_an_alarm(world, monkeypatch, error):
    offer = world.offer(min_preorders=1)
    world.book(offer)
    world.begin(offer)
    read = stripe_gateway.retrieve_checkout

    def unreadable(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "retrieve_checkout", unreadable)
        world.at(offer.deadline + timedelta(minutes=14))
        assert world.close(offer) == "closing"
        assert not Discrepancy.objects.exists()
        for _ in range(2):
            world.later(minutes=2)
            assert world.close(offer) == "closing"
    alarm = Discrepancy.objects.get(kind="unreadable")
    assert read is stripe_gateway.retrieve_checkout
    assert world.close(offer) == "succeeded"
    tasks.reconcile_payments_task.delay()
    world.work()
    alarm.refresh_from_db()
    assert alarm.resolved_at


def test_order_begun_a_second_before_the_deadline_has_its_grace(world, monkeypatch):
    """Stripe takes a second to open the page; the deadline passes meanwhile."""
    offer = world.offer(min_preorders=1)
    world.book(offer)
    world.at(offer.deadline - timedelta(seconds=1))
    create = stripe_gateway.create_checkout

    def slow(request, *, key):
        world.at(offer.deadline)
        world.close(offer)
        return create(request, key=key)

    monkeypatch.setattr(stripe_gateway, "create_checkout", slow)
    order = world.begin(offer)
    assert world.fresh(order).status == "pending"
    world.pay(order)
    world.hear(order)
    assert world.close(offer) == "succeeded"
    world.work()
    assert world.fresh(order).payment_status == "captured"


def test_page_that_was_never_opened_ends_a_minute_after_the_deadline(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    world.book(offer)
    world.at(offer.deadline - timedelta(seconds=1))

    def died(*_, **__):
        raise SystemExit

    monkeypatch.setattr(stripe_gateway, "create_checkout", died)
    with pytest.raises(SystemExit):
        world.begin(offer)
    world.at(offer.deadline)
    assert world.close(offer) == "closing"
    world.later(minutes=1)
    assert world.close(offer) == "succeeded"
