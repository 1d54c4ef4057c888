"""The steps on an order's page: what happened, in the order in which it happened."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.offers.models import PickupSlot
from apps.offers.presentation import Special
from apps.preorders.guest import changes, choices, replacement
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.guest.order_steps import order_steps
from apps.preorders.models import PreOrder
from apps.preorders.settlement.offer_cancellation import cancel_offer
from tests.preorders.world import OFF_SESSION_DECLINED

NO_ROOM_FOR_TWO_HOLDS = "4000000000006009"  # has 60.00; a portion with tax is 25.92


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=9, name="Osso Buco")


def steps_of(order):
    """The title and the time of each step."""
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    steps = order_steps(found, Special(found.offer, clock.now()))
    return [(step.title, step.at) for step in steps]


def texts_of(order):
    """The title and the text of each change."""
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    steps = order_steps(found, Special(found.offer, clock.now()))
    return [(step.title, step.text) for step in steps if "hanged" in step.title]


def change(world, order, quantity):
    changes.change_quantity(order=world.fresh(order), quantity=quantity, now=world.now)
    world.work()


def test_a_changed_order_keeps_its_first_number_and_each_change_has_its_time(world, offer):
    order = world.authorized_order(offer, 4)
    world.later(minutes=2)
    change(world, order, 1)
    world.later(minutes=3)
    change(world, order, 2)
    assert steps_of(order)[:4] == [
        ("Ordered: 4 portions", "Mon, Mar 22, 12:00 PM EDT"),
        ("Your bank placed a hold of $103.68", "Mon, Mar 22, 12:00 PM EDT"),
        ("Changed from 4 portions to 1", "Mon, Mar 22, 12:02 PM EDT"),
        ("Changed from 1 portion to 2", "Mon, Mar 22, 12:05 PM EDT"),
    ]


def test_a_larger_hold_leaves_the_time_of_the_first_one(world, offer):
    order = world.authorized_order(offer, 1)
    world.later(minutes=2)
    change(world, order, 3)
    assert world.fresh(order).authorized_at > world.now - timedelta(minutes=1)
    assert steps_of(order)[:3] == [
        ("Ordered: 1 portion", "Mon, Mar 22, 12:00 PM EDT"),
        ("Your bank placed a hold of $25.92", "Mon, Mar 22, 12:00 PM EDT"),
        ("Changed from 1 portion to 3", "Mon, Mar 22, 12:02 PM EDT"),
    ]


def test_a_change_that_its_guest_did_not_finish_is_no_step(world, offer):
    order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
    change(world, order, 3)
    assert [title for title, _ in steps_of(order)] == [
        "Ordered: 2 portions",
        "Your bank placed a hold of $51.84",
        "We'll charge your card $51.84",
        "Dine in or pickup",
    ]


def test_a_hold_after_the_decision_stands_below_it(world, offer):
    order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
    fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
    world.stripe.control(capture_fault=fault)
    decided = world.settle(offer)
    late = decided.decided_at + timedelta(hours=2)
    order.transitions.filter(new="authorized").update(at=late)
    PreOrder.objects.filter(pk=order.pk).update(authorized_at=late)
    assert [title for title, _ in steps_of(order)[:4]] == [
        "Ordered: 2 portions",
        "It's on",
        "Your bank placed a hold of $51.84",
        "Your bank declined the charge",
    ]


def test_a_change_says_what_happened_to_the_hold_where_it_needed_a_larger_one(world, offer):
    order = world.authorized_order(offer, 1)
    for quantity in (3, 1, 2, 4):
        world.later(minutes=2)
        change(world, order, quantity)
    new_hold = "Your bank placed a new hold of {}, and we released the old one."
    assert texts_of(order) == [
        ("Changed from 1 portion to 3", new_hold.format("$77.76")),
        ("Changed from 3 portions to 1", ""),
        ("Changed from 1 portion to 2", ""),
        ("Changed from 2 portions to 4", new_hold.format("$103.68")),
    ]


def test_a_hold_that_no_change_placed_is_a_step_of_its_own(world, offer):
    order = world.authorized_order(offer, 2, NO_ROOM_FOR_TWO_HOLDS)
    world.later(minutes=2)
    changes.change_quantity(order=world.fresh(order), quantity=3, now=world.now)
    replacement.release_first(order=world.fresh(order), now=world.now)
    world.later(minutes=5)
    replacement.page_for_new_hold(world.fresh(order), now=world.now)
    world.stripe.control(card_limit={"number": NO_ROOM_FOR_TWO_HOLDS, "limit": 8000})
    world.pay(world.fresh(order), NO_ROOM_FOR_TWO_HOLDS)
    world.hear(order)
    assert steps_of(order)[:4] == [
        ("Ordered: 2 portions", "Mon, Mar 22, 12:00 PM EDT"),
        ("Your bank placed a hold of $51.84", "Mon, Mar 22, 12:00 PM EDT"),
        ("Changed from 2 portions to 3", "Mon, Mar 22, 12:02 PM EDT"),
        ("Your bank placed a new hold of $77.76", "Mon, Mar 22, 12:07 PM EDT"),
    ]
    assert texts_of(order) == [("Changed from 2 portions to 3", "")]


def test_a_canceled_order_says_when(world, offer):
    order = world.authorized_order(offer, 2)
    world.later(minutes=3)
    cancel_own_order(order=world.fresh(order), now=world.now)
    assert ("You canceled the order", "Mon, Mar 22, 12:03 PM EDT") in steps_of(world.fresh(order))


def test_a_called_off_special_names_who_canceled_it(world, offer):
    order, own = world.authorized_order(offer, 2), world.authorized_order(offer)
    cancel_own_order(order=world.fresh(own), now=world.now)
    cancel_offer(
        restaurant=world.restaurant, offer_id=offer.pk, reason="Ill", by="Olga", now=world.now
    )
    theirs, ours = ([name for name, _when in steps_of(world.fresh(each))] for each in (own, order))
    assert f"{world.restaurant.name} canceled the special" in ours
    assert "You canceled the order" in theirs


def two_times(world, offer):
    return (
        PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=world.now + timedelta(days=2, hours=hours),
            ends_at=world.now + timedelta(days=2, hours=hours, minutes=30),
        )
        for hours in (6, 7)
    )


def test_portions_and_their_time_saved_at_once_are_one_step(world, offer):
    order = world.authorized_order(offer, 3)
    early, late = two_times(world, offer)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=early)
    world.later(minutes=2)
    changes.change_quantity(order=world.fresh(order), quantity=1, slot_id=late.pk, now=world.now)
    world.later(minutes=2)
    choices.change_slot(order=world.fresh(order), slot_id=early.pk, now=world.now)
    assert texts_of(order) == [
        ("Changed from 3 portions to 1, at another time", ""),
        ("Pickup time changed: 6:00–6:30 PM", ""),
    ]
    world.later(minutes=2)
    changes.change_quantity(order=world.fresh(order), quantity=2, slot_id=late.pk, now=world.now)
    assert texts_of(order)[1:] == [
        ("Pickup time changed", ""),
        ("Changed from 1 portion to 2, 7:00–7:30 PM", ""),
    ]


def test_changes_of_time_and_mode_are_steps_and_the_last_names_the_time(world, offer):
    order = world.authorized_order(offer, 1)
    early, late = two_times(world, offer)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=early, service_mode="dine_in")
    choices.change_service_mode(order=world.fresh(order), mode="pickup", now=world.now)
    choices.change_slot(order=world.fresh(order), slot_id=late.pk, now=world.now)
    world.later(minutes=2)
    choices.change_service_mode(order=world.fresh(order), mode="dine_in", now=world.now)
    choices.change_slot(order=world.fresh(order), slot_id=early.pk, now=world.now)
    assert texts_of(order) == [
        ("Changed to pickup", ""),
        ("Time changed", ""),
        ("Changed to dine in", ""),
        ("Time changed: 6:00–6:30 PM", ""),
    ]
    PreOrder.objects.filter(pk=order.pk).update(service_mode="pickup")
    assert ("Pickup time changed", "") in texts_of(order)
