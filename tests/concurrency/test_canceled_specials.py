"""A special is canceled while another owner cancels it, a guest finishes checkout, or it closes."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict, NotFound
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement import deadline, offer_cancellation
from tests.faults.ledger import assert_ledger_balances
from tests.threads import at_once


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2)


def canceling(world, offer, by="Maria"):
    return lambda: offer_cancellation.cancel_offer(
        restaurant=offer.restaurant,
        offer_id=offer.pk,
        reason="The fish did not arrive.",
        by=by,
        now=world.now,
    )


def unexpected(answers):
    return [each for each in answers if isinstance(each, Exception)]


def test_two_owners_cancel_a_special_once(world, offer):
    orders = [world.authorized_order(offer) for _ in range(4)]
    world.work()
    answers = at_once(*[canceling(world, offer, by) for by in ("Maria", "Luigi", "Ana")])
    assert not unexpected(answers), answers
    assert [answer.orders for answer in answers] == [4, 4, 4]
    assert offer.transitions.count() == 1
    assert PaymentOperation.objects.count() == 4
    world.work()
    assert {str(world.fresh(order).payment_status) for order in orders} == {"released"}
    assert [world.emails(order) for order in orders] == [["cancelled", "received"]] * 4
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("ahead", ["the guest", "the owner", "nobody"])
def test_a_guest_who_finishes_checkout_as_the_special_is_canceled_is_released_and_told_once(
    world, offer, ahead
):
    held, paying = world.authorized_order(offer), world.begin(offer)
    world.work()
    world.pay(paying)
    hear = lambda: world.hear_of_intent(paying)  # noqa: E731
    if ahead == "the guest":
        hear()
    elif ahead == "the owner":
        canceling(world, offer)()
    answers = at_once(canceling(world, offer), hear, canceling(world, offer, "Luigi"), hear)
    assert not unexpected(answers), answers
    world.work()
    for order in (held, paying):
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("cancelled", "released")
        assert world.emails(order).count("cancelled") == 1
        assert "released" not in world.emails(order)
    assert_ledger_balances(world, offer)


def test_a_guest_who_orders_as_the_special_is_canceled_is_refused_or_told(world, offer):
    answers = at_once(canceling(world, offer), *[lambda: world.begin(offer)] * 4)
    problems = [each for each in unexpected(answers) if not isinstance(each, Conflict | NotFound)]
    assert not problems, problems
    world.work()
    begun = [each for each in answers[1:] if not isinstance(each, Exception)]
    for order in begun:
        assert world.fresh(order).status == "cancelled"
        assert world.emails(order) == ["cancelled"]
    assert not [each for each in world.sessions() if each.status == "open"]
    assert_ledger_balances(world, offer)


def test_a_special_is_canceled_or_decided_at_its_deadline(world, offer):
    """Pressed in time, heard at the deadline: whoever has the lock first decides, and alone."""
    orders = [world.authorized_order(offer) for _ in range(3)]
    pressed = canceling(world, offer)
    world.at(offer.deadline - timedelta(seconds=1))
    close = lambda: deadline.close_offer(offer.pk, now=offer.deadline)  # noqa: E731
    answers = at_once(pressed, close, close)
    assert not [each for each in unexpected(answers) if not isinstance(each, Conflict)], answers
    world.at(offer.deadline)
    world.work()
    outcomes = {str(world.fresh(order).payment_status) for order in orders}
    canceled = world.fresh(offer).status == "deleted"
    assert outcomes == {"released" if canceled else "captured"}
    assert_ledger_balances(world, offer)
