"""Two owners leave at the same moment, in every possible way: a restaurant always keeps one."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.privacy import account_deletion
from apps.privacy import api as privacy_api
from apps.restaurants.models import Membership
from apps.restaurants.services import team
from tests.conftest import NOON
from tests.factories import MembershipFactory, RestaurantFactory, UserFactory
from tests.threads import Meeting, at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("clock", "platform"),
]

LONG_AGO = NOON - timedelta(days=400)  # neither owner is new


def remove(client, member):
    return client.delete(f"/api/team/members/{member.pk}")


def demote(client, member):
    return client.patch(f"/api/team/members/{member.pk}", {"role": "manager"})


def delete_account(client, member):
    return client.post("/api/account/deletion", {"closeRestaurants": []})


# What Ann and Ben do, to whom, and the answer that the later one gets.
WAYS = {
    "each removes the other": ((remove, "ben"), (remove, "ann"), 409),
    "both leave": ((remove, "ann"), (remove, "ben"), 409),
    "each demotes the other": ((demote, "ben"), (demote, "ann"), 409),
    "both step down": ((demote, "ann"), (demote, "ben"), 409),
    "both delete their accounts": ((delete_account, "ann"), (delete_account, "ben"), 400),
    "one deletes the account, the other leaves": (
        (delete_account, "ann"),
        (remove, "ben"),
        (400, 409),
    ),
}


@pytest.fixture
def restaurant():
    return RestaurantFactory(name="Luigi's")


@pytest.fixture
def owners(restaurant):
    people = {name: UserFactory(email=f"{name}@luigis.test") for name in ("ann", "ben")}
    for person in people.values():
        MembershipFactory(user=person, restaurant=restaurant, role="owner")
    Membership.objects.update(created_at=LONG_AGO, role_since=LONG_AGO)
    return people


@pytest.fixture
def press_at_once(api, owners):
    def press(ann_does, ben_does):
        clients = [api(owners["ann"]), api(owners["ben"])]
        actions = [(action, owners[about]) for action, about in (ann_does, ben_does)]
        return at_once(
            *[
                lambda client=client, action=action, about=about: action(client, about)
                for client, (action, about) in zip(clients, actions, strict=True)
            ]
        )

    return press


def owners_left(restaurant):
    return Membership.objects.filter(restaurant=restaurant, role="owner").count()


@pytest.mark.parametrize("way", WAYS)
def test_one_owner_stays_when_both_go_at_once(monkeypatch, restaurant, owners, press_at_once, way):
    """Both were allowed in before either has changed anything."""
    ann_does, ben_does, refused = WAYS[way]
    meeting = Meeting(2)
    monkeypatch.setattr(team, "_lock", meeting.before(team._lock))
    monkeypatch.setattr(
        privacy_api, "delete_account", meeting.before(account_deletion.delete_account)
    )
    answers = press_at_once(ann_does, ben_does)
    assert meeting.has_happened
    done, late = sorted(answers, key=lambda each: each.status_code)
    assert done.status_code in (200, 204), answers
    assert late.status_code in (refused if isinstance(refused, tuple) else (refused,)), late.content
    assert owners_left(restaurant) == 1
    restaurant.refresh_from_db()
    assert restaurant.status == "active"
    left = Membership.objects.get(restaurant=restaurant, role="owner")
    assert User.objects.filter(pk=left.user_id, is_active=True).exists()


@pytest.mark.parametrize("way", ["both leave", "both delete their accounts"])
def test_without_the_lock_nobody_stays(monkeypatch, restaurant, press_at_once, way):
    """Each looks before the other has gone, which the restaurant's row lock prevents."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **options: rows)
    meeting = Meeting(2)
    for module, after_the_look in ((team, "_tell_owners"), (account_deletion, "_leave")):
        step = getattr(module, after_the_look)
        monkeypatch.setattr(module, after_the_look, meeting.before(step))
    ann_does, ben_does, _ = WAYS[way]
    press_at_once(ann_does, ben_does)
    assert meeting.has_happened
    assert owners_left(restaurant) == 0
