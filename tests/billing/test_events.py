"""processed_events (DECISIONS X62): each event once, an intent's last event names the intent."""

import pytest

from apps.billing.deliveries import record_event
from apps.billing.models import ProcessedEvent
from tests.conftest import NOON
from tests.threads import at_once


def note(event, intent=None):
    return record_event(
        event_id=event, event_type="payment_intent.succeeded", now=NOON, payment_intent_id=intent
    )


def rows():
    found = ProcessedEvent.objects.order_by("stripe_event_id")
    return list(found.values_list("stripe_event_id", "payment_intent_id"))


@pytest.mark.django_db
class TestOneAfterTheOther:
    def test_recording_an_event_tells_whether_it_is_new(self, platform):
        assert note("evt_1") is True
        assert note("evt_1") is False
        assert rows() == [("evt_1", None)]

    def test_an_intent_is_named_by_one_event(self, platform):
        assert note("evt_1", "pi_1")
        assert note("evt_2", "pi_1")
        assert note("evt_3", "pi_2")
        assert rows() == [("evt_1", "pi_1"), ("evt_2", None), ("evt_3", "pi_2")]


@pytest.mark.django_db(transaction=True)
def test_events_recorded_at_once_are_each_stored_once(platform):
    """None is lost, whoever comes first."""
    answers = at_once(
        *[lambda: note("evt_same")] * 4,
        *[lambda number=number: note(f"evt_{number}", "pi_1") for number in range(4)],
    )
    assert sorted(answers) == [False] * 3 + [True] * 5, answers
    assert len(rows()) == 5
    assert [intent for _, intent in rows() if intent] == ["pi_1"]
