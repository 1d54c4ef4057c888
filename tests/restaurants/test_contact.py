"""The restaurant's contact address: guests' data goes only to a confirmed one."""

import re
from urllib.parse import urlencode

import pytest
from allauth.account import signals
from allauth.account.models import EmailAddress
from django.core import mail

from apps.accounts.models import User
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.services.contact import addresses_for_guest_data, is_contact_confirmed
from tests.accounts.conftest import FORM
from tests.factories import RestaurantFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]


@pytest.fixture
def restaurant(cast):
    """A restaurant whose contact address was mistyped at registration."""
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(
        email="stranger@example.test", email_confirmed_at=None
    )
    return Restaurant.objects.get(pk=cast.restaurant.pk)


def change(client, email):
    path = "/restaurant/security/contact"
    return client.post(path, urlencode({"email": email}), FORM)


def fresh(restaurant):
    return Restaurant.objects.get(pk=restaurant.pk)


def link(run_tasks):
    run_tasks()
    found = re.search(r"/restaurant/contact/confirm\?token=(\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


class TestWhoGetsGuestsData:
    def test_an_unconfirmed_contact_address_gets_no_guests_data(self, cast, restaurant):
        assert not is_contact_confirmed(restaurant)
        assert addresses_for_guest_data(restaurant) == [cast.owner.email, cast.manager.email]

    def test_nobody_while_no_owner_or_manager_has_confirmed_theirs(self, restaurant):
        EmailAddress.objects.update(verified=False)
        assert addresses_for_guest_data(restaurant) == []

    def test_the_kitchens_own_address_does_not_count(self, cast, restaurant):
        EmailAddress.objects.exclude(user=cast.kitchen).update(verified=False)
        assert addresses_for_guest_data(restaurant) == []

    def test_the_contact_address_once_it_is_a_confirmed_owners(self, cast, restaurant):
        restaurant.email = cast.owner.email.upper()
        assert addresses_for_guest_data(restaurant) == [restaurant.email]


class TestChangingIt:
    def test_takes_effect_once_the_link_is_used(self, api, cast, restaurant, run_tasks):
        page = change(api(cast.owner), "Kitchen@luigis.test")
        assert page.status_code == 302
        assert fresh(restaurant).email == "stranger@example.test"
        token = link(run_tasks)
        assert mail.outbox[-1].to == ["kitchen@luigis.test"]
        stranger = api()
        opened = stranger.get(f"/restaurant/contact/confirm?token={token}")
        assert b"Use this address?" in opened.content
        assert fresh(restaurant).email == "stranger@example.test"
        done = stranger.post("/restaurant/contact/confirm", urlencode({"token": token}), FORM)
        assert b"Contact email confirmed" in done.content
        assert fresh(restaurant).email == "kitchen@luigis.test"
        assert addresses_for_guest_data(fresh(restaurant)) == ["kitchen@luigis.test"]
        again = stranger.post("/restaurant/contact/confirm", urlencode({"token": token}), FORM)
        assert again.status_code == 404

    def test_a_link_ends_after_a_day_and_with_the_next_one(
        self, api, cast, restaurant, run_tasks, clock
    ):
        change(api(cast.owner), "one@luigis.test")
        first = link(run_tasks)
        change(api(cast.owner), "two@luigis.test")
        second = link(run_tasks)
        path = "/restaurant/contact/confirm?token="
        assert api().get(path + first).status_code == 404
        assert api().get(path + second).status_code == 200
        clock.advance(hours=24)
        assert api().get(path + second).status_code == 404
        for made_up in ("", "x", second[:-1] + "x", "x" * 700):
            assert api().get(path + made_up).status_code == 404

    def test_a_confirmed_owners_own_address_counts_at_once(self, api, cast, restaurant, run_tasks):
        change(api(cast.owner), cast.owner.email)
        assert fresh(restaurant).email == cast.owner.email
        run_tasks()
        told = [(each.subject, each.to) for each in mail.outbox]
        assert told == [("The contact email for Luigi's changed", [restaurant.email])]

    def test_another_restaurants_address_is_refused(self, api, cast, restaurant):
        RestaurantFactory(email="taken@example.test")
        refused = change(api(cast.owner), "Taken@example.test")
        assert refused.status_code == 409
        assert b"Another restaurant uses this address." in refused.content
        assert fresh(restaurant).new_email == ""

    def test_needs_the_owner_and_a_recent_proof(self, api, cast, restaurant):
        assert change(api(cast.manager), "x@luigis.test").status_code == 403
        left_open = api(cast.owner, signed_in_ago=16 * 60)
        led = change(left_open, "x@luigis.test")
        assert led["Location"] == "/account/again?next=%2Frestaurant%2Fsecurity"
        assert fresh(restaurant).new_email == ""

    def test_what_is_no_address_is_refused(self, api, cast, restaurant):
        assert change(api(cast.owner), "x").status_code == 400


class TestTheOwnersAddress:
    def test_corrected_before_it_was_confirmed_is_corrected_here_too(self, api, platform):
        owner = UserFactory(email="typo@example.test", address__verified=False)
        restaurant = RestaurantFactory(email="typo@example.test", email_confirmed_at=None)
        Membership.objects.create(user=owner, restaurant=restaurant, role="owner")
        form = urlencode({"email": "right@example.test", "action_add": "1"})
        assert api(owner).post("/account/email", form, FORM).status_code == 302
        assert User.objects.get(pk=owner.pk).email == "right@example.test"
        assert fresh(restaurant).email == "right@example.test"
        assert not is_contact_confirmed(fresh(restaurant))
        EmailAddress.objects.filter(user=owner).update(verified=True)
        assert is_contact_confirmed(fresh(restaurant))

    def test_changed_later_is_carried_over_where_it_was_used(self, cast, restaurant, rf):
        Restaurant.objects.filter(pk=restaurant.pk).update(email=cast.owner.email)
        signals.email_changed.send(
            sender=User,
            request=rf.get("/"),
            user=cast.owner,
            from_email_address=EmailAddress(email=cast.owner.email),
            to_email_address=EmailAddress(email="new@example.test"),
        )
        assert fresh(restaurant).email == "new@example.test"

    def test_leaves_an_address_of_its_own_alone(self, cast, restaurant, rf):
        signals.email_changed.send(
            sender=User,
            request=rf.get("/"),
            user=cast.owner,
            from_email_address=EmailAddress(email=cast.owner.email),
            to_email_address=EmailAddress(email="new@example.test"),
        )
        assert fresh(restaurant).email == "stranger@example.test"
