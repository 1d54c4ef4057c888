"""An offer is decided once, however many decide it at once and whatever arrives meanwhile."""

from datetime import timedelta
from threading import Barrier, BrokenBarrierError, Event

import pytest
import stripe as stripe_api
from django.db import IntegrityError

from apps.common.transitions import StaleState, transition
from apps.offers.models import OfferTransition, SpecialOffer
from apps.offers.states import ALLOWED, DECIDED, OfferStatus
from apps.preorders.guest.changes import change_quantity
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import deadline, worker
from tests.faults.ledger import assert_ledger_balances
from tests.threads import at_once, is_anyone_waiting_for_a_lock, wait_until

# Seconds that threads wait for each other where the lock should keep them apart …
IN_VAIN = 0.05
# … and where nothing does.
SURELY = 10


@pytest.fixture
def meet_before_deciding(monkeypatch):
    """Let all threads count, if they can get that far, before one of them writes the decision."""

    def arrange(people):
        barrier = Barrier(people)
        move = transition

        def moved(*args, **options):
            try:
                barrier.wait(IN_VAIN)
            except BrokenBarrierError:
                barrier.reset()
            return move(*args, **options)

        monkeypatch.setattr(deadline, "transition", moved)

    return arrange


@pytest.fixture
def two_without_a_lock(monkeypatch, without_locks):
    """Without the lock, let both read the offer before either continues."""
    barrier = Barrier(2)
    read = deadline.lock_offer  # type: ignore[attr-defined]  # without its lock by now

    def read_at_once(offer_id):
        offer = read(offer_id)
        barrier.wait(SURELY)
        return offer

    monkeypatch.setattr(deadline, "lock_offer", read_at_once)


def unguarded(offer, field, new, *, now, allowed, cause, **also):
    SpecialOffer.objects.filter(pk=offer.pk).update(status=new, **also)
    offer.transitions.create(
        restaurant_id=offer.restaurant_id,
        field=field,
        old=offer.status,
        new=new,
        at=now,
        **cause.columns,
    )
    return True


def due_offer(world):
    """Its deadline has passed and it is closing; two of two portions are ordered."""
    offer = world.offer(min_preorders=2, deadline=world.now + timedelta(minutes=5))
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.at(offer.deadline)
    transition(offer, "status", OfferStatus.CLOSING, allowed=ALLOWED, now=world.now)
    return offer, orders


def close_at_once(world, offer, closers):
    return at_once(*[lambda: deadline.close_offer(offer.pk, now=world.now)] * closers)


def decisions(offer):
    return OfferTransition.objects.filter(offer=offer, new__in=sorted(DECIDED)).count()


def test_eight_closers_decide_once(world, meet_before_deciding):
    offer, orders = due_offer(world)
    meet_before_deciding(8)
    assert set(close_at_once(world, offer, 8)) == {"succeeded"}
    assert decisions(offer) == 1
    assert PaymentOperation.objects.count() == len(orders)
    world.work()
    assert_ledger_balances(world, offer)


def test_without_the_lock_two_closers_decide_at_once(world, two_without_a_lock):
    """The control: both come to the decision, and the conditional update stops the second."""
    offer, _ = due_offer(world)
    answers = close_at_once(world, offer, 2)
    assert sum(isinstance(answer, StaleState) for answer in answers) == 1, answers
    assert decisions(offer) == 1


def test_without_lock_and_conditional_update_an_offer_is_decided_twice(
    world, two_without_a_lock, monkeypatch
):
    """The control of the control."""
    offer, _ = due_offer(world)
    monkeypatch.setattr(deadline, "transition", unguarded)
    close_at_once(world, offer, 2)
    assert decisions(offer) == 2


def decide_while(world, offer, monkeypatch, change):
    """Change an order when the decision has counted it; the decision's answer, and whether the
    change had to wait."""
    counted, changed, waited = Event(), Event(), []
    move = transition

    def decided_meanwhile(*args, **options):
        counted.set()
        wait_until(lambda: changed.is_set() or is_anyone_waiting_for_a_lock())
        waited.append(not changed.is_set())
        return move(*args, **options)

    def change_then():
        assert counted.wait(SURELY)
        try:
            return change()
        finally:
            changed.set()

    monkeypatch.setattr(deadline, "transition", decided_meanwhile)
    status, _ = at_once(lambda: deadline.close_offer(offer.pk, now=world.now), change_then)
    return status, waited


@pytest.mark.parametrize(
    "change",
    [
        lambda world, order: world.cancel(order),
        lambda world, order: change_quantity(order=order, quantity=2, now=world.now),
        lambda world, order: world.hear_of_intent(order),
    ],
    ids=["cancel", "change", "webhook"],
)
def test_no_order_changes_between_the_count_and_the_decision(world, monkeypatch, change):
    """The offer's lock is enough: whoever changes an order asks for it first."""
    offer, (order, _) = due_offer(world)
    stripe_api.PaymentIntent.cancel(order.payment_intent_id)
    assert decide_while(world, offer, monkeypatch, lambda: change(world, order)) == (
        "succeeded",
        [True],
    )
    assert world.fresh(offer).ordered_portions == 2
    kinds = PaymentOperation.objects.filter(pre_order=order).values_list("kind", flat=True)
    assert list(kinds) == ["capture"]


def test_without_the_lock_an_order_changes_between_the_count_and_the_decision(
    world, monkeypatch, without_locks
):
    """The control: a hold that is gone counts toward the minimum."""
    offer, (order, _) = due_offer(world)
    stripe_api.PaymentIntent.cancel(order.payment_intent_id)
    change = lambda: world.hear_of_intent(order)  # noqa: E731
    assert decide_while(world, offer, monkeypatch, change) == ("succeeded", [False])
    assert world.fresh(order).payment_status == "released"


def test_capture_and_release_exclude_each_other_in_the_database(world):
    offer, (order, _) = due_offer(world)
    facts = {"restaurant": offer.restaurant, "due_at": world.now, "created_at": world.now}
    PaymentOperation.objects.create(pre_order=order, kind=OperationKind.CAPTURE, **facts)
    with pytest.raises(IntegrityError, match="capture_or_release_once"):
        PaymentOperation.objects.create(pre_order=order, kind=OperationKind.RELEASE, **facts)


def test_one_operation_is_carried_out_by_one_worker(world):
    offer, orders = due_offer(world)
    world.close(offer)
    operation = world.operation(orders[0])
    did = at_once(*[lambda: worker.run_operation(operation.pk, now=world.now)] * 6)
    assert sorted(did) == [False] * 5 + [True]
    assert world.calls("POST /v1/payment_intents/{id}/capture") == 1


def test_operations_of_one_message_are_claimed_by_one_worker(world):
    offer, orders = due_offer(world)
    world.close(offer)
    wanted = sorted(world.operation(order).pk for order in orders)
    claims = at_once(*[lambda: sorted(worker.claim_operations(wanted, now=world.now))] * 6)
    assert sorted(pk for claimed in claims for pk in claimed) == wanted


def test_news_of_a_hold_and_the_decision_at_once(world):
    """Whichever comes first, the order has one outcome."""
    offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
    world.authorized_order(offer)
    orders = [world.begin(offer) for _ in range(3)]
    for order in orders:
        world.pay(order)
    world.at(offer.deadline)
    heard = [lambda order=order: world.hear(order) for order in orders]
    close = lambda: deadline.close_offer(offer.pk, now=world.now)  # noqa: E731
    problems = [each for each in at_once(close, *heard, close) if isinstance(each, Exception)]
    assert not problems, problems
    world.close(offer)
    world.work()
    assert world.fresh(offer).status == "succeeded"
    assert {world.fresh(order).payment_status for order in orders} == {"captured"}
    assert_ledger_balances(world, offer)
