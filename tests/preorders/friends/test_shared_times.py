"""A guest whose time hasn't room for all friends moves to one that has."""

import re

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.common.errors import Conflict
from apps.offers.models import PickupSlot
from apps.preorders.core.friends import portions_left
from apps.preorders.core.links import order_path
from apps.preorders.guest.friends import move_with_friends, reserve_for_friends
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind
from tests.pages import text_of
from tests.preorders.friends.steps import add_times, friend, reserve
from tests.preorders.friends.test_pages import OURS, own, own_page


@pytest.fixture
def times(world, offer):
    """Four times; the second has room for two portions, the third for four, the fourth for ten."""
    offer.max_preorders = 30
    offer.save()
    return [each.pk for each in add_times(world, offer, (5, 2), (6, 2), (7, 4), (8, 10))]


@pytest.fixture
def ana(world, offer, times):
    """A guest with a portion at the second time, so that it has room for one friend."""
    order = world.begin(offer, name="Ana Lopez", slot_id=times[1])
    world.pay(order)
    world.hear(order)
    world.work()
    return world.fresh(order)


def plain(page):
    return text_of(page).replace("\u00a0", " ")


def choices(page):
    """What the form can reserve: each value that it sends, and the words for it."""
    found = re.findall(r'name="friends" value="([^"]+)"[^>]*>([^<]+)</label>', page.text)
    return {value: words.replace("\u00a0", " ") for value, words in found}


def chosen(page):
    found = re.findall(r'name="friends" value="([^"]+)"[^>]* checked>', page.text)
    assert len(found) == 1
    return found[0]


def send(guest, order, action, **form):
    """The answer to a form on the guest's own page."""
    own_page(guest, order)
    sent = {"action": action, **form}
    return guest.post(order_path(own(order)), sent, MULTIPART_CONTENT, headers=OURS)


def reserved(world, order):
    order = world.fresh(order)
    return order.friend_portions, order.pickup_slot_id


def fill(offer, slot_id, world, portions):
    world.begin(world.fresh(offer), portions, slot_id=slot_id)


class TestReserving:
    def test_names_the_nearest_time_for_all_at_each_number(self, guest, ana, times):
        page = own_page(guest, ana)
        assert choices(page) == {
            "1": "1",
            f"2@{times[2]}": "2 · all at 7:00 PM",
            f"3@{times[2]}": "3 · all at 7:00 PM",
            f"4@{times[3]}": "4 · all at 8:00 PM",
            f"5@{times[3]}": "5 · all at 8:00 PM",
        }
        assert chosen(page) == "1"
        says = plain(page)
        assert "Your order moves to 7:00–7:30 PM, so that you come together." in says
        assert "Reserve and move to 7:00 PM" in says
        assert "Reserve and move to 8:00 PM" in says

    def test_prefers_the_earlier_of_two_times_that_are_as_near(self, guest, ana, times):
        PickupSlot.objects.filter(pk=times[0]).update(capacity=9)
        assert choices(own_page(guest, ana))[f"2@{times[0]}"] == "2 · all at 5:00 PM"

    def test_says_nothing_of_times_where_the_guests_own_has_no_limit(self, guest, ana, times):
        PickupSlot.objects.filter(pk=times[1]).update(capacity=None)
        page = own_page(guest, ana)
        assert choices(page) == {number: number for number in ("1", "2", "3", "4", "5")}
        assert "Your order moves" not in text_of(page)

    def test_moves_the_guests_order_and_emails_them(self, guest, world, offer, ana, times):
        answer = send(guest, ana, "friends", friends=f"3@{times[2]}")
        assert answer.status_code == 303
        assert reserved(world, ana) == (3, times[2])
        said = "Reserved 3 portions for friends. You all come at 7:00–7:30 PM now."
        page = plain(guest.get(answer["Location"]))
        assert said in page
        assert "There's room for them at your time, 7:00–7:30 PM." in page
        notes = ana.transitions.filter(field__in=("friends", "slot")).order_by("pk")
        assert [(each.field, each.new) for each in notes] == [
            ("friends", "3"),
            ("slot", "7:00–7:30 PM"),
        ]
        assert Email.objects.filter(pre_order=ana, kind=EmailKind.RECEIVED).count() == 2
        with pytest.raises(Conflict, match="7:00–7:30 PM is full"):
            world.begin(world.fresh(offer), slot_id=times[2])
        world.begin(world.fresh(offer), slot_id=times[1], portions=2)

    def test_changes_nothing_when_it_is_sent_again(self, guest, world, ana, times):
        for _ in range(2):
            answer = send(guest, ana, "friends", friends=f"3@{times[2]}")
            assert answer.status_code == 303
        assert ana.transitions.filter(field__in=("friends", "slot")).count() == 2
        assert Email.objects.filter(pre_order=ana, kind=EmailKind.RECEIVED).count() == 2

    def test_writes_nothing_once_that_time_has_lost_its_room(self, guest, world, offer, ana, times):
        fill(offer, times[2], world, 2)
        answer = send(guest, ana, "friends", friends=f"3@{times[2]}")
        assert answer.status_code == 409
        says = plain(answer)
        assert "Nothing was changed" in says
        assert "7:00–7:30 PM doesn't have room for all of you anymore. Choose again." in says
        assert choices(answer)[chosen(answer)] == "3 · all at 8:00 PM"
        assert chosen(answer) == f"3@{times[3]}"
        assert reserved(world, ana) == (0, times[1])
        assert world.fresh(ana).friends_until is None
        assert not ana.transitions.filter(field__in=("friends", "slot")).exists()
        assert Email.objects.filter(pre_order=ana, kind=EmailKind.RECEIVED).count() == 1

    def test_writes_nothing_for_a_time_that_isnt_the_specials(self, guest, world, ana):
        for slot in ("999999", "", "x"):
            answer = send(guest, ana, "friends", friends=f"3@{slot}")
            assert answer.status_code == 409
            assert "This pickup time is no longer available" in text_of(answer)
        assert reserved(world, ana)[0] == 0

    def test_names_the_times_for_the_rest_where_none_has_room_for_all(self, guest, ana, times):
        PickupSlot.objects.filter(pk=times[2]).update(capacity=1)
        PickupSlot.objects.filter(pk=times[3]).update(capacity=3)
        page = own_page(guest, ana)
        assert choices(page)[f"2@{times[3]}"] == "2 · all at 8:00 PM"
        assert choices(page)["3"] == "3 · only 1 at your time"
        assert "At 6:00–6:30 PM there's room for 1 of them. 5:00–5:30 PM has room for 2." in plain(
            page
        )
        PickupSlot.objects.filter(pk=times[1]).update(capacity=1)
        page = own_page(guest, ana)
        assert choices(page)["3"] == "3 · at 8:00 PM"
        assert choices(page)["4"] == "4 · at other times"
        times_named = "5:00–5:30 PM has room for 2, 7:00–7:30 PM for 1, 8:00–8:30 PM for 1."
        assert f"6:00–6:30 PM is full now. {times_named}" in plain(page)


class TestAfterReserving:
    @pytest.fixture
    def ana(self, world, ana):
        return reserve(world, ana, 3)

    def test_one_press_moves_the_guest_to_where_all_have_room(self, guest, world, ana, times):
        page = own_page(guest, ana)
        assert "At 6:00–6:30 PM there's room for 1 of them. 7:00–7:30 PM has room for all" in (
            plain(page)
        )
        assert "Move your order to 7:00 PM" in plain(page)
        assert f'name="slotId" value="{times[2]}"' in page.text.replace("\n    type", " type")
        answer = send(guest, ana, "move", slotId=str(times[2]))
        assert answer.status_code == 303
        assert reserved(world, ana) == (3, times[2])
        assert "You all come at 7:00–7:30 PM now." in plain(guest.get(answer["Location"]))
        send(guest, ana, "move", slotId=str(times[2]))
        assert Email.objects.filter(pre_order=ana, kind=EmailKind.RECEIVED).count() == 2

    def test_a_time_that_lost_its_room_moves_nobody(self, guest, world, offer, ana, times):
        fill(offer, times[2], world, 1)
        answer = send(guest, ana, "move", slotId=str(times[2]))
        assert answer.status_code == 409
        says = plain(answer)
        assert "7:00–7:30 PM doesn't have room for all of you anymore. Choose again." in says
        assert "Move your order to 8:00 PM" in says
        assert reserved(world, ana) == (3, times[1])

    def test_a_friend_who_ordered_for_the_guests_time_isnt_left_alone(
        self, guest, world, offer, ana, times
    ):
        bea = world.begin(world.fresh(offer), slot_id=times[1], friend_of=ana, name="Bea Ruiz")
        world.pay(bea)
        world.hear(bea)
        page = plain(own_page(guest, ana))
        assert "6:00–6:30 PM is full now. 5:00–5:30 PM has room for 2." in page
        assert "Move your order" not in page
        answer = send(guest, ana, "move", slotId=str(times[2]))
        assert answer.status_code == 409
        assert "A friend has ordered for 6:00–6:30 PM meanwhile, so your order stays" in (
            plain(answer)
        )
        assert reserved(world, ana) == (3, times[1])

    def test_the_guest_follows_a_friend_who_ordered_for_another_time(
        self, world, offer, ana, times
    ):
        world.begin(world.fresh(offer), slot_id=times[2], friend_of=ana, name="Bea Ruiz")
        move_with_friends(order=ana, slot_id=times[2], now=world.now)
        assert reserved(world, ana) == (3, times[2])
        assert portions_left(world.fresh(ana), now=world.now) == 2

    def test_with_the_orders_link_alone_nobody_is_moved(self, guest, ana):
        page = plain(guest.get(order_path(own(ana))))
        assert "7:00–7:30 PM has room for all of you." in page
        assert "Move your order" not in page


def test_who_reserves_again_moves_unless_a_friend_comes_at_that_time(guest, world, ana, times):
    reserve(world, ana, 1)
    bea = friend(world, ana, slot_id=times[2])
    assert choices(own_page(guest, ana))[f"3@{times[3]}"] == "3 · all at 8:00 PM"
    PreOrder.objects.filter(pk=bea.pk).update(pickup_slot=times[1])
    page = own_page(guest, ana)
    assert choices(page)["3"] == "3 · at 7:00 PM"
    with pytest.raises(Conflict, match="A friend has ordered for 6:00–6:30 PM meanwhile"):
        reserve_for_friends(order=ana, portions=3, slot_id=times[3], again=True, now=world.now)
    assert reserved(world, ana) == (1, times[1])
    send(guest, ana, "friends", friends=f"3@{times[3]}", again="yes")
    PreOrder.objects.filter(pk=bea.pk).update(pickup_slot=times[2])
    send(guest, ana, "friends", friends=f"3@{times[3]}", again="yes")
    assert reserved(world, ana) == (4, times[3])


def test_who_reserves_more_moves_to_where_those_reserved_have_room_too(guest, world, ana, times):
    reserve(world, ana, 1)
    page = own_page(guest, ana)
    assert "There's room for your friend at your time, 6:00–6:30 PM." in plain(page)
    assert choices(page) == {
        f"1@{times[2]}": "1 · all at 7:00 PM",
        f"2@{times[2]}": "2 · all at 7:00 PM",
        f"3@{times[3]}": "3 · all at 8:00 PM",
        f"4@{times[3]}": "4 · all at 8:00 PM",
    }
    assert "More portions for friends" in plain(page)
    answer = send(guest, ana, "friends", friends=f"2@{times[2]}", again="yes", askedFor="1")
    assert answer.status_code == 303
    assert reserved(world, ana) == (3, times[2])
    said = "Reserved 3 portions for friends. You all come at 7:00–7:30 PM now."
    assert said in plain(guest.get(answer["Location"]))


def test_who_reserves_more_reads_for_how_many_of_these_the_own_time_has_room(
    guest, world, ana, times
):
    PickupSlot.objects.filter(pk=times[1]).update(capacity=3)
    PickupSlot.objects.filter(pk__in=(times[0], times[2], times[3])).update(capacity=1)
    reserve(world, ana, 1)
    assert choices(own_page(guest, ana)) == {
        "1": "1",
        "2": "2 · only 1 at your time",
        "3": "3 · only 1 at your time",
        "4": "4 · only 1 at your time",
    }
