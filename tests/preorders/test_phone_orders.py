"""An order taken by phone: a link to enter a card, with or without an email."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict, NotFound
from apps.preorders import tasks
from apps.preorders.emails import rendering
from apps.preorders.models import Email, PreOrder
from tests.factories import MembershipFactory, UserFactory
from tests.faults.ledger import assert_ledger_balances


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=4, deadline=world.now + timedelta(days=3))


def test_the_link_lives_a_day_and_goes_by_email(world, offer):
    order = world.phone(offer, 2, email="carla@example.test")
    assert (order.source, order.status, order.payment_status) == ("phone", "pending", "unpaid")
    assert order.checkout_expires_at == world.now + timedelta(hours=23, minutes=59)
    assert world.fresh(offer).reserved_portions == 2
    email = rendering.render_order_email(Email.objects.get(pre_order=order))
    assert email.subject == f"Confirm your order for {offer.name}"
    assert order.checkout_url in email.body
    assert "No charge today. We'll charge your card on" in email.body
    world.pay(order)
    world.hear(order)
    assert world.fresh(order).payment_status == "authorized"
    world.settle(offer)
    assert_ledger_balances(world, offer)


def test_a_phone_order_without_an_address_gets_no_email(world, offer):
    order = world.phone(offer, 2)
    assert order.checkout_url
    world.stripe.pay(order.checkout_session_id, number="4242424242424242", email="c@example.test")
    world.hear(order)
    world.settle(offer)
    assert world.fresh(order).payment_status == "captured"
    assert world.emails(order) == []
    assert_ledger_balances(world, offer)


def test_a_pay_link_ends_with_the_deadline_when_that_is_sooner(world):
    offer = world.offer(deadline=world.now + timedelta(hours=2))
    assert world.phone(offer).checkout_expires_at == offer.deadline


@pytest.mark.parametrize(("minutes", "taken"), [(31, True), (30, False)])
def test_a_phone_order_needs_half_an_hour_before_the_deadline(world, minutes, taken):
    offer = world.offer(deadline=world.now + timedelta(minutes=minutes))
    if taken:
        assert world.phone(offer).checkout_url
        return
    with pytest.raises(Conflict, match="A payment link needs at least 30 minutes"):
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
    first = begin_phone_order(**facts, guest=who, now=world.now)
    assert begin_phone_order(**facts, guest=who, now=world.now).pk == first.pk
    world.later(hours=1)
    assert begin_phone_order(**facts, guest=who, now=world.now).pk != first.pk
    assert world.fresh(offer).reserved_portions == 2


def test_a_closed_or_unknown_offer(world, offer):
    world.at(offer.deadline)
    with pytest.raises(Conflict, match="have closed"):
        world.phone(offer)
    offer.pk = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound):
        world.phone(offer)


def test_canceling_a_phone_order_closes_its_page_and_frees_its_portions(world, offer):
    order = world.phone(offer, 2, email="carla@example.test")
    world.cancel(order)
    assert world.emails(order) == ["cancelled", "pay_link"]
    assert [session.status for session in world.sessions()] == ["expired"]
    assert world.fresh(offer).reserved_portions == 0


def test_an_order_by_phone_knows_who_took_it(world, offer, api):
    manager = UserFactory()
    MembershipFactory(user=manager, restaurant=world.restaurant, role="manager")
    sent = {
        "offerId": str(offer.pk),
        "quantity": 1,
        "customerName": "Carla",
        "customerEmail": "",
        "customerPhone": "+1 212 555 0142",
    }
    assert api(manager).post("/api/orders/phone", sent, format="json").status_code == 201
    assert PreOrder.objects.get().user == manager


def test_the_payment_page_asks_only_a_caller_for_the_consent(world, offer):
    by_phone, on_the_web = world.phone(offer, 1), world.begin(offer)
    notes = {page.id: page.custom_text.submit.message for page in world.sessions()}
    assert notes[by_phone.checkout_session_id] == by_phone.consent_text
    assert "Your bank holds the total until then. By ordering" in by_phone.consent_text
    assert notes[on_the_web.checkout_session_id] not in ("", on_the_web.consent_text)
