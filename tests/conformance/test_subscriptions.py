"""Subscriptions: free until the billing anchor, renewed, unpaid, and ended."""

import time
from typing import Any

import pytest
import stripe

from tests.conformance.payments import event_types

DAY = 86_400
NEEDS_A_CLOCK = "a sandbox moves time with test clocks, which have customers of their own"


@pytest.fixture
def customer(api: stripe.StripeClient) -> Any:
    return api.v1.customers.create({"email": "owner@example.test"})


@pytest.fixture
def price(api: stripe.StripeClient) -> Any:
    return api.v1.prices.create(
        {
            "currency": "usd",
            "unit_amount": 2900,
            "recurring": {"interval": "month"},
            "product_data": {"name": "Monthly"},
        }
    )


def subscribe(
    api: stripe.StripeClient, customer: Any, price: Any, method: str = "pm_card_visa", **more: Any
) -> Any:
    card = api.v1.payment_methods.attach(method, {"customer": customer.id})
    params: Any = {
        "customer": customer.id,
        "items": [{"price": price.id}],
        "default_payment_method": card.id,
        **more,
    }
    return api.v1.subscriptions.create(params)


def free_until(moment: int) -> dict[str, Any]:
    return {"billing_cycle_anchor": moment, "proration_behavior": "none"}


def end_of(subscription: Any) -> int:
    return int(subscription["items"].data[0].current_period_end)


def renewal(api: stripe.StripeClient, subscription: Any) -> Any:
    latest = api.v1.subscriptions.retrieve(subscription.id).latest_invoice
    return api.v1.invoices.retrieve(str(latest))


def test_a_future_anchor_without_proration_is_free_until_then(api, customer, price):
    anchor = int(time.time()) + 20 * DAY
    subscription = subscribe(api, customer, price, **free_until(anchor))
    assert (subscription.status, end_of(subscription)) == ("active", anchor)
    assert api.v1.payment_intents.list({"customer": customer.id}).data == []


@pytest.mark.parametrize("days", [-1, 40])
def test_an_anchor_is_in_the_future_and_within_the_first_period(api, customer, price, days):
    with pytest.raises(stripe.InvalidRequestError):
        subscribe(api, customer, price, **free_until(int(time.time()) + days * DAY))


def test_a_subscription_can_end_with_its_period_or_go_on_after_all(api, customer, price):
    subscription = subscribe(api, customer, price, **free_until(int(time.time()) + 20 * DAY))
    for at_period_end in (True, True, False):
        changed = api.v1.subscriptions.update(
            subscription.id, {"cancel_at_period_end": at_period_end}
        )
        assert (changed.status, changed.cancel_at_period_end) == ("active", at_period_end)


def test_a_date_to_end_at_is_taken_back_with_an_empty_one(api, customer, price):
    anchor = int(time.time()) + 20 * DAY
    subscription = subscribe(api, customer, price, **free_until(anchor))
    ending = api.v1.subscriptions.update(subscription.id, {"cancel_at": anchor})
    assert (ending.status, ending.cancel_at) == ("active", anchor)
    going_on = api.v1.subscriptions.update(subscription.id, {"cancel_at": ""})
    assert (going_on.cancel_at, going_on.cancel_at_period_end) == (None, False)


def test_deleting_a_customer_ends_their_subscriptions(api, customer, price):
    subscription = subscribe(api, customer, price, **free_until(int(time.time()) + 20 * DAY))
    api.v1.customers.delete(customer.id)
    assert api.v1.subscriptions.retrieve(subscription.id).status == "canceled"
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        api.v1.payment_intents.create({"amount": 2900, "currency": "usd", "customer": customer.id})
    assert (refusal.value.code, refusal.value.param) == ("resource_missing", "customer")


def test_the_subscriptions_of_a_customer_are_listed_with_the_ended_ones(api, customer, price):
    free = free_until(int(time.time()) + 20 * DAY)
    subscription = subscribe(api, customer, price, metadata={"sign_up_id": "seven"}, **free)
    api.v1.subscriptions.cancel(subscription.id)
    [found] = api.v1.subscriptions.list({"customer": customer.id, "status": "all"}).data
    assert (found.id, found.metadata["sign_up_id"]) == (subscription.id, "seven")


def test_a_canceled_subscription_has_an_end_and_cannot_be_canceled_again(api, customer, price):
    subscription = subscribe(api, customer, price, **free_until(int(time.time()) + 20 * DAY))
    ended = api.v1.subscriptions.cancel(subscription.id)
    assert (ended.status, ended.ended_at is not None) == ("canceled", True)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.subscriptions.cancel(subscription.id)
    assert refused.value.code == "resource_missing"


@pytest.mark.local_only(because=NEEDS_A_CLOCK)
def test_a_renewal_is_a_draft_for_an_hour_and_then_paid(api, server, customer, price):
    subscription = subscribe(api, customer, price, **free_until(int(time.time()) + 20 * DAY))
    server.control(advance=20 * DAY + 60)
    assert renewal(api, subscription).status == "draft"
    server.control(advance=3600 + 60)
    invoice = renewal(api, subscription)
    assert (invoice.status, invoice.amount_paid) == ("paid", 2900)
    assert invoice.billing_reason == "subscription_cycle"
    assert invoice.parent.subscription_details.subscription == subscription.id
    happened = ("invoice.created", "invoice.finalized", "invoice.paid")
    assert set(event_types(api, invoice.id, *happened)) == set(happened)


@pytest.mark.local_only(because=NEEDS_A_CLOCK)
def test_a_declined_renewal_is_past_due_and_paid_later(api, server, customer, price):
    subscription = subscribe(
        api, customer, price, "pm_card_chargeCustomerFail", **free_until(int(time.time()) + DAY)
    )
    server.control(advance=DAY + 60)
    server.control(advance=3600 + 60)
    assert api.v1.subscriptions.retrieve(subscription.id).status == "past_due"
    invoice = renewal(api, subscription)
    assert (invoice.status, invoice.attempt_count) == ("open", 1)
    assert invoice.next_payment_attempt is not None
    assert invoice.hosted_invoice_url
    assert event_types(api, invoice.id, "invoice.payment_failed") == ["invoice.payment_failed"]
    card = api.v1.payment_methods.attach("pm_card_visa", {"customer": customer.id})
    paid = api.v1.invoices.pay(invoice.id, {"payment_method": card.id})
    assert paid.status == "paid"
    assert api.v1.subscriptions.retrieve(subscription.id).status == "active"


@pytest.mark.local_only(because=NEEDS_A_CLOCK)
@pytest.mark.parametrize(
    ("after", "status"), [("cancel", "canceled"), ("unpaid", "unpaid"), ("past_due", "past_due")]
)
def test_after_the_last_retry_the_settings_decide(api, server, customer, price, after, status):
    server.control(after_retries=after)
    subscription = subscribe(
        api, customer, price, "pm_card_chargeCustomerFail", **free_until(int(time.time()) + DAY)
    )
    server.control(advance=DAY + 60)
    for seconds in (3600 + 60, 3 * DAY + 60, 5 * DAY + 60, 7 * DAY + 60):
        server.control(advance=seconds)
    assert api.v1.subscriptions.retrieve(subscription.id).status == status


@pytest.mark.local_only(because=NEEDS_A_CLOCK)
def test_a_subscription_that_ends_with_its_period_is_not_charged_again(
    api, server, customer, price
):
    subscription = subscribe(api, customer, price, **free_until(int(time.time()) + DAY))
    api.v1.subscriptions.update(subscription.id, {"cancel_at_period_end": True})
    server.control(advance=DAY + 60)
    assert api.v1.subscriptions.retrieve(subscription.id).status == "canceled"
    deleted = "customer.subscription.deleted"
    assert event_types(api, subscription.id, deleted) == [deleted]
    assert api.v1.payment_intents.list({"customer": customer.id}).data == []
