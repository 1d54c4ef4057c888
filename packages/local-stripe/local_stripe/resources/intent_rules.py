"""Validation rules for payment intents: amounts and Connect parameters."""

from typing import Any

from ..errors import StripeError, invalid_request
from ..server import Call
from ..store import Json

# https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
_MINIMUM_AMOUNTS = {"gbp": 30, "mxn": 1000}
_MINIMUM_AMOUNT = 50
_MAXIMUM_AMOUNT = 99_999_999


def unexpected_state(message: str, **details: Any) -> StripeError:
    return invalid_request(message, code="payment_intent_unexpected_state", **details)


def minimum_amount(currency: str) -> int:
    return _MINIMUM_AMOUNTS.get(currency, _MINIMUM_AMOUNT)


def check_amount(amount: int, currency: str) -> None:
    least = minimum_amount(currency)
    if amount < least:
        raise invalid_request(
            f"Amount must be at least {least / 100:.2f} {currency}",
            code="amount_too_small",
            param="amount",
        )
    if amount > _MAXIMUM_AMOUNT:
        raise invalid_request(
            "Amount must be no more than $999,999.99", code="amount_too_large", param="amount"
        )


def check_connect(call: Call, params: Json, amount: int) -> None:
    """Check the parameters that split a payment with a connected account."""
    platform = call.for_account(None)
    destination = (params.get("transfer_data") or {}).get("destination")
    if destination:
        param = "transfer_data[destination]"
        row = call.store.get(destination)
        if row is None or row.kind != "account":
            raise invalid_request(
                f"No such destination: '{destination}'", code="resource_missing", param=param
            )
        _require_capability(platform, destination, "transfers", param)
    if params.get("on_behalf_of"):
        _require_capability(platform, params["on_behalf_of"], "card_payments", "on_behalf_of")
    fee = params.get("application_fee_amount")
    if fee is not None:
        check_fee(fee, amount)
        if not destination and not call.account:
            raise invalid_request(
                "Can only apply an application_fee_amount when the PaymentIntent is attempting a "
                "direct payment (using an OAuth key or Stripe-Account header) or destination "
                "payment (using `transfer_data[destination]`).",
                param="application_fee_amount",
            )


def check_fee(fee: int, amount: int) -> None:
    if fee < 1:
        raise invalid_request(
            "This value must be greater than or equal to 1.",
            code="parameter_invalid_integer",
            param="application_fee_amount",
        )
    if fee > amount:
        raise invalid_request(
            "The application fee cannot be greater than the amount of the payment.",
            param="application_fee_amount",
        )


def _require_capability(platform: Call, account_id: str, name: str, param: str) -> None:
    account = platform.get("account", account_id, param)
    if (account["capabilities"] or {}).get(name) != "active":
        raise invalid_request(
            "Your destination account needs to have at least one of the following capabilities "
            f"enabled: {name}",
            code="insufficient_capabilities_for_transfer",
            param=param,
        )
