"""Rows of another restaurant are invisible, whatever happened on the connection before."""

import json
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.utils import DataError
from django.test import Client

from apps.common import rls
from apps.common.db import base
from apps.common.db.base import DatabaseWrapper
from apps.common.links import platform_url
from apps.offers.models import Dish
from apps.restaurants.hosts import forget_hosts, restaurant_for_host
from apps.restaurants.models import Domain, Restaurant
from tests.factories import DishFactory, DomainFactory, RestaurantFactory
from tests.threads import at_once


class Undo(Exception):
    """Rolls back the block it leaves."""


def names():
    return sorted(Dish.objects.values_list("name", flat=True))


def two_restaurants():
    here, there = RestaurantFactory(), RestaurantFactory()
    DishFactory(restaurant=here, name="here")
    DishFactory(restaurant=there, name="there")
    return here, there


@pytest.fixture
def two(db):
    return two_restaurants()


def test_a_session_without_a_restaurant_sees_no_rows(two):
    assert rls.acting() is None
    assert names() == []


def test_each_sees_its_own_and_the_platform_all(two):
    here, there = two
    with rls.acting_as(here):
        assert names() == ["here"]
        with rls.acting_as(there):
            assert names() == ["there"]
        with rls.acting_as(rls.PLATFORM):
            assert names() == ["here", "there"]
        with rls.acting_as(None):
            assert names() == []
        assert names() == ["here"]


def test_rows_of_another_cannot_be_changed_deleted_written_or_moved(two):
    here, there = two
    with rls.acting_as(here):
        foreign = Dish.objects.filter(restaurant=there)
        assert foreign.update(name="taken") == 0
        assert foreign.delete()[0] == 0
        with pytest.raises(DatabaseError), transaction.atomic():
            Dish.objects.create(restaurant=there, name="smuggled", price=1)
        with pytest.raises(DatabaseError), transaction.atomic():
            Dish.objects.update(restaurant=there)
        assert names() == ["here"]
    with rls.acting_as(there):
        assert names() == ["there"]


def test_a_rolled_back_savepoint_does_not_change_the_acting_restaurant(two):
    """PostgreSQL forgets what was set inside it; the next statement must say it again."""
    here, there = two
    with rls.acting_as(here):
        with suppress(Undo), transaction.atomic():
            with rls.acting_as(there):
                assert names() == ["there"]
            raise Undo
        assert names() == ["here"]


def test_a_statement_that_fails_does_not_change_who_actions(two):
    here, there = two
    with rls.acting_as(there):
        assert names() == ["there"]
    with rls.acting_as(here):
        with (
            pytest.raises(DataError),
            transaction.atomic(),
            rls.acting_as(there),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT 1 / 0")
        assert names() == ["here"]


def test_a_broken_transaction_stays_broken_for_another_restaurant(two):
    """Saying who acts is impossible then, and must not pass for having been said."""
    here, there = two
    with rls.acting_as(here):
        with suppress(Undo), transaction.atomic():
            with pytest.raises(DataError), connection.cursor() as cursor:
                cursor.execute("SELECT 1 / 0")
            with rls.acting_as(there), pytest.raises(DatabaseError):
                names()
            raise Undo
        assert names() == ["here"]


def test_who_actions_is_told_only_when_it_changed(two, monkeypatch):
    here, there = two
    reported = []
    send = DatabaseWrapper._send_acting

    def note(db: DatabaseWrapper, who: Any) -> None:
        reported.append(who)
        send(db, who)

    monkeypatch.setattr(DatabaseWrapper, "_send_acting", note)
    with rls.acting_as(here):
        names(), names()
        with rls.acting_as(there):
            names()
        with rls.acting_as(there):
            pass  # nothing is asked, so nothing is told
        names()
    assert reported == [str(here.pk), str(there.pk), str(here.pk)]


@pytest.mark.django_db(transaction=True)
class TestOutsideATransaction:
    @pytest.fixture
    def two(self):
        return two_restaurants()

    def test_each_sees_its_own(self, two):
        here, there = two
        with rls.acting_as(here):
            assert names() == ["here"]
        with rls.acting_as(there):
            assert names() == ["there"]

    def test_a_new_connection_is_told_again(self, two):
        with rls.acting_as(two[0]):
            assert names() == ["here"]
            connection.close()
            assert names() == ["here"]

    def test_a_statement_is_refused_when_saying_who_actions_fails(self, two, monkeypatch):
        """Else it would run as whoever acted before."""
        here, there = two
        with rls.acting_as(there):
            assert names() == ["there"]
        with rls.acting_as(here):
            monkeypatch.setattr(base, "_FOR_SESSION", "SELECT 1 / 0, %s, %s")
            with pytest.raises(psycopg.errors.DivisionByZero):
                names()
            monkeypatch.undo()
            assert names() == ["here"]

    def test_a_server_side_cursor_obeys(self, two):
        with rls.acting_as(two[0]):
            assert [dish.name for dish in Dish.objects.iterator(chunk_size=1)] == ["here"]

    def test_a_transaction_that_is_rolled_back_does_not_change_who_actions(self, two):
        here, there = two
        with rls.acting_as(here):
            with suppress(Undo), transaction.atomic():
                with rls.acting_as(there):
                    assert names() == ["there"]
                raise Undo
            assert names() == ["here"]

    def test_threads_action_as_whom_they_were_started_for(self, two):
        def names_of(restaurant):
            with rls.acting_as(restaurant):
                return names()

        seen = at_once(*(lambda each=each: names_of(each) for each in (*two, *two, None)))
        assert seen == [["here"], ["there"], ["here"], ["there"], []]


class TestHosts:
    PATH = "/api/dishes"

    @staticmethod
    def on_the_menu(answer):
        assert answer.status_code == 200
        return [dish["name"] for dish in answer.json()["dishes"]]

    def test_each_host_shows_its_own(self, api, two):
        for restaurant, name in zip(two, ("here", "there"), strict=True):
            assert self.on_the_menu(api(at=restaurant).get(self.PATH)) == [name]
            upper = f"{restaurant.subdomain.upper()}.LOCALHOST.:8000"
            assert self.on_the_menu(api(host=upper).get(self.PATH)) == [name]

    def test_the_platforms_host_belongs_to_nobody(self, api, two):
        for host in ("localhost", "www.localhost", "127.0.0.1"):
            assert self.on_the_menu(api(host=host).get(self.PATH)) == []

    def test_an_unknown_a_reserved_and_a_malformed_host_are_refused(self, api, two):
        assert api(host="nobody.localhost").get(self.PATH).status_code == 404
        assert api(host="elsewhere.test").get(self.PATH).status_code == 404
        assert Client(headers={"host": "bad_host!"}).get(self.PATH).status_code == 400
        DomainFactory(tenant=two[0], domain="admin.localhost", is_primary=False)
        assert api(host="admin.localhost").get(self.PATH).status_code == 404

    def test_a_domain_of_its_own_leads_to_the_restaurant(self, api, two):
        DomainFactory(tenant=two[0], domain="eat-here.test", is_primary=False)
        assert self.on_the_menu(api(host="eat-here.test").get(self.PATH)) == ["here"]

    def test_an_unknown_host_is_cached_until_a_restaurant_takes_it(
        self, two, django_assert_num_queries
    ):
        assert restaurant_for_host("new.localhost") is None
        with django_assert_num_queries(0):
            assert restaurant_for_host("new.localhost") is None
        newcomer = RestaurantFactory(subdomain="new")
        assert restaurant_for_host("new.localhost") is None
        forget_hosts(newcomer)
        assert restaurant_for_host("new.localhost") == newcomer
        with django_assert_num_queries(0):
            assert restaurant_for_host("new.localhost") == newcomer

    def test_a_column_that_only_a_newer_version_knows_is_ignored_in_the_cache(
        self, two, django_assert_num_queries
    ):
        host = f"{two[0].subdomain}.localhost"
        assert restaurant_for_host(host) == two[0]
        (row,) = json.loads(cache.get(f"host:{host}")["restaurant"])
        row["fields"]["of_the_next_version"] = "unknown"
        cache.set(f"host:{host}", {"restaurant": json.dumps([row])})
        with django_assert_num_queries(0):
            assert restaurant_for_host(host) == two[0]

    def test_a_restaurant_that_is_suspended_shows_no_rows_on_its_host(self, api, two):
        here, _ = two
        assert api(at=here).get(self.PATH).status_code == 200
        Restaurant.objects.filter(pk=here.pk).update(status=Restaurant.Status.SUSPENDED)
        forget_hosts(here)
        assert api(at=here).get(self.PATH).status_code == 404

    def test_a_host_of_no_restaurant_says_so_and_leads_to_the_platform(self, api, db):
        host = "nobody.localhost"
        page = api(host=host).get("/specials")
        assert page.status_code == 404
        assert "<h1>Restaurant Not Found</h1>" in page.content.decode()
        assert "This restaurant could not be found or is not available." in page.content.decode()
        assert f'href="{platform_url("/")}"' in page.content.decode()
        assert "refresh" not in page.content.decode()
        spanish = api(host=host).get("/specials", HTTP_ACCEPT_LANGUAGE="es")
        assert "No encontramos el restaurante" in spanish.content.decode()

    def test_an_address_a_restaurant_does_not_have_keeps_its_header(self, api, two):
        page = api(at=two[0]).get("/nothing-here")
        assert page.status_code == 404
        shown = page.content.decode()
        assert "<h1>This page isn't on the menu</h1>" in shown
        assert shown.index("See the specials") < shown.index("See the menu")
        assert f'<a class="brand" href="/specials">{two[0].name}' in page.content.decode()
        answer = api(at=two[0]).get("/api/nothing-here")
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/json")

    def test_a_request_leaves_nobody_acting(self, api, two):
        api(at=two[0]).get(self.PATH)
        assert rls.acting() is None
        assert names() == []
        assert Domain.objects.count() == 2
