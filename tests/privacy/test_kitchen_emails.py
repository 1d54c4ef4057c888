"""Emails with guests' names and allergies go to confirmed addresses alone (decision 57)."""

from allauth.account.models import EmailAddress
from django.core import mail

from apps.restaurants.models import Restaurant
from tests.factories import MembershipFactory, UserFactory


def decided(world, **contact):
    Restaurant.objects.filter(pk=world.restaurant.pk).update(**contact)
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.settle(offer)
    world.work()
    return [each for each in mail.outbox if each.subject.startswith("Kitchen:")]


def test_nobody_gets_the_kitchen_sheet_while_no_address_is_confirmed(world):
    unsure = UserFactory(address__verified=False)
    MembershipFactory(restaurant=world.restaurant, user=unsure)
    sent = decided(world, email="stranger@example.test", email_confirmed_at=None)
    assert sent == []
    assert not [each for each in mail.outbox if "stranger@example.test" in each.to]


def test_a_confirmed_owner_gets_it_instead_of_an_unconfirmed_contact_address(world):
    owner = MembershipFactory(restaurant=world.restaurant).user
    assert EmailAddress.objects.get(user=owner).verified
    [sent] = decided(world, email="stranger@example.test", email_confirmed_at=None)
    assert sent.to == [owner.email]


def test_the_confirmed_contact_address_gets_it(world):
    [sent] = decided(world)
    assert sent.to == [world.restaurant.email]
