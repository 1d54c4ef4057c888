"""A guest corrects the email address of an order (decision 175)."""

import pytest
from django.core import mail
from django.test.client import MULTIPART_CONTENT

from apps.common import clock
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path
from apps.preorders.manage.activity import activity_of
from apps.preorders.models import PreOrder
from tests.pages import text_of
from tests.preorders.access import allow

OURS = {"Sec-Fetch-Site": "same-origin"}
WRONG, RIGHT = "ana@gmial.test", "ana@gmail.test"


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture
def order(world):
    return with_address(world, world.authorized_order(world.offer(min_preorders=1), 1))


def with_address(world, *orders):
    PreOrder.objects.filter(pk__in=[each.pk for each in orders]).update(customer_email=WRONG)
    world.work()
    mail.outbox.clear()
    return read(orders[0])


def read(order):
    return PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)


def change(guest, order, address, *, is_allowed=True):
    if is_allowed:
        allow(guest, order, Purpose.CHANGE, now=clock.now())
    form = {"action": "email", "email": address}
    return guest.post(order_path(order), form, MULTIPART_CONTENT, headers=OURS)


def test_the_confirmation_is_sent_again_to_the_new_address_alone(world, guest, order):
    answer = change(guest, order, f" {RIGHT} ")
    assert answer.status_code == 303
    page = guest.get(answer["Location"])
    assert f"Changed. We're sending the confirmation to {RIGHT}." in text_of(page)
    assert 'name="quantity"' in page.text, "the browser can still change it"
    world.work()
    [message] = mail.outbox
    assert [RIGHT in to for to in message.to] == [True]
    assert message.subject.startswith("You're in for ")
    assert order_path(read(order)) in message.body
    assert [each.text for each in activity_of(read(order))].count("Email address changed") == 1


def test_the_page_names_no_address_to_whoever_only_has_the_link(guest, order):
    page = text_of(guest.get(order_path(order, then="?done=email")))
    assert "We're sending the confirmation to the new address." in page
    assert WRONG not in page


def test_links_that_the_old_address_was_sent_end(guest, order):
    old = order_path(order)
    change(guest, order, RIGHT)
    assert guest.get(old).status_code == 404
    assert guest.get(order_path(read(order))).status_code == 200


def test_the_other_orders_of_a_cart_with_the_same_address_change_as_well(world, guest):
    offers = [world.offer(name=name, min_preorders=1) for name in ("Arancini", "Bucatini")]
    begun = world.begin_cart(*offers)
    world.give_card(begun)
    world.confirm_cart(begun)
    one = with_address(world, *begun.items)
    assert change(guest, one, RIGHT).status_code == 303
    assert {read(each).customer_email for each in begun.items} == {RIGHT}
    world.work()
    assert len(mail.outbox) == 2
    for each in begun.items:
        page = guest.get(order_path(read(each)))
        assert 'name="quantity"' in page.text, "the browser can still change each of them"
        assert "We'll change it for everything you ordered together" in text_of(page)


@pytest.mark.parametrize("address", ["", "ana", "ana@", "a b@c.test", "a" * 250 + "@gmail.test"])
def test_what_is_no_address_is_refused_at_its_field(world, guest, order, address):
    page = change(guest, order, address)
    assert page.status_code == 400
    assert '<p class="error" id="email-error">Valid email is required</p>' in page.text
    assert read(order).customer_email == WRONG
    world.work()
    assert mail.outbox == []


def test_the_same_address_again_changes_nothing(world, guest, order):
    assert change(guest, order, WRONG).status_code == 303
    assert read(order).link_revision == order.link_revision
    world.work()
    assert mail.outbox == []


def test_whoever_only_has_the_link_cannot_change_it(guest, order):
    assert change(guest, order, RIGHT, is_allowed=False).status_code == 403
    assert read(order).customer_email == WRONG


def test_after_the_deadline_it_stays(world, guest, order):
    world.at(order.offer.deadline)
    assert change(guest, order, RIGHT).status_code == 409
    assert read(order).customer_email == WRONG


def test_an_order_changes_its_address_three_times_an_hour_at_most(guest, order):
    for number in range(3):
        assert change(guest, read(order), f"ana{number}@gmail.test").status_code == 303
    assert change(guest, read(order), RIGHT).status_code == 429
    assert read(order).customer_email == "ana2@gmail.test"
