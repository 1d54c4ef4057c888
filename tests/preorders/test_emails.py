"""Each email once, none forgotten, whatever the email server does."""

from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from apps.preorders import tasks
from apps.preorders.core.email_queue import queue_email
from apps.preorders.emails.outbox import MAX_ATTEMPTS, send_email
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind
from tests.factories import PreOrderFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def email(platform, clock):
    order = PreOrderFactory()
    queue_email(order, EmailKind.RECEIVED, now=clock.now)
    return Email.objects.get()


@pytest.fixture
def broken_email_server(monkeypatch):
    """An email server that hangs up as often as it is told to."""

    def break_it(times):
        left = [times]
        send = EmailBackend.send_messages

        def sometimes(backend, messages):
            if left[0]:
                left[0] -= 1
                raise SMTPServerDisconnected("bye")
            return send(backend, messages)

        monkeypatch.setattr(EmailBackend, "send_messages", sometimes)

    return break_it


def sweep(run_tasks, clock, **later):
    clock.advance(**later)
    tasks.send_pending_emails_task.delay()
    return run_tasks()


def test_a_queued_email_is_sent_once(email, run_tasks):
    assert mail.outbox == []
    run_tasks()
    tasks.send_emails_task.delay([str(email.pk)])
    run_tasks()
    (message,) = mail.outbox
    assert message.to == ["Dana Guest <dana@example.test>"]
    email.refresh_from_db()
    assert email.sent_at


def test_the_same_reason_twice_makes_one_email(email, clock):
    queue_email(email.pre_order, EmailKind.RECEIVED, now=clock.now)
    queue_email(email.pre_order, EmailKind.CONFIRMED, now=clock.now)
    assert Email.objects.count() == 2


def test_a_lost_message_is_found_by_its_state(email, run_tasks, clock):
    run_tasks._commit_hooks()
    run_tasks.waiting.clear()
    sweep(run_tasks, clock, seconds=19)
    assert mail.outbox == []
    sweep(run_tasks, clock, seconds=1)
    assert len(mail.outbox) == 1


def test_an_email_server_that_hangs_up_is_asked_again(email, run_tasks, clock, broken_email_server):
    broken_email_server(2)
    run_tasks()
    email.refresh_from_db()
    assert email.sent_at is None
    assert email.error == "bye"
    for _ in range(3):
        sweep(run_tasks, clock, minutes=5)
    assert len(mail.outbox) == 1
    email.refresh_from_db()
    assert (email.error, email.attempts) == ("", 3)


def test_an_email_that_cannot_be_sent_is_given_up(email, run_tasks, clock, broken_email_server):
    broken_email_server(99)
    for _ in range(MAX_ATTEMPTS + 5):
        sweep(run_tasks, clock, hours=3)
    email.refresh_from_db()
    assert email.attempts == MAX_ATTEMPTS


def test_an_email_that_is_being_sent_is_not_sent_by_another(email, clock, monkeypatch):
    sent_meanwhile = []
    send = EmailBackend.send_messages

    def slowly(backend, messages):
        monkeypatch.setattr(EmailBackend, "send_messages", send)
        sent_meanwhile.append(send_email(email.pk, now=clock.now))
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", slowly)
    assert send_email(email.pk, now=clock.now)
    assert sent_meanwhile == [False]
    assert len(mail.outbox) == 1


def test_an_email_sent_again_after_a_crash_has_the_same_message_id(email, clock):
    """It cannot be known whether it went out; an email server can tell by the Message-ID."""
    send_email(email.pk, now=clock.now)
    Email.objects.update(sent_at=None)
    send_email(email.pk, now=clock.advance(minutes=3))
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
    assert str(email.pk) in first.extra_headers["Message-ID"]
