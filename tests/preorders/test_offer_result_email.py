"""The email to the owners when a special is decided: how it ended, and the money."""

import pytest

from apps.preorders import tasks
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.models.states import EmailKind, OperationKind
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory
from tests.preorders.world import OFF_SESSION_DECLINED


@pytest.fixture
def owners(world):
    return sorted(MembershipFactory(restaurant=world.restaurant).user.email for _ in range(2))


def sweep_emails(world):
    tasks.send_pending_emails_task.delay()
    world.work()


def results(mailoutbox, owners):
    """The emails about results that one owner got, after checking that the other got the same."""
    first, second = (
        [
            message
            for message in mailoutbox
            if message.to == [owner] and message.subject.startswith(("It's on", "Not this time"))
        ]
        for owner in owners
    )
    assert [each.body for each in first] == [each.body for each in second]
    return first


def test_owners_get_the_money_of_a_special_that_went_ahead(world, owners, mailoutbox):
    manager = MembershipFactory(restaurant=world.restaurant, role=Membership.Role.MANAGER).user
    offer = world.offer(min_preorders=3)
    world.authorized_order(offer, 2)
    world.authorized_order(offer, 1)
    world.settle(offer)
    [message] = results(mailoutbox, owners)
    assert message.subject == f"It's on: 3 portions of {offer.name}"
    # 24.00 a portion and 8 % tax; of each card 4.9 % and 30 cents.
    assert "$73.35 you receive\n3 portions charged\n" in message.body
    for words in (
        "It went ahead with 3 portions: 2 cards were charged.",
        "Charged, tax included: $77.76",
        "Card processing: $4.41",
        "Sent to your bank: Fri, Mar 26",
        f"/restaurant/offers/{offer.pk}",
    ):
        assert words in message.body, message.body
    assert not [each for each in mailoutbox if manager.email in each.to]


def test_owners_hear_at_once_that_a_special_missed_its_minimum(world, owners, mailoutbox):
    offer = world.offer(min_preorders=5)
    world.authorized_order(offer, 2)
    world.settle(offer)
    [message] = results(mailoutbox, owners)
    assert message.subject == f"Not this time: 2 of 5 portions of {offer.name}"
    assert "No one was charged" in message.body
    assert "You receive" not in message.body
    assert message.body.count("2 of 5 portions ordered") == 1
    assert "It didn't reach its minimum, so every hold is released." in message.body


def test_owners_hear_of_a_special_that_nobody_ordered(world, owners, mailoutbox):
    offer = world.offer(min_preorders=5)
    world.settle(offer)
    [message] = results(mailoutbox, owners)
    assert message.subject == f"Not this time: 0 of 5 portions of {offer.name}"
    assert "No one ordered it." in message.body


def test_the_email_waits_half_an_hour_for_charges_at_most(world, owners, mailoutbox):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    capture = PaymentOperation.objects.filter(pre_order=order, kind=OperationKind.CAPTURE)
    world.tasks.waiting.clear()
    capture.update(due_at=world.now.replace(year=world.now.year + 1))  # Stripe is down
    for _ in range(29):
        world.later(minutes=1)
        sweep_emails(world)
    assert results(mailoutbox, owners) == []
    world.later(minutes=2)
    sweep_emails(world)
    [message] = results(mailoutbox, owners)
    assert "1 order is still being processed." in message.body


def test_a_declined_card_is_in_the_email_and_delays_it_by_nothing(world, owners, mailoutbox):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer, 2)
    broken = world.authorized_order(offer, 1, card=OFF_SESSION_DECLINED)
    fault = {"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
    world.stripe.control(capture_fault=fault)
    world.settle(offer)
    [message] = results(mailoutbox, owners)
    assert "It went ahead with 3 portions: 1 card was charged." in message.body
    assert "1 order is still being processed." in message.body
    assert "Guests whose card was declined have a day to pay another way." in message.body


def test_a_second_decision_sends_no_second_email(world, owners, mailoutbox):
    offer = world.offer(min_preorders=5)
    world.settle(offer)
    world.close(offer)
    world.later(hours=3)
    sweep_emails(world)
    assert len(results(mailoutbox, owners)) == 1
    assert Email.objects.filter(kind=EmailKind.OFFER_RESULT).count() == len(owners)
