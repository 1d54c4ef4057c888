"""The factories, fixtures, and threads that other tests build on."""

from datetime import timedelta
from decimal import Decimal

from apps.billing.models import ConnectAccount
from apps.common import clock as our_clock
from apps.common import rls
from apps.preorders.models import PreOrder
from tests.conftest import NOON
from tests.factories import PreOrderFactory, RestaurantFactory
from tests.threads import at_once


def test_an_order_brings_its_whole_restaurant(db, platform):
    order = PreOrderFactory(quantity=2)
    assert order.restaurant == order.offer.restaurant
    assert (order.subtotal, order.tax, order.total_amount) == (
        Decimal("48.00"),
        Decimal("3.84"),
        Decimal("51.84"),
    )
    assert order.restaurant.connect_account.charges_enabled
    assert [host.domain for host in order.restaurant.domains.all()] == [
        f"{order.restaurant.subdomain}.localhost"
    ]
    assert PreOrder.objects.get() == order


def test_a_restaurant_can_be_without_payments(db, platform):
    closed = RestaurantFactory(account__charges_enabled=False)
    assert not closed.connect_account.charges_enabled
    assert not ConnectAccount.objects.filter(restaurant=RestaurantFactory(account=None)).exists()


def test_the_clock_stands_still_until_it_is_moved(clock):
    assert our_clock.now() == NOON
    clock.advance(hours=2)
    assert our_clock.now() == NOON + timedelta(hours=2)


def test_threads_see_the_clock_and_who_actions(clock):
    with rls.acting_as(rls.PLATFORM):
        seen = at_once(our_clock.now, rls.acting)
    assert seen == [NOON, rls.PLATFORM]


def test_the_cast_has_two_restaurants_in_two_time_zones(cast):
    assert cast.owner != cast.outsider
    assert cast.restaurant.timezone != cast.other.timezone
