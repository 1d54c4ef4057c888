"""Authorizations, captures, releases, and where the money goes."""

from collections.abc import Callable
from typing import Any

import pytest
import stripe
from local_stripe.resources.charges import processing_fee
from local_stripe.testing import LocalStripe
from stripe_scenarios import session_params

DAY = 24 * 3600
Hold = Callable[..., str]


def test_a_checkout_has_no_intent_until_it_is_submitted(
    server: LocalStripe, api: stripe.StripeClient, account: str
) -> None:
    params: Any = session_params(account)
    session = api.v1.checkout.sessions.create(params)
    assert (session.status, session.payment_intent) == ("open", None)
    server.pay(session.id)
    done: Any = api.v1.checkout.sessions.retrieve(session.id)
    assert (done.status, done.payment_status, done.url) == ("complete", "unpaid", None)
    assert done.customer_details.email == "guest@example.com"
    intent: Any = api.v1.payment_intents.retrieve(
        str(done.payment_intent), {"expand": ["latest_charge"]}
    )
    assert (intent.status, intent.amount_capturable) == ("requires_capture", 2000)
    assert intent.metadata["pre_order_id"] == "17"
    before = intent.latest_charge.payment_method_details.card.capture_before
    assert before == intent.latest_charge.created + 7 * DAY


def test_a_capture_divides_the_money(api: stripe.StripeClient, hold: Hold, account: str) -> None:
    intent = api.v1.payment_intents.capture(hold(), {"application_fee_amount": 246})
    expand = ["transfer", "application_fee", "balance_transaction"]
    charge: Any = api.v1.charges.retrieve(str(intent.latest_charge), {"expand": expand})
    assert (intent.status, intent.amount_received) == ("succeeded", 2000)
    assert charge.transfer.amount == charge.amount_captured == 2000
    assert charge.transfer.destination == account
    assert charge.application_fee.amount == charge.application_fee_amount == 246
    assert charge.application_fee.account == account
    assert charge.balance_transaction.net == 2000 - processing_fee(2000)
    received = api.v1.charges.retrieve(
        charge.transfer.destination_payment, {}, {"stripe_account": account}
    )
    assert (received.amount, received.application_fee_amount) == (2000, 246)
    session = api.v1.checkout.sessions.list({"payment_intent": intent.id}).data[0]
    assert session.payment_status == "paid"


def test_a_charge_on_behalf_of_an_account_bears_its_name_on_statements(
    api: stripe.StripeClient, hold: Hold, account: str
) -> None:
    def on_statement() -> str:
        params: Any = {"expand": ["latest_charge"]}
        charge: Any = api.v1.payment_intents.retrieve(hold(), params).latest_charge
        return str(charge.calculated_statement_descriptor)

    profile: Any = {"business_profile": {"name": "Luigi's Trattoria & Pizzeria"}}
    api.v1.accounts.update(account, profile)
    assert on_statement() == "LUIGIS TRATTORIA & PIZ"
    own: Any = {"settings": {"payments": {"statement_descriptor": "LUIGIS NYC"}}}
    api.v1.accounts.update(account, own)
    assert on_statement() == "LUIGIS NYC"


def test_part_of_a_hold_can_be_captured(api: stripe.StripeClient, hold: Hold) -> None:
    intent = api.v1.payment_intents.capture(
        hold(), {"amount_to_capture": 1200, "application_fee_amount": 100}
    )
    charge: Any = api.v1.charges.retrieve(str(intent.latest_charge), {"expand": ["transfer"]})
    assert intent.amount_received == 1200
    assert (charge.amount_captured, charge.amount_refunded, charge.refunded) == (1200, 0, False)
    assert charge.transfer.amount == 1200
    assert api.v1.refunds.list({"payment_intent": intent.id}).data == []


def test_a_released_hold_took_nothing(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    intent = api.v1.payment_intents.cancel(hold(), {"cancellation_reason": "abandoned"})
    assert (intent.status, intent.cancellation_reason) == ("canceled", "abandoned")
    charge = api.v1.charges.retrieve(str(intent.latest_charge))
    assert (charge.captured, charge.refunded, charge.amount_captured) == (False, False, 0)
    assert charge.amount_refunded == 0
    assert api.v1.transfers.list().data == []
    types = [event["type"] for event in server.look()["events"]]
    assert "charge.refunded" not in types
    assert types[-1] == "payment_intent.canceled"


@pytest.mark.parametrize("end", ["capture", "cancel"])
def test_an_ended_intent_can_neither_be_captured_nor_canceled(
    api: stripe.StripeClient, hold: Hold, end: str
) -> None:
    intent_id = hold()
    getattr(api.v1.payment_intents, end)(intent_id)
    for again in (api.v1.payment_intents.capture, api.v1.payment_intents.cancel):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            again(intent_id)
        error: Any = refused.value.error
        assert refused.value.code == "payment_intent_unexpected_state"
        assert error.payment_intent["id"] == intent_id


def test_no_more_than_the_hold_can_be_captured(api: stripe.StripeClient, hold: Hold) -> None:
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.capture(hold(), {"amount_to_capture": 2001})
    assert refused.value.code == "amount_too_large"


def test_a_hold_expires_after_seven_days(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    intent_id = hold()
    server.control(advance=7 * DAY - 60)
    assert api.v1.payment_intents.retrieve(intent_id).status == "requires_capture"
    server.control(advance=61)
    intent = api.v1.payment_intents.retrieve(intent_id)
    assert (intent.status, intent.cancellation_reason) == ("canceled", "expired")
    types = [event["type"] for event in server.look()["events"]]
    assert types[-2:] == ["charge.expired", "payment_intent.canceled"]
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.capture(intent_id)
    assert refused.value.code == "charge_expired_for_capture"


def test_a_hold_can_be_declared_dead(
    server: LocalStripe, api: stripe.StripeClient, hold: Hold
) -> None:
    intent_id = hold()
    server.control(declare_dead=intent_id)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.capture(intent_id)
    assert refused.value.code == "charge_expired_for_capture"


def saved_card(api: stripe.StripeClient, server: LocalStripe, account: str, number: str) -> Any:
    """Save a card in a first checkout and return that checkout's intent."""
    params = session_params(account, customer_creation="always")
    params["payment_intent_data"]["setup_future_usage"] = "off_session"
    session = api.v1.checkout.sessions.create(params)  # type: ignore[arg-type]
    paid = server.pay(session.id, number=number)
    assert paid["error"] is None
    return api.v1.payment_intents.retrieve(paid["payment_intent"])


def charge_later(api: stripe.StripeClient, first: Any, **changes: Any) -> stripe.PaymentIntent:
    params: Any = {
        "amount": 900,
        "currency": "usd",
        "capture_method": "manual",
        "customer": first.customer,
        "payment_method": first.payment_method,
        "off_session": True,
        "confirm": True,
        **changes,
    }
    return api.v1.payment_intents.create(params)


@pytest.mark.parametrize("number", ["4242424242424242", "4000002500003155"])
def test_a_saved_card_is_held_again_without_its_owner_for_less_than_five_days(
    server: LocalStripe, api: stripe.StripeClient, account: str, number: str
) -> None:
    first = saved_card(api, server, account, number)
    later = charge_later(api, first, expand=["latest_charge"])
    charge: Any = later.latest_charge
    assert later.status == "requires_capture"
    until = charge.payment_method_details.card.capture_before - charge.created
    assert 4 * DAY < until < 5 * DAY


@pytest.mark.parametrize(
    ("number", "code"),
    [("4000000000000341", "card_declined"), ("4000000000003220", "authentication_required")],
)
def test_some_saved_cards_decline_without_their_owner(
    server: LocalStripe, api: stripe.StripeClient, account: str, number: str, code: str
) -> None:
    first = saved_card(api, server, account, number)
    with pytest.raises(stripe.CardError) as declined:
        charge_later(api, first)
    error: Any = declined.value.error
    assert declined.value.code == code
    assert error.payment_intent["status"] == "requires_payment_method"
    assert error.payment_intent["last_payment_error"]["code"] == code


def test_a_card_without_a_stripe_guest_cannot_be_charged_later(
    api: stripe.StripeClient, hold: Hold
) -> None:
    first = api.v1.payment_intents.retrieve(hold())
    with pytest.raises(stripe.InvalidRequestError):
        charge_later(api, first, customer=None)


@pytest.mark.parametrize(
    ("number", "code", "reason"),
    [
        ("4000000000000002", "card_declined", "generic_decline"),
        ("4000000000009995", "card_declined", "insufficient_funds"),
        ("4242424242424241", "incorrect_number", None),
    ],
)
def test_a_decline_leaves_the_checkout_open_for_another_card(
    server: LocalStripe,
    api: stripe.StripeClient,
    account: str,
    number: str,
    code: str,
    reason: str | None,
) -> None:
    params: Any = session_params(account)
    session = api.v1.checkout.sessions.create(params)
    declined = server.pay(session.id, number=number)
    assert declined["error"]["code"] == code
    assert declined["error"].get("decline_code") == reason
    assert declined["status"] == "open"
    paid = server.pay(session.id)
    assert (paid["status"], paid["error"]) == ("complete", None)
    intents = api.v1.payment_intents.list().data
    assert [intent.status for intent in intents] == ["requires_capture"]


def test_a_capture_can_be_declined_and_the_hold_stands(
    api: stripe.StripeClient, hold: Hold
) -> None:
    intent_id = hold("4000000000009987")
    with pytest.raises(stripe.CardError) as declined:
        api.v1.payment_intents.capture(intent_id)
    assert declined.value.code == "card_declined"
    assert api.v1.payment_intents.retrieve(intent_id).status == "requires_capture"
    assert api.v1.payment_intents.cancel(intent_id).status == "canceled"


def test_three_d_secure_holds_the_card_only_when_it_is_passed(
    server: LocalStripe, api: stripe.StripeClient, account: str
) -> None:
    params: Any = session_params(account)
    session = api.v1.checkout.sessions.create(params)
    open_still = server.pay(session.id, number="4000000000003220", authenticate="leave")
    waiting = api.v1.payment_intents.retrieve(open_still["payment_intent"])
    assert (open_still["status"], waiting.status) == ("open", "requires_action")
    failed = server.pay(session.id, number="4000000000003220", authenticate="fail")
    assert failed["error"]["code"] == "payment_intent_authentication_failure"
    passed = server.pay(session.id, number="4000000000003220", authenticate="ok")
    assert passed["status"] == "complete"
    charge: Any = api.v1.charges.list({"payment_intent": waiting.id}).data[0]
    assert charge.payment_method_details.card.three_d_secure.result == "authenticated"


def test_a_checkout_that_expires_cancels_its_open_challenge(
    server: LocalStripe, api: stripe.StripeClient, account: str
) -> None:
    params: Any = session_params(account)
    session = api.v1.checkout.sessions.create(params)
    waiting = server.pay(session.id, number="4000000000003220", authenticate="leave")
    with pytest.raises(stripe.InvalidRequestError, match="Expire the Checkout Session"):
        api.v1.payment_intents.cancel(waiting["payment_intent"])
    assert api.v1.checkout.sessions.expire(session.id).status == "expired"
    assert api.v1.payment_intents.retrieve(waiting["payment_intent"]).status == "canceled"
    assert server.pay(session.id)["error"]["message"] == "This Checkout Session is expired."


def test_a_checkout_expires_by_the_clock_and_not_once_it_is_complete(
    server: LocalStripe, api: stripe.StripeClient, account: str, hold: Hold
) -> None:
    soon = server.control(advance=0) and server.look()["clock"]["now"] + 1800
    params: Any = session_params(account, expires_at=soon)
    left = api.v1.checkout.sessions.create(params)
    paid = hold(expires_at=soon)
    server.control(advance=1801)
    assert api.v1.checkout.sessions.retrieve(left.id).status == "expired"
    assert api.v1.payment_intents.retrieve(paid).status == "requires_capture"
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.checkout.sessions.expire(left.id)


@pytest.mark.parametrize("ahead", [60, 25 * 3600])
def test_a_checkout_lives_between_half_an_hour_and_a_day(
    server: LocalStripe, api: stripe.StripeClient, account: str, ahead: int
) -> None:
    expires_at = server.look()["clock"]["now"] + ahead
    params: Any = session_params(account, expires_at=expires_at)
    with pytest.raises(stripe.InvalidRequestError, match="expires_at"):
        api.v1.checkout.sessions.create(params)


def test_an_account_that_is_not_ready_can_not_be_paid(api: stripe.StripeClient) -> None:
    fresh = api.v1.accounts.create({"type": "express"})
    params: Any = session_params(fresh.id)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.checkout.sessions.create(params)
    assert refused.value.code == "insufficient_capabilities_for_transfer"


@pytest.mark.parametrize(("amount", "transfer", "fee"), [(2000, 2000, 246), (500, 500, 62)])
def test_a_refund_takes_its_share_back(
    api: stripe.StripeClient, hold: Hold, amount: int, transfer: int, fee: int
) -> None:
    intent = api.v1.payment_intents.capture(hold(), {"application_fee_amount": 246})
    refund = api.v1.refunds.create(
        {
            "payment_intent": intent.id,
            "amount": amount,
            "reverse_transfer": True,
            "refund_application_fee": True,
        }
    )
    assert refund.status == "succeeded"
    expand = ["transfer", "application_fee", "refunds"]
    charge: Any = api.v1.charges.retrieve(str(intent.latest_charge), {"expand": expand})
    assert (charge.amount_refunded, charge.refunded) == (amount, amount == 2000)
    assert charge.transfer.amount_reversed == transfer
    assert charge.application_fee.amount_refunded == fee
    assert [item.id for item in charge.refunds.data] == [refund.id]


def test_no_more_than_was_taken_is_refunded(api: stripe.StripeClient, hold: Hold) -> None:
    intent_id = hold()
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create({"payment_intent": intent_id})
    api.v1.payment_intents.capture(intent_id)
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create({"payment_intent": intent_id, "amount": 2001})
    api.v1.refunds.create({"payment_intent": intent_id})
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.refunds.create({"payment_intent": intent_id})
    assert refused.value.code == "charge_already_refunded"


def test_no_more_than_was_captured_is_refunded_of_a_partial_capture(
    api: stripe.StripeClient, hold: Hold
) -> None:
    intent = api.v1.payment_intents.capture(
        hold(), {"amount_to_capture": 1200, "application_fee_amount": 120}
    )
    refund: Any = {"payment_intent": intent.id, "refund_application_fee": True}
    api.v1.refunds.create(refund | {"amount": 400})
    expand = ["application_fee"]
    charge: Any = api.v1.charges.retrieve(str(intent.latest_charge), {"expand": expand})
    assert (charge.amount_refunded, charge.refunded) == (400, False)
    assert charge.application_fee.amount_refunded == 40
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create(refund | {"amount": 801})
    api.v1.refunds.create(refund)
    charge = api.v1.charges.retrieve(str(intent.latest_charge), {"expand": expand})
    assert (charge.amount_refunded, charge.refunded) == (1200, True)
    assert charge.application_fee.amount_refunded == 120


def test_a_refund_can_fail_later(server: LocalStripe, api: stripe.StripeClient, hold: Hold) -> None:
    intent = api.v1.payment_intents.capture(hold())
    refund = api.v1.refunds.create({"payment_intent": intent.id, "amount": 500})
    server.control(fail_refund=refund.id)
    failed = api.v1.refunds.retrieve(refund.id)
    assert (failed.status, failed.failure_reason) == ("failed", "lost_or_stolen_card")
    assert failed.failure_balance_transaction
    assert api.v1.charges.retrieve(str(intent.latest_charge)).amount_refunded == 0
    types = [event["type"] for event in server.look()["events"]]
    assert types[-2:] == ["refund.updated", "refund.failed"]


def test_a_setup_intent_saves_a_card_for_later(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    customer = api.v1.customers.create({"email": "ann@example.com"})
    setup = api.v1.setup_intents.create(
        {"customer": customer.id, "automatic_payment_methods": {"enabled": True}}
    )
    server.control(pay={"intent": setup.id, "number": "4000002500003155"})
    saved = api.v1.setup_intents.retrieve(setup.id)
    assert saved.status == "succeeded"
    assert charge_later(api, saved).status == "requires_capture"
    methods = api.v1.customers.payment_methods.list(customer.id).data
    assert [method.id for method in methods] == [saved.payment_method]


def test_an_intent_is_confirmed_at_once_when_nothing_holds_it_back(
    api: stripe.StripeClient,
) -> None:
    intent = api.v1.payment_intents.create(
        {"amount": 700, "currency": "usd", "payment_method": "pm_card_visa", "confirm": True}
    )
    assert (intent.status, intent.amount_received) == ("succeeded", 700)


def test_a_subscription_begins_with_a_paid_invoice(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    price = api.v1.prices.create(
        {
            "currency": "usd",
            "unit_amount": 2900,
            "recurring": {"interval": "month"},
            "product_data": {"name": "Rocket"},
        }
    )
    params: Any = {
        "mode": "subscription",
        "line_items": [{"price": price.id, "quantity": 1}],
        "success_url": "http://localhost:9/",
    }
    session = api.v1.checkout.sessions.create(params)
    assert server.pay(session.id)["status"] == "complete"
    done: Any = api.v1.checkout.sessions.retrieve(session.id, {"expand": ["subscription"]})
    assert done.subscription.status == "active"
    invoice = api.v1.invoices.retrieve(done.subscription.latest_invoice)
    assert (invoice.status, invoice.total) == ("paid", 2900)
    portal = api.v1.billing_portal.sessions.create({"customer": str(done.customer)})
    assert portal.url.startswith(server.base_url)
    assert api.v1.subscriptions.cancel(done.subscription.id).status == "canceled"
