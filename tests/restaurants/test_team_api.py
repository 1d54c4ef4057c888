"""The team: inviting, accepting, changing a role, and removing."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from apps.accounts.models import User
from apps.accounts.services.accounts import is_confirmed
from apps.restaurants.models import Invitation, Membership, Restaurant
from apps.restaurants.services import team
from tests.conftest import NOON
from tests.factories import MembershipFactory, UserFactory
from tests.refusals import without_codes
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
INVALID = "This invitation is no longer valid. Ask the restaurant to send you a new one."
LAST_OWNER = "A restaurant needs an owner. Make someone else an owner first."
PASSWORD = "basil-and-lemon-9"


def invite(client, email="nina@example.test", role="manager"):
    return client.post("/api/team/invitations", {"email": email, "role": role})


@pytest.fixture
def invited(api, cast, run_tasks):
    """Invite somebody; returns the token in the email."""

    def send(email="nina@example.test", role="manager", by=None):
        answer = invite(api(by or cast.owner), email, role)
        assert answer.status_code == 201, answer.content
        run_tasks()
        link = re.search(r"/invitation\?token=([\w-]+)", str(mail.outbox[-1].body))
        assert link
        return link[1]

    return send


def emails(client):
    return {each["email"]: each["role"] for each in client.get("/api/team").json()["members"]}


# --- who is there ---------------------------------------------------------------------------------
def test_an_owner_sees_the_team_and_who_is_invited(api, cast, invited):
    invited()
    sent = api(cast.owner).get("/api/team").json()
    assert sent["members"] == [
        {"id": str(person.pk), "name": person.name, "email": person.email, "role": role}
        for person, role in (
            (cast.owner, "owner"),
            (cast.manager, "manager"),
            (cast.kitchen, "kitchen"),
        )
    ]
    (open_one,) = sent["invitations"]
    assert open_one == {
        "id": str(Invitation.objects.get().pk),
        "email": "nina@example.test",
        "role": "manager",
        "expiresAt": "2027-03-29T16:00:00Z",
    }
    assert api(cast.outsider).get("/api/team").json()["invitations"] == []


def test_a_restaurants_team_is_its_owners_business_alone(api, cast):
    assert api().get("/api/team").status_code == 401
    for person in (cast.manager, cast.kitchen, cast.stranger, cast.staff):
        assert api(person).get("/api/team").status_code == 403
        assert invite(api(person)).status_code == 403


# --- inviting -------------------------------------------------------------------------------------
def test_an_invitation_goes_out_by_email(api, cast, run_tasks, settings):
    settings.PUBLIC_PORT = 8000
    answer = invite(api(cast.owner), " Nina@Example.test ", "kitchen")
    assert answer.status_code == 201
    assert answer.json() == {
        "id": str(Invitation.objects.get().pk),
        "email": "nina@example.test",
        "role": "kitchen",
        "expiresAt": "2027-03-29T16:00:00Z",
    }
    assert run_tasks() == ["restaurants.send_invitation"]
    (email,) = mail.outbox
    assert email.to == ["nina@example.test"]
    assert email.subject == "Owner of Luigi's invited you to Luigi's"
    assert "Join the team at Luigi's" in email.body
    assert "With the kitchen role, you can see specials" in email.body
    assert "March 29, 2027" in email.body
    link = re.search(r"http://localhost:8000/invitation\?token=([\w-]{40,})", str(email.body))
    assert link
    assert isinstance(email, EmailMultiAlternatives)
    html = str(email.alternatives[0][0])
    assert link[0] in html
    assert link[1] not in str(Invitation.objects.values())  # its digest alone is kept


@pytest.mark.parametrize(
    ("email", "role", "field", "message"),
    [
        ("nina", "manager", "email", "Please enter a valid email address"),
        ("", "manager", "email", "Please enter a valid email address"),
        ("nina@example.test", "chef", "role",
         "Choose a role: owner, manager, or kitchen."),
        ("nina@example.test", "", "role", "Choose a role: owner, manager, or kitchen."),
    ],
)  # fmt: skip
def test_a_wrong_invitation_is_refused(api, cast, email, role, field, message):
    answer = invite(api(cast.owner), email, role)
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": message,
        "errors": [{"field": field, "message": message}],
    }


def test_whoever_is_in_the_team_is_not_invited(api, cast):
    answer = invite(api(cast.owner), "Kitchen@Luigis.test")
    assert answer.status_code == 409
    assert answer.json()["message"] == "This person is already on your team."


def test_inviting_again_ends_the_earlier_invitation(api, cast, invited):
    first, second = invited(role="kitchen"), invited(role="manager")
    assert api().get(f"/api/invitations/{first}").status_code == 404
    assert api().get(f"/api/invitations/{second}").json()["role"] == "manager"
    assert len(api(cast.owner).get("/api/team").json()["invitations"]) == 1


def test_two_restaurants_can_invite_the_same_person(api, cast, invited):
    first, second = invited(), invited(by=cast.outsider)
    assert api().get(f"/api/invitations/{first}").json()["restaurantName"] == "Luigi's"
    assert api().get(f"/api/invitations/{second}").json()["restaurantName"] == "Ming's"


def test_a_restaurant_cannot_write_to_everybody(api, cast):
    client = api(cast.owner)
    statuses = [invite(client, f"{number}@example.test").status_code for number in range(31)]
    assert statuses == [201] * 30 + [429]
    assert Invitation.objects.count() == 30


def test_an_email_whose_invitation_was_taken_back_is_not_sent(api, cast, run_tasks):
    invite(api(cast.owner))
    Invitation.objects.update(revoked_at=NOON)
    run_tasks()
    assert mail.outbox == []


# --- looking and accepting ------------------------------------------------------------------------
def test_the_link_tells_what_it_is_about(api, cast, invited):
    token = invited()
    assert api().get(f"/api/invitations/{token}").json() == {
        "restaurantName": "Luigi's",
        "email": "nina@example.test",
        "role": "manager",
        "expiresAt": "2027-03-29T16:00:00Z",
        "hasAccount": False,
    }
    UserFactory(email="Nina@example.test")
    assert api().get(f"/api/invitations/{token}").json()["hasAccount"] is True


def test_a_new_colleague_gets_an_account_and_is_signed_in(api, cast, invited):
    token, client = invited(), api()
    answer = client.post(f"/api/invitations/{token}", {"name": "Nina", "password": PASSWORD})
    assert answer.status_code == 200
    sent = answer.json()
    assert (sent["user"]["email"], sent["user"]["isRestaurantOwner"]) == (
        "nina@example.test",
        False,
    )
    assert sent["restaurant"]["name"] == "Luigi's"
    nina = User.objects.get(email="nina@example.test")
    assert nina.check_password(PASSWORD)
    assert is_confirmed(nina)
    assert nina.has_completed_onboarding
    assert client.get("/api/orders").status_code == 200  # signed in, at once
    assert client.get("/api/team").status_code == 403
    assert emails(api(cast.owner))["nina@example.test"] == "manager"
    assert api().get(f"/api/invitations/{token}").status_code == 404


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("name", "Please enter your name"),
              ("password", "Password must be at least 8 characters long")]),
        ({"name": "Nina", "password": "1234567"},
         [("password", "Password must be at least 8 characters long")]),
        ({"name": " ", "password": PASSWORD}, [("name", "Please enter your name")]),
    ],
)  # fmt: skip
def test_a_new_account_needs_a_name_and_a_password(api, cast, invited, body, errors):
    token = invited()
    answer = api().post(f"/api/invitations/{token}", body)
    assert answer.status_code == 400
    assert [(each["field"], each["message"]) for each in answer.json()["errors"]] == errors
    assert not User.objects.filter(email="nina@example.test").exists()
    assert api().get(f"/api/invitations/{token}").status_code == 200  # not spent


def test_an_invited_user_with_an_account_signs_in_and_joins(api, cast, invited):
    nina = UserFactory(email="Nina@example.test")
    MembershipFactory(user=nina, restaurant=cast.other, role="owner")
    token = invited(role="kitchen")
    answer = api().post(f"/api/invitations/{token}", {"name": "Nina", "password": PASSWORD})
    assert answer.status_code == 403
    assert answer.json()["message"] == "Sign in as nina@example.test to accept this invitation."
    client = api(nina)
    assert client.post(f"/api/invitations/{token}").json()["restaurant"]["name"] == "Luigi's"
    assert client.get("/api/team").status_code == 403  # now in the one joined last
    assert client.get(f"/api/team?restaurant={cast.other.pk}").status_code == 200


def test_an_invitation_is_for_its_address_alone(api, cast, invited):
    token = invited()
    answer = api(cast.stranger).post(f"/api/invitations/{token}")
    assert answer.status_code == 403
    assert answer.json()["message"] == (
        "This invitation is for nina@example.test. Sign out, then open the link again."
    )
    assert not Membership.objects.filter(user=cast.stranger).exists()


def test_whoever_joined_meanwhile_keeps_their_role(api, cast, invited):
    nina = UserFactory(email="nina@example.test")
    token = invited(role="kitchen")
    MembershipFactory(user=nina, restaurant=cast.restaurant, role="manager")
    assert api(nina).post(f"/api/invitations/{token}").status_code == 200
    assert emails(api(cast.owner))["nina@example.test"] == "manager"


@pytest.mark.parametrize("end", ["used", "revoked", "old", "wrong", "closed"])
def test_an_invitation_that_ended_says_so_in_the_same_words(api, cast, clock, invited, end):
    token = invited()
    if end == "used":
        api().post(f"/api/invitations/{token}", {"name": "Nina", "password": PASSWORD})
    elif end == "revoked":
        invitation = Invitation.objects.get()
        path = f"/api/team/invitations/{invitation.pk}"
        assert api(cast.outsider).delete(path).status_code == 404
        assert api(cast.owner).delete(path).status_code == 204
        assert api(cast.owner).delete(path).status_code == 404
    elif end == "old":
        clock.advance(days=7)
    elif end == "closed":
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
    else:
        token = token[:-1] + ("a" if token[-1] != "a" else "b")
    for answer in (
        api().get(f"/api/invitations/{token}"),
        api().post(f"/api/invitations/{token}", {"name": "Nina", "password": PASSWORD}),
    ):
        assert (answer.status_code, answer.json()["message"]) == (404, INVALID)


def test_seven_days_are_seven_days(api, clock, invited):
    token = invited()
    clock.advance(days=6, hours=23, minutes=59)
    assert api().get(f"/api/invitations/{token}").status_code == 200


# --- changing and ending --------------------------------------------------------------------------
def member(person):
    return f"/api/team/members/{person.pk}"


def test_a_role_that_is_taken_away_ends_at_once(api, cast):
    client = api(cast.manager)
    assert client.get("/api/orders").status_code == 200
    assert api(cast.owner).delete(member(cast.manager)).status_code == 204
    assert client.get("/api/orders").status_code == 403
    assert api(cast.owner).delete(member(cast.manager)).status_code == 404


def test_a_role_can_be_changed(api, cast):
    answer = api(cast.owner).patch(member(cast.kitchen), {"role": "manager"})
    assert (answer.status_code, answer.json()["role"]) == (200, "manager")
    assert api(cast.owner).patch(member(cast.kitchen), {"role": "boss"}).status_code == 400


def test_the_last_owner_stays(api, cast):
    client = api(cast.owner)
    for answer in (
        client.delete(member(cast.owner)),
        client.patch(member(cast.owner), {"role": "kitchen"}),
    ):
        assert (answer.status_code, answer.json()["message"]) == (409, LAST_OWNER)
    client.patch(member(cast.manager), {"role": "owner"})
    assert client.delete(member(cast.owner)).status_code == 204
    assert emails(api(cast.manager)) == {
        "manager@luigis.test": "owner",
        "kitchen@luigis.test": "kitchen",
    }


def test_another_restaurants_people_are_not_found(api, cast):
    for person in (cast.outsider, cast.stranger):
        assert api(cast.owner).delete(member(person)).status_code == 404
        assert api(cast.owner).patch(member(person), {"role": "kitchen"}).status_code == 404
    query = f"?restaurant={cast.restaurant.pk}"
    assert api(cast.outsider).delete(member(cast.kitchen) + query).status_code == 404
    assert Membership.objects.filter(user=cast.kitchen).exists()


@pytest.mark.django_db(transaction=True)
def test_two_owners_cannot_remove_each_other(cast):
    Membership.objects.filter(user=cast.manager).update(role="owner")
    answers = at_once(
        lambda: team.remove_member(
            restaurant=cast.restaurant, user_id=cast.manager.pk, by=cast.owner, now=NOON
        ),
        lambda: team.remove_member(
            restaurant=cast.restaurant, user_id=cast.owner.pk, by=cast.manager, now=NOON
        ),
    )
    assert sorted(type(each).__name__ for each in answers) == ["Conflict", "NoneType"]
    owners = Membership.objects.filter(restaurant=cast.restaurant, role="owner")
    assert owners.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_link_pressed_twice_makes_one_colleague(api, cast, invited):
    token = invited()

    def accept():
        return api().post(f"/api/invitations/{token}", {"name": "Nina", "password": PASSWORD})

    statuses = sorted(each.status_code for each in at_once(accept, accept))
    assert statuses == [200, 404]
    assert User.objects.filter(email="nina@example.test").count() == 1
    assert NOON + timedelta(days=7) == Invitation.objects.get().expires_at
