"""What an owner can do about an open special, what the page says first, and what is recorded
(decision 18)."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict, Invalid, NotFound
from apps.offers.models import OfferChange, PickupSlot, SpecialOffer
from apps.preorders.core.access import guest_url
from apps.preorders.emails.rendering import render_order_email
from apps.preorders.models import Email, PreOrder
from apps.preorders.special.rescue import (
    Extend,
    GoAhead,
    LowerMinimum,
    RestaurantPortions,
    latest_deadline,
    preview_rescue,
    rescue_offer,
)
from tests.factories import RestaurantFactory
from tests.faults.ledger import assert_ledger_balances


def carry_out(world, offer, action, **more):
    facts = {"restaurant": world.restaurant, "offer_id": offer.pk, "now": world.now} | more
    return rescue_offer(action=action, by="Olga Owner", **facts)


def tried(world, offer, action):
    return preview_rescue(
        restaurant=world.restaurant, offer_id=offer.pk, action=action, now=world.now
    )


def preview_sentence(world, offer, action):
    return tried(world, offer, action).sentence


def refusal(world, offer, action):
    """The sentence of a refusal, which is the same in the preview and in the action. Checks that
    nothing is written."""
    before = SpecialOffer.objects.filter(pk=offer.pk).values().get()
    with pytest.raises((Invalid, Conflict)) as trial:
        tried(world, offer, action)
    with pytest.raises((Invalid, Conflict)) as deed:
        carry_out(world, offer, action)
    assert str(trial.value) == str(deed.value)
    assert SpecialOffer.objects.filter(pk=offer.pk).values().get() == before
    assert not OfferChange.objects.filter(offer=offer).exists()
    return str(deed.value)


def history(offer):
    rows = OfferChange.objects.filter(offer=offer).order_by("pk")
    return [(row.kind, row.detail, row.by) for row in rows]


class TestLoweringTheMinimum:
    def test_says_what_it_brings_and_then_the_deadline_does_it(self, world):
        offer = world.offer(min_preorders=4)
        order = world.authorized_order(offer, 3)
        assert preview_sentence(world, offer, LowerMinimum(3)) == (
            "3 of 4 portions ordered. Lower the minimum to 3, and 1 card is charged on "
            "Tue, Mar 23, 12:00 PM EDT: $77.76, of which you receive $73.65, including $5.76 "
            "sales tax you owe."
        )
        carry_out(world, offer, LowerMinimum(3))
        assert world.fresh(offer).min_preorders == 3
        assert history(offer) == [
            ("minimum_lowered", "Minimum lowered from 4 to 3", "Olga Owner"),
        ]
        assert world.emails(order) == ["received"]  # nothing new is due from anybody
        assert world.settle(offer).status == "succeeded"
        assert_ledger_balances(world, offer)

    def test_says_when_it_does_not_help(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 2)
        assert preview_sentence(world, offer, LowerMinimum(3)).endswith(
            "and it's still 1 portion short."
        )

    def test_lowering_the_minimum_never_raises_it(self, world):
        offer = world.offer(min_preorders=4)
        assert refusal(world, offer, LowerMinimum(5)) == (
            "The minimum is 4 and can only be lowered. Enter a smaller number."
        )


class TestGoingAheadAnyway:
    def test_a_guaranteed_special_goes_ahead_at_the_deadline(self, world):
        offer = world.offer(min_preorders=9)
        world.authorized_order(offer, 2)
        assert preview_sentence(world, offer, GoAhead()) == (
            "Guarantee it, and 1 card is charged on Tue, Mar 23, 12:00 PM EDT: $51.84, "
            "of which you receive $49.00, including $3.84 sales tax you owe. "
            "Your guests will see that it's on. You can't undo this."
        )
        carry_out(world, offer, GoAhead())
        assert history(offer) == [
            ("goes_ahead", "Guaranteed, no matter how many guests order", "Olga Owner"),
        ]
        assert world.settle(offer).status == "succeeded"
        assert_ledger_balances(world, offer)

    def test_still_needs_somebody_to_cook_for(self, world):
        offer = world.offer(min_preorders=9)
        assert "if at least one guest has ordered by then" in preview_sentence(
            world, offer, GoAhead()
        )
        carry_out(world, offer, GoAhead())
        assert world.settle(offer).status == "failed"


class TestRestaurantPortions:
    def test_count_toward_the_minimum_and_charge_nobody(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 3)
        assert preview_sentence(world, offer, RestaurantPortions(2)) == (
            "With 2 restaurant portions, 1 card is charged on Tue, Mar 23, 12:00 PM EDT: "
            "$77.76, of which you receive $73.65, including $5.76 sales tax you owe. "
            "No one is charged for restaurant portions."
        )
        after = carry_out(world, offer, RestaurantPortions(2))
        assert (after.ordered_portions, after.reserved_portions) == (5, 5)
        assert world.settle(offer).status == "succeeded"
        assert PreOrder.objects.filter(offer=offer).count() == 1
        assert_ledger_balances(world, offer)

    def test_restaurant_portions_can_be_removed(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 3)
        carry_out(world, offer, RestaurantPortions(2))
        after = carry_out(world, offer, RestaurantPortions(0))
        assert (after.ordered_portions, after.reserved_portions) == (3, 3)
        assert [detail for _, detail, _ in history(offer)] == [
            "Restaurant portions changed from 0 to 2",
            "Restaurant portions changed from 2 to 0",
        ]
        assert world.settle(offer).status == "failed"

    def test_take_no_portion_from_a_guest(self, world):
        """Four of six are ordered or in checkout."""
        offer = world.offer(min_preorders=5, max_preorders=6)
        world.authorized_order(offer, 3)
        world.begin(offer)
        assert refusal(world, offer, RestaurantPortions(3)) == (
            "Guests have ordered all but 2 of your 6 portions. Enter 2 or fewer."
        )
        after = carry_out(world, offer, RestaurantPortions(2))
        with pytest.raises(Conflict, match="Sold out"):
            world.begin(after)
        assert refusal_when_full(world) == ("Guests have ordered all of your 3 portions.")


def refusal_when_full(world):
    full = world.offer(min_preorders=3, max_preorders=3)
    world.authorized_order(full, 3)
    return refusal(world, full, RestaurantPortions(1))


class TestExtending:
    def test_tells_everybody_whose_card_is_held_and_lets_them_leave(self, world):
        offer = world.offer(min_preorders=5)
        held = world.authorized_order(offer, 2)
        world.begin(offer)
        until = offer.deadline + timedelta(hours=4)
        assert preview_sentence(world, offer, Extend(until)) == (
            "Orders stay open until Tue, Mar 23, 4:00 PM EDT. We'll email 1 guest, who can "
            "cancel for free. No one is charged before then."
        )
        carry_out(world, offer, Extend(until))
        assert world.fresh(offer).deadline == until
        assert history(offer) == [
            (
                "extended",
                "Deadline extended from Tue, Mar 23, 12:00 PM EDT to Tue, Mar 23, 4:00 PM EDT",
                "Olga Owner",
            ),
        ]
        assert [email.pre_order_id for email in Email.objects.filter(kind="extended")] == [held.pk]
        message = render_order_email(Email.objects.get(kind="extended"))
        assert message.subject == f"New deadline for {offer.name}: Tue, Mar 23, 4:00 PM EDT"
        assert "Tue, Mar 23, 4:00 PM EDT" in message.body
        assert guest_url(held, then="?open=cancel#cancel") in message.body

    def test_extending_the_deadline_delays_the_decision(self, world):
        offer = world.offer(min_preorders=3)
        world.authorized_order(offer, 2)
        old = offer.deadline
        carry_out(world, offer, Extend(old + timedelta(hours=4)))
        world.at(old)
        assert world.close(offer) == "active"
        world.authorized_order(offer)
        assert world.settle(world.fresh(offer)).status == "succeeded"
        assert_ledger_balances(world, offer)

    def test_each_extension_has_its_email(self, world):
        offer = world.offer(min_preorders=3)
        order = world.authorized_order(offer)
        for hours in (1, 2):
            carry_out(world, offer, Extend(offer.deadline + timedelta(hours=hours)))
        emails = Email.objects.filter(pre_order=order, kind="extended")
        assert sorted(emails.values_list("number", flat=True)) == [1, 2]
        world.work()
        assert not emails.filter(sent_at=None).exists()

    def test_within_the_day_it_is_served(self, world):
        offer = world.offer()
        assert latest_deadline(offer, world.now).reason == "It's served that day."
        assert refusal(world, offer, Extend(offer.deadline + timedelta(days=2))) == (
            "The deadline can be Wed, Mar 24, 11:59 PM EDT at the latest. It's served that day."
        )

    def test_a_deadline_can_be_extended_to_the_first_pickup_at_most(self, world):
        offer = world.offer()
        first = offer.deadline + timedelta(hours=20)
        PickupSlot.objects.create(
            offer=offer,
            restaurant=world.restaurant,
            starts_at=first,
            ends_at=first + timedelta(minutes=30),
        )
        assert latest_deadline(offer, world.now).moment == first

    def test_within_the_life_of_every_hold(self, world):
        """It must be settled before the hold ends: ten minutes of grace, two hours to spare."""
        offer = world.offer(serve_date=(world.now + timedelta(days=20)).date())
        order = world.authorized_order(offer)
        ends = world.now + timedelta(days=3)
        PreOrder.objects.filter(pk=order.pk).update(capture_before=ends)
        latest = latest_deadline(offer, world.now)
        assert latest.moment == ends - timedelta(hours=2, minutes=10)
        assert "hold expires soon after" in refusal(world, offer, Extend(ends))

    def test_a_deadline_more_than_a_week_away_is_refused(self, world):
        offer = world.offer(serve_date=(world.now + timedelta(days=20)).date())
        assert refusal(world, offer, Extend(world.now + timedelta(days=7, minutes=1))) == (
            "The deadline can be Mon, Mar 29, 12:00 PM EDT at the latest. "
            "A card can be held for seven days."
        )

    def test_an_earlier_deadline_is_refused(self, world):
        offer = world.offer()
        assert refusal(world, offer, Extend(offer.deadline - timedelta(hours=1))) == (
            "The deadline is Tue, Mar 23, 12:00 PM EDT. Choose a later time."
        )


ACTIONS = [LowerMinimum(2), GoAhead(), RestaurantPortions(1), "extend"]


def action_of(offer, action):
    return Extend(offer.deadline + timedelta(hours=1)) if action == "extend" else action


@pytest.mark.parametrize("action", ACTIONS, ids=str)
class TestEvery:
    def test_pressed_twice_is_done_once(self, world, action):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer)
        for _ in range(2):
            carry_out(world, offer, action_of(offer, action))
        assert len(history(offer)) == 1
        assert Email.objects.filter(kind="extended").count() == (action == "extend")

    def test_previewing_an_action_writes_nothing(self, world, action):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer)
        before = SpecialOffer.objects.filter(pk=offer.pk).values().get()
        tried(world, offer, action_of(offer, action))
        assert SpecialOffer.objects.filter(pk=offer.pk).values().get() == before
        assert history(offer) == []
        assert not Email.objects.filter(kind="extended").exists()

    def test_every_rescue_is_refused_from_the_deadline_on(self, world, action):
        offer = world.offer(min_preorders=5, name="Osso Buco")
        world.at(offer.deadline)
        assert refusal(world, offer, action_of(offer, action)) == (
            "The deadline for Osso Buco has passed, so you can't change it anymore."
        )

    def test_every_rescue_is_refused_to_others(self, world, action):
        offer = world.offer(min_preorders=5)
        with pytest.raises(NotFound):
            carry_out(world, offer, action_of(offer, action), restaurant=RestaurantFactory())
        assert history(offer) == []


class TestTheEndpoint:
    @pytest.fixture
    def offer(self, world):
        return world.offer(min_preorders=5)

    @pytest.fixture
    def owner(self, api, world):
        from tests.factories import MembershipFactory

        return api(MembershipFactory(restaurant=world.restaurant).user)

    def post(self, client, offer, body):
        path = f"/api/specials/{offer.pk}/rescue"
        return client.post(path, body, content_type="application/json")

    def test_tries_out_and_carries_out(self, world, owner, offer):
        world.authorized_order(offer, 3)
        path = f"/api/specials/{offer.pk}/rescue?action=lower_minimum&minimum=3"
        trial = owner.get(path).json()
        assert trial["rehearsal"]["goesAhead"] is True
        assert trial["rehearsal"]["sums"]["payout"] == "73.65"
        answer = self.post(owner, offer, {"action": "lower_minimum", "minimum": 3}).json()
        assert answer["special"]["minPreordersRequired"] == 3
        assert answer["rehearsal"] == trial["rehearsal"]
        assert [change["detail"] for change in answer["changes"]] == ["Minimum lowered from 5 to 3"]

    def test_a_time_without_an_offset_is_on_the_restaurants_clock(self, world, owner, offer):
        body = {"action": "extend", "until": "2027-03-23T15:30"}
        assert self.post(owner, offer, body).status_code == 200
        assert world.fresh(offer).deadline.isoformat() == "2027-03-23T19:30:00+00:00"

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"action": "close"}, "action"),
            ({"action": "lower_minimum"}, "minimum"),
            ({"action": "lower_minimum", "minimum": 0}, "minimum"),
            ({"action": "lower_minimum", "minimum": "many"}, "minimum"),
            ({"action": "lower_minimum", "minimum": 6}, "minimum"),
            ({"action": "restaurant_portions"}, "portions"),
            ({"action": "restaurant_portions", "portions": -1}, "portions"),
            ({"action": "restaurant_portions", "portions": 10_001}, "portions"),
            ({"action": "extend"}, "until"),
            ({"action": "extend", "until": "soon"}, "until"),
            ({"action": "extend", "until": "2027-03-22T12:00"}, "until"),
        ],
    )
    def test_refuses_by_name_what_makes_no_sense(self, owner, offer, body, field):
        answer = self.post(owner, offer, body)
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]
        assert answer.json()["message"]
        assert history(offer) == []
