"""Each letter once, none forgotten, whatever the mail server does."""

from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from apps.preorders import tasks
from apps.preorders.core.transitions import queue_email
from apps.preorders.emails.outbox import MAX_ATTEMPTS, send_email
from apps.preorders.models import OrderEmail
from apps.preorders.models.states import EmailKind
from tests.factories import PreOrderFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def letter(platform, clock):
    order = PreOrderFactory()
    queue_email(order, EmailKind.RECEIVED, now=clock.now)
    return OrderEmail.objects.get()


@pytest.fixture
def broken_mail(monkeypatch):
    """A mail server that hangs up as often as it is told to."""

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


def test_it_is_sent_by_a_worker_once(letter, run_tasks):
    assert mail.outbox == []
    run_tasks()
    tasks.send_emails_task.delay([str(letter.pk)])
    run_tasks()
    (message,) = mail.outbox
    assert message.to == ["Dana Diner <dana@example.test>"]
    letter.refresh_from_db()
    assert letter.sent_at


def test_the_same_reason_twice_makes_one_letter(letter, clock):
    queue_email(letter.pre_order, EmailKind.RECEIVED, now=clock.now)
    queue_email(letter.pre_order, EmailKind.CONFIRMED, now=clock.now)
    assert OrderEmail.objects.count() == 2


def test_a_lost_message_is_found_by_its_state(letter, run_tasks, clock):
    run_tasks._commit_hooks()
    run_tasks.waiting.clear()
    sweep(run_tasks, clock, seconds=19)
    assert mail.outbox == []
    sweep(run_tasks, clock, seconds=1)
    assert len(mail.outbox) == 1


def test_a_mail_server_that_hangs_up_is_asked_again(letter, run_tasks, clock, broken_mail):
    broken_mail(2)
    run_tasks()
    letter.refresh_from_db()
    assert letter.sent_at is None
    assert letter.error == "bye"
    for _ in range(3):
        sweep(run_tasks, clock, minutes=5)
    assert len(mail.outbox) == 1
    letter.refresh_from_db()
    assert (letter.error, letter.attempts) == ("", 3)


def test_nobody_is_written_to_for_ever(letter, run_tasks, clock, broken_mail):
    broken_mail(99)
    for _ in range(MAX_ATTEMPTS + 5):
        sweep(run_tasks, clock, hours=3)
    letter.refresh_from_db()
    assert letter.attempts == MAX_ATTEMPTS


def test_a_letter_that_is_being_sent_is_not_sent_by_another(letter, clock, monkeypatch):
    sent_meanwhile = []
    send = EmailBackend.send_messages

    def slowly(backend, messages):
        monkeypatch.setattr(EmailBackend, "send_messages", send)
        sent_meanwhile.append(send_email(letter.pk, now=clock.now))
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", slowly)
    assert send_email(letter.pk, now=clock.now)
    assert sent_meanwhile == [False]
    assert len(mail.outbox) == 1


def test_one_whose_worker_died_after_sending_is_the_same_message_again(letter, clock):
    """It cannot be known whether it went out; a mail server can tell by the Message-ID."""
    send_email(letter.pk, now=clock.now)
    OrderEmail.objects.update(sent_at=None)
    send_email(letter.pk, now=clock.advance(minutes=3))
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
    assert str(letter.pk) in first.extra_headers["Message-ID"]
