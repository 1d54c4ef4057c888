"""Portions reserved for friends have room at the time that the guest who reserved them chose."""

import pytest
from django.core import mail
from django.db import transaction

from apps.common.errors import Conflict
from apps.offers.models import PickupSlot
from apps.offers.pickup_slots import slots_for_restaurant, slots_of
from apps.preorders.core.friends import friends_token
from apps.preorders.core.locks import lock_order
from apps.preorders.core.reservations import lapse_overdue, reserve_again
from apps.preorders.guest import changes, choices
from apps.preorders.guest.friends import open_to_everybody
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory
from tests.pages import text_of
from tests.preorders.friends.steps import add_times, reserve
from tests.preorders.friends.test_cart import order as order_with_wallet
from tests.preorders.friends.test_pages import link_for, order_with, own_page


@pytest.fixture
def times(world, offer):
    """Two times with room for four and for ten portions."""
    offer.max_preorders = 20
    offer.save()
    return [each.pk for each in add_times(world, offer, (6, 4), (7, 10))]


@pytest.fixture
def ana(world, offer, times):
    """A guest with a portion at the first time, and two reserved for friends."""
    order = world.begin(offer, name="Ana Lopez", slot_id=times[0])
    world.pay(order)
    world.hear(order)
    return reserve(world, order, 2)


def plain(page):
    return text_of(page).replace("\u00a0", " ")


def left(world, offer, **who):
    return [each.left for each in slots_of(world.fresh(offer), **who)]


def test_others_cannot_order_what_is_reserved_at_that_time(world, offer, times, ana):
    assert left(world, offer) == [1, 10]
    with pytest.raises(Conflict, match="6:00–6:30 PM has room for 1 portion"):
        world.begin(offer, 2, slot_id=times[0])
    world.begin(offer, 1, slot_id=times[0])
    with pytest.raises(Conflict, match="6:00–6:30 PM is full"):
        world.begin(offer, 1, slot_id=times[0])


def test_a_friend_is_not_told_that_what_is_theirs_is_all_that_is_left(
    guest, world, offer, times, ana
):
    assert "6:00–6:30 PM (3 left)" in text_of(guest.get(link_for(ana)))
    world.begin(offer, 1, slot_id=times[0])
    shown = text_of(guest.get(link_for(ana)))
    assert "6:00–6:30 PM" in shown
    assert "6:00–6:30 PM (" not in shown


def test_a_friend_orders_what_is_reserved_at_that_time(world, offer, times, ana):
    world.begin(offer, 1, slot_id=times[0])
    assert left(world, offer) == [0, 10]
    assert left(world, offer, friend_of=ana.pk) == [2, 10]
    with pytest.raises(Conflict, match="6:00–6:30 PM has room for 2 portions"):
        world.begin(offer, 3, slot_id=times[0], friend_of=ana)
    bea = world.begin(offer, 1, slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    assert left(world, offer, friend_of=ana.pk) == [1, 10]
    assert left(world, offer, besides=bea.pk, friend_of=ana.pk) == [2, 10]
    assert left(world, offer) == [0, 10]


def test_a_friend_at_another_time_leaves_that_room_to_others(world, offer, times, ana):
    world.begin(offer, 2, slot_id=times[1], friend_of=ana)
    assert left(world, offer) == [3, 8]


def test_what_the_starter_releases_is_left_for_others(world, offer, times, ana):
    open_to_everybody(order=ana, now=world.now)
    assert left(world, offer) == [3, 10]


def test_a_starter_who_cancels_leaves_all_of_the_room(world, offer, times, ana):
    world.cancel(ana)
    assert left(world, offer) == [4, 10]


def test_the_room_moves_with_the_starter_to_another_time(world, offer, times, ana):
    choices.change_slot(order=world.fresh(ana), slot_id=times[1], now=world.now)
    assert left(world, offer) == [4, 7]


def test_the_restaurant_reads_how_many_are_ordered_at_a_time(world, offer, times, ana):
    own = slots_for_restaurant(restaurant=offer.restaurant, offer_id=offer.pk)
    assert [(each.taken, each.left) for each in own] == [(1, 1), (0, 10)]


def test_the_starter_reads_that_not_all_friends_can_come_at_the_same_time(
    world, guest, offer, times, ana
):
    page = plain(own_page(guest, ana))
    assert "2 portions for your friends" in page
    assert "There's room for them at your time, 6:00–6:30 PM." in page
    PickupSlot.objects.filter(pk=times[0]).update(capacity=2)
    page = plain(own_page(guest, ana))
    shared = "7:00–7:30 PM has room for all of you. Move your order to 7:00 PM"
    assert f"At 6:00–6:30 PM there's room for 1 of them. {shared}" in page
    PickupSlot.objects.filter(pk=times[0]).update(capacity=1)
    assert f"6:00–6:30 PM is full now. {shared}" in plain(own_page(guest, ana))
    PickupSlot.objects.filter(pk=times[1]).update(capacity=1)
    page = plain(own_page(guest, ana))
    assert "6:00–6:30 PM is full now. 7:00–7:30 PM has room for 1." in page
    assert "Move your order" not in page
    PickupSlot.objects.filter(pk=times[1]).update(capacity=0)
    assert "6:00–6:30 PM is full now. Every other time is full." in plain(own_page(guest, ana))


def test_the_starter_and_a_friend_read_when_the_other_comes(world, guest, offer, times, ana):
    world.work()
    mail.outbox.clear()
    bea = world.begin(world.fresh(offer), slot_id=times[1], friend_of=ana, name="Bea Ruiz")
    world.pay(bea)
    world.hear(bea)
    page = own_page(guest, ana)
    assert "A friend , 1 portion, 7:00–7:30 PM" in text_of(page)
    assert "Friends are shown to you as “A friend” unless they let you know" in text_of(page)
    world.work()
    bodies = {each.to[0].partition(" ")[0]: each.body for each in mail.outbox}
    theirs = "7:00–7:30 PM · Pickup\nYou come at 6:00–6:30 PM\nTheir order: Osso Buco, 1 portion"
    assert theirs in bodies["Ana"]
    assert "7:00–7:30 PM · Pickup\nAna comes at 6:00–6:30 PM\n" in bodies["Bea"]


def test_a_friend_reads_that_the_starters_time_is_full(world, guest, offer, times, ana):
    full = "Ana is there at 6:00–6:30 PM, which is full. This is the nearest time."
    page = guest.get(link_for(ana))
    assert full not in text_of(page)
    # Not in the option, where a phone cuts it off.
    assert "(Ana's: 6:00–6:30 PM)" in text_of(page).replace("\u00a0", " ")
    assert "6:00–6:30 PM (3 left)" in text_of(page)
    assert f'value="{times[0]}"\nselected' in page.text
    PickupSlot.objects.filter(pk=times[0]).update(capacity=1)
    page = guest.get(link_for(ana))
    assert full in text_of(page).replace("\u00a0", " ")
    assert "(Ana's:" not in text_of(page)
    assert f'value="{times[1]}"\nselected' in page.text


def test_a_friends_order_at_another_time_says_when_the_starter_comes(
    world, guest, offer, times, ana
):
    def joined(slot_id):
        answer = order_with(guest, link_for(ana), slotId=str(slot_id), customerEmail="b@x.test")
        assert answer.status_code == 303
        order = ana.friends.latest("created_at")
        world.pay(order)
        world.hear(order)
        return text_of(own_page(guest, world.fresh(order)))

    assert "Ana comes at 6:00–6:30 PM, you at 7:00–7:30 PM" in joined(times[1])


def test_a_friend_at_another_time_is_emailed_once_the_starter_changes_it(
    world, guest, offer, times, ana
):
    beside = world.begin(world.fresh(offer), slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    there = world.begin(world.fresh(offer), slot_id=times[1], friend_of=ana, name="Cem Kaya")
    for each in (beside, there):
        world.pay(each)
        world.hear(each)
    world.work()
    mail.outbox.clear()
    choices.change_slot(order=world.fresh(ana), slot_id=times[1], now=world.now)
    world.work()
    [told] = [each for each in mail.outbox if "now" in each.subject]
    assert told.to[0].startswith("Bea Ruiz")
    assert told.subject == "Ana comes at 7:00–7:30 PM now: Osso Buco"
    assert "Your order is for 6:00–6:30 PM. If you'd rather come with Ana, you can" in told.body
    assert "Change or cancel" in told.body


def test_a_friend_isnt_emailed_of_a_time_that_the_starter_took_back(world, offer, times, ana):
    bea = world.begin(world.fresh(offer), slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    world.pay(bea)
    world.hear(bea)
    world.work()
    mail.outbox.clear()
    for time in (times[1], times[0], times[1], times[0]):
        choices.change_slot(order=world.fresh(ana), slot_id=time, now=world.now)
    assert Email.objects.filter(kind=EmailKind.FRIEND_MOVED).count() == 1
    world.work()
    assert [each for each in mail.outbox if each.to[0].startswith("Bea")] == []
    choices.change_slot(order=world.fresh(ana), slot_id=times[1], now=world.now)
    world.work()
    assert len([each for each in mail.outbox if each.to[0].startswith("Bea")]) == 1


def test_a_friend_changes_to_what_else_is_reserved_at_that_time(world, offer, times, ana):
    bea = world.begin(offer, 1, slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    world.pay(bea)
    world.hear(bea)
    world.begin(offer, 1, slot_id=times[0])
    changes.change_quantity(order=world.fresh(bea), quantity=2, now=world.now)
    world.work()
    assert world.fresh(bea).quantity == 2
    with pytest.raises(Conflict, match="6:00–6:30 PM has room for 2 portions"):
        changes.change_quantity(order=world.fresh(bea), quantity=3, now=world.now)


def test_a_friend_who_took_long_at_the_card_still_has_that_room(world, offer, times, ana):
    bea = world.begin(offer, 2, slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    world.later(minutes=11)
    lapse_overdue(now=world.now)
    world.begin(offer, 1, slot_id=times[0])
    assert left(world, offer) == [0, 10]
    with transaction.atomic():
        assert reserve_again(lock_order(bea.pk), now=world.now)


def test_a_friend_with_a_wallet_has_that_room_too(world, guest, offer, times, ana):
    world.begin(offer, 1, slot_id=times[0])
    refused = order_with_wallet(guest, offer, 2, slotId=times[0])
    assert refused.status_code == 409
    assert "6:00–6:30 PM is full" in refused.text
    link = friends_token(ana)
    begun = order_with_wallet(guest, offer, 2, slotId=times[0], friendsLink=link)
    assert begun.status_code == 201, begun.content


def test_the_kitchen_reads_when_each_of_a_party_comes_only_if_they_come_apart(
    api, world, offer, times, ana
):
    owner = api(MembershipFactory(restaurant=world.restaurant, role=Membership.Role.OWNER).user)
    bea = world.begin(world.fresh(offer), slot_id=times[0], friend_of=ana, name="Bea Ruiz")
    world.pay(bea)
    world.hear(bea)
    sheet = f"/restaurant/kitchen?offer={offer.pk}"
    assert "Ana Lopez’s party , 2 orders: Ana Lopez (1), Bea Ruiz (1)" in text_of(owner.get(sheet))
    choices.change_slot(order=world.fresh(bea), slot_id=times[1], now=world.now)
    at = "Ana Lopez (1 at 6:00–6:30 PM), Bea Ruiz (1 at 7:00–7:30 PM)"
    assert at in text_of(owner.get(sheet))
