"""Two friends order at the same moment the last portion that a guest reserved for them."""

import pytest

from apps.common.errors import Conflict
from apps.offers.pickup_slots import slots_of
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.reservations import lapse_overdue
from apps.preorders.guest.friends import move_with_friends, open_to_everybody, reserve_for_friends
from apps.preorders.models import PreOrder
from tests.preorders.friends.steps import add_times
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


@pytest.fixture
def times(world):
    """A full time, and one with room for three portions."""
    offer = world.offer(min_preorders=1, max_preorders=20)
    return add_times(world, offer, (6, 2), (7, 3))


def ordered_at(world, time):
    order = world.begin(world.fresh(time.offer), slot_id=time.pk)
    world.pay(order)
    world.hear(order)
    return world.fresh(order)


def test_two_guests_who_move_with_their_friends_to_the_same_time_do_not_both(world, times):
    full, free = times
    ana, bea = (ordered_at(world, full) for _ in range(2))

    def reserve(order):
        return lambda: reserve_for_friends(order=order, portions=1, slot_id=free.pk, now=world.now)

    answers = at_once(reserve(ana), reserve(bea))
    [refused] = [each for each in answers if isinstance(each, Conflict)]
    assert "7:00–7:30 PM doesn't have room for all of you anymore." in refused.message
    found = [world.fresh(each) for each in (ana, bea)]
    both = [(each.friend_portions, each.pickup_slot_id) for each in found]
    assert sorted(both) == [(0, full.pk), (1, free.pk)]
    assert_counted(world, full.offer, reserved=3)


def test_a_guest_who_moves_to_a_time_while_others_order_it_takes_no_more_than_it_has(world, times):
    full, free = times
    ana = ordered_at(world, full)
    reserve_for_friends(order=ana, portions=2, now=world.now)
    answers = at_once(
        lambda: move_with_friends(order=ana, slot_id=free.pk, now=world.now),
        lambda: world.begin(full.offer, slot_id=free.pk),
    )
    assert len([each for each in answers if isinstance(each, Conflict)]) == 1, answers
    [_, state] = slots_of(world.fresh(full.offer))
    has_moved = world.fresh(ana).pickup_slot_id == free.pk
    assert (state.taken, state.for_friends) == ((1, 2) if has_moved else (1, 0))
