"""A special and a guest who brings friends to it."""

import pytest


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=6, max_per_order=5, name="Osso Buco")


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture
def ana(world, offer):
    """A guest whose card is held for one portion."""
    order = world.begin(offer, name="Ana Lopez")
    world.pay(order)
    world.hear(order)
    return world.fresh(order)
