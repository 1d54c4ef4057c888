"""Pausing settlement: what waits, what goes on, and that nothing is lost or charged wrongly."""

from datetime import timedelta

import pytest
import stripe as stripe_api

from apps.common.errors import Invalid, NotFound
from apps.preorders import tasks
from apps.preorders.core.links import order_path
from apps.preorders.models import PaymentOperation, SettlementPause
from apps.preorders.models.states import OperationKind, PauseScope, ReasonCode
from apps.preorders.settlement import (
    deadline,
    expiry,
    interventions,
    overdue,
    pauses,
    worker,
)
from apps.preorders.settlement.pauses import EVERYTHING, SCHEDULER, find_target, target_of_offer
from tests.caching import forget_everything
from tests.pages import text_of
from tests.preorders.access import allow


def pause(world, target, reason="Charges look wrong", **options):
    return pauses.pause_settlement(
        target=target, reason=reason, by="Maria", now=world.now, **options
    )


def go_on(world, target):
    return interventions.continue_settlement(target=target, by="Maria", now=world.now)


def tick(world):
    """A second of the schedule, and everything that it causes."""
    forget_everything()  # an offer is looked at every five seconds of real time
    tasks.close_due_offers_task.delay()
    tasks.run_due_operations_task.delay()
    world.work()


def scopes_of(world, offer):
    restaurant = find_target(PauseScope.RESTAURANT, str(offer.restaurant_id))
    return {"all": EVERYTHING, "restaurant": restaurant, "special": target_of_offer(offer)}


@pytest.mark.parametrize("scope", ["all", "restaurant", "special"])
def test_a_paused_special_is_not_decided_until_it_is_continued(world, scope):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    target = scopes_of(world, offer)[scope]
    pause(world, target)
    world.at(offer.deadline + timedelta(hours=1))
    tick(world)
    assert world.fresh(offer).status == "closing"
    assert world.fresh(order).payment_status == "authorized"
    assert PaymentOperation.objects.count() == 0
    assert go_on(world, target)
    tick(world)
    assert world.fresh(offer).status == "succeeded"
    assert world.fresh(order).payment_status == "captured"
    assert world.emails(order) == ["confirmed", "received"]


def test_a_paused_special_does_not_keep_others_waiting(world):
    paused, other = world.offer(min_preorders=1), world.offer(min_preorders=1)
    orders = [world.authorized_order(each) for each in (paused, other)]
    pause(world, target_of_offer(paused))
    world.at(paused.deadline)
    tick(world)
    assert [world.fresh(each).payment_status for each in orders] == ["authorized", "captured"]
    # What a pause leaves nothing to do for takes nobody's place.
    assert deadline.due_offers(now=world.now) == []
    assert list(overdue.overdue_offers(now=world.now + overdue.OVERDUE_AFTER)) == [paused]


@pytest.mark.parametrize("minimum", [1, 9], ids=["captures", "releases"])
def test_what_was_decided_waits_during_a_pause_and_is_carried_out_once_after_it(world, minimum):
    offer = world.offer(min_preorders=minimum)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    pause(world, EVERYTHING)
    tick(world)
    world.later(minutes=30)
    tick(world)
    assert worker.due_operations(now=world.now) == []
    assert stripe_api.PaymentIntent.retrieve(order.payment_intent_id).status == "requires_capture"
    assert world.operation(order).attempts == 0
    go_on(world, EVERYTHING)
    world.work()
    tick(world)
    assert world.operation(order).state == "done"
    assert world.operation(order).attempts == 1


def test_one_operation_is_paused_by_its_number(world):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.at(offer.deadline)
    world.close(offer)
    number = world.operation(orders[0]).pk
    target = find_target(PauseScope.OPERATION, str(number))
    pause(world, target)
    world.work()
    assert [world.fresh(each).payment_status for each in orders] == ["authorized", "captured"]
    go_on(world, target)
    world.work()
    assert world.fresh(orders[0]).payment_status == "captured"


def test_a_guest_can_cancel_during_a_pause_and_the_hold_is_released(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    pause(world, EVERYTHING)
    world.cancel(order)
    world.work()
    assert world.fresh(order).payment_status == "released"


def test_a_refund_goes_on_during_a_pause(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    pause(world, EVERYTHING)
    world.refund(order)
    world.work()
    assert world.fresh(order).payment_status == "refunded"


def test_checkouts_open_at_the_deadline_are_closed_on_time_during_a_pause(world):
    offer = world.offer(min_preorders=1)
    open_checkout = world.begin(offer)
    pause(world, target_of_offer(offer))
    world.at(offer.deadline + timedelta(minutes=10))
    tick(world)
    assert world.fresh(open_checkout).status == "cancelled"
    assert world.sessions()[0].status == "expired"
    assert world.fresh(offer).status == "closing"


def test_a_hold_that_ends_before_the_deadline_is_renewed_and_not_charged_during_a_pause(world):
    offer = world.offer(min_preorders=1, deadline=world.now + timedelta(days=6, hours=23))
    order = world.authorized_order(offer)
    pause(world, target_of_offer(offer))
    world.at(order.capture_before - timedelta(hours=3))
    tasks.renew_authorizations_task.delay()
    world.work()
    renewed = world.fresh(order)
    assert renewed.payment_status == "authorized"
    assert renewed.capture_before > order.capture_before
    assert not order.operations.filter(kind=OperationKind.CAPTURE).exists()


def test_no_hold_is_renewed_or_charged_after_the_deadline_during_a_pause(world):
    offer = world.offer(min_preorders=1, deadline=world.now + timedelta(days=6, hours=23))
    order = world.authorized_order(offer)
    pause(world, SCHEDULER)
    world.at(offer.deadline + timedelta(minutes=30))
    (found,) = expiry.expiring_authorizations(now=world.now)
    expiry.renew_or_capture(found, now=world.now)
    assert not order.operations.exists()
    assert list(overdue.ending_holds(now=world.now)) == [order]


def test_a_guest_who_waits_for_long_is_promised_no_minutes(world, api):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    guest = api(at=world.restaurant)
    allow(guest, order, now=world.now)
    pause(world, EVERYTHING)
    world.at(offer.deadline + timedelta(minutes=5))
    tick(world)
    assert "We're counting the orders" in text_of(guest.get(order_path(order)))
    world.later(minutes=30)
    page = text_of(guest.get(order_path(order)))
    assert "This is taking longer than usual" in page
    assert "isn't charged yet" in page
    assert "few minutes" not in page


def test_an_order_whose_hold_ends_during_a_pause_ends_uncharged_and_its_guest_is_told(world):
    offer = world.offer(min_preorders=1)
    dies, lives = world.authorized_order(offer), world.authorized_order(offer)
    pause(world, EVERYTHING)
    world.at(offer.deadline + timedelta(hours=1))
    tick(world)
    world.stripe.control(declare_dead=dies.payment_intent_id)
    world.hear_of_intent(dies)
    assert world.fresh(dies).status == "cancelled"
    assert world.emails(dies) == ["received", "released"]
    go_on(world, EVERYTHING)
    tick(world)
    assert world.fresh(lives).payment_status == "captured"
    assert world.fresh(dies).payment_status == "released"


def test_nobody_is_charged_when_the_pause_ends_after_the_serve_date(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    pause(world, EVERYTHING)
    world.at(offer.deadline)
    tick(world)
    world.at(offer.serving_ends)
    go_on(world, EVERYTHING)
    tick(world)
    assert world.fresh(offer).status == "failed"
    assert world.fresh(order).payment_status == "released"


def test_ending_one_pause_leaves_the_other_in_place(world):
    offer = world.offer(min_preorders=1)
    pause(world, EVERYTHING)
    pause(world, target_of_offer(offer))
    go_on(world, EVERYTHING)
    world.at(offer.deadline)
    tick(world)
    assert world.fresh(offer).status == "closing"


def test_pausing_and_continuing_twice_is_the_same_as_once(world):
    first = pause(world, EVERYTHING)
    assert pause(world, EVERYTHING, reason="Again").pk == first.pk
    assert SettlementPause.objects.get().reason == "Charges look wrong"
    assert go_on(world, EVERYTHING)
    assert not go_on(world, EVERYTHING)
    assert SettlementPause.objects.get().ended_by == "Maria"


def test_a_pause_that_is_over_makes_room_for_another(world):
    pause(world, EVERYTHING, ends_at=world.now + timedelta(hours=1))
    world.later(hours=2)
    assert pauses.settlement_pauses(now=world.now) == []
    second = pause(world, EVERYTHING, reason="Again")
    assert pauses.settlement_pauses(now=world.now) == [second]


@pytest.mark.parametrize("reason", ["", "   ", "x" * 256])
def test_a_pause_needs_a_reason(world, reason):
    with pytest.raises(Invalid, match="Enter a reason"):
        pause(world, EVERYTHING, reason=reason)
    assert not SettlementPause.objects.exists()


@pytest.mark.parametrize(
    ("scope", "named"),
    [
        ("restaurant", "nobody"),
        ("restaurant", ""),
        ("special", "not-an-id"),
        ("special", "6f9d1c1e-0000-4000-8000-000000000000"),
        ("operation", "999999"),
        ("operation", "-1"),
        ("operation", "9" * 30),
    ],
)
def test_what_does_not_exist_cannot_be_paused(db, platform, scope, named):
    with pytest.raises(NotFound, match="Check its ID"):
        find_target(scope, named)


def test_an_unknown_scope_is_refused(db, platform):
    with pytest.raises(Invalid):
        find_target("kitchen", "x")


# --- trying again and giving up -------------------------------------------------------------------
def test_giving_up_a_special_during_a_pause_releases_every_hold(world):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(2)]
    target = target_of_offer(offer)
    pause(world, target)
    world.at(offer.deadline)
    tick(world)
    count = interventions.give_up_settlement(target=target, by="Maria", now=world.now)
    assert (count.operations, count.specials) == (0, 1)
    assert world.fresh(offer).status == "failed"
    assert world.fresh(offer).transitions.last().reason_code == ReasonCode.GIVEN_UP
    go_on(world, target)
    tick(world)
    assert {world.fresh(order).payment_status for order in orders} == {"released"}
    assert world.emails(orders[0]) == ["received", "released"]


def test_giving_up_what_was_decided_cancels_the_orders_that_are_not_charged_yet(world):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.at(offer.deadline)
    world.close(offer)
    pause(world, EVERYTHING)
    target = target_of_offer(offer)
    dry = interventions.give_up_settlement(target=target, by="Maria", now=world.now, dry_run=True)
    assert (dry.operations, dry.specials) == (2, 0)
    assert not PaymentOperation.objects.exclude(instruction="").exists()
    interventions.give_up_settlement(target=target, by="Maria", now=world.now)
    world.work()
    assert {world.fresh(order).payment_status for order in orders} == {"released"}
    again = interventions.give_up_settlement(target=target, by="Maria", now=world.now)
    assert (again.operations, again.specials) == (0, 0)


def test_trying_again_decides_a_special_that_is_due_although_the_scheduler_is_stopped(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    pause(world, SCHEDULER)
    world.at(offer.deadline)
    tick(world)
    assert world.fresh(offer).status == "closing"
    target = target_of_offer(offer)
    interventions.retry_settlement(target=target, by="Maria", now=world.now)
    world.work()
    assert world.fresh(order).payment_status == "captured"


def test_trying_again_does_not_lift_a_pause(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    pause(world, EVERYTHING)
    world.at(offer.deadline)
    target = target_of_offer(offer)
    done = interventions.retry_settlement(target=target, by="Maria", now=world.now)
    assert (done.operations, done.specials) == (0, 0)
    assert world.fresh(order).payment_status == "authorized"
