"""Notices of alarms: once for each opening, again while it stays, and none lost."""

import hashlib
import hmac
import time
from base64 import b64decode, b64encode
from threading import Barrier

import pytest
import requests
from celery import current_app
from django.core import mail

from apps.common import rls
from apps.monitoring import notices, services, tasks
from apps.monitoring.models import Alarm, AlarmNotice
from tests.monitoring.conftest import WEBHOOK_SECRET
from tests.monitoring.trouble import TROUBLES, all_is_well
from tests.threads import at_once


def run(clock, **later):
    """Run the task as the schedule does, after this much time."""
    if later:
        all_is_well(clock.advance(**later))
    tasks.check_alarms_task.apply(throw=True)


def begin(clock, name="captures_paused"):
    TROUBLES[name].begin(clock.now)


def end(clock, name="captures_paused"):
    TROUBLES[name].end(clock.now)


def kinds(receiver):
    return receiver.types


def test_an_opening_is_told_once_by_email_and_by_webhook(well, notified):
    begin(well)
    run(well)
    run(well, minutes=1)
    run(well, minutes=58)
    assert [message.to for message in mail.outbox] == [["ops@platform.test"]]
    assert mail.outbox[0].subject == "Alarm: Captures are paused"
    assert "1 order waits" in mail.outbox[0].body
    assert "/staff/runbooks/captures_paused" in mail.outbox[0].body
    assert kinds(notified) == ["alarm.opened"]


def test_an_alarm_that_stays_is_told_again_after_an_hour(well, notified):
    begin(well)
    run(well)
    run(well, minutes=60)
    assert [message.subject for message in mail.outbox] == [
        "Alarm: Captures are paused",
        "Still open: Captures are paused",
    ]
    assert kinds(notified) == ["alarm.opened", "alarm.still_open"]


def test_a_warning_that_stays_is_told_again_after_a_day(well, notified):
    begin(well, "payment_issues_open")
    run(well)
    run(well, hours=2)
    assert kinds(notified) == ["alarm.opened"]
    run(well, hours=21, minutes=59)
    assert kinds(notified) == ["alarm.opened"]
    run(well, minutes=1)
    assert kinds(notified) == ["alarm.opened", "alarm.still_open"]


def test_nobody_is_told_again_once_somebody_looks_after_it(well, notified):
    begin(well)
    run(well)
    services.acknowledge_alarm(
        alarm_id=Alarm.objects.get().pk, note="On it", by="Ada", now=well.now
    )
    run(well, minutes=61)
    assert kinds(notified) == ["alarm.opened"]


def test_a_notice_says_when_an_alarm_closes(well, notified):
    begin(well)
    run(well)
    end(well)
    run(well, minutes=6)
    assert kinds(notified) == ["alarm.opened", "alarm.closed"]
    assert mail.outbox[-1].subject == "Closed: Captures are paused"
    assert "You don't need to do anything" in mail.outbox[-1].body


def test_the_webhook_is_signed_and_says_what_rings(well, notified):
    begin(well)
    run(well)
    [sent] = notified.received
    headers, body = sent.headers, sent.body
    assert sent.path == "/alarms"
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}".encode()
    key = b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    expected = b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-timestamp"] == str(int(well.now.timestamp()))
    data = sent.event["data"]
    assert (data["name"], data["severity"], data["figure"]) == ("captures_paused", "critical", 1)
    assert data["openedAt"] == well.now.isoformat()
    assert data["closedAt"] is None
    assert data["runbook"].endswith("/staff/runbooks/captures_paused")


# --- failures -------------------------------------------------------------------------------------
def test_a_refused_webhook_is_sent_again_with_the_same_id(well, notified):
    notified.will_answer(503)
    begin(well)
    run(well)
    notice = AlarmNotice.objects.get(channel="webhook")
    assert (notice.sent_at, notice.attempts) == (None, 1)
    assert notice.error == "The webhook's receiver answered 503"
    assert len(mail.outbox) == 1  # the other channel doesn't wait for it
    notified.will_answer(200)
    run(well, minutes=1)
    ids = [sent.headers["webhook-id"] for sent in notified.received]
    assert ids == [str(notice.pk)] * 2
    notice.refresh_from_db()
    assert (notice.sent_at, notice.error) == (well.now, "")
    assert len(mail.outbox) == 1


def test_failing_emails_are_told_by_the_webhook(well, notified, settings):
    settings.EMAIL_BACKEND = "tests.monitoring.broken_email.Backend"
    begin(well, "emails_failing")
    run(well)
    assert kinds(notified) == ["alarm.opened"]
    assert AlarmNotice.objects.get(channel="email").sent_at is None


def test_a_receiver_that_is_gone_shows_neither_address_nor_secret(well, notified, settings):
    settings.ALARM_WEBHOOK_URL = "http://127.0.0.1:9/alarms?key=secret"
    begin(well)
    run(well)
    assert AlarmNotice.objects.get(channel="webhook").error == "ConnectionError"


def test_a_redirect_is_not_followed(well, notified):
    notified.will_answer(302, Location="/elsewhere")
    begin(well)
    run(well)
    assert len(notified.received) == 1
    assert AlarmNotice.objects.get(channel="webhook").sent_at is None


class Died(BaseException):
    """The process ends here: no handler runs."""


def test_a_notice_is_sent_by_the_next_when_its_sender_died_before_the_call(
    well, notified, monkeypatch
):
    def dies(*_, **__):
        raise Died

    begin(well)
    with monkeypatch.context() as patched:
        patched.setattr(requests, "post", dies)
        with pytest.raises(Died):
            run(well)
    assert notified.received == []
    run(well, seconds=119)
    assert notified.received == []  # whoever has it could still be sending
    run(well, seconds=2)
    assert kinds(notified) == ["alarm.opened"]


def test_a_notice_is_repeated_with_its_id_when_its_sender_died_after_the_call(
    well, notified, monkeypatch
):
    send = requests.post

    def sends_and_dies(*args, **options):
        send(*args, **options)
        raise Died

    begin(well)
    with monkeypatch.context() as patched:
        patched.setattr(requests, "post", sends_and_dies)
        with pytest.raises(Died):
            run(well)
    run(well, seconds=121)
    first, second = (sent.headers["webhook-id"] for sent in notified.received)
    assert first == second


def test_a_check_that_dies_after_opening_leaves_the_notice_to_the_next(well, notified, monkeypatch):
    begin(well)
    with monkeypatch.context() as patched:
        patched.setattr(notices, "send_notices", lambda **_: 0)
        run(well)
    assert notified.received == []
    run(well, minutes=1)
    assert kinds(notified) == ["alarm.opened"]


def test_without_channels_an_alarm_still_rings(well):
    begin(well)
    run(well)
    assert Alarm.objects.filter(closed_at=None).count() == 1
    assert not AlarmNotice.objects.exists()
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_checkers_open_an_alarm_once_and_send_it_once(self, notified, well):
        begin(well)
        barrier = Barrier(2)

        def check():
            with rls.acting_as(rls.PLATFORM):
                barrier.wait(timeout=10)
                services.check_alarms(now=well.now)
                notices.send_notices(now=well.now)

        at_once(check, check)
        assert Alarm.objects.count() == 1
        assert kinds(notified) == ["alarm.opened"]


# --- without the scheduler ------------------------------------------------------------------------
def silent_for(monkeypatch, seconds):
    monkeypatch.setattr(tasks, "_last_asked", time.monotonic() - seconds)


class TestASilentScheduler:
    @pytest.fixture
    def consuming(self, monkeypatch):
        queues = {"heartbeat": 1, "alarms": 1}
        monkeypatch.setattr(type(current_app.amqp.queues), "consume_from", queues)
        return queues

    def test_the_worker_of_the_queue_asks_for_a_check_itself(
        self, consuming, run_tasks, monkeypatch
    ):
        silent_for(monkeypatch, tasks.CHECKED_BY_ITSELF_AFTER_SECONDS)
        tasks.check_without_the_scheduler()
        tasks.check_without_the_scheduler()
        assert run_tasks.names == ["monitoring.check_alarms"]

    def test_not_while_the_scheduler_does(self, consuming, run_tasks, monkeypatch):
        silent_for(monkeypatch, tasks.CHECKED_BY_ITSELF_AFTER_SECONDS - 5)
        tasks.check_without_the_scheduler()
        assert run_tasks.names == []

    def test_a_worker_of_other_queues_does_not_check_the_alarms(
        self, consuming, run_tasks, monkeypatch
    ):
        consuming.pop("alarms")
        silent_for(monkeypatch, tasks.CHECKED_BY_ITSELF_AFTER_SECONDS)
        tasks.check_without_the_scheduler()
        assert run_tasks.names == []
