"""Each alarm rings when its trouble begins, is quiet while everything works, and closes by
itself."""

from datetime import timedelta

import pytest

from apps.activity.models import LoggedEvent
from apps.billing.models import ReconciliationProgress
from apps.common.errors import Conflict, Invalid, NotFound
from apps.monitoring import services
from apps.monitoring.models import Alarm, AlarmCheck, AlarmNotice
from apps.monitoring.questions import reconciliation_lag
from apps.monitoring.rules import BY_NAME, RULES, UNANSWERED, AlarmRule
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder
from apps.preorders.settlement import pauses
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory
from tests.monitoring.trouble import TROUBLES, everybody_lives, held_order, operation


def ringing():
    return sorted(Alarm.objects.filter(closed_at=None).values_list("name", flat=True))


def check(clock, **later):
    """Check the alarms after this much time. Before a later check, the workers and the scheduler
    show that they live."""
    if later:
        everybody_lives(clock.advance(**later))
    assert services.check_alarms(now=clock.now)


def test_every_rule_but_that_of_failing_questions_has_its_trouble():
    assert set(TROUBLES) == {rule.name for rule in RULES} - {UNANSWERED.name}


def test_no_alarm_rings_while_all_is_well(well):
    SpecialOfferFactory()
    held_order()
    check(well)
    assert ringing() == []
    assert AlarmCheck.objects.get().checked_at == well.now


@pytest.mark.parametrize("name", sorted(TROUBLES))
def test_an_alarm_rings_alone_when_its_trouble_begins_and_closes_when_it_is_over(well, name):
    TROUBLES[name].begin(well.now)
    check(well)
    assert ringing() == [name]
    alarm = Alarm.objects.get()
    assert alarm.figure >= BY_NAME[name].limit
    assert alarm.detail
    TROUBLES[name].end(well.now)
    check(well, seconds=1)
    assert ringing() == [name]  # quiet for a moment only
    everybody_lives(well.advance(minutes=5))
    AlarmCheck.objects.update(checked_at=well.now - timedelta(minutes=1))
    check(well)
    assert ringing() == []
    alarm.refresh_from_db()
    assert alarm.closed_at == well.now


def test_an_alarm_that_rings_again_within_five_minutes_is_the_same(well):
    TROUBLES["captures_paused"].begin(well.now)
    check(well)
    TROUBLES["captures_paused"].end(well.now)
    check(well, minutes=1)
    TROUBLES["captures_paused"].begin(well.now)
    check(well, minutes=1)
    assert Alarm.objects.count() == 1
    assert Alarm.objects.get().seen_at == well.now


def test_what_is_shown_of_an_open_alarm_is_what_the_last_check_found(well):
    TROUBLES["captures_paused"].begin(well.now)
    check(well)
    assert Alarm.objects.get().detail == "1 order waits"
    TROUBLES["captures_paused"].begin(well.now)
    check(well, seconds=10)
    alarm = Alarm.objects.get()
    assert (alarm.figure, alarm.detail) == (2, "2 orders wait")


# --- what is on purpose rings nothing -------------------------------------------------------------
def test_a_special_that_waits_for_open_checkouts_is_not_late(well):
    offer = SpecialOfferFactory(created_at=well.now - timedelta(days=1), deadline=well.now)
    SpecialOffer.objects.filter(pk=offer.pk).update(
        status="closing", deadline=well.now - timedelta(minutes=11)
    )
    assert BY_NAME["settlement_late"].question(well.now).figure == 60
    check(well)
    assert ringing() == []
    check(well, minutes=1)
    assert ringing() == ["settlement_late"]


def test_what_a_person_paused_is_not_late(well):
    """One alarm says so, not three."""
    TROUBLES["settlement_late"].begin(well.now)
    TROUBLES["operations_late"].begin(well.now)
    TROUBLES["settlement_paused"].begin(well.now)
    check(well)
    assert ringing() == ["settlement_paused"]
    assert Alarm.objects.get().detail == "All settlement"
    TROUBLES["settlement_paused"].end(well.now)
    check(well, seconds=1)
    assert ringing() == ["operations_late", "settlement_late", "settlement_paused"]


def test_the_programs_own_pause_is_told_as_captures_that_pause(well):
    pauses.pause_settlement(
        target=pauses.EVERYTHING, reason="", by="", now=well.now, reason_required=False
    )
    check(well)
    assert ringing() == []


def test_a_payment_link_waits_on_purpose(well):
    operation(well.now, due_at=well.now - timedelta(hours=3), stage="pay_link")
    check(well)
    assert ringing() == []


def test_a_hold_that_outlives_its_special_is_not_ending(well):
    offer = SpecialOfferFactory(deadline=well.now + timedelta(hours=1))
    held_order(offer=offer, capture_before=well.now + timedelta(hours=5))
    check(well)
    assert ringing() == []


def test_a_decided_charge_whose_hold_ends_rings(well):
    offer = SpecialOfferFactory(created_at=well.now - timedelta(days=6))
    order = held_order(offer=offer, capture_before=well.now + timedelta(hours=5))
    SpecialOffer.objects.filter(pk=offer.pk).update(status="succeeded")
    check(well)
    assert ringing() == []
    operation(well.now, order, due_at=well.now + timedelta(minutes=10))
    check(well, seconds=1)
    assert ringing() == ["holds_ending"]


def test_backups_are_not_watched_where_nothing_says_how_old_they_can_be(well, settings):
    TROUBLES["backup_old"].begin(well.now)
    settings.BACKUP_MAX_AGE_HOURS = 0
    check(well)
    assert ringing() == []


def test_a_start_after_an_outage_does_not_call_everybody_silent(well):
    """The first check can come before the first sign of life."""
    now = well.advance(minutes=10)
    TROUBLES["captures_paused"].begin(now)
    check(well)
    assert ringing() == ["captures_paused"]
    well.advance(minutes=1)  # no sign of life since
    check(well)
    assert ringing() == ["captures_paused", "scheduler_silent", "worker_silent"]


# --- questions that fail --------------------------------------------------------------------------
@pytest.fixture
def broken(monkeypatch):
    """A rule whose question fails, before all others."""

    def ask(now):
        raise RuntimeError("no")

    rule = AlarmRule("broken", "Broken", ask, 1)
    monkeypatch.setattr(services, "RULES", (rule, *RULES))
    return rule


def test_a_question_that_fails_rings_and_hides_no_other(well, broken):
    TROUBLES["captures_paused"].begin(well.now)
    check(well)
    assert ringing() == ["captures_paused", "questions_failing"]
    assert Alarm.objects.get(name="questions_failing").detail == "broken"


def test_an_alarm_whose_question_fails_stays_as_it_was(well, monkeypatch):
    TROUBLES["captures_paused"].begin(well.now)
    check(well)

    def ask(now):
        raise RuntimeError("no")

    failing = [
        AlarmRule(rule.name, rule.title, ask, 1) if rule.name == "captures_paused" else rule
        for rule in RULES
    ]
    monkeypatch.setattr(services, "RULES", tuple(failing))
    everybody_lives(well.advance(minutes=6))
    check(well)
    assert ringing() == ["captures_paused", "questions_failing"]


def test_a_slow_question_is_ended_and_the_others_are_asked(well, monkeypatch):
    def ask(now):
        PreOrder.objects.raw("SELECT 1 AS id, pg_sleep(20)")[0]

    rule = AlarmRule("slow", "Slow", ask, 1)
    monkeypatch.setattr(services, "RULES", (rule, *RULES))
    monkeypatch.setattr(services, "QUESTION_TIMEOUT_MILLISECONDS", 50)
    TROUBLES["captures_paused"].begin(well.now)
    check(well)
    assert ringing() == ["captures_paused", "questions_failing"]


# --- one at a time --------------------------------------------------------------------------------
def test_a_second_check_does_nothing_while_one_is_under_way(well):
    AlarmCheck.objects.update(claimed_until=well.now + timedelta(minutes=1))
    TROUBLES["captures_paused"].begin(well.now)
    assert not services.check_alarms(now=well.now)
    assert ringing() == []


def test_a_check_whose_process_died_is_taken_over_two_minutes_later(well):
    AlarmCheck.objects.update(claimed_until=well.now + services.LEASE)
    TROUBLES["captures_paused"].begin(well.now)
    assert not services.check_alarms(now=well.advance(seconds=119))
    assert services.check_alarms(now=well.advance(seconds=1))
    assert "captures_paused" in ringing()


def test_a_check_that_answers_late_changes_nothing(well):
    """It began first, slept, and another one has finished since."""
    TROUBLES["captures_paused"].begin(well.now)
    began = well.now
    answers = services.ask(now=began)
    TROUBLES["captures_paused"].end(began)
    check(well, seconds=30)
    services._record(answers, began)
    assert ringing() == []


def test_an_alarm_is_deleted_a_year_after_it_closed(well):
    def alarm(**facts):
        times = {"opened_at": well.now, "seen_at": well.now}
        return Alarm.objects.create(name="x", severity="warning", figure=1, **times, **facts)

    alarm(closed_at=well.now - services.RETENTION - timedelta(seconds=1))
    recent = alarm(closed_at=well.now - services.RETENTION + timedelta(seconds=1))
    is_open = alarm()
    assert services.delete_old_alarms(now=well.now) == 1
    assert set(Alarm.objects.all()) == {recent, is_open}


# --- acknowledging --------------------------------------------------------------------------------
def open_alarm(clock):
    TROUBLES["captures_paused"].begin(clock.now)
    check(clock)
    return Alarm.objects.get()


def test_an_acknowledged_alarm_says_who_and_what(well):
    alarm = open_alarm(well)
    services.acknowledge_alarm(alarm_id=alarm.pk, note=" Calling  Stripe ", by="Ada", now=well.now)
    alarm.refresh_from_db()
    assert (alarm.acknowledged_by, alarm.note) == ("Ada", "Calling Stripe")
    assert alarm.acknowledged_at == well.now
    assert alarm.closed_at is None
    event = LoggedEvent.objects.get(kind="alarm_acknowledged")
    assert event.details == {"alarm": "captures_paused"}


@pytest.mark.parametrize("note", ["", "   ", "x" * 256])
def test_a_note_is_asked_for(well, note):
    alarm = open_alarm(well)
    with pytest.raises(Invalid):
        services.acknowledge_alarm(alarm_id=alarm.pk, note=note, by="Ada", now=well.now)
    alarm.refresh_from_db()
    assert alarm.acknowledged_at is None


def test_an_alarm_is_acknowledged_once_and_only_while_it_is_open(well):
    alarm = open_alarm(well)
    facts = {"alarm_id": alarm.pk, "note": "On it", "now": well.now}
    services.acknowledge_alarm(**facts, by="Ada")
    with pytest.raises(Conflict):
        services.acknowledge_alarm(**facts, by="Bob")
    Alarm.objects.update(acknowledged_at=None, closed_at=well.now)
    with pytest.raises(Conflict):
        services.acknowledge_alarm(**facts, by="Bob")
    with pytest.raises(NotFound):
        services.acknowledge_alarm(**{**facts, "alarm_id": alarm.pk + 1}, by="Bob")
    alarm.refresh_from_db()
    assert alarm.acknowledged_by == "Ada"
    assert not AlarmNotice.objects.exists()


@pytest.mark.django_db
def test_a_first_pass_that_has_not_begun_is_not_late():
    ReconciliationProgress.objects.create(name="intents", since=NOON)
    assert reconciliation_lag(NOON).figure == 0
