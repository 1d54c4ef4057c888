"""Which emails a guest wants: the choice, the opt-in by an order's id, and its limits."""

from typing import Any

import pytest

from apps.common import rls
from apps.common.errors import Conflict
from apps.preorders.emails.preferences import (
    Topic,
    email_preference,
    preferences_url,
    set_email_preference,
    subscribe_by_order,
)
from apps.preorders.models import Subscriber
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.threads import at_once

pytestmark = pytest.mark.django_db
PATH = "/api/email-subscription"
DANA = "dana@example.test"


@pytest.fixture
def order(cast, clock, platform):
    return PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant))


def wants(restaurant, address=DANA):
    choice = email_preference(restaurant_id=restaurant.pk, address=address)
    return {"news": choice.news, "reminders": choice.reminders}


class TestTheChoice:
    def test_who_never_said_gets_reminders_and_no_news(self, order, cast):
        assert wants(cast.restaurant) == {"news": False, "reminders": True}
        assert not Subscriber.objects.exists()

    def test_a_preference_belongs_to_an_address_in_any_case_and_one_restaurant(
        self, order, cast, clock
    ):
        set_email_preference(
            restaurant_id=cast.restaurant.pk,
            address="Dana@Example.TEST",
            news=True,
            reminders=False,
            now=clock.now,
        )
        assert wants(cast.restaurant, "DANA@example.test ") == {"news": True, "reminders": False}
        assert wants(cast.other) == {"news": False, "reminders": True}
        assert wants(cast.restaurant, "other@example.test") == {"news": False, "reminders": True}

    def test_what_is_not_named_stays(self, order, cast, clock):
        wishes: list[dict[str, Any]] = [{"news": True}, {"reminders": False}, {"news": True}]
        for wish in wishes:
            set_email_preference(
                restaurant_id=cast.restaurant.pk, address=DANA, now=clock.now, **wish
            )
        (choice,) = Subscriber.objects.all()
        assert (choice.news, choice.reminders, choice.email) == (True, False, DANA)

    def test_another_restaurant_does_not_see_it(self, order, cast, clock):
        set_email_preference(
            restaurant_id=cast.restaurant.pk, address=DANA, news=True, now=clock.now
        )
        with rls.acting_as(cast.other):
            assert not Subscriber.objects.exists()
        with rls.acting_as(None):
            assert not Subscriber.objects.exists()

    def test_the_link_says_nothing_about_the_address(self, order, cast, clock):
        url = preferences_url(
            restaurant=cast.restaurant, address=DANA, topic=Topic.NEWS, now=clock.now
        )
        (choice,) = Subscriber.objects.all()
        assert url == f"http://luigis.localhost:8000/email-preferences/{choice.pk}?stop=news"
        assert url == preferences_url(
            restaurant=cast.restaurant, address="DANA@example.test", topic=Topic.NEWS, now=clock.now
        )


class TestByTheOrdersId:
    def test_the_last_answer_counts_however_often_it_is_given(self, order, cast, clock):
        for wish in (True, True, False, False, True):
            subscribe_by_order(
                restaurant_id=cast.restaurant.pk, order_id=order.pk, wants_news=wish, now=clock.now
            )
            assert wants(cast.restaurant) == {"news": wish, "reminders": True}
        (choice,) = Subscriber.objects.all()
        assert choice.stopped_at is None

    def test_a_no_by_the_emails_own_link_stands_until_there_is_a_newer_order(
        self, order, cast, clock
    ):
        clock.advance(days=1)
        for wish in (True, False):
            set_email_preference(
                restaurant_id=cast.restaurant.pk, address=DANA, news=wish, now=clock.now
            )
        with pytest.raises(Conflict, match="unsubscribed through a link"):
            subscribe_by_order(
                restaurant_id=cast.restaurant.pk, order_id=order.pk, wants_news=True, now=clock.now
            )
        assert not wants(cast.restaurant)["news"]
        clock.advance(minutes=1)
        newer = PreOrderFactory(offer=order.offer)
        subscribe_by_order(
            restaurant_id=cast.restaurant.pk, order_id=newer.pk, wants_news=True, now=clock.now
        )
        assert wants(cast.restaurant)["news"]

    def test_a_no_to_reminders_or_to_news_that_never_came_is_none(self, order, cast, clock):
        clock.advance(days=1)
        set_email_preference(
            restaurant_id=cast.restaurant.pk,
            address=DANA,
            news=False,
            reminders=False,
            now=clock.now,
        )
        subscribe_by_order(
            restaurant_id=cast.restaurant.pk, order_id=order.pk, wants_news=True, now=clock.now
        )
        assert wants(cast.restaurant) == {"news": True, "reminders": False}

    def test_a_phone_order_without_an_email_address_cannot_subscribe(self, cast, clock, platform):
        order = PreOrderFactory(
            offer=SpecialOfferFactory(restaurant=cast.restaurant), customer_email=""
        )
        with pytest.raises(Conflict, match="no email address"):
            subscribe_by_order(
                restaurant_id=cast.restaurant.pk, order_id=order.pk, wants_news=True, now=clock.now
            )
        assert not Subscriber.objects.exists()


class TestTheApi:
    def test_a_guest_subscribes_on_either_host(self, api, cast, order):
        for client, wish in ((api(at=cast.restaurant), True), (api(), False)):
            answer = client.post(
                PATH,
                {
                    "restaurantId": str(cast.restaurant.pk),
                    "preorderId": str(order.pk),
                    "optIn": wish,
                },
            )
            assert answer.status_code == 200
            assert answer.json()["optIn"] is wish
            assert DANA not in answer.content.decode()
            assert wants(cast.restaurant)["news"] is wish

    def test_what_is_missing_or_malformed_is_named(self, api, cast, order):
        for sent in ({}, {"restaurantId": "x", "preorderId": "x", "optIn": "maybe"}, [1]):
            answer = api(at=cast.restaurant).post(PATH, sent)
            assert answer.status_code == 400
            if isinstance(sent, dict):
                named = [error["field"] for error in answer.json()["errors"]]
                assert named == ["restaurantId", "preorderId", "optIn"]
        assert not Subscriber.objects.exists()

    def test_anothers_order_and_anothers_restaurant_are_not_there(self, api, cast, order):
        ids = {"here": str(cast.restaurant.pk), "there": str(cast.other.pk)}
        for client, restaurant in (
            (api(at=cast.other), "there"),
            (api(at=cast.other), "here"),
            (api(), "there"),
        ):
            answer = client.post(
                PATH,
                {"restaurantId": ids[restaurant], "preorderId": str(order.pk), "optIn": True},
            )
            assert answer.status_code == 404
            assert answer.json()["message"]
        assert not Subscriber.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_choice(cast, clock):
    now = clock.now

    def choose(news):
        with rls.acting_as(cast.restaurant):
            set_email_preference(restaurant_id=cast.restaurant.pk, address=DANA, news=news, now=now)

    at_once(*(lambda: choose(True) for _ in range(6)))
    with rls.acting_as(rls.PLATFORM):
        assert Subscriber.objects.filter(status=Subscriber.Status.CONFIRMED).count() == 1
