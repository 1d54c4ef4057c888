"""The owner chooses another currency while the first guest orders: the hold is in the currency that
the restaurant charges in, whoever was first."""

import pytest
import stripe
from django.db import transaction

from apps.common.errors import Conflict
from apps.preorders.checkout import acceptance
from apps.restaurants.models import Restaurant
from apps.restaurants.services.profile import change_profile
from tests.threads import at_once, is_anyone_waiting_for_a_lock, wait_until


def change(world):
    return change_profile(restaurant=world.restaurant, changes={"currency": "eur"}, now=world.now)


def change_while_somebody_waits(world):
    """Make the change, and commit it only when the guest's order waits for its lock."""
    with transaction.atomic():
        changed = change(world)
        wait_until(is_anyone_waiting_for_a_lock)
    return changed


def order_once_changing(world, offer):
    """Begin the order while the change holds the offers' locks and isn't committed."""
    wait_until(lambda: is_locked(offer))
    return world.begin(offer)


def is_locked(offer):
    """Whether somebody has the lock. It uses its own transaction, which keeps a lock that it finds
    free until it ends."""
    with transaction.atomic():
        rows = type(offer).objects.filter(pk=offer.pk).select_for_update(skip_locked=True)
        return not list(rows.values_list("pk", flat=True))


def charged_in(world, order):
    session = stripe.checkout.Session.retrieve(order.checkout_session_id)
    return session.currency


@pytest.mark.parametrize("round_", range(4))
def test_a_change_and_the_first_order(world, round_):
    offer = world.offer()
    changed, order = at_once(lambda: change(world), lambda: world.begin(offer))
    currency = Restaurant.objects.get(pk=world.restaurant.pk).currency
    assert currency == ("usd" if isinstance(changed, Conflict) else "eur")
    assert charged_in(world, order) == currency
    # 25.92 in all: 4.9 %, and the fixed part of that currency.
    assert str(order.processing_fee) == {"usd": "1.57", "eur": "1.52"}[currency]


def test_an_order_that_waited_for_the_change_is_in_the_new_currency(world):
    offer = world.offer()
    changed, order = at_once(
        lambda: change_while_somebody_waits(world), lambda: order_once_changing(world, offer)
    )
    assert changed.currency == "eur", changed
    assert (charged_in(world, order), str(order.processing_fee)) == ("eur", "1.52")


def test_an_order_would_be_in_the_old_currency_without_a_second_look(world, monkeypatch):
    """The control: the lock brings the restaurant as it was before the wait."""
    monkeypatch.setattr(acceptance, "reread_restaurant", lambda offer: None)
    offer = world.offer()
    changed, order = at_once(
        lambda: change_while_somebody_waits(world), lambda: order_once_changing(world, offer)
    )
    assert changed.currency == "eur", changed
    assert (charged_in(world, order), str(order.processing_fee)) == ("usd", "1.57")
