"""Two staff members change each other, or one account, at the same moment: one of them stays
staff."""

from functools import partial

import pytest
from django.http import HttpRequest

from apps.accounts.models import User
from apps.admin_ops import users
from apps.common.errors import Conflict, NotFound
from tests.factories import UserFactory
from tests.threads import at_once


@pytest.fixture
def two(world):
    return UserFactory(role="admin"), UserFactory(role="admin")


def demoting(user, by, now):
    return partial(
        users.edit_user,
        request=HttpRequest(),
        user_id=user.pk,
        name=user.name,
        email=user.email,
        role="user",
        by=by,
        now=now,
    )


def deleting(user, by, now):
    return partial(users.delete_user, user_id=user.pk, by=by, now=now)


@pytest.mark.parametrize("against", [demoting, deleting])
def test_two_staff_who_remove_each_other_leave_one(world, two, against):
    ann, bob = two
    answers = at_once(against(ann, bob, world.now), against(bob, ann, world.now))
    refused = [each for each in answers if isinstance(each, Exception)]
    assert [type(each) for each in refused] == [Conflict]
    assert "is the last staff member" in str(refused[0])
    assert User.objects.filter(role="admin", is_active=True).count() == 1


def test_an_account_that_two_delete_is_deleted_once(world, two):
    person = UserFactory()
    answers = at_once(*[deleting(person, by, world.now) for by in two])
    assert sorted(type(each).__name__ for each in answers) == ["NoneType", "NotFound"]
    assert any(isinstance(each, NotFound) for each in answers)
    assert not User.objects.filter(pk=person.pk).exists()
