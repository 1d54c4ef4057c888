"""An order is canceled while its offer's deadline passes, or while others order."""

from threading import Event

import pytest

from apps.common.errors import Conflict
from apps.preorders.core.email_queue import queue_email
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind, PaymentStatus
from apps.preorders.settlement import cancellation, deadline, refunds
from tests.faults.ledger import assert_ledger_balances
from tests.threads import STUCK_AFTER, at_once


def calling_off(order, now):
    return lambda: cancellation.cancel_order(order=order, reason="", by="Maria", now=now)


def problems(answers):
    return [
        each for each in answers if isinstance(each, Exception) and not isinstance(each, Conflict)
    ]


@pytest.mark.parametrize("minimum", [1, 3, 6])
def test_six_cancellations_at_the_deadline_leave_each_order_one_outcome(
    world, minimum, meet_before_the_lock
):
    """Pressed in time, heard in time or not: each order has one outcome, and the offer is judged on
    exactly those that are left."""
    offer = world.offer(min_preorders=minimum)
    orders = [world.authorized_order(offer) for _ in range(6)]
    pressed = world.now
    world.at(offer.deadline)
    close = lambda: deadline.close_offer(offer.pk, now=world.now)  # noqa: E731
    meeting = meet_before_the_lock(5)
    answers = at_once(*[calling_off(order, pressed) for order in orders[:3]], close, close)
    assert meeting.has_happened
    assert not problems(answers), answers
    done = world.fresh(offer)
    left = [order for order in orders if world.fresh(order).status != "cancelled"]
    assert done.ordered_portions == len(left)
    assert done.status == ("succeeded" if len(left) >= minimum else "failed")
    kinds = PaymentOperation.objects.values_list("pre_order_id", "kind")
    assert len(kinds) == len(dict(kinds)) == 6
    world.work()
    assert_ledger_balances(world, offer)


def test_the_decision_waits_for_a_cancellation_that_came_first(world, monkeypatch):
    """It has the offer's lock, so the count is made after it and without its order."""
    offer = world.offer(min_preorders=2)
    leaving, staying = world.authorized_order(offer), world.authorized_order(offer)
    pressed = world.now
    world.at(offer.deadline)
    inside, never, email = Event(), Event(), queue_email

    def slowly(*args, **options):
        inside.set()
        never.wait(0.2)  # the decision would be made now, if it could be
        return email(*args, **options)

    def close():
        assert inside.wait(STUCK_AFTER)
        return deadline.close_offer(offer.pk, now=world.now)

    monkeypatch.setattr(cancellation, "queue_email", slowly)
    answers = at_once(calling_off(leaving, pressed), close)
    assert not problems(answers), answers
    assert answers[1] == "failed"
    world.work()
    assert {str(world.fresh(order).payment_status) for order in (leaving, staying)} == {"released"}
    assert_ledger_balances(world, offer)


def test_the_last_portion_goes_to_one_of_those_who_wait(world):
    offer = world.offer(min_preorders=1, max_preorders=1)
    order = world.authorized_order(offer)
    world.cancel(order)
    answers = at_once(*[lambda: world.begin(offer)] * 4)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3, answers
    assert world.fresh(offer).reserved_portions == 1


def test_six_presses_of_cancel_release_the_hold_once(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    answers = at_once(*[calling_off(order, world.now)] * 6)
    assert not [each for each in answers if isinstance(each, Exception)], answers
    assert PaymentOperation.objects.count() == 1
    assert world.emails(order) == ["cancelled", "received"]


def test_six_presses_of_refund_return_the_money_once(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)

    def press():
        return refunds.refund_order(order=order, amount=None, reason="", by="Maria", now=world.now)

    answers = at_once(*[press] * 6)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 5, answers
    assert PaymentOperation.objects.filter(kind=OperationKind.REFUND).count() == 1
    world.work()
    assert world.fresh(order).payment_status == PaymentStatus.REFUNDED
    assert world.calls("POST /v1/refunds") == 1
    assert_ledger_balances(world, offer)
