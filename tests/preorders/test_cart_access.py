"""The browser that starts a cart can change each of its orders, on the restaurant's host and on
ours."""

import pytest

from apps.preorders.core.links import order_path
from apps.preorders.models import PreOrder
from tests.preorders.test_cart import PATH, body, item

pytestmark = pytest.mark.django_db
CANCELS = 'name="action" value="cancel"'


@pytest.fixture
def two(world):
    return [world.offer(name="Osso Buco"), world.offer(name="Ribollita")]


def start(client, offers, **more):
    answer = client.post(PATH, body(*[item(offer) for offer in offers], **more))
    assert answer.status_code == 201, answer.content
    return answer


def test_the_browser_gets_an_access_to_every_order_of_its_cart(api, world, two):
    guest = api(at=world.restaurant)
    answer = start(guest, two)
    orders = list(PreOrder.objects.all())
    assert len(orders) == 2
    given = {cookie["path"]: cookie for cookie in answer.cookies.values()}
    # The pages of specials show them as unfinished, and the cart's result names the card.
    checkout = f"/api/checkouts/{answer.json()['checkoutId']}"
    assert set(given) == {order_path(order) for order in orders} | {"/specials", checkout}
    assert all(cookie["httponly"] for cookie in given.values())
    # Django's client sends every cookie everywhere; each opens its own order alone.
    for order in orders:
        stranger = api(at=world.restaurant)
        name = next(
            name for name, each in answer.cookies.items() if each is given[order_path(order)]
        )
        stranger.cookies[name] = answer.cookies[name].value
        [other] = [each for each in orders if each != order]
        assert stranger.get(order_path(order, then="/card")).status_code != 403
        assert stranger.get(order_path(other, then="/card")).status_code == 403


def test_a_repeated_cart_gives_no_access_to_whoever_typed_the_same(api, world, two):
    start(api(at=world.restaurant), two)
    world.later(seconds=20)
    assert not start(api(at=world.restaurant), two).cookies


class TestOnThePlatformsHost:
    def start(self, api, world, two):
        guest = api()
        answer = guest.post(f"{PATH}?rid={world.restaurant.pk}", body(*map(item, two)))
        assert answer.status_code == 201
        return guest, answer

    def orders(self, client, world, answer):
        path = f"/api/checkouts/{answer.json()['checkoutId']}?rid={world.restaurant.pk}"
        items = client.get(path).json()["items"]
        assert len(items) == 2
        return items

    def test_the_checkout_answers_links_that_take_the_access_along(self, api, world, two):
        guest, answer = self.start(api, world, two)
        checkout = answer.json()["checkoutId"]
        [cookie] = answer.cookies.values()
        assert (cookie["path"], cookie["httponly"]) == (f"/api/checkouts/{checkout}", True)
        at_restaurant = api(at=world.restaurant)
        for shown in self.orders(guest, world, answer):
            order = PreOrder.objects.get(pk=shown["preorderId"])
            opened = at_restaurant.get(shown["orderUrl"])
            assert opened.status_code == 303
            given = {each["path"] for each in opened.cookies.values() if each.value}
            assert order_path(order) in given
            assert at_restaurant.get(order_path(order, then="/card")).status_code != 403

    def test_anybody_else_who_knows_the_checkout_gets_plain_links(self, api, world, two):
        _, answer = self.start(api, world, two)
        stranger = api()
        for shown in self.orders(stranger, world, answer):
            assert "access" not in shown["orderUrl"]
        # The cookie of another checkout opens nothing either.
        others = [world.offer(name="Arancini"), world.offer(name="Cannoli")]
        _, other = self.start(api, world, others)
        stranger.cookies["checkout"] = other.cookies["checkout"].value
        for shown in self.orders(stranger, world, answer):
            assert "access" not in shown["orderUrl"]

    def test_the_links_are_plain_again_after_half_an_hour(self, api, world, two):
        guest, answer = self.start(api, world, two)
        world.later(minutes=31)
        for shown in self.orders(guest, world, answer):
            assert "access" not in shown["orderUrl"]


def test_only_the_browser_that_started_the_cart_is_told_which_card_is_held(api, world, two):
    guest = api(at=world.restaurant)
    checkout = start(guest, two).json()["checkoutId"]
    path = f"/api/checkouts/{checkout}"
    assert guest.get(path).json()["card"] == ""
    PreOrder.objects.update(
        status="pending", payment_status="authorized", card_brand="visa", card_digits="4242"
    )
    assert guest.get(path).json()["card"] == "Visa ending in 4242"
    assert "access" not in guest.get(path).json()["items"][0]["orderUrl"]
    assert api(at=world.restaurant).get(path).json()["card"] == ""
    # Of two cards, neither is held for all.
    PreOrder.objects.filter(offer=two[0]).update(card_digits="1881")
    assert guest.get(path).json()["card"] == ""
    world.later(minutes=31)
    assert guest.get(path).json()["card"] == ""
