"""Idempotency keys, and the shape of requests."""

from uuid import uuid4

import pytest
import stripe

from tests.conformance.payments import AMOUNT


def test_a_repeated_key_replays_the_first_answer(api):
    params = {"amount": AMOUNT, "currency": "usd", "payment_method_types": ["card"]}
    options = {"idempotency_key": str(uuid4())}
    first = api.v1.payment_intents.create(params, options)
    assert api.v1.payment_intents.create(params, options).id == first.id


def test_a_repeated_key_with_another_request_is_refused(api):
    options = {"idempotency_key": str(uuid4())}
    params = {"amount": AMOUNT, "currency": "usd", "payment_method_types": ["card"]}
    api.v1.payment_intents.create(params, options)
    with pytest.raises(stripe.IdempotencyError):
        api.v1.payment_intents.create({**params, "amount": AMOUNT + 1}, options)


@pytest.mark.local_only(because="Stripe answers no 500 on demand")
def test_a_stored_500_is_replayed(api, server):
    server.control(cancel_fault={"kind": "500", "times": 1})
    params = {"amount": AMOUNT, "currency": "usd", "payment_method_types": ["card"]}
    intent = api.v1.payment_intents.create(params)
    options = {"idempotency_key": str(uuid4())}
    for _ in range(2):
        with pytest.raises(stripe.APIError):
            api.v1.payment_intents.cancel(intent.id, {}, options)
    assert api.v1.payment_intents.cancel(intent.id).status == "canceled"
