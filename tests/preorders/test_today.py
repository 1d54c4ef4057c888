"""The top of the dashboard: how specials ended a moment ago, and the money."""

from datetime import timedelta

import pytest

from apps.preorders.models.states import PaymentStatus
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory, PreOrderFactory
from tests.pages import props_of
from tests.preorders.world import OFF_SESSION_DECLINED


@pytest.fixture
def owner(world):
    return MembershipFactory(restaurant=world.restaurant).user


def today(api, user):
    answer = api(user).get("/api/today")
    assert answer.status_code == 200
    return answer.json()


def test_a_special_that_went_ahead_shows_its_money_for_a_day(world, api, owner):
    offer = world.offer(min_preorders=3)
    world.authorized_order(offer, 2)
    world.authorized_order(offer, 1)
    before = today(api, owner)
    assert before["results"] == []
    assert (before["money"]["held"], before["money"]["heldOrders"]) == ("77.76", 2)
    assert before["money"]["payout"] is None
    world.settle(offer)
    now = today(api, owner)
    [result] = now["results"]
    # 24.00 a portion and 8 % tax; of each card 4.9 % and 30 cents.
    assert (result["succeeded"], result["portions"], result["minimum"]) == (True, 3, 3)
    assert (result["charged"], result["fees"], result["payout"]) == ("77.76", "4.41", "73.35")
    assert result["payoutDay"] == "2027-03-26"
    money = now["money"]
    assert (money["held"], money["charged"], money["tax"]) == ("0.00", "77.76", "5.76")
    assert money["payout"] == {"day": "2027-03-26", "amount": "73.35", "currency": "usd"}
    world.later(hours=24)
    assert today(api, owner)["results"] == []


def test_a_special_that_missed_its_minimum_says_that_no_one_was_charged(world, api, owner):
    offer = world.offer(min_preorders=5)
    world.authorized_order(offer, 2)
    world.settle(offer)
    found = today(api, owner)
    [result] = found["results"]
    assert (result["succeeded"], result["charged"], result["payout"]) == (False, "0.00", "0.00")
    assert "No one was charged." in result["sentence"]
    assert found["money"]["held"] == "0.00"


def test_a_declined_card_is_in_the_result(world, api, owner):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer, 2)
    broken = world.authorized_order(offer, 1, card=OFF_SESSION_DECLINED)
    fault = {"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
    world.stripe.control(capture_fault=fault)
    world.settle(offer)
    [result] = today(api, owner)["results"]
    assert (result["declined"], result["chargedOrders"], result["charged"]) == (1, 1, "51.84")


def test_a_refund_and_its_tax_are_taken_off_what_was_charged(world, api, owner):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 1)
    world.settle(offer)
    world.refund(world.fresh(order))
    world.work()
    found = today(api, owner)
    assert (found["money"]["charged"], found["money"]["tax"]) == ("0.00", "0.00")
    assert found["results"][0]["refunded"] == "25.92"
    assert found["money"]["payout"] is None


def test_last_months_charges_are_not_this_months(world, api, owner):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer, 1)
    world.settle(offer)
    world.at(world.now + timedelta(days=31))
    assert today(api, owner)["money"]["charged"] == "0.00"


@pytest.mark.parametrize("role", [Membership.Role.MANAGER, Membership.Role.KITCHEN])
def test_members_who_see_no_ledger_see_no_money(world, api, role):
    member = MembershipFactory(restaurant=world.restaurant, role=role).user
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer, 1)
    world.settle(offer)
    found = today(api, member)
    assert found["money"] is None
    [result] = found["results"]
    assert result["chargedOrders"] == 1
    assert [result[name] for name in ("charged", "refunded", "fees", "payout")] == [None] * 4


def test_the_dashboard_opens_on_today_while_a_special_just_ended(world, api, owner):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)

    def opened(query=""):
        return props_of(api(owner).get(f"/restaurant{query}"))["tab"]

    assert opened() == "specials"
    world.settle(offer)
    assert (opened(), opened("?tab=orders")) == ("today", "orders")
    world.later(hours=24)
    assert opened() == "specials"


def test_the_dashboard_opens_on_today_while_a_declined_card_can_be_paid(world, api, owner):
    offer = world.offer(min_preorders=1)
    PreOrderFactory(offer=offer, payment_status=PaymentStatus.CAPTURE_FAILED)
    assert props_of(api(owner).get("/restaurant"))["tab"] == "today"
