"""An order taken down by phone: a link to give a card on, with or without a letter."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict, NotFound
from apps.preorders import tasks
from apps.preorders.emails import rendering
from apps.preorders.models import OrderEmail, PreOrder
from tests.faults.books import assert_books_balance


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=4, deadline=world.now + timedelta(days=3))


def test_the_link_lives_a_day_and_goes_by_letter(world, offer):
    order = world.phone(offer, 2, email="carla@example.test")
    assert (order.source, order.status, order.payment_status) == ("phone", "pending", "unpaid")
    assert order.checkout_expires_at == world.now + timedelta(hours=23, minutes=59)
    assert world.fresh(offer).reserved_portions == 2
    letter = rendering.render_order_email(OrderEmail.objects.get(pre_order=order))
    assert letter.subject == f"Confirm your order of {offer.name}"
    assert order.checkout_url in letter.body
    assert "Your card is held, not charged" in letter.body
    world.pay(order)
    world.hear(order)
    assert world.fresh(order).payment_status == "authorized"
    world.settle(offer)
    assert_books_balance(world, offer)


def test_without_an_address_nobody_is_written_to(world, offer):
    order = world.phone(offer, 2)
    assert order.checkout_url
    world.stripe.pay(order.checkout_session_id, number="4242424242424242", email="c@example.test")
    world.hear(order)
    world.settle(offer)
    assert world.fresh(order).payment_status == "captured"
    assert world.letters(order) == []
    assert_books_balance(world, offer)


def test_it_ends_with_the_deadline_when_that_is_sooner(world):
    offer = world.offer(deadline=world.now + timedelta(hours=2))
    assert world.phone(offer).checkout_expires_at == offer.deadline


@pytest.mark.parametrize(("minutes", "taken"), [(31, True), (30, False)])
def test_a_deadline_too_near_for_a_page(world, minutes, taken):
    offer = world.offer(deadline=world.now + timedelta(minutes=minutes))
    if taken:
        assert world.phone(offer).checkout_url
        return
    with pytest.raises(Conflict, match="A link to pay needs half an hour"):
        world.phone(offer)
    assert not PreOrder.objects.exists()
    assert world.fresh(offer).reserved_portions == 0


def test_unused_its_portions_are_free_again(world, offer):
    order = world.phone(offer, 4, email="carla@example.test")
    with pytest.raises(Conflict, match="Sold out"):
        world.begin(offer)
    world.later(hours=24)
    tasks.end_abandoned_checkouts_task.delay()
    world.work()
    assert world.fresh(order).status == "cancelled"
    assert world.fresh(offer).reserved_portions == 0
    world.begin(offer)


def test_pressed_twice_is_one_order_an_hour_later_another(world, offer):
    facts = {"offer_id": offer.pk, "quantity": 1}
    from apps.preorders.checkout.phone_orders import begin_phone_order
    from apps.preorders.checkout.services import GuestDetails

    who = GuestDetails(name="Carla", email="", phone="+1 212 555 0142")
    first = begin_phone_order(**facts, customer=who, now=world.now)
    assert begin_phone_order(**facts, customer=who, now=world.now).pk == first.pk
    world.later(hours=1)
    assert begin_phone_order(**facts, customer=who, now=world.now).pk != first.pk
    assert world.fresh(offer).reserved_portions == 2


def test_a_closed_or_unknown_offer(world, offer):
    world.at(offer.deadline)
    with pytest.raises(Conflict, match="have closed"):
        world.phone(offer)
    offer.pk = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound):
        world.phone(offer)


def test_cancelled_by_the_restaurant(world, offer):
    order = world.phone(offer, 2, email="carla@example.test")
    world.cancel(order)
    assert world.letters(order) == ["cancelled", "pay_link"]
    assert [session.status for session in world.sessions()] == ["expired"]
    assert world.fresh(offer).reserved_portions == 0
