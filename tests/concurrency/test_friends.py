"""Two friends order at the same moment the last portion that a guest reserved for them."""

import pytest

from apps.common.errors import Conflict
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.reservations import lapse_overdue
from apps.preorders.guest.friends import open_to_everybody, reserve_for_friends
from apps.preorders.models import PreOrder
from tests.threads import at_once


@pytest.fixture
def ana(world):
    return world.authorized_order(world.offer(min_preorders=1, max_preorders=4))


def assert_counted(world, offer, *, reserved):
    found = world.fresh(offer)
    assert (found.reserved_portions, reserved_portions(found)) == (reserved, reserved)


def test_two_friends_who_press_for_the_last_reserved_portion_get_one(world, ana):
    offer = ana.offer
    reserve_for_friends(order=ana, portions=1, now=world.now)
    world.authorized_order(offer, 2)
    starter = world.fresh(ana)
    press = lambda: world.begin(offer, friend_of=starter)  # noqa: E731
    answers = at_once(press, press, press)
    refused = [each for each in answers if isinstance(each, Conflict)]
    assert len(refused) == 2, answers
    assert PreOrder.objects.filter(friend_of=ana.pk).count() == 1
    assert_counted(world, offer, reserved=4)


def test_two_guests_who_reserve_for_friends_share_what_is_left(world, ana):
    offer = ana.offer
    other = world.authorized_order(offer)

    def reserve(order):
        return lambda: reserve_for_friends(order=order, portions=2, now=world.now)

    answers = at_once(reserve(ana), reserve(other))
    assert len([each for each in answers if isinstance(each, Conflict)]) == 1, answers
    assert_counted(world, offer, reserved=4)


def test_a_friend_presses_while_the_starter_cancels_and_the_time_ends(world, ana):
    offer = ana.offer
    until = reserve_for_friends(order=ana, portions=2, now=world.now).friends_until
    starter = world.fresh(ana)
    world.at(until)
    answers = at_once(
        lambda: world.begin(offer, friend_of=starter),
        lambda: world.begin(offer),
        lambda: world.cancel(starter),
        lambda: open_to_everybody(order=starter, now=world.now),
        lambda: lapse_overdue(now=world.now),
    )
    assert not [each for each in answers if isinstance(each, Exception)], answers
    assert_counted(world, offer, reserved=2)
