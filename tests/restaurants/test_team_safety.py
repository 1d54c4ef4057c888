"""What a new co-owner, or somebody at an unlocked laptop, can't do to a team."""

from datetime import timedelta

import pytest
from django.core import mail

from apps.accounts.models import User
from apps.restaurants.models import Invitation, Membership, Restaurant
from tests.accounts.conftest import App
from tests.client import record_sign_in
from tests.conftest import NOON
from tests.factories import MembershipFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]


@pytest.fixture
def founder(cast):
    Membership.objects.filter(user=cast.owner).update(
        created_at=NOON - timedelta(days=400), role_since=NOON - timedelta(days=400)
    )
    return cast.owner


@pytest.fixture
def newcomer(cast, founder):
    """Somebody who became an owner a moment ago."""
    made = MembershipFactory(restaurant=cast.restaurant, role="owner")
    Membership.objects.filter(pk=made.pk).update(created_at=NOON, role_since=NOON)
    return made.user


def member(user):
    return Membership.objects.filter(user=user).values_list("role", flat=True).first()


class TestANewOwner:
    @pytest.mark.parametrize("action", ["remove", "demote"])
    def test_cannot_take_the_place_of_an_earlier_one_for_a_week(
        self, api, clock, founder, newcomer, run_tasks, action
    ):
        def attempt():
            client, path = api(newcomer), f"/api/team/members/{founder.pk}"
            return (
                client.delete(path)
                if action == "remove"
                else client.patch(path, {"role": "kitchen"})
            )

        clock.advance(days=7, seconds=-1)
        refused = attempt()
        assert refused.status_code == 403
        assert "less than 7 days ago" in refused.json()["message"]
        assert member(founder) == "owner"
        run_tasks()
        assert mail.outbox == []
        clock.advance(seconds=1)
        assert attempt().status_code == (204 if action == "remove" else 200)
        assert member(founder) == (None if action == "remove" else "kitchen")

    def test_who_was_promoted_is_new_too(self, api, cast, founder, clock):
        api(founder).patch(f"/api/team/members/{cast.manager.pk}", {"role": "owner"})
        refused = api(cast.manager).delete(f"/api/team/members/{founder.pk}")
        assert refused.status_code == 403
        assert member(founder) == "owner"

    def test_is_removed_by_the_founder_and_every_owner_is_told(
        self, api, founder, newcomer, run_tasks
    ):
        assert api(founder).delete(f"/api/team/members/{newcomer.pk}").status_code == 204
        run_tasks()
        assert sorted(message.to[0] for message in mail.outbox) == sorted(
            [founder.email, newcomer.email]
        )
        assert f"{newcomer.name} was removed from the team" in mail.outbox[0].subject


class TestRemovingSomebody:
    def test_ends_the_invitations_they_sent(self, api, founder, newcomer):
        for by, email in ((newcomer, "friend@example.test"), (founder, "cook@example.test")):
            sent = {"email": email, "role": "owner"}
            assert api(by).post("/api/team/invitations", sent).status_code == 201
        api(founder).delete(f"/api/team/members/{newcomer.pk}")
        still_open = Invitation.objects.filter(revoked_at=None)
        assert list(still_open.values_list("email", flat=True)) == ["cook@example.test"]


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("post", "/api/team/invitations", {"email": "x@example.test", "role": "owner"}),
        ("patch", "/api/team/members/{kitchen}", {"role": "owner"}),
        ("delete", "/api/team/members/{kitchen}", None),
        ("get", "/api/orders/export?format=csv", None),
        ("post", "/api/connect-dashboard", {}),
        ("post", "/api/connect-onboarding", {}),
        ("post", "/api/tokens", {"name": "x", "scope": "read"}),
        ("put", "/api/restaurant/password", {"password": "basil-and-lemon-9"}),
    ],
)
def test_an_unlocked_laptop_or_a_token_is_asked_who_is_there(api, cast, method, path, sent):
    left_open = api(cast.owner, signed_in_ago=15 * 60 + 1)
    path = path.format(kitchen=cast.kitchen.pk)
    call = getattr(left_open, method)
    refused = call(path) if sent is None else call(path, sent)
    assert refused.status_code == 403
    assert refused.json()["code"] == "reauthenticate"
    assert member(cast.kitchen) == "kitchen"
    assert not Invitation.objects.exists()
    record_sign_in(left_open, cast.owner)
    allowed = call(path) if sent is None else call(path, sent)
    assert allowed.status_code != 403


def test_the_export_of_a_page_leads_to_the_question_and_back(api, cast):
    left_open = api(cast.owner, signed_in_ago=15 * 60 + 1)
    path = "/api/orders/export?format=csv"
    answer = left_open.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 302
    assert answer["Location"] == "/account/again?next=%2Fapi%2Forders%2Fexport%3Fformat%3Dcsv"


def test_the_kitchen_cannot_export_the_guests(api, cast):
    assert api(cast.kitchen).get("/api/orders/export?format=csv").status_code == 403
    assert api(cast.manager).get("/api/orders/export?format=csv").status_code == 200


class TestTwoFactorForTheTeam:
    PATH = "/restaurant/security/two-factor"

    def require(self, api, owner, wish="yes"):
        form = f"required={wish}"
        return api(owner).post(self.PATH, form, "application/x-www-form-urlencoded")

    def test_an_owner_without_it_cannot_require_it(self, api, cast):
        self.require(api, cast.owner)
        assert not Restaurant.objects.get(pk=cast.restaurant.pk).requires_two_factor

    def test_members_without_it_are_led_to_it_first(self, api, cast):
        App(cast.owner)
        self.require(api, cast.owner)
        page = api(cast.kitchen).get("/restaurant")
        assert (page.status_code, page["Location"]) == (302, "/account/two-factor/")
        refused = api(cast.kitchen).get("/api/orders")
        assert refused.status_code == 403
        assert refused.json()["code"] == "two_factor_required"
        assert refused.json()["twoFactorUrl"] == "/account/two-factor/"
        assert api(cast.kitchen).get("/account").status_code == 200
        App(cast.kitchen)
        assert api(cast.kitchen).get("/api/orders").status_code == 200

    def test_it_can_be_made_optional_again(self, api, cast):
        App(cast.owner)
        self.require(api, cast.owner)
        self.require(api, cast.owner, "no")
        assert api(cast.kitchen).get("/api/orders").status_code == 200

    @pytest.mark.parametrize("role", ["manager", "kitchen"])
    def test_only_an_owner_can_require_two_step_verification(self, api, cast, role):
        App(getattr(cast, role))
        assert self.require(api, getattr(cast, role)).status_code == 403
        assert not Restaurant.objects.get(pk=cast.restaurant.pk).requires_two_factor

    def test_the_page_names_who_has_none(self, api, cast):
        page = api(cast.owner).get("/restaurant/security").content.decode()
        assert cast.kitchen.email in page
        for person in User.objects.filter(memberships__restaurant=cast.restaurant):
            App(person)
        page = api(cast.owner).get("/restaurant/security").content.decode()
        assert "Everyone on your team uses it." in page
