"""Nobody is charged, or asked to pay, for a meal that is over."""

import html
from datetime import datetime, time, timedelta

import pytest
from django.core import mail

from apps.billing import stripe_gateway
from apps.billing.gateway import Refused
from apps.preorders import tasks
from apps.preorders.core.links import order_path
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement.operations import link_ends
from tests.preorders.world import OFF_SESSION_DECLINED


@pytest.fixture
def offer(world):
    """Decided and served on the same day."""
    zone = world.restaurant.zone
    deadline = datetime.combine(world.now.astimezone(zone).date(), time(17), zone)
    if deadline <= world.now:
        deadline += timedelta(days=1)
    return world.offer(
        min_preorders=1, deadline=deadline, serve_date=deadline.astimezone(zone).date()
    )


def sweep(world):
    tasks.run_due_operations_task.delay()
    world.work()


def decline(world, order):
    fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
    world.stripe.control(capture_fault=fault)


def test_pay_link_ends_with_the_serve_date(world, offer):
    order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
    decline(world, order)
    world.settle(offer)
    assert link_ends(world.operation(order)) <= offer.serving_ends
    world.at(offer.serving_ends + timedelta(minutes=1))
    sweep(world)
    assert world.fresh(order).payment_status == "released"
    assert "payment_lapsed" in world.emails(order)


def test_no_pay_link_is_sent_when_the_day_is_nearly_over(world, offer):
    order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
    decline(world, order)
    world.at(offer.deadline)
    world.close(offer)
    world.at(offer.serving_ends - timedelta(minutes=10))
    sweep(world)
    assert world.fresh(order).payment_status == "released"
    assert "payment_needed" not in world.emails(order)


def test_capture_that_waited_too_long_is_called_off(world, offer, monkeypatch):
    order = world.authorized_order(offer)

    def refused(*_, **__):
        raise Refused("insufficient_capabilities_for_transfer", "no")

    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "capture", refused)
        world.settle(offer)
        assert world.fresh(order).payment_status == "authorized"
    world.at(offer.serving_ends)
    sweep(world)
    assert world.fresh(order).payment_status == "released"
    assert world.intents(order)[0].status == "canceled"


@pytest.mark.parametrize("late", [timedelta(0), timedelta(days=3)])
def test_offer_that_nobody_decided_in_time_fails_and_releases(world, offer, late):
    order = world.authorized_order(offer)
    world.at(offer.serving_ends + late)
    assert world.close(offer) == "failed"
    world.work()
    assert world.fresh(order).payment_status == "released"
    assert world.operation(order).kind == OperationKind.RELEASE
    assert offer.transitions.get(new="failed").reason_code == "serve_date_over"


def test_guest_reads_the_true_reason(world, offer, api):
    order = world.authorized_order(offer)
    world.at(offer.serving_ends)
    world.close(offer)
    world.work()
    page = api(at=world.restaurant).get(order_path(world.fresh(order))).content.decode()
    assert "complete your order in time" in html.unescape(page)
    tasks.send_pending_emails_task.delay()
    world.work()
    assert "was over, so it's canceled" in mail.outbox[-1].body


def test_offer_decided_on_the_serve_date_is_charged(world, offer):
    order = world.authorized_order(offer)
    world.at(offer.serving_ends - timedelta(seconds=1))
    assert world.close(offer) == "succeeded"
    world.work()
    assert world.fresh(order).payment_status == "captured"
