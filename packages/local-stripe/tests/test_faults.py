"""Faults injected through ``/_control``, as a client sees them."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
import stripe
from local_stripe.testing import ControlRefused, LocalStripe

Hold = Callable[..., str]


def test_a_capture_can_be_declined_once(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    intent_id = hold()
    server.control(capture_fault={"kind": "decline", "payment_intent": intent_id})
    with pytest.raises(stripe.CardError):
        api.v1.payment_intents.capture(intent_id, {}, {"idempotency_key": "k1"})
    with pytest.raises(stripe.CardError):  # the same key returns the same error
        api.v1.payment_intents.capture(intent_id, {}, {"idempotency_key": "k1"})
    assert api.v1.payment_intents.capture(intent_id).status == "succeeded"


def test_an_error_for_one_intent_spares_the_others(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    struck, spared = hold(), hold()
    server.control(capture_fault={"kind": "decline", "payment_intent": struck})
    assert api.v1.payment_intents.capture(spared).status == "succeeded"
    with pytest.raises(stripe.CardError):
        api.v1.payment_intents.capture(struck)


@pytest.mark.parametrize(("action", "ended"), [("capture", "succeeded"), ("cancel", "canceled")])
def test_a_lost_response_leaves_the_work_done(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold, action: str, ended: str
) -> None:
    intent_id = hold()
    fault: Any = {f"{action}_fault": {"kind": "lost_response"}}
    server.control(**fault)
    carry_out = getattr(api.v1.payment_intents, action)
    with pytest.raises(stripe.APIConnectionError):
        carry_out(intent_id, {}, {"idempotency_key": "k1"})
    assert api.v1.payment_intents.retrieve(intent_id).status == ended
    again = carry_out(intent_id, {}, {"idempotency_key": "k1"})
    assert again.status == ended
    assert len(api.v1.transfers.list().data) == (1 if action == "capture" else 0)


@pytest.mark.parametrize("action", ["capture", "cancel"])
def test_a_server_error_leaves_the_work_undone(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold, action: str
) -> None:
    intent_id = hold()
    fault: Any = {f"{action}_fault": {"kind": "500"}}
    server.control(**fault)
    carry_out = getattr(api.v1.payment_intents, action)
    for _ in range(2):
        with pytest.raises(stripe.APIError):
            carry_out(intent_id, {}, {"idempotency_key": "k1"})
    assert api.v1.payment_intents.retrieve(intent_id).status == "requires_capture"
    carry_out(intent_id, {}, {"idempotency_key": "k2"})


def test_any_call_can_lose_its_response(server: LocalStripe, api: stripe.StripeClient) -> None:
    server.control(http_fault={"kind": "lost_response", "path_prefix": "/v1/customers"})
    with pytest.raises(stripe.APIConnectionError):
        api.v1.customers.create({"name": "Ann"})
    assert [c.name for c in api.v1.customers.list().data] == ["Ann"]


def test_calls_can_be_limited(server: LocalStripe, api: stripe.StripeClient) -> None:
    server.control(http_fault={"kind": "429", "times": 2})
    for _ in range(2):
        with pytest.raises(stripe.RateLimitError):
            api.v1.customers.create({}, {"idempotency_key": "k1"})
    assert api.v1.customers.create({}, {"idempotency_key": "k1"}).id


def test_a_call_can_go_unanswered(server: LocalStripe) -> None:
    server.control(http_fault={"kind": "timeout", "path_prefix": "/v1/customers"})
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(
            f"{server.base_url}/v1/customers",
            headers={"Authorization": f"Bearer {server.secret_key}"},
            timeout=0.1,
        )


@pytest.mark.parametrize(
    ("orders", "named"),
    [
        ({"capture_falt": {"kind": "decline"}}, "capture_falt"),
        ({"capture_fault": {"kind": "declined"}}, "capture_fault.kind"),
        ({"capture_fault": {"kind": "decline", "intent": "pi_1"}}, "intent"),
        ({"webhooks": {"mode": "lose"}}, "webhooks.mode"),
        ({"flush": "backwards"}, "flush"),
        ({"resend": "evt_nothing"}, "evt_nothing"),
        ({"pay": {"session": "cs_nothing"}}, "cs_nothing"),
        ({"advance": "soon"}, "soon"),
    ],
)
def test_an_order_that_is_not_understood_is_refused_by_name(
    server: LocalStripe, orders: dict[str, Any], named: str
) -> None:
    with pytest.raises(ControlRefused, match=named):
        server.control(**orders)


def test_calls_are_counted_by_route(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    api.v1.payment_intents.capture(hold())
    calls = server.look()["calls"]
    assert calls["POST /v1/payment_intents/{id}/capture"] == 1
    assert calls["POST /v1/checkout/sessions"] == 1


def test_a_reset_forgets_all_but_the_endpoints(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    hold()
    endpoint = api.v1.webhook_endpoints.create(
        {"url": "http://127.0.0.1:9/", "enabled_events": ["*"]}
    )
    server.control(advance=100, webhooks={"mode": "hold"}, capture_fault={"kind": "decline"})
    server.control(reset=True)
    seen = server.look()
    assert (seen["clock"]["skew"], seen["held"], seen["events"]) == (0, 0, [])
    assert seen["webhooks"]["mode"] == "deliver"
    assert api.v1.payment_intents.list().data == []
    assert [e.id for e in api.v1.webhook_endpoints.list().data] == [endpoint.id]
    api.v1.webhook_endpoints.delete(endpoint.id)


def test_a_web_page_cannot_give_orders(server: LocalStripe) -> None:
    headers = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
    answer = httpx.post(f"{server.base_url}/_control", content='{"reset":true}', headers=headers)
    assert answer.status_code == 403


def test_a_hold_without_the_cardholder_can_be_declined_and_then_confirmed_with_them(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    customer = api.v1.customers.create({}).id
    setup = api.v1.setup_intents.create({"customer": customer})
    server.confirm(str(setup.client_secret))
    saved = str(api.v1.setup_intents.retrieve(setup.id).payment_method)

    def hold(amount: int) -> stripe.PaymentIntent:
        return api.v1.payment_intents.create(
            {
                "amount": amount,
                "currency": "usd",
                "capture_method": "manual",
                "customer": customer,
                "payment_method": saved,
                "off_session": True,
                "confirm": True,
            }
        )

    server.control(hold_fault={"kind": "authentication_required", "amount": 700})
    assert hold(500).status == "requires_capture"
    with pytest.raises(stripe.CardError) as refused:
        hold(700)
    assert refused.value.code == "authentication_required"
    (intent,) = [each for each in api.v1.payment_intents.list().data if each.amount == 700]
    assert (intent.status, intent.payment_method) == ("requires_payment_method", None)

    # On session, the saved card works after 3-D Secure.
    reopened = api.v1.payment_intents.update(intent.id, {"payment_method": saved})
    secret = str(reopened.client_secret)
    assert server.confirm(secret, None, authenticate="leave")["status"] == "requires_action"
    assert server.confirm(secret, None)["status"] == "requires_capture"


def test_a_hold_error_of_another_kind_is_refused(server: LocalStripe) -> None:
    with pytest.raises(ControlRefused, match=r"hold_fault\.kind"):
        server.control(hold_fault={"kind": "bad luck"})
