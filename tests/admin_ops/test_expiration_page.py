"""The page of expiration management: staff see what waits and why, and do something about it."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.preorders import tasks
from apps.preorders.models import SettlementPause
from apps.preorders.settlement import expirations, pauses
from tests.factories import StaffFactory
from tests.pages import props_of, text_of
from tests.preorders.world import OFF_SESSION_DECLINED

PAGE = "/admin/expiration"


@pytest.fixture
def staff(api):
    return api(StaffFactory(email="staff@platform.test", name="Sam"))


@pytest.fixture
def overdue_offer(world):
    """Its deadline passed two hours ago while the scheduler was stopped."""
    offer = world.offer(min_preorders=1, name="Osso buco")
    world.authorized_order(offer)
    stop(world)
    world.at(offer.deadline + timedelta(hours=2))
    tasks.close_due_offers_task.delay()
    world.work()
    return offer


def stop(world):
    expirations.stop_scheduler(reason="Stripe is being migrated", by="Maria", now=world.now)


def pause_all(world):
    pauses.pause_settlement(
        target=pauses.EVERYTHING, reason="Charges look wrong", by="Maria", now=world.now
    )


def press(staff, action, scope="special", target="", **more):
    body = {"action": action, "scope": scope, "target": str(target), **more}
    return staff.upload(PAGE, body)


def test_the_page_shows_the_scheduler_and_the_figures(world, staff):
    page = staff.get(PAGE)
    props = props_of(page)
    assert props["stats"]["activeSpecials"] == 0
    assert props["scheduler"]["isRunning"] is True
    assert props["intervalMinutes"] == 60
    for text in ("Nothing is paused.", "How it works", "No runs yet."):
        assert text in text_of(page)


def test_what_is_overdue_is_listed_with_its_held_orders_and_when_they_end(
    world, staff, overdue_offer
):
    page = text_of(staff.get(PAGE))
    assert "Past the deadline and undecided (1)" in page
    assert f"Osso buco {overdue_offer.restaurant.name}" in page
    order = overdue_offer.pre_orders.get()
    assert "Holds waiting because of a pause (1)" in page
    assert order.code in page


@pytest.mark.parametrize(
    "path", ["/staff/payment-issues", "/staff/activity", "/platform/disputes", "/platform/tenants"]
)
def test_every_staff_page_says_that_the_scheduler_is_stopped_and_what_is_overdue(
    world, staff, overdue_offer, path
):
    page = text_of(staff.get(path))
    assert "Automatic settlement is stopped." in page
    assert "by Maria: Stripe is being migrated" in page
    assert "1 special is past the deadline and undecided." in page


def test_no_banner_when_all_is_well(world, staff):
    page = text_of(staff.get("/staff/activity"))
    assert "Activity" in page
    assert "settlement is" not in page


def test_owners_and_staff_without_a_second_factor_see_no_banner(api, cast, clock, platform):
    expirations.stop_scheduler(reason="x", by="Maria", now=clock.now)
    Authenticator.objects.filter(user=cast.staff).delete()
    for person in (cast.owner, cast.staff):
        assert "settlement is stopped" not in text_of(api(person).get("/platform/tenants"))


def test_staff_pause_and_continue_a_special(world, staff):
    offer = world.offer(name="Osso buco")
    answer = press(staff, "pause", target=offer.pk, reason="The kitchen burned")
    assert answer.status_code == 302
    page = text_of(staff.get(PAGE))
    assert "A special is paused : Osso buco" in page or "A special is paused: Osso buco" in page
    assert "The kitchen burned Sam" in page
    press(staff, "continue", target=offer.pk)
    assert "Nothing is paused." in text_of(staff.get(PAGE))


def test_staff_pause_a_restaurant_by_its_subdomain(world, staff):
    assert world.restaurant.subdomain == "luigis"
    press(staff, "pause", scope="restaurant", target=" Luigis ", reason="Fraud")
    assert SettlementPause.objects.get().target == world.restaurant.pk


def test_staff_settle_an_overdue_special_while_the_scheduler_is_stopped(
    world, staff, overdue_offer
):
    press(staff, "retry", target=overdue_offer.pk)
    world.work()
    assert world.fresh(overdue_offer).status == "succeeded"
    assert "Every special past its deadline is decided." in text_of(staff.get(PAGE))


def test_giving_up_needs_the_box_and_ends_the_orders(world, staff, overdue_offer):
    refused = press(staff, "give_up", target=overdue_offer.pk)
    assert refused.status_code == 409
    assert "Check the box" in text_of(refused)
    assert world.fresh(overdue_offer).status == "closing"
    press(staff, "give_up", target=overdue_offer.pk, confirmed="on")
    world.work()
    assert world.fresh(overdue_offer).status == "failed"
    assert overdue_offer.pre_orders.get().payment_status == "released"


def test_a_payment_that_waits_for_its_guest_is_not_listed(world, staff):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=OFF_SESSION_DECLINED)
    world.stripe.control(declare_dead=order.payment_intent_id)
    world.settle(offer)
    assert world.operation(order).stage == "pay_link"
    assert "in progress" not in text_of(staff.get(PAGE))


def test_a_payment_is_given_up_by_its_number(world, staff):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    pause_all(world)
    world.work()
    number = world.operation(order).pk
    assert f"{number}: capture of order {order.code}" in text_of(staff.get(PAGE))
    press(staff, "give_up", scope="operation", target=number, confirmed="on")
    world.work()
    assert world.fresh(order).payment_status == "released"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "pause"},
        {"action": "explode", "scope": "all"},
        {"action": "pause", "scope": "kitchen", "reason": "x"},
        {"action": "pause", "scope": "scheduler", "reason": "x"},
        {"action": "pause", "scope": "all", "reason": "  "},
        {"action": "pause", "scope": "special", "target": "x", "reason": "x"},
        {"action": "pause", "scope": "special", "target": "\x00", "reason": "x"},
        {"action": "give_up", "scope": "all", "confirmed": "on"},
        {"action": "give_up", "scope": "restaurant", "target": "luigis", "confirmed": "on"},
    ],
)
def test_bad_input_is_answered_with_what_to_do_and_changes_nothing(world, staff, body):
    assert world.restaurant
    answer = staff.upload(PAGE, body)
    assert answer.status_code == 409
    assert "Nothing was changed." in text_of(answer)
    assert not SettlementPause.objects.exists()


@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_the_page_is_for_staff_only(api, cast, who):
    assert api(getattr(cast, who)).get(PAGE).status_code == 403
    refused = press(api(getattr(cast, who)), "pause", scope="all", reason="x")
    assert refused.status_code == 403
    assert not SettlementPause.objects.exists()


def test_visitors_are_asked_to_sign_in(api, db):
    assert api().get(PAGE).status_code == 302


def test_queries_do_not_grow_with_what_waits(world, staff):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            staff.get(PAGE)
        return len(captured)

    for minutes in range(3):
        offer = world.offer(
            min_preorders=1, deadline=world.now + timedelta(hours=1, minutes=minutes)
        )
        world.authorized_order(offer)
        target = pauses.target_of_offer(offer)
        pauses.pause_settlement(target=target, reason="x", by="Maria", now=world.now)
    world.later(hours=1)
    queries()  # what the first request of a session asks
    one_is_due = queries()
    world.later(minutes=2)
    assert queries() == one_is_due
