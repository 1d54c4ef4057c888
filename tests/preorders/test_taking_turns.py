"""Specials that are settled at the same time take turns, and nothing is asked of Stripe twice."""

import re
from datetime import timedelta

import pytest

from apps.billing import stripe_gateway
from apps.billing.models import PaymentHistory
from apps.preorders import tasks
from apps.preorders.core import jobs
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement import worker
from apps.preorders.settlement.payments import is_news
from devtools.paths import ROOT

HELD, CHARGED = "payment_intent.amount_capturable_updated", "payment_intent.succeeded"
RELEASED = "payment_intent.canceled"


def test_a_small_special_is_settled_between_slices_of_a_large_one(world, monkeypatch):
    monkeypatch.setattr(jobs, "OPERATIONS_PER_SLICE", 2)
    monkeypatch.setattr(jobs, "MAX_LANES", 1)
    large, small = world.offer(min_preorders=1), world.offer(min_preorders=1)
    for _ in range(5):
        world.authorized_order(large)
    world.authorized_order(small)
    world.at(large.deadline)
    world.close(large)
    world.close(small)
    assert world.work().count("preorders.run_operations") == 4
    captures = PaymentHistory.objects.filter(transaction_type="capture").order_by("pk")
    charged = [entry.offer_id for entry in captures]
    assert charged == [large.pk, large.pk, small.pk, large.pk, large.pk, large.pk]


def test_an_offer_has_as_many_lanes_as_operations_and_at_most_24(monkeypatch):
    sent = []
    monkeypatch.setattr(jobs, "_send", lambda task, ids, acting: sent.append(ids))
    for operations, lanes in [(1, 1), (10, 10), (24, 24), (25, 24), (1_000, 24)]:
        sent.clear()
        jobs.enqueue_operations(list(range(operations)))
        assert len(sent) == lanes
        assert sorted(pk for ids in sent for pk in ids) == list(range(operations))


def test_a_slice_ends_after_five_seconds_and_the_rest_waits_its_turn(world, monkeypatch):
    seconds = iter([0, 1, 5.1, 5.2])  # at the start, and before the second and third operation
    monkeypatch.setattr(tasks, "monotonic", lambda: next(seconds))
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(3)]
    world.at(offer.deadline)
    world.close(offer)
    operations = list(PaymentOperation.objects.order_by("pk").values_list("pk", flat=True))
    tasks.run_operations_task(operations)
    charged = sorted(world.fresh(order).payment_status for order in orders)
    assert charged == ["authorized", "captured", "captured"]


def test_one_offer_leaves_threads_of_the_settlement_worker_to_others():
    found = re.search(r"SETTLEMENT_CONCURRENCY:-(\d+)", (ROOT / "Procfile").read_text())
    assert found
    assert int(found[1]) > jobs.MAX_LANES


class TestTheSweep:
    @pytest.fixture
    def operation(self, world):
        """Its message was lost."""
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        world.tasks._commit_hooks()
        world.tasks.waiting.clear()
        world.later(minutes=1)
        return PaymentOperation.objects.get()

    def test_an_operation_is_queued_once_for_each_attempt(self, world, operation):
        assert worker.unqueued_operations(now=world.now) == [operation.pk]
        assert worker.unqueued_operations(now=world.now) == []
        assert worker.due_operations(now=world.now) == [operation.pk]

    def test_does_not_delay_the_next_attempt(self, world, operation):
        worker.unqueued_operations(now=world.now)
        world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/payment_intents"})
        worker.run_operation(operation.pk, now=world.now)
        world.later(seconds=2)
        assert worker.unqueued_operations(now=world.now) == [operation.pk]


class TestEventsThatTellNothingNew:
    """Without this, each of a thousand captures would be read once more, at Stripe's 25 reads a
    second."""

    def test_a_hold_that_is_recorded(self, world):
        order = world.begin(world.offer())
        world.pay(order)
        intent = world.intents(order)[0].id
        assert is_news(intent, HELD, now=world.now)
        world.hear(order)
        assert not is_news(intent, HELD, now=world.now)
        assert is_news(intent, CHARGED, now=world.now)
        assert is_news(intent, RELEASED, now=world.now)

    @pytest.mark.parametrize(("minimum", "event"), [(1, CHARGED), (2, RELEASED)])
    def test_a_charge_or_release_that_is_recorded(self, world, minimum, event):
        offer = world.offer(min_preorders=minimum)
        order = world.authorized_order(offer)
        world.settle(offer)
        assert not is_news(order.payment_intent_id, event, now=world.now)
        other = ({CHARGED, RELEASED} - {event}).pop()
        assert is_news(order.payment_intent_id, other, now=world.now)

    def test_a_charge_that_a_worker_is_about_to_record(self, world, monkeypatch):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer)
        capture = stripe_gateway.capture
        heard = []

        def captured(intent_id, **options):
            done = capture(intent_id, **options)
            # The event arrives before the answer. If the worker dies now, its lease ends.
            heard.append(is_news(intent_id, CHARGED, now=world.now))
            heard.append(is_news(intent_id, CHARGED, now=world.now + worker.LEASE))
            return done

        monkeypatch.setattr(stripe_gateway, "capture", captured)
        world.settle(offer)
        assert heard == [False, True]
        assert world.fresh(order).payment_status == "captured"

    def test_another_intent_of_the_order_is_news(self, world):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer)
        world.settle(offer)
        assert is_news("pi_another", CHARGED, now=world.now)

    def test_a_declined_payment_is_news(self, world):
        order = world.authorized_order(world.offer())
        later = world.now + timedelta(minutes=1)
        assert is_news(order.payment_intent_id, "payment_intent.payment_failed", now=later)
