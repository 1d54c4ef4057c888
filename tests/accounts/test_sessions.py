"""Sessions: listed, ended one by one, and over after a while."""

import time
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession

from apps.accounts.session_limits import BEGAN, SEEN
from tests.factories import PASSWORD, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return UserFactory()


@pytest.fixture
def sign_in(api, submit):
    def sign(user, agent="Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"):
        client = api()
        client.defaults["HTTP_USER_AGENT"] = agent
        submit(client, "/login", email=user.email, password=PASSWORD)
        return client

    return sign


def session_of(client):
    return UserSession.objects.get(session_key=client.session.session_key)


def age(client, **times):
    session = client.session
    for key, seconds in times.items():
        session[{"began": BEGAN, "seen": SEEN}[key]] = time.time() - seconds
    session.save()


class TestTheList:
    def test_one_device_is_signed_out_and_no_other(self, sign_in, person):
        here, lost, third = sign_in(person), sign_in(person), sign_in(person)
        page = here.get("/account").content.decode()
        assert page.count("Firefox on Linux") >= 3
        assert "Last seen" in page
        assert here.post(f"/account/sessions/{session_of(lost).pk}").status_code == 302
        assert lost.get("/account").status_code == 302
        assert third.get("/account").status_code == 200
        assert here.get("/account").status_code == 200

    def test_somebody_elses_cannot_be_ended(self, sign_in, person):
        other = sign_in(UserFactory())
        sign_in(person).post(f"/account/sessions/{session_of(other).pk}")
        assert other.get("/account").status_code == 200

    def test_says_when_and_where_it_was_last_seen(self, sign_in, person):
        client = sign_in(person)
        client.get("/account")
        row = session_of(client)
        UserSession.objects.filter(pk=row.pk).update(last_seen_at=row.last_seen_at - timedelta(1))
        age(client, began=7200, seen=301)
        client.defaults["REMOTE_ADDR"] = "10.1.2.3"
        client.get("/account")
        seen = session_of(client)
        assert seen.last_seen_at > row.last_seen_at - timedelta(hours=1)
        assert seen.ip == "10.1.2.3"


class TestLimits:
    @pytest.mark.parametrize(
        ("began", "seen", "status"),
        [
            (timedelta(days=29), timedelta(days=6), 200),
            (timedelta(days=29), timedelta(days=7, minutes=1), 302),
            (timedelta(days=30, minutes=1), timedelta(minutes=1), 302),
        ],
    )
    def test_a_session_ends_unused_or_old(self, sign_in, person, began, seen, status):
        client = sign_in(person)
        client.get("/account")
        age(client, began=began.total_seconds(), seen=seen.total_seconds())
        assert client.get("/account").status_code == status

    @pytest.mark.parametrize(
        ("began", "seen", "status"),
        [
            (timedelta(hours=11), timedelta(minutes=59), 200),
            (timedelta(hours=11), timedelta(minutes=61), 302),
            (timedelta(hours=12, minutes=1), timedelta(minutes=1), 302),
        ],
    )
    def test_a_staff_session_ends_sooner(self, api, began, seen, status):
        client = api(StaffFactory())
        client.get("/account")
        age(client, began=began.total_seconds(), seen=seen.total_seconds())
        assert client.get("/account").status_code == status
