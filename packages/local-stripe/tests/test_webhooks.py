"""Webhook delivery: signed, in order, retried until accepted, controlled by ``/_control``."""

import json
import time
from collections.abc import Callable

import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import Receiver, open_account

Hold = Callable[..., str]
pytestmark = pytest.mark.usefixtures("endpoint")

HELD = [
    "payment_intent.created",
    "charge.succeeded",
    "payment_intent.amount_capturable_updated",
    "checkout.session.completed",
]


def test_events_arrive_signed_and_in_order(
    server: LocalStripe, endpoint: stripe.WebhookEndpoint, receiver: Receiver, hold: Hold
) -> None:
    hold()
    server.wait_delivered()
    assert receiver.types == HELD
    assert endpoint.secret is not None
    for body, signature in receiver.raw:
        event = stripe.Webhook.construct_event(body, signature, endpoint.secret)
        assert event.api_version == stripe.api_version
        with pytest.raises(stripe.SignatureVerificationError):
            stripe.Webhook.construct_event(body + b" ", signature, endpoint.secret)


def test_what_arrives_is_what_the_api_tells(
    server: LocalStripe, api: stripe.StripeClient, receiver: Receiver, hold: Hold
) -> None:
    hold()
    server.wait_delivered()
    for event in receiver.received:
        assert api.v1.events.retrieve(event["id"]).to_dict() == event
    listed = api.v1.events.list({"type": "charge.succeeded"}).data
    assert [event.type for event in listed] == ["charge.succeeded"]


def test_an_endpoint_hears_only_of_what_it_asked_for(
    server: LocalStripe,
    api: stripe.StripeClient,
    endpoint: stripe.WebhookEndpoint,
    receiver: Receiver,
    hold: Hold,
) -> None:
    api.v1.webhook_endpoints.update(endpoint.id, {"enabled_events": ["charge.captured"]})
    api.v1.payment_intents.capture(hold())
    server.wait_delivered()
    assert receiver.types == ["charge.captured"]


def test_connected_accounts_are_told_of_at_connect_endpoints_only(
    server: LocalStripe, api: stripe.StripeClient, receiver: Receiver
) -> None:
    open_account(server, api)
    server.wait_delivered()
    assert receiver.types == []
    connect = api.v1.webhook_endpoints.create(
        {"url": receiver.url, "enabled_events": ["account.updated"], "connect": True}
    )
    account = open_account(server, api)
    server.wait_delivered()
    api.v1.webhook_endpoints.delete(connect.id)
    assert receiver.types == ["account.updated"]
    assert receiver.received[0]["account"] == account


def test_a_refused_event_is_sent_again(
    server: LocalStripe, api: stripe.StripeClient, receiver: Receiver
) -> None:
    receiver.answers = [500]
    api.v1.customers.create({})
    started = time.monotonic()
    server.wait_delivered()
    assert receiver.types == ["customer.created"]
    assert time.monotonic() - started > 0.4
    attempts = [d["status"] for d in server.look()["deliveries"]]
    assert attempts == [500, 200]


def test_a_refused_event_holds_no_other_up(
    server: LocalStripe, api: stripe.StripeClient, receiver: Receiver
) -> None:
    receiver.answers = [500]
    first = api.v1.customers.create({}).id
    second = api.v1.customers.create({}).id
    server.wait_delivered()
    arrived = [event["data"]["object"]["id"] for event in receiver.received]
    [refused, *_] = [json.loads(body)["data"]["object"]["id"] for body, _ in receiver.raw]
    assert sorted(arrived) == sorted([first, second])
    assert arrived[-1] == refused


def test_events_can_be_sent_several_times(
    server: LocalStripe, receiver: Receiver, hold: Hold
) -> None:
    server.control(webhooks={"duplicate": 2})
    hold()
    server.wait_delivered()
    assert sorted(receiver.types) == sorted(HELD * 3)
    assert len({event["id"] for event in receiver.received}) == len(HELD)


@pytest.mark.parametrize(("order", "expected"), [("fifo", HELD), ("reverse", HELD[::-1])])
def test_held_events_go_in_the_order_asked_for(
    server: LocalStripe, receiver: Receiver, hold: Hold, order: str, expected: list[str]
) -> None:
    server.control(webhooks={"mode": "hold"})
    hold()
    assert server.look()["held"] == len(HELD)
    assert receiver.types == []
    server.control(webhooks={"mode": "deliver"}, flush=order)
    server.wait_delivered()
    assert receiver.types == expected


def test_shuffled_events_all_arrive(server: LocalStripe, receiver: Receiver, hold: Hold) -> None:
    server.control(webhooks={"shuffle": True})
    hold()
    server.wait_delivered()
    assert sorted(receiver.types) == sorted(HELD)


def test_dropped_events_never_arrive_but_can_be_sent_later(
    server: LocalStripe, receiver: Receiver, hold: Hold
) -> None:
    server.control(webhooks={"mode": "drop"})
    hold()
    assert server.look()["undelivered"] == 0
    assert receiver.types == []
    completed = server.look()["events"][-1]
    server.control(webhooks={"mode": "deliver"}, resend=completed["id"])
    server.wait_delivered()
    assert receiver.types == ["checkout.session.completed"]


def test_a_disabled_endpoint_hears_nothing(
    server: LocalStripe,
    api: stripe.StripeClient,
    endpoint: stripe.WebhookEndpoint,
    receiver: Receiver,
) -> None:
    api.v1.webhook_endpoints.update(endpoint.id, {"disabled": True})
    api.v1.customers.create({})
    server.wait_delivered()
    assert receiver.types == []


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (
            "4000000000000002",
            ["payment_intent.created", "charge.failed", "payment_intent.payment_failed"],
        ),
        ("4000000000003220", ["payment_intent.created", "payment_intent.requires_action"]),
    ],
)
def test_failed_and_waiting_payments_tell_so(
    server: LocalStripe,
    api: stripe.StripeClient,
    receiver: Receiver,
    number: str,
    expected: list[str],
) -> None:
    from stripe_scenarios import session_params

    session = api.v1.checkout.sessions.create(session_params())  # type: ignore[arg-type]
    server.pay(session.id, number=number, authenticate="leave")
    server.wait_delivered()
    assert receiver.types == expected


def test_a_capture_tells_of_all_that_moved(
    server: LocalStripe, api: stripe.StripeClient, receiver: Receiver, hold: Hold
) -> None:
    api.v1.payment_intents.capture(hold())
    server.wait_delivered()
    assert receiver.types[len(HELD) :] == [
        "transfer.created",
        "application_fee.created",
        "charge.captured",
        "payment_intent.succeeded",
        "charge.updated",
    ]


def test_a_rolled_secret_signs_next_to_the_old_one(
    server: LocalStripe,
    api: stripe.StripeClient,
    endpoint: stripe.WebhookEndpoint,
    receiver: Receiver,
) -> None:
    old = str(endpoint.secret)
    new = server.control(roll_secret={"endpoint": endpoint.id, "valid_for": 3600})["roll_secret"]
    api.v1.customers.create({})
    server.wait_delivered()
    for secret in (old, new):
        body, signature = receiver.raw[-1]
        assert stripe.Webhook.construct_event(body, signature, secret)
    server.control(advance=3601)
    api.v1.customers.create({})
    server.wait_delivered()
    body, signature = receiver.raw[-1]
    assert stripe.Webhook.construct_event(body, signature, new)
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(body, signature, old)


def test_events_that_were_not_delivered_can_be_listed(
    server: LocalStripe, api: stripe.StripeClient, endpoint: stripe.WebhookEndpoint
) -> None:
    server.control(webhooks={"mode": "hold"})
    waiting = api.v1.customers.create({})
    events = api.v1.events.list({"delivery_success": False}).data
    assert [event.data.object["id"] for event in events] == [waiting.id]
    server.control(webhooks={"mode": "deliver"}, flush="fifo")
    server.wait_delivered()
    assert api.v1.events.list({"delivery_success": False}).data == []
