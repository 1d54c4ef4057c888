"""Charges that are recorded in a batch, with the same result as one by one."""

from datetime import timedelta
from itertools import chain, repeat

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.billing import stripe_gateway
from apps.billing.models import PaymentHistory, PlatformFee
from apps.preorders import tasks
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationStatus, PaymentStatus, PreOrderStatus
from apps.preorders.settlement import batch_capture, capture, payments, worker
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import CAPTURE_DECLINED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture(autouse=True)
def seconds(monkeypatch):
    """The clock that measures how long a charge waits, in a list; it stands still unless a test
    moves it."""
    passed = [0.0]
    monkeypatch.setattr(batch_capture, "monotonic", lambda: passed[0])
    return passed


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2)


def decided(world, offer, how_many, **more):
    """This many held orders of an offer that goes ahead; nobody has charged them yet."""
    orders = [world.authorized_order(offer, **more) for _ in range(how_many)]
    world.work()
    close(world, offer)
    return orders


def close(world, offer):
    """Decide the offer, and lose the messages about its operations."""
    world.at(offer.deadline)
    world.close(offer)
    world.tasks._commit_hooks()
    world.tasks.waiting[:] = [
        each for each in world.tasks.waiting if each[0].name != "preorders.run_operations"
    ]


def keys(world, orders):
    return [world.operation(order).pk for order in orders]


def test_each_order_gets_everything_it_would_get_alone(world, offer):
    orders = decided(world, offer, 3)
    tasks.run_operations_task(keys(world, orders))
    world.work()
    for order in orders:
        now = world.fresh(order)
        assert (now.payment_status, now.status) == ("captured", "confirmed")
        assert now.payment_processed_at == world.now
        assert world.emails(order) == ["confirmed", "received"]
        assert world.operation(order).state == OperationStatus.DONE
        changes = now.transitions.order_by("pk").values_list("field", "old", "new", "reason_code")
        assert list(changes)[-2:] == [
            ("payment_status", "authorized", "captured", ""),
            ("status", "pending", "confirmed", "went_ahead"),
        ]
    assert PlatformFee.objects.count() == 3
    assert_ledger_balances(world, offer)


def test_the_emails_go_out_in_one_message(world, offer):
    orders = decided(world, offer, 3)
    world.tasks.waiting.clear()
    tasks.run_operations_task(keys(world, orders))
    world.tasks._commit_hooks()
    assert world.tasks.names.count("preorders.send_emails") == 1


def test_ten_charges_take_no_more_statements_than_one(world, offer):
    orders = decided(world, offer, 11)
    first, *others = keys(world, orders)
    with CaptureQueriesContext(connection) as one:
        tasks.run_operations_task([first])
    with CaptureQueriesContext(connection) as ten:
        tasks.run_operations_task(others)
    assert len(ten) <= len(one)  # the first also opens the month


def test_a_charge_waits_a_second_for_others_however_long_the_slice_is(
    world, offer, seconds, monkeypatch
):
    orders = decided(world, offer, 6)
    charge = stripe_gateway.capture
    recorded = []

    def captured(intent_id, **options):
        recorded.append(PaymentHistory.objects.filter(transaction_type="capture").count())
        seconds[0] += 0.4
        return charge(intent_id, **options)

    monkeypatch.setattr(stripe_gateway, "capture", captured)
    tasks.run_operations_task(keys(world, orders))
    # The first is charged at 0.4, so all that were charged until 1.6 are recorded then.
    assert recorded == [0, 0, 0, 0, 4, 4]
    assert PaymentHistory.objects.filter(transaction_type="capture").count() == 6
    world.work()
    assert_ledger_balances(world, offer)


def test_charges_of_two_threads_are_recorded_by_the_one_that_ends_last(world, offer):
    orders = decided(world, offer, 3)
    # The other thread is in the middle of its slice.
    with batch_capture.batched_charges(lambda: world.now):
        tasks.run_operations_task(keys(world, orders))
        states = {str(world.fresh(order).payment_status) for order in orders}
        assert states == {"authorized"}
    assert {str(world.fresh(order).payment_status) for order in orders} == {"captured"}
    world.work()
    assert_ledger_balances(world, offer)


def test_charges_of_a_thread_that_ended_are_recorded_by_another_in_a_second(world, offer, seconds):
    orders = decided(world, offer, 3)
    with batch_capture.batched_charges(lambda: world.now) as record_due_charges:
        tasks.run_operations_task(keys(world, orders))
        seconds[0] += 0.9
        record_due_charges()
        assert PaymentHistory.objects.filter(transaction_type="capture").count() == 0
        seconds[0] += 0.1
        record_due_charges()
        assert {str(world.fresh(order).payment_status) for order in orders} == {"captured"}


def test_what_was_recorded_meanwhile_is_left_alone(world, offer, monkeypatch):
    orders = decided(world, offer, 3)
    record = batch_capture._record

    def after_a_webhook(charges, *, now):
        world.hear_of_intent(orders[1])
        record(charges, now=now)

    monkeypatch.setattr(batch_capture, "_record", after_a_webhook)
    tasks.run_operations_task(keys(world, orders))
    world.work()
    assert {str(world.fresh(order).payment_status) for order in orders} == {"captured"}
    assert PaymentHistory.objects.filter(transaction_type="capture").count() == 3
    assert_ledger_balances(world, offer)


def test_an_order_called_off_meanwhile_gets_its_money_back(world, offer, monkeypatch):
    orders = decided(world, offer, 3)
    record = batch_capture._record

    def after_a_change_of_mind(charges, *, now):
        type(orders[1]).objects.filter(pk=orders[1].pk).update(status=PreOrderStatus.CANCELLED)
        record(charges, now=now)

    monkeypatch.setattr(batch_capture, "_record", after_a_change_of_mind)
    tasks.run_operations_task(keys(world, orders))
    world.work()
    assert world.fresh(orders[1]).payment_status == PaymentStatus.REFUNDED
    assert {world.fresh(order).payment_status for order in (orders[0], orders[2])} == {"captured"}


def test_a_capture_that_cannot_be_recorded_does_not_delay_the_others(world, offer, monkeypatch):
    orders = decided(world, offer, 3)
    charge = capture.record_charge

    def fails_for_one(charged, *, now):
        if any(order.pk == orders[1].pk for order, _ in charged):
            raise RuntimeError("something about it")
        charge(charged, now=now)

    with monkeypatch.context() as patch:
        patch.setattr(batch_capture, "record_charge", fails_for_one)
        patch.setattr(payments, "record_charge", fails_for_one)
        tasks.run_operations_task(keys(world, orders))
    states = [str(world.fresh(order).payment_status) for order in orders]
    assert states == ["captured", "authorized", "captured"]
    world.later(seconds=100)
    tasks.run_due_operations_task.delay()
    world.work()
    assert_ledger_balances(world, offer)


def test_a_declined_capture_among_others_goes_its_own_way(world, offer):
    good = [world.authorized_order(offer) for _ in range(2)]
    bad = world.authorized_order(offer, card=CAPTURE_DECLINED)
    world.work()
    close(world, offer)
    tasks.run_operations_task(keys(world, [good[0], bad, good[1]]))
    world.work()
    assert {str(world.fresh(order).payment_status) for order in (*good, bad)} == {"captured"}
    assert_ledger_balances(world, offer)


def test_claimed_operations_are_left_to_the_worker_that_claimed_them(world, offer):
    wanted = keys(world, decided(world, offer, 2))
    reads = world.calls("GET /v1/payment_intents/{id}")
    claimed = worker.claim_operations(wanted, now=world.now)
    assert sorted(claimed) == sorted(wanted)
    assert worker.claim_operations(wanted, now=world.now) == {}
    assert not worker.run_operation(wanted[0], now=world.now)
    assert world.calls("GET /v1/payment_intents/{id}") == reads


def test_an_operation_that_was_finished_or_is_not_due_is_not_claimed(world, offer):
    done, early, due = keys(world, decided(world, offer, 3))
    PaymentOperation.objects.filter(pk=done).update(state=OperationStatus.DONE)
    PaymentOperation.objects.filter(pk=early).update(due_at=world.now + timedelta(seconds=1))
    assert list(worker.claim_operations([done, early, due], now=world.now)) == [due]


def test_an_operation_that_waited_for_its_turn_gets_a_whole_lease(world, offer, monkeypatch):
    pk = keys(world, decided(world, offer, 2))[0]
    claimed = worker.claim_operations([pk], now=world.now)[pk]
    world.later(seconds=60)
    read = stripe_gateway.retrieve_intent
    leases = []

    def reading(intent_id):
        leases.append(PaymentOperation.objects.get(pk=pk).due_at)
        return read(intent_id)

    monkeypatch.setattr(stripe_gateway, "retrieve_intent", reading)
    assert worker.run_operation(pk, now=world.now, claimed=claimed)
    assert leases == [world.now + worker.LEASE]


def test_an_operation_whose_lease_ended_before_its_turn_is_left_to_the_next_worker(world, offer):
    order = decided(world, offer, 2)[0]
    pk = world.operation(order).pk
    claimed = worker.claim_operations([pk], now=world.now)[pk]
    world.later(seconds=100)
    assert worker.claim_operations([pk], now=world.now)
    assert not worker.run_operation(pk, now=world.now, claimed=claimed)
    assert world.calls("POST /v1/payment_intents/{id}/capture") == 0


def test_operations_whose_turn_did_not_come_can_be_claimed_at_once(world, offer, monkeypatch):
    orders = decided(world, offer, 3)
    wanted = keys(world, orders)
    ends = chain([0], repeat(6))  # the slice is over after the first
    monkeypatch.setattr(tasks, "monotonic", lambda: next(ends))
    tasks.run_operations_task(wanted)
    assert [str(world.fresh(order).payment_status) for order in orders] == [
        "captured",
        "authorized",
        "authorized",
    ]
    left = PaymentOperation.objects.filter(pk__in=wanted[1:])
    assert set(left.values_list("attempts", "due_at")) == {(0, world.now)}
    world.work()
    assert {str(world.fresh(order).payment_status) for order in orders} == {"captured"}


def test_operations_of_an_undecided_offer_are_read_one_by_one(world):
    offer = world.offer(min_preorders=2, deadline=world.now + timedelta(days=6, hours=23))
    order = world.authorized_order(offer)
    operation = PaymentOperation.objects.create(
        restaurant_id=offer.restaurant_id,
        pre_order=order,
        kind="capture",
        due_at=world.now,
        created_at=world.now,
    )
    assert worker.claim_operations([operation.pk], now=world.now) == {}
