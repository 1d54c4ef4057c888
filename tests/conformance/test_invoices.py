"""An invoice without a subscription, which an existing payment pays."""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import AMOUNT, charge, event_types


@pytest.fixture
def customer(api: stripe.StripeClient) -> Any:
    return api.v1.customers.create({"email": "owner@example.test"})


@pytest.fixture
def draft(api: stripe.StripeClient, customer: Any) -> Any:
    """A draft with one line, which Stripe leaves alone."""
    invoice = api.v1.invoices.create(
        {"customer": customer.id, "currency": "usd", "auto_advance": False}
    )
    api.v1.invoice_items.create(
        {
            "customer": customer.id,
            "invoice": invoice.id,
            "amount": AMOUNT,
            "currency": "usd",
            "description": "March",
            "period": {"start": 1_900_000_000, "end": 1_902_600_000},
        }
    )
    return api.v1.invoices.retrieve(invoice.id)


def test_a_draft_has_its_lines_and_becomes_open_without_a_payment(api, draft):
    assert (draft.status, draft.amount_due, draft.billing_reason) == ("draft", AMOUNT, "manual")
    [line] = draft.lines.data
    assert (line.description, line.period.start) == ("March", 1_900_000_000)
    opened = api.v1.invoices.finalize_invoice(draft.id, {"auto_advance": False})
    assert (opened.status, opened.amount_paid, opened.attempted) == ("open", 0, False)
    assert opened.number


def test_a_payment_that_succeeded_pays_an_open_invoice_when_it_is_attached(api, customer, draft):
    payment = charge(api, customer=customer.id)
    api.v1.invoices.finalize_invoice(draft.id, {"auto_advance": False})
    paid = api.v1.invoices.attach_payment(draft.id, {"payment_intent": payment.id})
    assert (paid.status, paid.amount_paid, paid.amount_remaining) == ("paid", AMOUNT, 0)
    assert paid.status_transitions.paid_at is not None
    assert event_types(api, draft.id, "invoice.paid") == ["invoice.paid"]
    made = api.v1.payment_intents.list({"customer": customer.id}).data
    assert [each.id for each in made if each.status == "succeeded"] == [payment.id]


def test_a_draft_accepts_no_payment(api, customer, draft):
    payment = charge(api, customer=customer.id)
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.invoices.attach_payment(draft.id, {"payment_intent": payment.id})
