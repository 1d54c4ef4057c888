"""POST /api/demo/track, and how long its data is stored (X63)."""

from datetime import timedelta

import pytest

from apps.marketing.demo_leads import record_conversions
from apps.marketing.models import DemoLead
from apps.marketing.tasks import record_conversions_task
from apps.privacy.retention import prune
from tests.conftest import NOON
from tests.factories import MembershipFactory, UserFactory
from tests.refusals import without_codes
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
EMAIL = "Visitor@Example.test"


def track(client, steps=("menu",), email=EMAIL, **headers):
    body = {"email": email, "completedSteps": list(steps)}
    return client.post("/api/demo/track", body, **headers)


def test_a_visitor_is_stored_with_where_they_came_from(api):
    answer = track(
        api(),
        HTTP_USER_AGENT="Browser/1",
        HTTP_REFERER="https://news.example/article",
        REMOTE_ADDR="203.0.113.9",
    )
    assert (answer.status_code, answer.json()) == (
        200,
        {"message": "Thanks! Your progress is saved."},
    )
    lead = DemoLead.objects.get()
    assert (lead.email, lead.completed_steps) == ("visitor@example.test", ["menu"])
    assert (lead.ip_address, lead.user_agent) == ("203.0.113.9", "Browser/1")
    assert lead.referrer_url == "https://news.example/article"
    assert (lead.created_at, lead.last_seen_at) == (NOON, NOON)
    assert lead.converted_to_restaurant is None


def test_coming_again_adds_what_is_new(api, clock):
    track(api(), ["menu", "order"], HTTP_REFERER="https://first.example/")
    clock.advance(days=1)
    track(api(), ["order", "share"], email="visitor@example.test", HTTP_REFERER="https://b.test/")
    lead = DemoLead.objects.get()
    assert lead.completed_steps == ["menu", "order", "share"]
    assert lead.referrer_url == "https://first.example/"
    assert (lead.created_at, lead.last_seen_at) == (NOON, NOON + timedelta(days=1))


def test_an_address_alone_is_enough(api):
    assert api().post("/api/demo/track", {"email": EMAIL}).status_code == 200
    assert DemoLead.objects.get().completed_steps == []


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "email", "Please enter a valid email address"),
        ({"email": "x"}, "email", "Please enter a valid email address"),
        ({"email": EMAIL, "completedSteps": "menu"}, "completedSteps",
         "Send the names of the completed steps as a list."),
        ({"email": EMAIL, "completedSteps": ["x"] * 51}, "completedSteps",
         "Send the names of the completed steps as a list."),
        ({"email": EMAIL, "completedSteps": None}, "completedSteps",
         "Send the names of the completed steps as a list."),
    ],
)  # fmt: skip
def test_what_says_nothing_is_refused(api, body, field, message):
    answer = api().post("/api/demo/track", body)
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": message,
        "errors": [{"field": field, "message": message}],
    }
    assert not DemoLead.objects.exists()


def test_the_row_stays_small(api):
    for number in range(3):
        steps = [f"{number}-{each}" for each in range(50)]
        assert track(api(), steps, HTTP_USER_AGENT="x" * 5000).status_code == 200
    lead = DemoLead.objects.get()
    assert (len(lead.completed_steps), len(lead.user_agent)) == (50, 500)


def test_an_address_that_is_none_is_not_stored(api):
    assert track(api(), REMOTE_ADDR="unix:").status_code == 200
    assert DemoLead.objects.get().ip_address is None


def test_the_form_can_be_sent_a_limited_number_of_times(api):
    client = api()
    assert [track(client).status_code for _ in range(31)] == [200] * 30 + [429]


def test_a_leads_ip_address_and_browser_are_deleted_after_thirty_days(api, clock):
    track(api(), HTTP_USER_AGENT="Browser/1")
    prune(now=NOON + timedelta(days=29, hours=23))
    assert DemoLead.objects.get().user_agent == "Browser/1"
    prune(now=NOON + timedelta(days=30))
    lead = DemoLead.objects.get()
    assert (lead.ip_address, lead.user_agent) == (None, "")
    assert (lead.email, lead.completed_steps) == ("visitor@example.test", ["menu"])


def test_who_opened_a_restaurant_is_noted(api, cast):
    track(api())
    track(api(), email="nobody@example.test")
    assert record_conversions() == 0
    owner = UserFactory(email="Visitor@example.test")
    for restaurant in (cast.other, cast.restaurant):
        MembershipFactory(user=owner, restaurant=restaurant)
    record_conversions_task()
    lead = DemoLead.objects.get(email="visitor@example.test")
    assert lead.converted_to_restaurant == cast.other
    assert record_conversions() == 0


def test_a_colleague_of_a_restaurant_opened_none(api, cast):
    track(api(), email="kitchen@luigis.test")
    assert record_conversions() == 0


@pytest.mark.django_db(transaction=True)
def test_two_calls_at_once_make_one_lead(api):
    answers = at_once(*[lambda step=step: track(api(), [step]) for step in ("a", "b", "c")])
    assert {each.status_code for each in answers} == {200}
    assert set(DemoLead.objects.get().completed_steps) == {"a", "b", "c"}
