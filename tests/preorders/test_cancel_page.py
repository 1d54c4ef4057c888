"""The page an extension's letter leads to: a diner leaves free of charge, by a press of a button
(decision 18, DECISIONS X10)."""

from datetime import timedelta

import pytest

from apps.preorders.cancellation import cancellation_url
from apps.preorders.models import PreOrder
from apps.preorders.services.rescue import Extend, rescue_offer
from tests.faults.books import assert_books_balance

PATH = "/cancel-pre-order"
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1, name="Osso Buco")


@pytest.fixture
def order(world, offer):
    order = world.book(offer, 2)
    rescue_offer(
        restaurant=world.restaurant,
        offer_id=offer.pk,
        act=Extend(offer.deadline + timedelta(hours=3)),
        by="Olga",
        now=world.now,
    )
    return world.fresh(order)


@pytest.fixture
def link(world, order):
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    url = cancellation_url(found)
    return url[url.index(PATH) :]


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def test_opening_the_link_asks_and_changes_nothing(world, guest, link, order):
    page = guest.get(link)
    assert page.status_code == 200
    assert "Cancel your order?" in page.text
    assert "the hold of $51.84 on your card is released; nothing is charged" in page.text
    assert "no-store" in page["Cache-Control"] or "no-cache" in page["Cache-Control"]
    assert world.fresh(order).status == "pending"


def test_the_button_cancels_and_the_hold_is_let_go(world, guest, link, order, offer):
    page = guest.post(link, headers=OURS)
    assert page.status_code == 200
    assert "Your order is cancelled" in page.text
    assert world.fresh(offer).booked_portions == 0
    world.work()
    done = world.fresh(order)
    assert (done.status, done.payment_status) == ("cancelled", "released")
    assert "cancelled" in world.letters(order)
    assert world.settle(world.fresh(offer)).status == "failed"
    assert_books_balance(world, offer)


def test_pressed_twice_it_is_cancelled_once(world, guest, link, order):
    for _ in range(2):
        assert "Your order is cancelled" in guest.post(link, headers=OURS).text
    assert world.letters(order).count("cancelled") == 1


def test_the_link_works_until_the_new_deadline(world, guest, link, order, offer):
    world.at(world.fresh(offer).deadline - timedelta(seconds=1))
    assert "Cancel your order?" in guest.get(link).text
    world.later(seconds=1)
    assert "can no longer be cancelled here" in guest.get(link).text
    refused = guest.post(link, headers=OURS)
    assert refused.status_code == 409
    assert "can no longer be cancelled here" in refused.text
    assert world.fresh(order).status == "pending"


def test_a_charged_order_is_not_cancelled(world, guest, link, order, offer):
    world.settle(world.fresh(offer))
    assert guest.post(link, headers=OURS).status_code == 409
    assert world.fresh(order).payment_status == "captured"


def test_another_sites_form_does_nothing(world, guest, link, order):
    refused = guest.post(link, headers={"Sec-Fetch-Site": "cross-site"})
    assert refused.status_code == 403
    assert world.fresh(order).status == "pending"


@pytest.mark.parametrize("key", ["", "x", "{order}", "{order}:x", "%00", "a" * 3000])
def test_the_orders_id_alone_is_no_key(world, guest, order, key):
    answer = guest.post(f"{PATH}?order={key.format(order=order.pk)}", headers=OURS)
    assert answer.status_code == 404
    assert world.fresh(order).status == "pending"


def test_another_restaurants_host_knows_nothing_of_it(world, api, link, order):
    elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
    assert elsewhere.post(link, headers=OURS).status_code == 404
    assert world.fresh(order).status == "pending"
