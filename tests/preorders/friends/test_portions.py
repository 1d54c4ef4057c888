"""Portions that a guest reserves for friends (decision 88): counted like all others, never more
than there are, and never for longer than the special allows."""

from datetime import datetime, time, timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from apps.common.errors import Conflict, Invalid, NotFound
from apps.offers.models import SpecialOffer
from apps.preorders.core.access import guest_url
from apps.preorders.core.friends import friends_until_for, friends_who_ordered, portions_left
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.reservations import RESERVATION_TIME, lapse_overdue
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.guest.friends import open_to_everybody
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.special.rescue import Extend, rescue_offer
from tests.preorders.friends.steps import (
    counts,
    friend,
    joined_emails,
    reserve,
    turn_reminders_off,
)
from tests.preorders.test_waitlist import join, states


class TestReserving:
    def test_a_guest_reserves_portions_that_nobody_else_can_order(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(friend_hours=6)
        started = reserve(world, ana, 3)
        assert started.friends_until == world.now + timedelta(hours=6)
        assert counts(world, offer) == (1, 4)
        with pytest.raises(Conflict, match="Only 2 portions are left"):
            world.begin(offer, 3)

    def test_reserved_portions_do_not_count_toward_the_minimum(self, world, offer, ana):
        reserve(world, ana, 3)
        assert world.settle(world.fresh(offer)).status == "failed"
        assert world.fresh(ana).payment_status == "released"

    def test_no_more_than_half_of_a_special_is_reserved_for_friends(self, world, offer, ana):
        with pytest.raises(Invalid, match="You can reserve 1 to 3 portions") as refused:
            reserve(world, ana, 4)
        assert [each.field for each in refused.value.fields] == ["friends"]
        reserve(world, ana, 3)
        with pytest.raises(Conflict, match="No portions are left to reserve"):
            reserve(world, world.authorized_order(offer), 1)
        assert counts(world, offer) == (2, 5)

    def test_a_guest_cannot_reserve_more_than_is_left(self, world, offer, ana):
        world.authorized_order(offer, 4)
        with pytest.raises(Invalid, match="You can reserve 1 portion for a friend"):
            reserve(world, ana, 2)
        assert counts(world, offer) == (5, 5)

    def test_a_guest_reserves_once_for_all_their_orders_of_a_special(self, world, offer, ana):
        reserve(world, ana, 1)
        assert reserve(world, ana, 1).friend_portions == 1  # sent twice
        other = world.begin(offer, name="Ana Lopez")
        world.pay(other)
        world.hear(other)
        with pytest.raises(Conflict, match="reserved for your friends has changed"):
            reserve(world, ana, 2)
        for again in (False, True):
            with pytest.raises(Conflict, match="already reserved portions of this special"):
                reserve(world, other, 2, again=again)
        assert counts(world, offer) == (2, 3)

    def test_a_guest_reserves_again_once_friends_have_ordered_all(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=12)
        reserve(world, ana, 2)
        friend(world, ana)
        with pytest.raises(Conflict, match="reserved for your friends has changed"):
            reserve(world, ana, 2, again=True)
        bea = friend(world, ana, name="Bea Ruiz")
        world.later(hours=1)
        for _ in range(2):  # sent twice
            again = reserve(world, ana, 3, again=True)
        assert again.friends_until == friends_until_for(world.fresh(offer), world.now)
        assert counts(world, offer) == (3, 6)
        assert portions_left(world.fresh(ana), now=world.now) == 3
        cancel_own_order(order=world.fresh(bea), now=world.now)
        assert counts(world, offer) == (2, 6)
        assert portions_left(world.fresh(ana), now=world.now) == 4

    def test_friends_portions_stay_within_one_orders_maximum_in_all(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=20)
        reserve(world, ana, 3)
        friend(world, ana, 3)
        with pytest.raises(Invalid, match="You can reserve 1 to 2 portions"):
            reserve(world, ana, 3, again=True)
        reserve(world, ana, 2, again=True)
        friend(world, ana, 2, name="Cem Kaya")
        with pytest.raises(Conflict, match="No portions are left to reserve"):
            reserve(world, ana, 1, again=True)

    def test_a_guest_reserves_again_once_the_time_is_over(self, world, offer, ana):
        reserve(world, ana, 3)
        friend(world, ana)
        world.at(world.fresh(ana).friends_until)
        assert reserve(world, ana, 2, again=True).friend_portions == 3
        assert counts(world, offer) == (2, 4)

    def test_who_waits_comes_before_portions_that_are_reserved_again(self, world, offer, ana):
        reserve(world, ana, 3)
        friend(world, ana)
        world.authorized_order(world.fresh(offer), 2)
        join(world, offer, portions=2)
        world.at(world.fresh(ana).friends_until)
        with pytest.raises(Conflict, match="No portions are left to reserve"):
            reserve(world, ana, 2, again=True)

    def test_portions_for_which_no_friend_ordered_are_not_reserved_again(self, world, offer, ana):
        reserve(world, ana, 3)
        world.at(world.fresh(ana).friends_until)
        with pytest.raises(Conflict, match="again once one of your friends has ordered"):
            reserve(world, ana, 3, again=True)

    def test_a_guest_reserves_more_until_the_same_moment(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=12)
        until = reserve(world, ana, 1).friends_until
        world.later(hours=1)
        for _ in range(2):  # sent twice
            more = reserve(world, ana, 2, again=True, asked_for=1)
        assert (more.friend_portions, more.friends_until) == (3, until)
        assert counts(world, offer) == (1, 4)
        notes = ana.transitions.filter(field="friends").order_by("pk")
        assert [(each.old, each.new) for each in notes] == [("0", "1"), ("1", "3")]
        friend(world, ana)
        more = reserve(world, ana, 1, again=True, asked_for=3)
        assert (more.friend_portions, more.friends_until) == (4, until)
        assert portions_left(more, now=world.now) == 3
        assert counts(world, offer) == (2, 5)

    def test_more_than_one_orders_maximum_is_reserved_neither_at_once_nor_in_parts(
        self, world, offer, ana
    ):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=20)
        reserve(world, ana, 3)
        with pytest.raises(Invalid, match="You can reserve 1 to 2 more portions") as refused:
            reserve(world, ana, 3, again=True, asked_for=3)
        assert [each.field for each in refused.value.fields] == ["friends"]
        friend(world, ana)
        reserve(world, ana, 1, again=True, asked_for=3)
        with pytest.raises(Invalid, match="You can reserve 1 more portion"):
            reserve(world, ana, 2, again=True, asked_for=4)
        reserve(world, ana, 1, again=True, asked_for=4)
        with pytest.raises(Conflict, match="No portions are left to reserve"):
            reserve(world, ana, 1, again=True, asked_for=5)
        assert world.fresh(ana).friend_portions == 5

    def test_more_is_reserved_only_of_what_is_left_and_of_half_of_the_special(
        self, world, offer, ana
    ):
        reserve(world, ana, 2)
        with pytest.raises(Invalid, match="You can reserve 1 more portion"):
            reserve(world, ana, 2, again=True, asked_for=2)
        world.authorized_order(world.fresh(offer), 3)
        with pytest.raises(Conflict, match="No portions are left to reserve"):
            reserve(world, ana, 1, again=True, asked_for=2)
        assert counts(world, offer) == (4, 6)

    @pytest.mark.parametrize("happens", ["more", "released", "over"])
    def test_more_is_not_reserved_of_what_the_page_did_not_show(self, world, offer, ana, happens):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=12)
        reserve(world, ana, 2)
        friend(world, ana)
        if happens == "more":
            reserve(world, ana, 2, again=True, asked_for=2)
        elif happens == "released":
            open_to_everybody(order=world.fresh(ana), now=world.now)
        else:
            world.at(world.fresh(ana).friends_until)
        before = world.fresh(ana)
        with pytest.raises(Conflict, match="Check it, then reserve again"):
            reserve(world, ana, 1, again=True, asked_for=2)
        after = world.fresh(ana)
        assert (after.friend_portions, after.friends_until) == (
            before.friend_portions,
            before.friends_until,
        )

    def test_an_old_page_does_not_reserve_again(self, world, offer, ana):
        reserve(world, ana, 2)
        friend(world, ana)
        open_to_everybody(order=world.fresh(ana), now=world.now)
        with pytest.raises(Conflict, match="reserved for your friends has changed"):
            reserve(world, ana, 2)
        assert reserve(world, ana, 2, again=True).friend_portions == 3

    def test_a_guest_who_canceled_can_reserve_with_another_order(self, world, offer, ana):
        reserve(world, ana, 2)
        cancel_own_order(order=world.fresh(ana), now=world.now)
        again = world.begin(offer, name="Ana Lopez")
        world.pay(again)
        world.hear(again)
        assert reserve(world, world.fresh(again), 3).friend_portions == 3
        assert counts(world, offer) == (1, 4)

    def test_without_a_held_card_nothing_is_reserved(self, world, offer):
        order = world.begin(offer)
        with pytest.raises(Conflict, match="Your card has to be held"):
            reserve(world, order, 1)
        assert counts(world, offer) == (0, 1)

    def test_a_special_can_turn_it_off(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(friend_hours=0)
        with pytest.raises(Conflict, match="doesn't let guests reserve portions for friends"):
            reserve(world, ana, 1)

    def test_near_the_deadline_portions_are_reserved_for_half_of_the_time_left(
        self, world, offer, ana
    ):
        world.at(offer.deadline - timedelta(hours=2))
        assert reserve(world, ana, 1).friends_until == world.now + timedelta(hours=1)

    @pytest.mark.parametrize(
        ("hour", "until"),
        [
            (14, (1, 14)),
            (22, (1, 22)),
            (23, (1, 22)),
            (3, (0, 22)),
            (7, (0, 22)),
            (8, (1, 8)),
        ],
    )
    def test_at_night_no_reservation_ends(self, world, offer, ana, hour, until):
        zone = offer.restaurant.zone
        today = world.now.astimezone(zone).date()
        world.at(datetime.combine(today, time(hour), zone))
        SpecialOffer.objects.filter(pk=offer.pk).update(
            deadline=world.now + timedelta(days=4), friend_hours=24
        )
        days, at = until
        ends = datetime.combine(today + timedelta(days=days), time(at), zone)
        assert friends_until_for(world.fresh(offer), world.now) == ends

    def test_at_night_one_ends_that_would_lose_more_than_half(self, world, offer, ana):
        zone = offer.restaurant.zone
        world.at(datetime.combine(world.now.astimezone(zone).date(), time(21), zone))
        SpecialOffer.objects.filter(pk=offer.pk).update(
            deadline=world.now + timedelta(days=4), friend_hours=3
        )
        ends = world.now + timedelta(hours=3)
        assert friends_until_for(world.fresh(offer), world.now) == ends

    @pytest.mark.parametrize(
        ("before_the_deadline", "ends_before_it"),
        [
            ({"hours": 30, "minutes": 7}, {"hours": 15, "minutes": 15}),  # half, rounded down
            ({"minutes": 37}, {"minutes": 15}),  # rounded up, for 22 minutes
            ({"minutes": 30}, {"minutes": 15}),
            ({"minutes": 9}, {}),
        ],
    )
    def test_friends_are_told_a_round_time_that_leaves_them_some(
        self, world, offer, ana, before_the_deadline, ends_before_it
    ):
        world.at(offer.deadline - timedelta(**before_the_deadline))
        until = reserve(world, ana, 1).friends_until
        assert until == offer.deadline - timedelta(**ends_before_it)


class TestFriends:
    def test_a_friend_takes_a_reserved_portion_of_a_special_that_is_sold_out(
        self, world, offer, ana
    ):
        reserve(world, ana, 2)
        world.authorized_order(offer, 3)
        with pytest.raises(Conflict, match="Sold out"):
            world.begin(offer)
        bea = friend(world, ana)
        assert (bea.payment_status, bea.friend_of_id, bea.referred_by_id) == (
            "authorized",
            ana.pk,
            ana.pk,
        )
        assert counts(world, offer) == (5, 6)
        assert portions_left(world.fresh(ana), now=world.now) == 1

    def test_friends_get_no_more_than_what_is_reserved_and_left(self, world, offer, ana):
        reserve(world, ana, 2)
        world.authorized_order(offer, 2)
        with pytest.raises(Conflict, match="Only 3 portions are left"):
            friend(world, ana, 4)
        assert friend(world, ana, 3).payment_status == "authorized"
        assert counts(world, offer) == (6, 6)

    def test_a_friend_who_cancels_returns_the_portion_to_the_friends(self, world, offer, ana):
        reserve(world, ana, 2)
        bea = friend(world, ana)
        world.cancel(bea)
        assert counts(world, offer) == (1, 3)
        assert portions_left(world.fresh(ana), now=world.now) == 2

    def test_a_friend_pays_for_portions_that_lapsed_at_the_card_and_are_still_reserved(
        self, world, offer, ana
    ):
        reserve(world, ana, 1)
        world.authorized_order(offer, 4)
        bea = friend(world, ana, pays=False)
        world.later(seconds=RESERVATION_TIME.total_seconds())
        lapse_overdue(now=world.now)
        assert counts(world, offer) == (5, 6)  # back with the friends
        world.pay(bea)
        world.hear(bea)
        assert world.fresh(bea).payment_status == "authorized"
        assert counts(world, offer) == (6, 6)

    def test_a_friends_checkout_takes_its_portion_off_the_reserved_ones(self, world, offer, ana):
        SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=None)
        reserve(world, ana, 3)
        friend(world, ana, pays=False)
        assert counts(world, offer) == (1, 4)

    def test_a_friend_gets_reserved_portions_and_those_that_lapse_meanwhile(
        self, world, offer, ana
    ):
        reserve(world, ana, 2)
        world.begin(offer, 3)
        world.later(seconds=RESERVATION_TIME.total_seconds())
        friend(world, ana, 3, pays=False)
        assert counts(world, offer) == (1, 4)

    def test_a_link_of_another_special_is_refused(self, world, offer, ana):
        reserve(world, ana, 1)
        other = world.offer()
        with pytest.raises(Invalid, match="This link from a friend isn't valid"):
            world.begin(other, friend_of=world.fresh(ana))

    def test_a_friend_cannot_reserve_for_further_friends(self, world, offer, ana):
        reserve(world, ana, 1)
        with pytest.raises(Conflict, match="You came with a friend's link"):
            reserve(world, friend(world, ana), 1)

    def test_the_first_name_is_shown_only_with_consent(self, world, offer, ana):
        reserve(world, ana, 3)
        friend(world, ana, shows_first_name=True)
        world.later(minutes=1)  # longer than the machine takes: Stripe's clock goes on by itself
        friend(world, ana, 2, name="Cem Kaya")
        friends = friends_who_ordered(world.fresh(ana))
        assert [(each.first_name, each.portions) for each in friends] == [("Bea", 1), ("", 2)]


class TestEnding:
    def test_what_friends_did_not_order_in_time_is_open_to_everybody(self, world, offer, ana):
        until = reserve(world, ana, 3).friends_until
        world.at(until - timedelta(seconds=1))
        lapse_overdue(now=world.now)
        assert counts(world, offer) == (1, 4)
        world.at(until)
        assert world.begin(offer, 5).quantity == 5  # before the sweep
        lapse_overdue(now=world.now)
        assert counts(world, offer) == (1, 6)
        assert world.fresh(ana).friend_portions == 0

    def test_a_friend_at_the_card_when_the_time_ends_gets_a_portion_that_is_left(
        self, world, offer, ana
    ):
        until = reserve(world, ana, 1).friends_until
        world.at(until - timedelta(minutes=1))
        bea = friend(world, ana, pays=False)
        world.later(minutes=20)
        lapse_overdue(now=world.now)
        assert counts(world, offer) == (1, 1)
        world.pay(bea)
        world.hear(bea)
        assert world.fresh(bea).payment_status == "authorized"

    def test_a_friend_at_the_card_when_the_time_ends_is_told_if_nothing_is_left(
        self, world, offer, ana
    ):
        until = reserve(world, ana, 1).friends_until
        world.at(until - timedelta(minutes=1))
        bea = friend(world, ana, pays=False)
        world.later(minutes=20)
        lapse_overdue(now=world.now)
        world.authorized_order(world.fresh(offer), 5)
        world.pay(bea)
        world.hear(bea)
        world.work()
        gone = world.fresh(bea)
        assert (gone.status, gone.payment_status) == ("cancelled", "released")
        assert world.emails(bea) == ["released"]
        assert joined_emails(ana) == 0
        assert counts(world, offer) == (6, 6)

    def test_a_starter_who_cancels_reserves_nothing_and_their_friends_stay(self, world, offer, ana):
        reserve(world, ana, 3)
        bea = friend(world, ana)
        world.cancel(world.fresh(ana))
        assert counts(world, offer) == (1, 1)
        assert world.fresh(bea).status == "pending"
        # The link still leads to the special.
        assert friend(world, ana, name="Cem").payment_status == "authorized"
        assert joined_emails(ana) == 1

    def test_a_starter_opens_the_rest_to_everybody(self, world, offer, ana):
        reserve(world, ana, 3)
        friend(world, ana)
        for _ in range(2):
            open_to_everybody(order=world.fresh(ana), now=world.now)
        assert counts(world, offer) == (2, 2)
        fields = ana.transitions.filter(field="friends").values_list("old", "new")
        assert list(fields.order_by("pk")) == [("0", "3"), ("3", "0")]

    def test_freed_portions_go_to_the_waitlist_first(self, world, offer, ana):
        reserve(world, ana, 2)
        world.authorized_order(offer, 3)
        entry = join(world, offer, 2)
        open_to_everybody(order=world.fresh(ana), now=world.now)
        assert states(entry) == ["invited"]
        assert counts(world, offer) == (4, 6)

    def test_friends_and_starter_are_charged_each_for_their_own(self, world, offer, ana):
        reserve(world, ana, 3)
        bea = friend(world, ana, 2)
        world.settle(world.fresh(offer))
        assert {world.fresh(each).payment_status for each in (ana, bea)} == {"captured"}
        lapse_overdue(now=world.now)
        assert world.fresh(offer).ordered_portions == 3


class TestAnExtendedSpecial:
    def test_reserves_the_portions_until_the_time_that_friends_were_told(self, world, offer, ana):
        world.at(offer.deadline - timedelta(hours=2))
        until = reserve(world, ana, 3).friends_until
        later = Extend(offer.deadline + timedelta(hours=3))
        rescue_offer(
            restaurant=world.restaurant, offer_id=offer.pk, action=later, by="Olga", now=world.now
        )
        assert world.fresh(ana).friends_until == until
        assert counts(world, offer) == (1, 4)
        assert friend(world, ana).payment_status == "authorized"
        world.at(until)
        lapse_overdue(now=world.now)
        assert counts(world, offer) == (2, 2)
        assert world.emails(ana) == ["extended", "friend_joined", "received"]

    def test_decides_with_the_friends_who_came_after_the_first_deadline(self, world, offer, ana):
        world.at(offer.deadline - timedelta(minutes=20))
        until = reserve(world, ana, 2).friends_until
        assert until == offer.deadline
        later = Extend(offer.deadline + timedelta(hours=3))
        rescue_offer(
            restaurant=world.restaurant, offer_id=offer.pk, action=later, by="Olga", now=world.now
        )
        world.at(offer.deadline + timedelta(hours=1))
        bea = friend(world, ana)
        assert world.settle(world.fresh(offer)).status == "succeeded"
        assert {world.fresh(each).payment_status for each in (ana, bea)} == {"captured"}


class TestACanceledSpecial:
    def cancel(self, world, offer):
        cancel_offer(
            restaurant=world.restaurant, offer_id=offer.pk, reason="Ill", by="Olga", now=world.now
        )
        world.work()

    def test_releases_the_starters_hold_and_the_friends(self, world, offer, ana):
        reserve(world, ana, 3)
        bea, cem = friend(world, ana), friend(world, ana, name="Cem", pays=False)
        self.cancel(world, offer)
        assert [world.fresh(each).payment_status for each in (ana, bea, cem)] == [
            "released",
            "released",
            "unpaid",
        ]
        assert {world.fresh(each).status for each in (ana, bea, cem)} == {"cancelled"}
        assert world.emails(bea) == ["cancelled", "received"]
        assert world.calls("POST /v1/payment_intents/{id}/capture") == 0

    def test_reserves_nothing_and_takes_no_friend_in(self, world, offer, ana):
        until = reserve(world, ana, 3).friends_until
        self.cancel(world, offer)
        assert portions_left(world.fresh(ana), now=world.now) == 0
        with pytest.raises(NotFound, match="no longer available"):
            friend(world, ana)
        world.at(until)
        lapse_overdue(now=world.now)
        assert world.fresh(offer).status == "deleted"
        assert world.fresh(ana).friend_portions == 0
        assert reserved_portions(world.fresh(offer)) == 0

    def test_tells_the_starter_of_the_cancellation_alone(self, world, offer, ana):
        reserve(world, ana, 3)
        world.work()
        mail.outbox.clear()
        friend(world, ana)
        self.cancel(world, offer)
        subjects = [each.subject for each in mail.outbox if "ana.lopez" in each.to[0]]
        assert subjects == ["Luigi's canceled Osso Buco. You weren't charged"]


def test_the_starter_is_emailed_about_each_friend_and_nobody_else_is(world, offer, ana):
    reserve(world, ana, 3)
    world.work()
    mail.outbox.clear()
    friend(world, ana, shows_first_name=True)
    world.work()
    [joined] = [each for each in mail.outbox if "It's on! Bea" in each.subject]
    assert isinstance(joined, EmailMultiAlternatives)
    assert joined.to == ["Ana Lopez <ana.lopez@example.test>"]
    assert "It's on! Bea made it happen" in joined.body
    assert "2 portions are still reserved for your friends" in joined.body
    assert "Ruiz" not in joined.body
    assert f"Invite more friends:\n{guest_url(ana, then='#bring-friends')}\n" in joined.body
    assert '<div class="seat-on"' in str(joined.alternatives[0][0])
    assert len(mail.outbox) == 2
    world.later(minutes=1)
    friend(world, ana, name="Cem Kaya")
    world.work()
    assert [each.subject for each in mail.outbox if each.to == joined.to] == [
        "It's on! Bea made Osso Buco happen",
        "A friend ordered too: Osso Buco",
    ]


def test_two_friends_who_join_before_the_first_email_are_each_named_in_their_own(world, offer, ana):
    reserve(world, ana, 3)
    world.work()
    mail.outbox.clear()
    friend(world, ana, shows_first_name=True)
    world.later(minutes=1)
    friend(world, ana, name="Cem Kaya", shows_first_name=True)
    world.work()
    subjects = [each.subject for each in mail.outbox if "ana.lopez" in each.to[0]]
    assert sorted(subjects) == ["Cem ordered too: Osso Buco", "It's on! Bea made Osso Buco happen"]


def test_a_friend_who_canceled_before_the_email_is_not_announced(world, offer, ana):
    reserve(world, ana, 3)
    world.work()
    mail.outbox.clear()
    gone = friend(world, ana, shows_first_name=True)
    world.later(minutes=1)
    friend(world, ana, name="Cem Kaya", shows_first_name=True)
    world.cancel(gone)
    world.work()
    [told] = [each for each in mail.outbox if "ana.lopez" in each.to[0]]
    assert told.subject == "Cem ordered too: Osso Buco"
    assert "Cem's order: Osso Buco, 1 portion\n" in told.body
    assert "You come at" not in told.body
    assert "now ordered with your link" not in told.body


@pytest.mark.parametrize(("shows", "who"), [(True, "Bea"), (False, "A friend")])
def test_the_starter_reads_which_friend_reached_the_minimum(world, ana, shows, who):
    ana.offer.min_preorders = 3
    ana.offer.save()
    reserve(world, ana, 3)
    world.work()
    mail.outbox.clear()
    friend(world, ana, name="Cem Kaya", shows_first_name=True)
    world.later(minutes=1)
    friend(world, ana, shows_first_name=shows)
    world.later(minutes=1)
    friend(world, ana, name="Dee Oh", shows_first_name=True)
    world.work()
    told = [each for each in mail.outbox if "ana.lopez" in each.to[0]]
    assert [each.subject for each in told] == [
        "Cem ordered too: Osso Buco",
        f"It's on! {who} made Osso Buco happen",
        "Dee ordered too: Osso Buco",
    ]
    assert f"It's on! {who} made it happen\n" in told[1].body


def test_who_turned_reminders_off_is_not_emailed_that_a_friend_joined(world, ana):
    reserve(world, ana, 3)
    turn_reminders_off(world, ana)
    friend(world, ana)
    world.work()
    [joined] = Email.objects.filter(kind=EmailKind.FRIEND_JOINED)
    assert (joined.sent_at, joined.dropped_at) == (None, world.now)
