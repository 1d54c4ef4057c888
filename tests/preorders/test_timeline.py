"""The steps of the chart: what happened, and no more of them than a chart can show."""

from datetime import timedelta

import pytest

from apps.offers.models import OfferChange
from apps.preorders.models import PreOrderTransition
from apps.preorders.settlement.cancellation import cancel_order
from apps.preorders.special.rescue import LowerMinimum, RestaurantPortions, rescue_offer
from apps.preorders.special.timeline import MAX_POINTS, timeline_of
from tests.factories import save_crowd


@pytest.fixture
def steps(world):
    """`steps(offer)`: (hours since publication, portions, minimum) of each point."""

    def read(offer):
        offer = world.fresh(offer)
        changes = list(OfferChange.objects.filter(offer=offer).order_by("at", "pk"))
        timeline = timeline_of(offer, changes, now=world.now)
        return [
            (
                round((point.at - offer.created_at) / timedelta(hours=1)),
                point.portions,
                point.minimum,
            )
            for point in timeline.points
        ]

    return read


def rescue(world, offer, action):
    rescue_offer(
        restaurant=world.restaurant, offer_id=offer.pk, action=action, by="Olga", now=world.now
    )


def test_orders_step_up_and_cancelled_ones_down(world, steps):
    offer = world.offer(min_preorders=5)
    world.later(hours=1)
    first = world.authorized_order(offer, 3)
    world.later(hours=1)
    world.authorized_order(offer, 2)
    world.begin(offer)  # at the checkout: no portion yet
    world.later(hours=1)
    cancel_order(order=first, reason="", by="Olga", now=world.now)
    world.work()
    assert steps(offer) == [(0, 0, 5), (1, 3, 5), (2, 5, 5), (3, 2, 5)]


def test_restaurant_portions_and_a_lower_minimum_show(world, steps):
    # More than a day before the deadline, portions that meet the minimum can be taken back.
    offer = world.offer(min_preorders=5, deadline=world.now + timedelta(days=2))
    world.later(hours=1)
    world.authorized_order(offer, 2)
    world.later(hours=1)
    rescue(world, offer, RestaurantPortions(2))
    world.later(hours=1)
    rescue(world, offer, LowerMinimum(4))
    world.later(hours=1)
    rescue(world, offer, RestaurantPortions(1))
    assert steps(offer) == [(0, 0, 5), (1, 2, 5), (2, 4, 5), (3, 4, 4), (4, 3, 4)]


@pytest.mark.parametrize("minimum", [2, 3])
def test_what_came_after_the_decision_is_no_part_of_it(world, steps, minimum):
    """Neither the charges nor the releases that follow take a portion away again."""
    offer = world.offer(min_preorders=minimum)
    world.later(hours=1)
    world.authorized_order(offer, 2)
    world.settle(offer)
    world.later(days=2)
    assert steps(offer)[-1] == (1, 2, minimum)


def test_a_crowd_is_thinned_and_ends_where_it_ended(world, django_assert_num_queries):
    offer = world.offer(created_at=world.now, deadline=world.now + timedelta(days=6))
    orders = save_crowd(1000, offer=offer, restaurant=world.restaurant)
    PreOrderTransition.objects.bulk_create(
        PreOrderTransition(
            pre_order=order,
            restaurant=world.restaurant,
            field="payment_status",
            old="unpaid",
            new="authorized",
            at=world.now + timedelta(minutes=index),
        )
        for index, order in enumerate(orders, start=1)
    )
    with django_assert_num_queries(1):
        timeline = timeline_of(offer, [], now=world.now + timedelta(days=1))
    assert len(timeline.points) <= MAX_POINTS + 1
    assert timeline.points[0].portions == 0
    assert timeline.points[-1].portions == 1000
    ordered = [point.portions for point in timeline.points]
    assert ordered == sorted(ordered)
