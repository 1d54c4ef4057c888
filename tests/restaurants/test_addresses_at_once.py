"""Two tabs, one subdomain: only the indexes decide who gets it (DECISIONS X48)."""

from collections import Counter
from threading import Barrier

import pytest
from django.db import connection

from apps.common import rls
from apps.restaurants.models import Domain, FormerAddress, Restaurant
from apps.restaurants.services import addresses
from tests.factories import RestaurantFactory
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("platform")]
BARRIER_SECONDS = 10  # seconds threads wait for each other after looking; all of them always come


@pytest.fixture
def all_find_it_free(monkeypatch):
    """Let everybody look before anybody saves."""

    def arrange(people):
        barrier = Barrier(people)
        met = set()
        look = addresses.is_free

        def looked(subdomain, **options):
            answer = look(subdomain, **options)
            restaurant = options.get("restaurant")
            if restaurant and restaurant.pk not in met:
                met.add(restaurant.pk)
                assert answer
                barrier.wait(BARRIER_SECONDS)
            return answer

        monkeypatch.setattr(addresses, "is_free", looked)

    return arrange


@pytest.fixture
def without_indexes():
    """The control: without the indexes, only the look decides."""
    uniques = [
        ("restaurants_restaurant", "restaurants_restaurant_subdomain_key", "subdomain"),
        ("restaurants_domain", "restaurants_domain_domain_key", "domain"),
    ]
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX one_restaurant_per_subdomain")
        for table, name, _ in uniques:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE restaurants_restaurant CASCADE")
        cursor.execute(
            "CREATE UNIQUE INDEX one_restaurant_per_subdomain "
            "ON restaurants_restaurant (LOWER(subdomain))"
        )
        for table, name, column in uniques:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE ({column})")


def claim(restaurant, now, subdomain="bistro"):
    return lambda: addresses.claim_subdomain(restaurant=restaurant, subdomain=subdomain, now=now)


def outcomes(answers):
    return Counter(type(each).__name__ for each in answers)


def test_one_of_two_restaurants_gets_the_address(cast, clock, all_find_it_free):
    all_find_it_free(2)
    answers = at_once(claim(cast.restaurant, clock.now), claim(cast.other, clock.now))
    assert outcomes(answers) == {"Restaurant": 1, "SubdomainTaken": 1}
    (refusal,) = (each for each in answers if isinstance(each, addresses.SubdomainTaken))
    assert refusal.extra == {"suggestion": "bistro-2"}
    winner = Domain.objects.get(domain="bistro.localhost").tenant
    assert Restaurant.objects.get(subdomain="bistro") == winner
    (loser,) = Restaurant.objects.exclude(pk=winner.pk)
    assert [each.domain for each in loser.domains.all()] == [f"{loser.subdomain}.localhost"]
    assert FormerAddress.objects.count() == 1


def test_two_restaurants_would_get_one_address_without_the_indexes(
    cast, clock, without_indexes, all_find_it_free
):
    """The control: the race is real, and looking first does not prevent it."""
    all_find_it_free(2)
    answers = at_once(claim(cast.restaurant, clock.now), claim(cast.other, clock.now))
    assert outcomes(answers) == {"Restaurant": 2}
    assert Restaurant.objects.filter(subdomain="bistro").count() == 2


def test_two_tabs_of_one_restaurant_end_in_one_address(cast, clock):
    names = ["bistro", "osteria", "taverna"]
    answers = at_once(*[claim(cast.restaurant, clock.now, name) for name in names])
    assert outcomes(answers) == {"Restaurant": 3}
    own = Restaurant.objects.get(pk=cast.restaurant.pk)
    assert [each.domain for each in own.domains.all()] == [f"{own.subdomain}.localhost"]
    former = set(FormerAddress.objects.values_list("host", flat=True))
    assert former == {f"{name}.localhost" for name in {*names, "luigis"} - {own.subdomain}}


def test_many_restaurants_of_one_name_get_an_address_each(clock):
    def register(number):
        restaurant = Restaurant(name="Bella Napoli", email=f"{number}@example.test")
        return lambda: addresses.create_with_address(restaurant, now=clock.now)

    answers = at_once(*[register(number) for number in range(5)])
    assert outcomes(answers) == {"Restaurant": 5}
    subdomains = {each.subdomain for each in answers}
    assert subdomains == {"bella-napoli", *(f"bella-napoli-{number}" for number in range(2, 6))}


def test_nobody_takes_an_address_between_giving_it_up_and_reserving_it(clock):
    """While an address changes from present to former it is never free."""
    leaving, waiting = RestaurantFactory(subdomain="bistro"), RestaurantFactory(subdomain="waits")
    answers = at_once(
        claim(leaving, clock.now, "moved"),
        *[claim(waiting, clock.now, "bistro") for _ in range(4)],
    )
    assert outcomes(answers) == {"Restaurant": 1, "SubdomainTaken": 4}
    with rls.acting_as(rls.PLATFORM):
        assert FormerAddress.objects.get().host == "bistro.localhost"
