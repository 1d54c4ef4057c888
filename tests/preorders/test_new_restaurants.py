"""A new restaurant can sell only a limited amount until its first payout has arrived (decision
47)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command

from apps.billing.models import ConnectAccount, Payout
from apps.billing.new_restaurants import new_restaurant_limit
from apps.common.errors import Conflict
from apps.common.money import Money
from apps.preorders.models import PreOrder


@pytest.fixture
def offer(world, settings):
    """An offer at 108.00 a portion with tax; two are within the limit."""
    settings.NEW_RESTAURANT_LIMIT = 250
    return world.offer(special_price=Decimal("100.00"), regular_price=Decimal("120.00"))


def sold_at(restaurant):
    limit = new_restaurant_limit(restaurant)
    assert limit is not None
    return limit.used


def test_an_order_above_the_limit_is_refused_and_reserves_nothing(world, offer):
    world.authorized_order(offer, 2)
    with pytest.raises(Conflict, match="can't take more pre-orders right now"):
        world.begin(offer)
    assert PreOrder.objects.count() == 1
    assert sold_at(world.restaurant) == Money.of("216.00")


def test_an_order_up_to_the_limit_to_the_cent_is_taken(world, offer, settings):
    settings.NEW_RESTAURANT_LIMIT = 216
    world.begin(offer, 2)
    assert sold_at(world.restaurant) == Money.of("216.00")


def test_orders_that_wait_for_a_card_count(world, offer):
    world.begin(offer, 2)
    with pytest.raises(Conflict, match="right now"):
        world.begin(offer)


def test_what_was_released_or_refunded_is_free_again(world, offer):
    order = world.authorized_order(offer, 2)
    world.cancel(order)
    world.work()
    assert sold_at(world.restaurant) == Money(0)
    world.begin(offer, 2)


@pytest.mark.parametrize("status", ["pending", "sent", "failed"])
def test_the_limit_holds_until_a_payout_has_arrived(world, offer, status):
    payout = Payout.objects.create(
        restaurant=world.restaurant,
        amount="10.00",
        currency="usd",
        status=status,
        created_at=world.now,
    )
    world.authorized_order(offer, 2)
    with pytest.raises(Conflict, match="right now"):
        world.begin(offer)
    Payout.objects.filter(pk=payout.pk).update(status="paid")
    world.begin(offer)
    assert new_restaurant_limit(world.restaurant) is None


def test_staff_lift_the_sales_limit_of_a_new_restaurant(world, offer):
    call_command("lift_sales_limit", "luigis")
    assert ConnectAccount.objects.get(restaurant=world.restaurant).limit_lifted_at == world.now
    world.begin(offer, 5)


def test_it_is_of_one_restaurant(world, offer):
    world.authorized_order(offer, 2)
    other = world.open_restaurant()
    theirs = world.offer(
        restaurant=other,
        special_price=Decimal("100.00"),
        regular_price=Decimal("120.00"),
        deadline=world.now + timedelta(days=1),
    )
    world.begin(theirs, 2)
    with pytest.raises(Conflict, match="right now"):
        world.begin(theirs)
