"""The table of the activity log: append-only, separate for each restaurant, and small however often
something is tried."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import RequestFactory

from apps.accounts.rate_limits import TooManyAttempts
from apps.accounts.services import InvalidLogin, sign_in
from apps.activity.kinds import BUSINESS_RETENTION, SECURITY_RETENTION, Group, Kind, kinds_of
from apps.activity.models import LoggedEvent
from apps.activity.services import NotACode, delete_expired_activity, record, record_repeated
from apps.common import rls
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2015, 1, 5, tzinfo=UTC)


@pytest.fixture
def event(cast, clock):
    return record(Kind.MEMBER_INVITED, restaurant=cast.restaurant, actor=cast.owner, role="kitchen")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE activity_loggedevent SET kind = 'signed_out'",
        "UPDATE activity_loggedevent SET expires_at = '2000-01-01'",
        "DELETE FROM activity_loggedevent",
    ],
)
def test_the_database_refuses_to_change_or_delete_an_event(event, events, platform, statement):
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert [each.kind for each in events()] == ["member_invited"]


def test_events_are_deleted_once_their_retention_is_over(event, events, cast):
    record(Kind.SIGNED_IN, account=cast.owner, now=LONG_AGO)
    record(Kind.ROLE_CHANGED, restaurant=cast.restaurant, now=LONG_AGO)
    assert delete_expired_activity(LONG_AGO + timedelta(days=364)) == 0
    assert delete_expired_activity(LONG_AGO + timedelta(days=365)) == 1
    assert [each.kind for each in events()] == ["member_invited", "role_changed"]
    assert delete_expired_activity(LONG_AGO + BUSINESS_RETENTION) == 1
    assert events() == [event]


def test_a_program_whose_clock_is_ahead_deletes_nothing_early(event, events):
    assert delete_expired_activity(event.expires_at + timedelta(days=1)) == 0
    assert events() == [event]


def test_sign_ins_stay_a_year_and_what_moves_money_or_power_three():
    assert {kind.retention for kind in kinds_of(Group.SIGN_IN)} == {SECURITY_RETENTION}
    assert {kind.retention for kind in kinds_of(Group.ACCOUNT)} == {SECURITY_RETENTION}
    for group in (Group.TEAM, Group.MONEY, Group.DATA, Group.SETTINGS):
        assert {kind.retention for kind in kinds_of(group)} == {BUSINESS_RETENTION}
    assert (SECURITY_RETENTION.days, BUSINESS_RETENTION.days) == (365, 1095)


def test_another_restaurant_sees_nothing_and_an_accounts_events_belong_to_none(event, cast):
    record(Kind.SIGNED_IN, account=cast.owner, actor=cast.owner)
    seen = {}
    for name, who in {
        "own": cast.restaurant,
        "other": cast.other,
        "nobody": None,
        "platform": rls.PLATFORM,
    }.items():
        with rls.acting_as(who):
            seen[name] = [each.kind for each in LoggedEvent.objects.order_by("pk")]
    assert seen == {
        "own": ["member_invited"],
        "other": [],
        "nobody": [],
        "platform": ["member_invited", "signed_in"],
    }


def test_an_event_goes_with_the_transaction_it_records(cast, clock, events):
    with transaction.atomic():
        record(Kind.ROLE_CHANGED, restaurant=cast.restaurant)
        transaction.set_rollback(True)
    assert events() == []


@pytest.mark.parametrize("text", ["anna@example.test", "Anna Smith", "x" * 121, "a\nb"])
def test_a_detail_that_could_be_personal_is_refused(cast, events, text):
    with pytest.raises(NotACode):
        record(Kind.ROLE_CHANGED, restaurant=cast.restaurant, role=text)
    with pytest.raises(NotACode):
        record(Kind.ROLE_CHANGED, restaurant=cast.restaurant, fields=["name", text])
    assert events() == []


def test_wrong_passwords_leave_a_few_rows(clock, events):
    person, factory = UserFactory(email="ann@example.test"), RequestFactory()
    for number in range(400):
        email = person.email if number % 2 else f"nobody{number}@example.test"
        with pytest.raises((InvalidLogin, TooManyAttempts)):
            sign_in(
                request=factory.post("/login"),
                email=email,
                password="wrong",
                address=f"203.0.{number // 10}.{number % 10}",
            )
        if number % 50 == 0:
            clock.advance(minutes=6)
    rows = [(each.account_id, each.kind, each.details["count"]) for each in events()]
    assert [row for row in rows if row[0] is None] == [
        (None, "sign_in_failed", count) for count in (1, 10, 100)
    ]
    assert [row for row in rows if row[0]] == [
        (person.pk, "sign_in_failed", 1),
        (person.pk, "sign_in_failed", 10),
        (person.pk, "locked_out", 1),
    ]


def test_ten_thousand_repetitions_leave_five_rows_a_day(clock, events):
    for _ in range(10_000):
        record_repeated(Kind.SIGN_IN_FAILED, key="unknown")
    assert [each.details["count"] for each in events()] == [1, 10, 100, 1000, 10_000]
