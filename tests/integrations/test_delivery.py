"""Deliveries: signed, retried over days, one endpoint at a time, and turned off in the end."""

import json
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.db import transaction
from standardwebhooks.webhooks import Webhook

from apps.common import clock as our_clock
from apps.common import outbound, rls
from apps.common.outbound import Answer
from apps.integrations import delivery, services
from apps.integrations.event_types import EventType
from apps.integrations.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from apps.integrations.outbox import NewEvent, publish
from apps.integrations.tasks import deliver_due_task
from tests.integrations.conftest import deliveries
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def happen(restaurant, clock, count=1, event_type=EventType.ORDER_PLACED):
    """Publish events whose data has their number."""
    with rls.acting_as(restaurant):
        for number in range(count):
            event = NewEvent(event_type, {"number": number})
            publish(restaurant.pk, [event].copy, now=clock.now)


def sweep(run_tasks):
    """The scheduler's tick, and all it queues."""
    deliver_due_task.delay()
    return run_tasks()


def again(endpoint):
    with rls.acting_as(rls.PLATFORM):
        return WebhookEndpoint.objects.get(pk=endpoint.pk)


def attempts():
    with rls.acting_as(rls.PLATFORM):
        return list(WebhookAttempt.objects.order_by("pk"))


def test_an_event_arrives_signed_and_its_delivery_is_logged(
    cast, clock, receiver, endpoint_at, run_tasks
):
    _, secret = endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock)
    assert run_tasks() == ["integrations.deliver"]
    (received,) = receiver.received
    (sent,) = deliveries()
    assert received.headers["webhook-id"] == str(sent.event_id)
    assert received.headers["webhook-timestamp"] == str(int(clock.now.timestamp()))
    expected = Webhook(secret).sign(str(sent.event_id), clock.now, received.body.decode())
    assert received.headers["webhook-signature"] == expected
    assert received.event == {
        "id": str(sent.event_id),
        "type": "order.placed",
        "version": 1,
        "timestamp": "2027-03-22T16:00:00.000Z",
        "restaurantId": str(cast.restaurant.pk),
        "data": {"number": 0},
    }
    assert (sent.status, sent.attempts) == ("delivered", 1)
    (attempt,) = attempts()
    assert (attempt.response_code, attempt.response_body, attempt.error) == (200, "thanks", "")
    assert attempt.restaurant_id == cast.restaurant.pk


def test_an_endpoint_hears_only_what_it_chose_and_only_of_its_own_restaurant(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint_at(cast.restaurant, receiver.url, types=["payment.captured"])
    happen(cast.restaurant, clock, event_type=EventType.ORDER_PLACED)
    happen(cast.other, clock, event_type=EventType.PAYMENT_CAPTURED)
    assert run_tasks() == []
    assert deliveries() == []
    happen(cast.restaurant, clock, event_type=EventType.PAYMENT_CAPTURED)
    run_tasks()
    assert receiver.types == ["payment.captured"]


def test_events_that_are_rolled_back_are_never_sent(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint_at(cast.restaurant, receiver.url)
    with transaction.atomic():
        happen(cast.restaurant, clock)
        assert len(deliveries()) == 1
        transaction.set_rollback(True)
    assert sweep(run_tasks) == ["integrations.deliver_due"]
    assert (deliveries(), receiver.received) == ([], [])


def test_a_message_that_is_lost_is_made_up_for_by_the_sweep(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock)
    run_tasks._commit_hooks()
    run_tasks.waiting.clear()
    assert sweep(run_tasks) == ["integrations.deliver_due", "integrations.deliver"]
    assert receiver.types == ["order.placed"]
    assert sweep(run_tasks) == ["integrations.deliver_due"]


def test_a_failure_is_tried_again_with_longer_and_longer_waits_for_three_days(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(500, b"x" * 3000)
    begun = clock.now
    happen(cast.restaurant, clock)
    run_tasks()
    waits = []
    for _ in delivery.RETRY_DELAYS[:-1]:
        (waiting,) = deliveries()
        assert waiting.status == "pending"
        waits.append(waiting.due_at - clock.now)
        clock.set(waiting.due_at - timedelta(seconds=1))
        happened = len(receiver.received)
        clock.set(max(waiting.due_at, again(endpoint).not_before))
        sweep(run_tasks)
        assert len(receiver.received) == happened + 1
        if not again(endpoint).is_on:
            break
    for wait, plan in zip(waits, delivery.RETRY_DELAYS, strict=False):
        assert plan * 0.8 <= wait <= plan * 1.2
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 1
    assert len({each.body for each in receiver.received}) == 1
    assert len({each.headers["webhook-timestamp"] for each in receiver.received}) == len(
        receiver.received
    )
    assert {len(each.response_body) for each in attempts()} == {1000}
    assert clock.now - begun > timedelta(days=1)


def test_after_its_last_attempt_an_event_has_failed_and_the_endpoint_goes_on(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(500)
    happen(cast.restaurant, clock)
    with rls.acting_as(rls.PLATFORM):
        WebhookDelivery.objects.update(attempts=len(delivery.RETRY_DELAYS))
    run_tasks()
    (failed,) = deliveries()
    assert (failed.status, failed.attempts) == ("failed", 10)
    assert again(endpoint).is_on
    clock.advance(days=2)
    assert sweep(run_tasks) == ["integrations.deliver_due"]


def test_after_three_days_without_a_success_it_is_turned_off_and_the_owners_are_told(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(503)
    happen(cast.restaurant, clock, count=2)
    run_tasks()
    clock.advance(days=3, minutes=1)
    sweep(run_tasks)
    found = again(endpoint)
    assert (found.status, found.off_reason) == ("off", "failing")
    assert [each.status for each in deliveries()] == ["failed", "failed"]
    (email,) = mail.outbox
    assert email.to == [cast.owner.email]
    assert email.subject == "We turned off a webhook for Luigi's"
    assert "For three days, no event could be delivered to it." in email.body
    assert "Failing since: Mon, Mar 22, 12:00 PM EDT\nFailed: 2 attempts\n" in email.body
    assert f"/restaurant/webhooks/{endpoint.pk}" in email.body
    happen(cast.restaurant, clock)
    assert len(deliveries()) == 2  # off: what happens now isn't kept for it


def test_one_success_begins_the_three_days_again(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(500)
    happen(cast.restaurant, clock)
    run_tasks()
    assert again(endpoint).failing_since == clock.now
    receiver.will_answer(200)
    clock.advance(days=2, hours=23)
    sweep(run_tasks)
    assert (again(endpoint).failures, again(endpoint).failing_since) == (0, None)
    receiver.will_answer(500)
    happen(cast.restaurant, clock)
    clock.advance(hours=2)
    sweep(run_tasks)
    assert again(endpoint).is_on
    assert mail.outbox == []


def test_gone_turns_it_off_at_once(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(410)
    happen(cast.restaurant, clock, count=3)
    run_tasks()
    assert (again(endpoint).status, again(endpoint).off_reason) == ("off", "gone")
    assert len(receiver.received) == 1
    assert "It answered 410" in mail.outbox[0].body


@pytest.mark.parametrize(
    ("status", "header", "least"),
    [
        (429, "7200", timedelta(hours=2)),
        (503, "Mon, 22 Mar 2027 18:00:00 GMT", timedelta(hours=2)),
        (429, "99999999999999999999", timedelta(days=1)),
        (429, "soon", timedelta(seconds=4)),
        (429, "Mon, 22 Mar 1999 18:00:00 GMT", timedelta(seconds=4)),
        (500, "7200", timedelta(seconds=4)),
    ],
)
def test_a_wait_is_as_long_as_the_answer_asks_and_at_most_a_day(clock, status, header, least):
    wait = delivery.wait_after(1, Answer(status, "", header), now=clock.now)
    assert least <= wait <= max(least, timedelta(seconds=6))


def test_after_a_failure_the_others_wait_for_the_endpoints_rest(
    cast, clock, receiver, endpoint_at, run_tasks
):
    """An address that doesn't answer holds up one request, not a thousand."""
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    receiver.will_answer(500)
    happen(cast.restaurant, clock, count=50)
    run_tasks()
    assert len(receiver.received) == 1
    rests = []
    for _ in range(12):
        rests.append(again(endpoint).not_before - clock.now)
        clock.set(again(endpoint).not_before)
        sweep(run_tasks)
    assert len(receiver.received) == 13
    assert rests[0] == timedelta(seconds=2)
    assert rests[-1] == timedelta(minutes=5)
    receiver.will_answer(200)
    clock.set(again(endpoint).not_before)
    sweep(run_tasks)
    clock.advance(minutes=6)
    sweep(run_tasks)
    assert {each.status for each in deliveries()} <= {"delivered", "pending"}
    assert sum(each.status == "delivered" for each in deliveries()) >= 38


def test_events_arrive_in_the_order_they_happened(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock, count=20)
    run_tasks()
    assert [each.event["data"]["number"] for each in receiver.received] == list(range(20))


def test_a_worker_that_dies_leaves_a_lease_and_the_next_one_sends_again(
    cast, clock, receiver, endpoint_at, run_tasks, monkeypatch
):
    """It died after sending: the same event comes twice, with one id."""
    endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock)

    def die(*_args, **_facts):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(delivery, "_record", die)
        with pytest.raises(SystemExit):
            run_tasks()
    run_tasks.waiting.clear()
    assert sweep(run_tasks) == ["integrations.deliver_due"]  # leased
    clock.advance(seconds=delivery.LEASE.total_seconds())
    sweep(run_tasks)
    assert [each.status for each in deliveries()] == ["delivered"]
    assert len(receiver.received) == 2
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_event_once(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock, count=10)
    now = clock.now

    def work():
        with our_clock.stopped_at(now), rls.acting_as(cast.restaurant):
            return delivery.deliver_to(endpoint.pk, clock=our_clock.now)

    counts = at_once(*[work] * 4)
    assert sorted(counts) == [0, 0, 0, 10]
    assert len(receiver.received) == 10


@pytest.mark.django_db(transaction=True)
def test_another_restaurants_events_are_not_held_up_by_one_that_does_not_answer(
    cast, clock, receiver, endpoint_at, run_tasks, monkeypatch
):
    slow, _ = endpoint_at(cast.other, "http://127.0.0.1:9/slow")
    fast, _ = endpoint_at(cast.restaurant, receiver.url)
    happen(cast.other, clock, count=3)
    happen(cast.restaurant, clock, count=3)
    released, asked = threading.Event(), threading.Event()

    def post(url, **facts):
        if "slow" in url:
            asked.set()
            released.wait(20)
        return outbound.post(url, **facts)

    monkeypatch.setattr("apps.integrations.delivery.post", post)
    now = clock.now

    def work(restaurant, endpoint):
        with our_clock.stopped_at(now), rls.acting_as(restaurant):
            return delivery.deliver_to(endpoint.pk, clock=our_clock.now)

    def quick():
        asked.wait(20)
        count = work(cast.restaurant, fast)
        released.set()
        return count

    assert at_once(lambda: work(cast.other, slow), quick) == [0, 3]


def test_a_new_secret_signs_with_the_old_one_for_a_day(
    cast, clock, receiver, endpoint_at, run_tasks
):
    endpoint, old = endpoint_at(cast.restaurant, receiver.url)
    with rls.acting_as(cast.restaurant):
        _, new = services.rotate_secret(
            restaurant=cast.restaurant, endpoint_id=endpoint.pk, now=clock.now
        )
    assert new != old
    for advance, valid in [(0, [new, old]), (23, [new, old]), (2, [new])]:
        clock.advance(hours=advance)
        happen(cast.restaurant, clock)
        sweep(run_tasks)
        received = receiver.received[-1]
        expected = [
            Webhook(each).sign(received.headers["webhook-id"], clock.now, received.body.decode())
            for each in valid
        ]
        assert received.headers["webhook-signature"].split(" ") == expected


def test_secrets_are_stored_encrypted_and_follow_the_keys(cast, clock, endpoint_at, settings):
    endpoint, secret = endpoint_at(cast.restaurant, "http://127.0.0.1:9/")
    before = again(endpoint).secret
    assert secret not in before
    old = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = ["another-key" * 6, *old]
    with rls.acting_as(rls.PLATFORM):
        assert services.rotate_encryption(dry_run=True) == (1, 0)
        assert again(endpoint).secret == before
        assert services.rotate_encryption() == (1, 0)
        settings.ENCRYPTION_KEYS = settings.ENCRYPTION_KEYS[:1]
        assert again(endpoint).secret != before
        assert delivery.secrets_of(again(endpoint), now=clock.now) == [secret]
        settings.ENCRYPTION_KEYS = old
        assert services.rotate_encryption() == (0, 1)


def test_without_the_key_of_its_secret_an_event_fails_and_is_not_sent_unsigned(
    cast, clock, receiver, endpoint_at, run_tasks, settings
):
    endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock)
    settings.ENCRYPTION_KEYS = ["another-key" * 6]
    run_tasks()
    assert receiver.received == []
    assert [each.error for each in attempts()] == ["no_secret"]
    assert [each.status for each in deliveries()] == ["pending"]


def test_a_body_is_what_was_decided_when_it_happened(cast, clock, receiver, endpoint_at, run_tasks):
    endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock)
    (sent,) = deliveries()
    stored = sent.event.body
    clock.advance(hours=5)
    sweep(run_tasks)
    assert receiver.received[0].body.decode() == stored
    assert json.loads(stored)["timestamp"] == "2027-03-22T16:00:00.000Z"


def test_a_webhook_deleted_while_its_event_is_sent_takes_the_answer_along(
    cast, clock, receiver, endpoint_at, run_tasks, monkeypatch
):
    endpoint, _ = endpoint_at(cast.restaurant, receiver.url)
    happen(cast.restaurant, clock, count=2)

    def post(url, **facts):
        answer = outbound.post(url, **facts)
        services.delete_endpoint(restaurant=cast.restaurant, endpoint_id=endpoint.pk, now=clock.now)
        return answer

    monkeypatch.setattr("apps.integrations.delivery.post", post)
    run_tasks()
    assert len(receiver.received) == 1
    assert (deliveries(), attempts()) == ([], [])
