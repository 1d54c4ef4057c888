"""Registrations that nobody finished are archived after thirty days."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.accounts.services.accounts import is_confirmed
from apps.restaurants.hosts import restaurant_for_host
from apps.restaurants.models import Domain, IncompleteRegistration, Membership, Restaurant
from apps.restaurants.services.abandoned_registrations import archive_registrations
from tests.conftest import NOON
from tests.factories import (
    ConnectAccountFactory,
    DishFactory,
    MembershipFactory,
    RestaurantFactory,
    SpecialOfferFactory,
    UserFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture
def abandoned(clock):
    """A restaurant somebody began to register `days` ago."""

    def make(subdomain="begun", days=31, last_login=None, **fields):
        restaurant = RestaurantFactory(subdomain=subdomain, account=None, **fields)
        created = NOON - timedelta(days=days)
        Restaurant.objects.filter(pk=restaurant.pk).update(created_at=created)
        owner = UserFactory(email=f"{subdomain}@owner.test", last_login=last_login or created)
        MembershipFactory(user=owner, restaurant=restaurant)
        return restaurant

    return make


def test_an_abandoned_restaurant_is_archived_and_removed_with_its_owner(abandoned):
    restaurant = abandoned(state="Texas", country="US", registration_step="tier")
    DishFactory(restaurant=restaurant)
    assert restaurant_for_host("begun.localhost") == restaurant
    assert archive_registrations(now=NOON) == 1
    stored = IncompleteRegistration.objects.get()
    assert (stored.original_restaurant_id, stored.email, stored.name) == (
        restaurant.pk,
        "begun@example.test",
        restaurant.name,
    )
    assert (stored.state, stored.country, stored.subscription_tier) == ("Texas", "US", "free")
    assert (stored.slug, stored.registration_step, stored.archived_at) == ("begun", "tier", NOON)
    assert not Restaurant.objects.exists()
    assert not User.objects.exists()
    assert not Domain.objects.exists()
    assert restaurant_for_host("begun.localhost") is None
    assert archive_registrations(now=NOON) == 0


def test_a_restaurant_that_is_not_abandoned_stays(abandoned):
    abandoned("young", days=29)
    abandoned("done", registration_status="complete")
    abandoned("visited", last_login=NOON - timedelta(days=3))
    published = abandoned("published")
    SpecialOfferFactory(restaurant=published)
    connected = abandoned("connected", stripe_completed=True)
    ConnectAccountFactory(restaurant=connected)
    assert archive_registrations(now=NOON) == 0
    assert Restaurant.objects.count() == 5
    assert not IncompleteRegistration.objects.exists()


def test_a_restaurant_that_stays_does_not_keep_the_others(abandoned):
    SpecialOfferFactory(restaurant=abandoned("published", days=60))
    abandoned("begun")
    assert archive_registrations(now=NOON) == 1
    assert [each.subdomain for each in Restaurant.objects.all()] == ["published"]


def test_whoever_has_another_restaurant_or_works_for_us_keeps_the_account(abandoned, cast):
    Restaurant.objects.update(registration_status="complete")
    restaurant = abandoned("begun")
    User.objects.filter(email="begun@owner.test").delete()
    for person in (cast.manager, cast.staff):
        MembershipFactory(user=person, restaurant=restaurant)
    assert archive_registrations(now=NOON) == 1
    assert User.objects.filter(pk__in=[cast.manager.pk, cast.staff.pk]).count() == 2
    assert Membership.objects.filter(user=cast.manager).count() == 1


def test_a_registration_that_was_walked_through_and_confirmed_late_is_completed(abandoned):
    restaurant = abandoned("late", registration_step="complete")
    owner = User.objects.get(email="late@owner.test")
    assert is_confirmed(owner)
    assert archive_registrations(now=NOON) == 0
    restaurant.refresh_from_db()
    assert restaurant.registration_status == "complete"


def test_the_command_says_how_many(abandoned, capsys):
    abandoned("begun")
    abandoned("begun-2")
    call_command("archive_registrations")
    assert capsys.readouterr().out == "2 abandoned registrations archived.\n"
    call_command("archive_registrations")
    assert capsys.readouterr().out == "0 abandoned registrations archived.\n"
