"""User administration by staff (A56–A60): who can, what it does, and what it never does."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from apps.accounts.models import BearerToken, User
from apps.accounts.services import issue_token
from apps.activity.models import LoggedEvent
from apps.common import rls
from tests.client import record_sign_in
from tests.factories import PASSWORD, UserFactory

USERS = "/api/users"


@pytest.fixture
def staff(api, cast, clock):
    return api(cast.staff)


def body(**changes):
    return {"name": "Nina Neu", "email": "nina@example.test", "role": "User", **changes}


def same(user, **changes):
    return {"name": user.name, "email": user.email, "role": user.role, **changes}


def signed_in(api, user):
    """A client that signed in by the form, as django-allauth lists it."""
    client = api()
    client.post("/api/login", {"email": user.email, "password": PASSWORD})
    return client


def events(user):
    with rls.acting_as(rls.PLATFORM):
        found = LoggedEvent.objects.filter(account_id=user.pk).order_by("pk")
        return [(each.kind, each.actor_kind) for each in found]


class TestWhoCan:
    @pytest.mark.parametrize("person", ["owner", "outsider", "manager", "kitchen", "stranger"])
    def test_people_who_are_not_staff_can_read_and_change_no_user(self, api, cast, clock, person):
        client = api(getattr(cast, person))
        assert client.get(USERS).status_code == 403
        assert client.post(USERS, body()).status_code == 403
        assert client.put(f"{USERS}/{cast.owner.pk}", same(cast.owner)).status_code == 403
        assert client.delete(f"{USERS}/{cast.kitchen.pk}").status_code == 403
        assert not User.objects.filter(email="nina@example.test").exists()

    def test_a_visitor_is_asked_to_sign_in(self, api, cast):
        assert api().get(USERS).status_code == 401

    def test_staff_without_a_second_step_are_refused(self, api, cast, clock):
        client = api(cast.staff)
        record_sign_in(client, cast.staff, by_factor=False)
        refused = client.get(USERS)
        assert (refused.status_code, refused.json()["code"]) == (403, "two_factor_required")

    def test_a_bearer_token_of_staff_is_refused(self, api, cast, clock):
        token = issue_token(user=cast.staff, now=clock.now)
        refused = api().get(USERS, headers={"Authorization": f"Bearer {token}"})
        assert refused.status_code == 403

    def test_staff_prove_again_who_they_are_before_a_change(self, api, cast, clock, settings):
        settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = -1
        client = api(cast.staff)
        assert client.get(USERS).status_code == 200
        refused = client.post(USERS, body())
        assert (refused.status_code, refused.json()["code"]) == (403, "reauthenticate")


class TestReading:
    def test_is_an_array_of_id_name_email_and_role(self, staff, cast):
        found = staff.get(USERS)
        assert found.headers["X-Total-Count"] == str(len(found.json())) == str(User.objects.count())
        [row] = [each for each in found.json() if each["id"] == str(cast.staff.pk)]
        assert (row["name"], row["email"], row["role"]) == (
            cast.staff.name,
            "staff@platform.test",
            "admin",
        )
        assert staff.get(f"{USERS}/{cast.staff.pk}").json() == row
        assert staff.get(f"{USERS}/{cast.restaurant.pk}").status_code == 404

    def test_comes_in_pages_and_can_be_searched(self, staff, cast):
        UserFactory.create_batch(3, name="Nina Neu")
        first = staff.get(f"{USERS}?search=nina&limit=2")
        assert (len(first.json()), first.headers["X-Total-Count"]) == (2, "3")
        link = first.headers["Link"].removeprefix("<").partition(">")[0]
        second = staff.get(link)
        assert len(second.json()) == 1
        assert "Link" not in second.headers
        assert staff.get(f"{USERS}?cursor=nonsense").status_code == 400


class TestCreating:
    def test_makes_an_account_that_chooses_its_password_by_email(self, staff, cast, run_tasks):
        made = staff.post(USERS, body(role="Editor"))
        assert made.status_code == 201
        assert made.json() == {
            "id": made.json()["id"],
            "name": "Nina Neu",
            "email": "nina@example.test",
            "role": "editor",
            "isActive": True,
        }
        user = User.objects.get(pk=made.json()["id"])
        assert not user.has_usable_password()
        assert not user.is_staff
        assert not EmailAddress.objects.get(user=user).verified
        run_tasks()
        [message] = [each for each in mail.outbox if each.to == ["nina@example.test"]]
        assert message.subject == "You have a Fully Booked account"
        assert "/forgot-password" in message.body
        assert events(user) == [("account_created", "staff")]

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"name": ""}, "name"),
            ({"name": "x" * 101}, "name"),
            ({"email": "nobody"}, "email"),
            ({"email": None}, "email"),
            ({"role": "owner"}, "role"),
            ({"role": ""}, "role"),
        ],
    )
    def test_names_what_is_wrong_and_makes_nothing(self, staff, wrong, field):
        before = User.objects.count()
        refused = staff.post(USERS, body(**wrong))
        assert refused.status_code == 400
        assert [each["field"] for each in refused.json()["errors"]] == [field]
        assert User.objects.count() == before

    def test_an_email_with_an_account_is_refused_in_any_case(self, staff, cast):
        refused = staff.post(USERS, body(email=cast.owner.email.upper()))
        assert (refused.status_code, refused.json()["code"]) == (409, "already_registered")


class TestEditing:
    def test_a_name_and_a_role(self, staff, cast):
        answer = staff.put(
            f"{USERS}/{cast.stranger.pk}", same(cast.stranger, name="S", role="Admin")
        )
        assert (answer.json()["name"], answer.json()["role"]) == ("S", "admin")
        assert events(cast.stranger) == [
            ("account_edited", "staff"),
            ("account_role_changed", "staff"),
        ]

    def test_sending_the_same_changes_nothing(self, staff, cast):
        assert staff.put(f"{USERS}/{cast.owner.pk}", same(cast.owner)).status_code == 200
        assert events(cast.owner) == []

    def test_a_new_email_is_unconfirmed_and_both_addresses_are_told(
        self, api, staff, cast, run_tasks, clock
    ):
        mine = signed_in(api, cast.owner)
        issue_token(user=cast.owner, now=clock.now)
        changed = staff.put(f"{USERS}/{cast.owner.pk}", same(cast.owner, email="Neu@example.test"))
        assert changed.json()["email"] == "neu@example.test"
        assert not EmailAddress.objects.get(user=cast.owner).verified
        run_tasks()
        assert {each.to[0] for each in mail.outbox} >= {"owner@luigis.test", "neu@example.test"}
        assert ("email_changed", "staff") in events(cast.owner)
        assert not BearerToken.objects.filter(user=cast.owner).exists()
        assert mine.get("/api/restaurant/profile").status_code == 401

    def test_an_email_that_somebody_has_is_refused_and_nothing_changes(self, staff, cast):
        refused = staff.put(
            f"{USERS}/{cast.owner.pk}", same(cast.owner, name="Other", email=cast.kitchen.email)
        )
        assert (refused.status_code, refused.json()["code"]) == (409, "already_registered")
        cast.owner.refresh_from_db()
        assert cast.owner.name == "Owner of Luigi's"

    def test_a_deactivated_account_is_signed_out_everywhere_until_it_is_back(
        self, api, staff, cast, clock
    ):
        mine = signed_in(api, cast.owner)
        token = issue_token(user=cast.owner, now=clock.now)
        assert mine.get("/api/restaurant/profile").status_code == 200
        path = f"{USERS}/{cast.owner.pk}"
        assert staff.put(path, same(cast.owner, isActive=False)).json()["isActive"] is False
        assert mine.get("/api/restaurant/profile").status_code == 401
        headers = {"Authorization": f"Bearer {token}"}
        assert api().get("/api/restaurant/profile", headers=headers).status_code == 401
        assert staff.put(path, same(cast.owner, isActive=True)).json()["isActive"] is True
        assert mine.get("/api/restaurant/profile").status_code == 401
        kinds = [kind for kind, _ in events(cast.owner)]
        assert kinds.index("account_deactivated") < kinds.index("tokens_revoked")
        assert kinds[-1] == "account_reactivated"


class TestDeleting:
    def test_deletes_the_account_and_tells_the_person(self, staff, cast, run_tasks):
        answer = staff.delete(f"{USERS}/{cast.kitchen.pk}")
        assert answer.status_code == 204
        assert not User.objects.filter(pk=cast.kitchen.pk).exists()
        run_tasks()
        [message] = [each for each in mail.outbox if each.to == [cast.kitchen.email]]
        assert "Fully Booked staff deleted it." in message.body
        assert ("account_deleted", "staff") in events(cast.kitchen)
        assert ("member_removed", "staff") in events(cast.kitchen)
        assert staff.delete(f"{USERS}/{cast.kitchen.pk}").status_code == 404

    def test_not_the_last_owner_of_a_restaurant(self, staff, cast):
        refused = staff.delete(f"{USERS}/{cast.owner.pk}")
        assert refused.status_code == 409
        assert "is the last owner of Luigi's" in refused.json()["message"]
        assert User.objects.filter(pk=cast.owner.pk).exists()

    def test_staff_can_neither_delete_nor_deactivate_themselves(self, staff, cast):
        UserFactory(role="admin")
        for refused in (
            staff.delete(f"{USERS}/{cast.staff.pk}"),
            staff.put(f"{USERS}/{cast.staff.pk}", same(cast.staff, isActive=False)),
        ):
            assert refused.status_code == 409
            assert "your own account" in refused.json()["message"]


class TestTheLastStaffMember:
    def test_the_last_staff_member_cannot_become_a_user(self, staff, cast):
        refused = staff.put(f"{USERS}/{cast.staff.pk}", same(cast.staff, role="user"))
        assert refused.status_code == 409
        assert "is the last staff member" in refused.json()["message"]

    def test_is_not_replaced_by_one_who_has_no_password_yet(self, staff, cast):
        staff.post(USERS, body(role="Admin"))
        refused = staff.put(f"{USERS}/{cast.staff.pk}", same(cast.staff, role="user"))
        assert refused.status_code == 409

    def test_of_two_one_can_leave(self, staff, cast):
        other = UserFactory(role="admin")
        assert staff.delete(f"{USERS}/{other.pk}").status_code == 204
        other = UserFactory(role="admin")
        changed = staff.put(f"{USERS}/{cast.staff.pk}", same(cast.staff, role="user"))
        assert changed.status_code == 200
        assert staff.get(USERS).status_code == 403
