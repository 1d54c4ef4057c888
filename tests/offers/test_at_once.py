"""The owner changes a special while somebody is ordering it: real threads, real locks."""

import time
from functools import partial
from threading import Event

import pytest
from django.db import connection, transaction

from apps.common import clock as our_clock
from apps.common import rls
from apps.common.errors import Conflict
from apps.offers import locks, services
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.restaurants.models import Restaurant
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory
from tests.offers.bodies import create_body
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 5  # seconds
WAITING = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted "
    "AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"
)


@pytest.fixture
def offer(clock):
    return SpecialOfferFactory(restaurant=RestaurantFactory())


def somebody_waits_for_us():
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return cursor.fetchone()[0]


class Race:
    """One thread orders, and in the middle of that the other one calls `owner_does`. The order is
    committed once the owner's thread waits for its lock, or has finished without waiting.
    """

    def __init__(self, offer, owner_does):
        self.offer = offer
        self.owner_does = owner_does
        self.ordering = Event()
        self.owner_is_done = Event()

    def order(self):
        with rls.acting_as(self.offer.restaurant_id), transaction.atomic():
            lock_offer(self.offer.pk)
            PreOrderFactory(offer=self.offer)
            self.ordering.set()
            give_up = time.monotonic() + PATIENCE
            while not (self.owner_is_done.is_set() or somebody_waits_for_us()):
                assert time.monotonic() < give_up
                time.sleep(0.01)

    def own(self):
        try:
            assert self.ordering.wait(PATIENCE)
            with rls.acting_as(self.offer.restaurant_id):
                return self.owner_does()
        finally:
            self.owner_is_done.set()

    def run(self):
        ordered, outcome = at_once(self.order, self.own)
        assert ordered is None, ordered
        return outcome


def delete(offer):
    return services.delete_offer(
        restaurant=offer.restaurant, offer_id=offer.pk, now=our_clock.now()
    )


def raise_the_price(offer):
    return services.edit_offer(
        restaurant=offer.restaurant,
        offer_id=offer.pk,
        changes={"special_price": offer.special_price + 1},
        now=our_clock.now(),
    )


def without_lock(offer_id):
    return SpecialOffer.objects.get(pk=offer_id)


@pytest.mark.parametrize("change", [delete, raise_the_price])
def test_the_order_comes_first_and_stands(offer, platform, change):
    outcome = Race(offer, lambda: change(offer)).run()
    assert isinstance(outcome, Conflict)
    stored = SpecialOffer.objects.get()
    assert (stored.status, stored.special_price) == (OfferStatus.ACTIVE, offer.special_price)
    assert stored.pre_orders.reserving().portions() == 1


def test_without_the_lock_an_ordered_special_could_be_deleted(offer, platform, monkeypatch):
    """The control: it is the lock that makes the owner wait and look again."""
    monkeypatch.setattr(locks, "lock_offer", without_lock)
    # The conditional update of the deletion does not see the order either.
    Race(offer, lambda: delete(offer)).run()
    stored = SpecialOffer.objects.get()
    assert stored.pre_orders.reserving().portions() == 1
    assert stored.status == OfferStatus.DELETED


def test_a_lock_means_nothing_outside_a_transaction(offer, platform):
    with pytest.raises(transaction.TransactionManagementError):
        lock_offer(offer.pk)


def test_a_request_that_arrives_twice_at_once_publishes_one_special(
    api, cast, clock, settings, platform
):
    """The month's last free one: the second press is not turned away as one too many either."""
    settings.FREE_OFFERS_PER_MONTH = 1
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(profile_completed=False)

    def press(client):
        path, key = "/api/dishes/special-offers", {"Idempotency-Key": "the-same"}
        return client.post(path, create_body(), headers=key)

    answers = at_once(*[partial(press, api(cast.owner)) for _ in range(2)])
    # The second request didn't wait: it is told to ask again, and then gets the first one's answer.
    for answer in answers:
        refused = answer.status_code == 409 and answer.json()["code"] == "request_in_progress"
        assert answer.status_code == 201 or (refused and answer.headers["Retry-After"] == "2")
    assert 201 in {answer.status_code for answer in answers}
    again = press(api(cast.owner))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json()["id"] == str(SpecialOffer.objects.get().pk)
    assert SpecialOffer.objects.count() == 1
    cast.restaurant.refresh_from_db()
    assert cast.restaurant.monthly_special_offers_count == 1


def test_a_row_that_refers_to_a_locked_offer_does_not_wait_for_it(offer):
    """Otherwise whoever queues an email about an offer waits until its decision is over, and the
    decision could wait for them."""

    def refer():
        with rls.acting_as(offer.restaurant_id), transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'")
            return PreOrderFactory(offer=SpecialOffer.objects.get(pk=offer.pk))

    with rls.acting_as(offer.restaurant_id), transaction.atomic():
        lock_offer(offer.pk)
        (answer,) = at_once(refer)
    assert not isinstance(answer, Exception), answer
    assert answer.offer_id == offer.pk
