"""The first month's invoice in Stripe's portal: once, paid, whatever fails between."""

from typing import Any

import httpx
import pytest
import stripe as stripe_api

from apps.billing.gateway import GatewayError
from apps.billing.models import SubscriptionSignUp
from tests.billing.subscriber import Subscriber

PORTAL = "/api/subscriptions/billing-portal"
pytestmark = pytest.mark.usefixtures("world")


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


@pytest.fixture
def subscriber(api: Any, cast: Any, world: Any) -> Subscriber:
    return Subscriber(api, cast, world)


def invoices(sign_up: SubscriptionSignUp) -> list[Any]:
    return list(stripe_api.Invoice.list(customer=sign_up.customer_id).data)


def test_the_first_month_has_a_paid_invoice_of_the_payment_that_was_made(
    subscriber: Subscriber,
) -> None:
    row = subscriber.subscribe().row
    [invoice] = invoices(row.sign_up)
    assert (invoice.id, invoice.status) == (row.sign_up.invoice_id, "paid")
    assert (invoice.amount_paid, invoice.currency) == (2900, "usd")
    [line] = invoice.lines.data
    assert line.description == "Fully Booked subscription"
    assert line.period.start == int(row.started_at.timestamp())
    assert line.period.end == int(row.period_ends_at.timestamp())
    assert row.sign_up.invoiced_at == subscriber.world.now
    charged = stripe_api.PaymentIntent.list(customer=row.sign_up.customer_id).data
    assert [each.amount_received for each in charged] == [2900]


def test_the_portal_lists_the_first_month_and_the_next(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    url = subscriber.client.post(PORTAL).json()["portalUrl"]
    assert httpx.get(url).text.count("$29.00 · paid") == 1
    subscriber.later(days=31)
    assert httpx.get(url).text.count("$29.00 · paid") == 2


@pytest.mark.parametrize("kind", ["500", "lost_response"])
@pytest.mark.parametrize(
    ("method", "path", "times"),
    [
        ("POST", "/v1/invoices", 1),  # the draft
        ("GET", "/v1/invoices/in_", 1),
        ("POST", "/v1/invoiceitems", 1),
        ("POST", "/v1/invoices/in_", 1),  # opening it, and attaching the payment
        ("POST", "/v1/invoices/in_", 2),
        ("POST", "/v1/invoice", 2),
    ],
)
def test_a_call_that_fails_is_repeated_by_the_job_and_one_invoice_is_made(
    subscriber: Subscriber, method: str, path: str, times: int, kind: str
) -> None:
    fault = {"kind": kind, "path_prefix": path, "method": method, "times": times}
    subscriber.world.stripe.control(http_fault=fault)
    with pytest.raises(GatewayError):  # the task's; the job repeats it
        subscriber.subscribe()
    subscriber.world.tasks.waiting.clear()
    for _ in range(4):
        subscriber.look_after()
    # For a day, Stripe repeats an answer of 500 to the same key.
    for _ in range(2):
        subscriber.later(days=1)
        subscriber.look_after()
    [invoice] = invoices(subscriber.row.sign_up)
    assert (invoice.status, len(invoice.lines.data)) == ("paid", 1)
    assert subscriber.row.sign_up.invoiced_at is not None


def test_a_day_later_it_goes_on_with_the_invoice_there_is(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    # As if the answer to the last call had been lost, with keys that Stripe has forgotten since.
    SubscriptionSignUp.objects.update(invoiced_at=None)
    subscriber.later(days=1)
    subscriber.look_after()
    assert len(invoices(subscriber.row.sign_up)) == 1
    assert subscriber.row.sign_up.invoiced_at is not None


def test_an_invoice_that_cannot_be_made_keeps_no_subscription_from_going_on(
    subscriber: Subscriber,
) -> None:
    fault = {"kind": "500", "path_prefix": "/v1/invoices", "method": "POST", "times": 1000}
    subscriber.world.stripe.control(http_fault=fault)
    with pytest.raises(GatewayError):
        subscriber.subscribe()
    subscriber.world.tasks.waiting.clear()
    subscriber.look_after()
    assert subscriber.row.status == "active"
    assert subscriber.publish() == 0
