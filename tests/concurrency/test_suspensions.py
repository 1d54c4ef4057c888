"""A restaurant is suspended while its special is decided, a guest pays, or staff do it twice."""

from datetime import timedelta

import pytest
from django.db import transaction

from apps.admin_ops.suspension import OpenSpecials, restore_restaurant, suspend_restaurant
from apps.billing.services import count_publication
from apps.common import rls
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement import deadline
from apps.restaurants.models import Restaurant
from tests.faults.ledger import assert_ledger_balances
from tests.threads import at_once

RUN, CANCEL = OpenSpecials


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2)


def suspending(world, specials=CANCEL):
    return lambda: suspend_restaurant(
        restaurant_id=world.restaurant.pk, reason="Unpaid fees", specials=specials, now=world.now
    )


def unexpected(answers, *expected):
    found = [each for each in answers if isinstance(each, Exception)]
    return [each for each in found if not isinstance(each, expected)]


def test_two_staff_suspend_it_once(world, offer):
    orders = [world.authorized_order(offer) for _ in range(3)]
    answers = at_once(*[suspending(world)] * 3)
    assert not unexpected(answers), answers
    assert sorted(each.is_new for each in answers) == [False, False, True]
    assert PaymentOperation.objects.count() == 3
    with rls.acting_as(rls.PLATFORM):
        assert world.restaurant.transitions.filter(field="status").count() == 1
    world.work()
    assert {str(world.fresh(each).payment_status) for each in orders} == {"released"}
    assert [world.emails(each) for each in orders] == [["cancelled", "received"]] * 3
    assert_ledger_balances(world, offer)


def test_one_suspends_and_another_restores_and_the_status_is_one_of_both(world, offer):
    restore = lambda: restore_restaurant(  # noqa: E731
        restaurant_id=world.restaurant.pk, now=world.now
    )
    suspending(world, RUN)()
    answers = at_once(suspending(world, RUN), restore, restore)
    assert not unexpected(answers), answers
    with rls.acting_as(rls.PLATFORM):
        changes = list(world.restaurant.transitions.filter(field="status").order_by("pk"))
        status = Restaurant.objects.get(pk=world.restaurant.pk).status
    assert changes[-1].new == status
    assert all(a.new == b.old for a, b in zip(changes, changes[1:], strict=False))


def test_a_guest_who_orders_meanwhile_is_refused_or_canceled(world, offer):
    answers = at_once(suspending(world), *[lambda: world.begin(offer)] * 4)
    assert not unexpected(answers, Conflict, NotFound), answers
    world.work()
    begun = [each for each in answers[1:] if not isinstance(each, Exception)]
    assert {str(world.fresh(each).status) for each in begun} <= {"cancelled"}
    assert not [each for each in world.sessions() if each.status == "open"]
    assert_ledger_balances(world, offer)


def test_a_guest_whose_checkout_was_open_keeps_the_order_or_gets_the_hold_back(world, offer):
    paying = world.begin(offer)
    world.pay(paying)
    answers = at_once(suspending(world), lambda: world.hear_of_intent(paying))
    assert not unexpected(answers), answers
    world.work()
    order = world.fresh(paying)
    assert (order.status, order.payment_status) == ("cancelled", "released")
    assert world.emails(order).count("cancelled") == 1
    assert_ledger_balances(world, offer)


def test_at_a_deadline_a_special_is_canceled_or_decided(world, offer):
    orders = [world.authorized_order(offer) for _ in range(3)]
    pressed = suspending(world)
    world.at(offer.deadline - timedelta(seconds=1))
    close = lambda: deadline.close_offer(offer.pk, now=offer.deadline)  # noqa: E731
    answers = at_once(pressed, close, close)
    assert not unexpected(answers), answers
    world.at(offer.deadline)
    world.work()
    canceled = world.fresh(offer).status == "deleted"
    outcomes = {str(world.fresh(each).payment_status) for each in orders}
    assert outcomes == {"released" if canceled else "captured"}
    assert_ledger_balances(world, offer)


def test_nothing_is_published_after_it(world):
    """Publishing takes the same lock: it is counted before, and canceled, or refused."""
    restaurant = world.restaurant

    def publish():
        with rls.acting_as(restaurant), transaction.atomic():
            count_publication(restaurant_id=restaurant.pk, now=world.now)
            return world.offer(min_preorders=1)

    answers = at_once(suspending(world), *[publish] * 3)
    assert not unexpected(answers, Forbidden), answers
    published = [each for each in answers[1:] if not isinstance(each, Exception)]
    assert {str(world.fresh(each).status) for each in published} <= {"deleted"}
