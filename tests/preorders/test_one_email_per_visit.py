"""A cart's orders: one email about all that are held together, and one page that leads to each."""

import re
from datetime import timedelta

import pytest
from django.core import mail

from apps.offers.presentation import Special
from apps.preorders.core.links import order_path, order_url, revoke_order_link
from apps.preorders.emails.outbox import send_email
from apps.preorders.models import Email
from apps.preorders.models.states import GUEST, OperationKind
from tests.pages import text_of
from tests.preorders.world import GOOD


@pytest.fixture
def three(world):
    return [world.offer(name=name, min_preorders=1) for name in ("Arancini", "Bucatini", "Cannoli")]


def orders_of(world, begun):
    return [world.fresh(item) for item in begun.items]


def confirmed(world, offers, card=GOOD):
    begun = world.begin_cart(*offers)
    world.give_card(begun, card)
    world.confirm_cart(begun)
    return orders_of(world, begun)


def subjects():
    return [message.subject for message in mail.outbox]


class TestOneEmail:
    def test_a_guest_gets_one_email_about_three_orders(self, world, three):
        orders = confirmed(world, three)
        world.work()
        assert subjects() == [f"You're in for 3 dishes at {world.restaurant.name}"]
        (message,) = mail.outbox
        for order in orders:
            assert order_url(order) in message.body
            assert order.served_name in message.body
        assert "Your bank holds $77.76 on your card" in message.body
        assert Email.objects.exclude(sent_at=None).count() == 3
        calendars = [
            part for part in message.attachments if part.get_content_subtype() == "calendar"
        ]
        assert len(calendars) == 3

    def test_a_single_item_has_the_usual_email(self, world, three):
        (order,) = confirmed(world, three[:1])
        world.work()
        assert subjects() == [f"You're in for Arancini on {day_of(order)}"]

    def test_an_email_waits_while_another_item_is_being_held(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.confirm_cart(begun)
        first = Email.objects.order_by("pk")[0]
        operation = world.operation(begun.items[2], OperationKind.AUTHORIZE)
        type(operation).objects.filter(pk=operation.pk).update(state="pending")
        assert not send_email(first.pk, now=world.now)
        assert mail.outbox == []
        type(operation).objects.filter(pk=operation.pk).update(state="done")
        assert send_email(first.pk, now=world.later(seconds=10))
        assert len(mail.outbox) == 1

    def test_an_email_that_another_worker_sends_is_not_taken_along(self, world, three):
        confirmed(world, three)
        one, other, last = Email.objects.order_by("pk")
        Email.objects.filter(pk=other.pk).update(
            attempts=1, due_at=world.now + timedelta(minutes=2)
        )
        assert send_email(one.pk, now=world.now)
        assert not send_email(last.pk, now=world.now)
        assert subjects() == [f"You're in for 2 dishes at {world.restaurant.name}"]

    def test_a_worker_that_died_sends_the_same_message_again(self, world, three):
        confirmed(world, three)
        world.work()
        Email.objects.update(sent_at=None)
        later = world.later(minutes=3)
        sent = [send_email(each.pk, now=later) for each in Email.objects.order_by("-pk")]
        assert sent == [True, False, False]
        first, again = mail.outbox
        assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"]


class TestOnePage:
    def test_each_order_of_a_cart_leads_to_the_others(self, world, api, three):
        orders = confirmed(world, three)
        page = api(at=world.restaurant).get(order_path(orders[0]))
        assert "Ordered together" in text_of(page)
        for other in orders[1:]:
            assert order_path(other) in page.text
            facts = "Wed, Mar 24 · Dine in or pickup · 1 portion"
            waits = Special(other.offer, world.now).sentence
            assert f"{other.served_name} {facts} {waits}" in text_of(page)

    def test_a_single_order_has_no_others(self, world, api, three):
        (order,) = confirmed(world, three[:1])
        page = api(at=world.restaurant).get(order_path(order))
        assert "Ordered together" not in text_of(page)

    def test_a_new_link_to_one_ends_the_old_links_to_all(self, world, api, three):
        orders = confirmed(world, three)
        old = [order_path(order) for order in orders]
        revoke_order_link(orders[0], by=GUEST, now=world.now)
        guest = api(at=world.restaurant)
        assert [guest.get(path).status_code for path in old] == [404, 404, 404]
        new = guest.get(order_path(orders[0]))
        assert new.status_code == 200
        assert not set(re.findall(r"/order/[^\"?#/]+", new.text)) & set(old)


def day_of(order):
    return order.offer.serve_date.strftime("%a, %b %-d")
