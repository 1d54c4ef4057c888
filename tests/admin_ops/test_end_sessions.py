"""Operators sign somebody out everywhere."""

import io

import pytest
from allauth.usersessions.models import UserSession
from django.core.management import CommandError, call_command

from apps.accounts.models import BearerToken
from apps.accounts.services import issue_token
from apps.activity.models import LoggedEvent
from tests.conftest import NOON
from tests.factories import PASSWORD, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture
def sign_in(api):
    def sign(user):
        client = api()
        client.post("/api/login", {"email": user.email, "password": PASSWORD})
        issue_token(user=user, now=NOON)
        return client

    return sign


def is_in(client):
    return client.get("/account").status_code == 200


def end_sessions(*names, **options):
    out = io.StringIO()
    call_command("end_sessions", *names, stdout=out, **options)
    return out.getvalue().strip()


def test_of_one_account_every_session_and_token_ends(sign_in):
    lost, other = UserFactory(email="ann@example.test"), UserFactory()
    phone, laptop, somebody_elses = sign_in(lost), sign_in(lost), sign_in(other)
    assert [is_in(each) for each in (phone, laptop, somebody_elses)] == [True] * 3
    tokens = BearerToken.objects.filter(user=lost).count()
    assert end_sessions("Ann@example.test") == f"Ended {tokens + 2} sessions and API tokens."
    assert [is_in(each) for each in (phone, laptop, somebody_elses)] == [False, False, True]
    assert not BearerToken.objects.filter(user=lost).exists()
    assert BearerToken.objects.filter(user=other).exists()
    event = LoggedEvent.objects.get(kind="sessions_ended")
    assert event.account_id == lost.pk


def test_ending_everybodys_sessions_signs_all_users_out(sign_in):
    clients = [sign_in(UserFactory()), sign_in(UserFactory())]
    end_sessions(everybody=True)
    assert [is_in(each) for each in clients] == [False, False]
    assert not UserSession.objects.exists()
    assert not BearerToken.objects.exists()


@pytest.mark.parametrize(("names", "options"), [((), {}), (("a@b.test",), {"everybody": True})])
def test_the_command_needs_either_an_email_or_everybody(names, options):
    with pytest.raises(CommandError, match="Name an email, or pass --everybody"):
        end_sessions(*names, **options)


def test_an_email_without_an_account_is_named():
    with pytest.raises(CommandError, match="No account uses nobody@example.test"):
        end_sessions("nobody@example.test")
