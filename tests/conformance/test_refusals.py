"""How Stripe says no: a card's decline, and everything else."""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import authorize, charge


@pytest.mark.parametrize(
    ("method", "code", "decline_code"),
    [
        ("pm_card_visa_chargeDeclined", "card_declined", "generic_decline"),
        ("pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", None),
    ],
)
def test_a_declined_card_is_a_card_error(api, method, code, decline_code):
    with pytest.raises(stripe.CardError) as refused:
        authorize(api, method)
    error: Any = refused.value.error
    assert (refused.value.code, error.decline_code) == (code, decline_code)
    assert error.payment_intent["status"] == "requires_payment_method"


def test_a_wrong_parameter_is_an_invalid_request_that_names_it(api):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        authorize(api, "pm_of_nobody")
    assert (refused.value.code, refused.value.param) == ("resource_missing", "payment_method")


def _saved_card(api: Any, method: str) -> tuple[str, str]:
    customer = api.v1.customers.create({})
    card = api.v1.payment_methods.attach(method, {"customer": customer.id})
    return customer.id, card.id


def test_a_detached_card_is_refused_for_good(api):
    customer, card = _saved_card(api, "pm_card_visa")
    api.v1.payment_methods.detach(card)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        charge(api, card, customer=customer, off_session=True)
    assert refused.value.param == "payment_method"


def test_a_card_whose_bank_wants_the_guest_is_declined_off_session(api):
    customer, card = _saved_card(api, "pm_card_authenticationRequired")
    with pytest.raises(stripe.CardError) as refused:
        charge(api, card, customer=customer, off_session=True)
    error: Any = refused.value.error
    assert refused.value.code == "authentication_required"
    assert error.payment_intent["status"] == "requires_payment_method"
