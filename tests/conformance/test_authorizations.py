"""Authorization, capture, and cancellation."""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import AMOUNT, authorize, charge, charge_of, event_types

DAY = 24 * 3600
NO_CLOCK = "a sandbox's clock can't be moved: test clocks are for billing only"


def test_a_partial_capture_refunds_nothing(api):
    intent = authorize(api)
    captured = api.v1.payment_intents.capture(intent.id, {"amount_to_capture": 1200})
    latest = charge_of(api, intent)
    assert (captured.status, captured.amount_received) == ("succeeded", 1200)
    assert (latest.amount_captured, latest.amount_refunded, latest.refunded) == (1200, 0, False)
    assert api.v1.refunds.list({"payment_intent": intent.id}).data == []


def test_a_cancellation_refunds_nothing(api, target):
    intent = authorize(api)
    canceled = api.v1.payment_intents.cancel(intent.id, {"cancellation_reason": "abandoned"})
    latest = charge_of(api, intent)
    assert (canceled.status, canceled.cancellation_reason) == ("canceled", "abandoned")
    assert (latest.amount_captured, latest.amount_refunded, latest.refunded) == (0, 0, False)
    target.wait_for(lambda: bool(event_types(api, intent.id, "payment_intent.canceled")))
    assert event_types(api, latest.id, "charge.refunded") == []


def test_a_cancellation_by_the_api_does_not_say_that_the_charge_expired(api, target):
    intent = authorize(api)
    api.v1.payment_intents.cancel(intent.id)
    target.wait_for(lambda: bool(event_types(api, intent.id, "payment_intent.canceled")))
    assert event_types(api, charge_of(api, intent).id, "charge.expired") == []


def test_an_authorization_says_until_when_it_can_be_captured(api):
    latest: Any = authorize(api).latest_charge
    until = latest.payment_method_details.card.capture_before - latest.created
    assert 6 * DAY < until <= 7 * DAY


@pytest.mark.local_only(because=NO_CLOCK)
def test_an_expired_authorization_is_canceled_and_cannot_be_captured(api, server):
    intent = authorize(api)
    server.control(advance=7 * DAY + 1)
    expired = api.v1.payment_intents.retrieve(intent.id)
    assert (expired.status, expired.cancellation_reason) == ("canceled", "expired")
    latest = charge_of(api, intent)
    assert event_types(api, latest.id, "charge.expired") == ["charge.expired"]
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.capture(intent.id)
    assert refused.value.code == "charge_expired_for_capture"


@pytest.mark.local_only(because="no test card is authorized and declined at its capture")
def test_a_declined_capture_leaves_the_authorization_as_it_is(api, server):
    intent = authorize(api)
    server.control(capture_fault={"kind": "decline", "payment_intent": intent.id})
    with pytest.raises(stripe.CardError):
        api.v1.payment_intents.capture(intent.id)
    assert api.v1.payment_intents.retrieve(intent.id).status == "requires_capture"


@pytest.mark.parametrize("end", ["capture", "cancel"])
def test_an_ended_intent_refuses_another_end(api, end):
    intent = authorize(api)
    getattr(api.v1.payment_intents, end)(intent.id)
    for again in (api.v1.payment_intents.capture, api.v1.payment_intents.cancel):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            again(intent.id)
        assert refused.value.code == "payment_intent_unexpected_state"


def test_more_than_the_authorization_cannot_be_captured(api):
    intent = authorize(api)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.capture(intent.id, {"amount_to_capture": AMOUNT + 1})
    assert refused.value.code == "amount_too_large"


def test_an_amount_below_the_minimum_is_refused(api):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        charge(api, amount=49)
    assert refused.value.code == "amount_too_small"
