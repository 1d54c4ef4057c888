"""A restaurant ends the links to an order and sends the guest a new one (decision 62)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test.client import MULTIPART_CONTENT

from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path
from apps.preorders.models import Email, PreOrder, PreOrderTransition
from tests.factories import MembershipFactory
from tests.preorders.access import allow


@pytest.fixture
def order(world):
    made = world.authorized_order(world.offer(min_preorders=1))
    world.work()
    mail.outbox.clear()
    return PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)


@pytest.fixture
def team(world, api):
    def member(role="owner"):
        return api(MembershipFactory(restaurant=world.restaurant, role=role).user)

    return member


def replace(client, order):
    return client.post(f"/api/orders/{order.pk}/new-link")


@pytest.mark.parametrize("role", ["owner", "manager"])
def test_the_earlier_link_ends_and_the_guest_gets_a_new_one(world, api, team, order, role):
    old, guest = order_path(order), api(at=world.restaurant)
    allow(guest, order, Purpose.CHANGE, now=world.now)
    assert guest.get(old).status_code == 200
    assert replace(team(role), order).status_code == 200
    world.work()
    assert guest.get(old).status_code == 404
    order.refresh_from_db()
    new = order_path(order)
    assert new != old
    assert guest.get(new).status_code == 200
    [sent] = mail.outbox
    assert sent.to == [f"{order.customer_name} <{order.customer_email}>"]
    assert (new in sent.body, old in sent.body) == (True, False)
    assert "Earlier links to it no longer work." in sent.body


def test_an_access_given_with_the_earlier_link_ends_too(world, api, team, order):
    guest = api(at=world.restaurant)
    allow(guest, order, Purpose.CHANGE, now=world.now)
    replace(team(), order)
    order.refresh_from_db()
    answer = guest.post(
        order_path(order),
        {"action": "cancel"},
        MULTIPART_CONTENT,
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 403
    assert world.fresh(order).status == "pending"


def test_it_is_part_of_the_orders_activity(world, team, order):
    client = team()
    replace(client, order)
    record = PreOrderTransition.objects.get(pre_order=order, field="link")
    shown = client.get(f"/api/orders/{order.pk}").json()["activity"]
    [entry] = [each for each in shown if each["text"] == "Link to the order replaced"]
    assert entry["by"] == record.actor != ""


def test_replacing_twice_sends_two_emails_and_only_the_last_link_works(world, api, team, order):
    client, guest = team(), api(at=world.restaurant)
    replace(client, order)
    first = order_path(PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk))
    replace(client, order)
    assert guest.get(first).status_code == 404
    assert Email.objects.filter(pre_order=order, kind="new_link").count() == 2


def test_without_an_address_the_link_is_replaced_and_nobody_emailed(world, team, order):
    PreOrder.objects.filter(pk=order.pk).update(customer_email="")
    assert replace(team(), order).status_code == 200
    assert world.fresh(order).link_revision == 1
    assert not Email.objects.filter(pre_order=order, kind="new_link").exists()


def test_an_expired_link_is_not_replaced(world, team, order):
    world.clock.set(world.now + timedelta(days=200))
    refused = replace(team(), order)
    assert refused.status_code == 409
    assert refused.json()["message"] == "The link to this order has already expired."
    assert world.fresh(order).link_revision == 0


def test_the_kitchen_and_other_restaurants_cannot_replace_it(world, api, team, order):
    assert replace(team("kitchen"), order).status_code == 403
    assert replace(api(MembershipFactory().user), order).status_code == 404
    assert replace(api(), order).status_code == 401
    assert world.fresh(order).link_revision == 0


def test_a_guest_who_gets_a_new_link_is_part_of_the_activity(world, api, order):
    guest = api(at=world.restaurant)
    allow(guest, order, Purpose.CHANGE, now=world.now)
    guest.post(
        order_path(order),
        {"action": "revoke"},
        MULTIPART_CONTENT,
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert PreOrderTransition.objects.get(pre_order=order, field="link").actor == "guest"
