"""Test cards and what each number does. Most behave as the same number does in Stripe."""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from .errors import StripeError, card_error


class Authentication(Enum):
    """When the card issuer requires 3-D Secure."""

    NEVER = "never"
    UNLESS_SET_UP = "unless set up"  # not required off session once the card is set up
    ALWAYS = "always"


class AsyncRefund(Enum):
    """The outcome of a refund some time after it was made."""

    SUCCEEDS = "pending, then succeeded"
    FAILS = "succeeded, then failed"


class Afterwards(Enum):
    """What happens after a charge succeeded: https://docs.stripe.com/testing#disputes"""

    FRAUDULENT = "disputed as fraudulent"
    NOT_RECEIVED = "disputed as not received"
    INQUIRY = "questioned by an inquiry"
    WARNING = "an early fraud warning"
    MULTIPLE = "disputed twice"


@dataclass(frozen=True)
class TestCard:
    """A test card. ``declines`` applies to every charge, ``declines_off_session`` to off-session
    charges only; with ``declines_capture`` the authorization succeeds and the capture fails.
    ``limit`` is how much can be held and charged on it together, in the smallest currency unit.
    With ``skips_pending`` a payment is available at once."""

    number: str
    summary: str
    declines: str | None = None
    declines_off_session: str | None = None
    declines_capture: bool = False
    limit: int | None = None
    refunds_later: AsyncRefund | None = None
    authentication: Authentication = Authentication.NEVER
    afterwards: Afterwards | None = None
    skips_pending: bool = False

    @property
    def spaced(self) -> str:
        return " ".join(re.findall(".{1,4}", self.number))


TEST_CARDS = (
    TestCard("4242424242424242", "Succeeds"),
    TestCard("5555555555554444", "Succeeds (Mastercard)"),
    TestCard("4000000000000002", "Declined", declines="generic_decline"),
    TestCard("4000000000009995", "Declined: insufficient funds", declines="insufficient_funds"),
    TestCard("4000000000000069", "Declined: expired card", declines="expired_card"),
    TestCard("4000000000000127", "Declined: wrong security code", declines="incorrect_cvc"),
    TestCard(
        "4000002500003155",
        "Requires 3-D Secure, but not again once it's saved",
        authentication=Authentication.UNLESS_SET_UP,
    ),
    TestCard(
        "4000000000003220",
        "Requires 3-D Secure every time",
        authentication=Authentication.ALWAYS,
    ),
    TestCard(
        "4000002760003184",
        "Requires 3-D Secure every time",
        authentication=Authentication.ALWAYS,
    ),
    TestCard(
        "4000000000000341",
        "Succeeds now, declined for later off-session charges",
        declines_off_session="generic_decline",
    ),
    # Ours, not Stripe's: real cards have limits, Stripe's test cards don't.
    TestCard("4000000000006009", "Has 60.00 in all, for holds and charges", limit=6000),
    # https://docs.stripe.com/testing#available-balance
    TestCard("4000000000000077", "Succeeds, with the money available now", skips_pending=True),
    # https://docs.stripe.com/testing#refunds
    TestCard(
        "4000000000007726",
        "Refunds are pending for a minute, then succeed",
        refunds_later=AsyncRefund.SUCCEEDS,
    ),
    TestCard(
        "4000000000005126",
        "Refunds succeed, then fail a minute later",
        refunds_later=AsyncRefund.FAILS,
    ),
    TestCard(
        "4000000000000259",
        "Succeeds, then the guest disputes it as fraudulent",
        afterwards=Afterwards.FRAUDULENT,
    ),
    TestCard(
        "4000000000002685",
        "Succeeds, then the guest disputes it as not received",
        afterwards=Afterwards.NOT_RECEIVED,
    ),
    TestCard(
        "4000000000001976",
        "Succeeds, then the bank sends an inquiry",
        afterwards=Afterwards.INQUIRY,
    ),
    TestCard(
        "4000000000005423",
        "Succeeds, then the bank sends an early fraud warning",
        afterwards=Afterwards.WARNING,
    ),
    TestCard(
        "4000000404000079",
        "Succeeds, then it is disputed twice",
        afterwards=Afterwards.MULTIPLE,
    ),
    # Stripe has no test card whose capture fails, and declines this number as a lost card. Captures
    # do fail in production, so here the number simulates that.
    TestCard("4000000000009987", "Authorized, but the capture is declined", declines_capture=True),
)
_BY_NUMBER = {card.number: card for card in TEST_CARDS}

# Stripe's predefined test payment methods and tokens.
READY_MADE = {
    "pm_card_visa": "4242424242424242",
    "pm_card_mastercard": "5555555555554444",
    "pm_card_chargeDeclined": "4000000000000002",
    "pm_card_visa_chargeDeclined": "4000000000000002",
    "pm_card_chargeDeclinedInsufficientFunds": "4000000000009995",
    "pm_card_visa_chargeDeclinedInsufficientFunds": "4000000000009995",
    "pm_card_chargeDeclinedExpiredCard": "4000000000000069",
    "pm_card_chargeCustomerFail": "4000000000000341",
    "pm_card_authenticationRequired": "4000002760003184",
    "pm_card_authenticationRequiredOnSetup": "4000002500003155",
    "pm_card_threeDSecure2Required": "4000000000003220",
    "pm_card_bypassPending": "4000000000000077",
    "pm_card_pendingRefund": "4000000000007726",
    "pm_card_refundFail": "4000000000005126",
    "pm_card_createDispute": "4000000000000259",
    "pm_card_createDisputeProductNotReceived": "4000000000002685",
    "pm_card_createDisputeInquiry": "4000000000001976",
    "pm_card_createIssuerFraudRecord": "4000000000005423",
    "pm_card_createMultipleDisputes": "4000000404000079",
    "tok_visa": "4242424242424242",
    "tok_mastercard": "5555555555554444",
    "tok_chargeDeclined": "4000000000000002",
    "tok_chargeCustomerFail": "4000000000000341",
}

_DECLINES = {
    "generic_decline": ("card_declined", "Your card was declined."),
    "insufficient_funds": ("card_declined", "Your card has insufficient funds."),
    "expired_card": ("expired_card", "Your card has expired."),
    "incorrect_cvc": ("incorrect_cvc", "Your card's security code is incorrect."),
    "authentication_required": (
        "authentication_required",
        "Your card was declined. This transaction requires authentication.",
    ),
}


def behavior(number: str) -> TestCard:
    return _BY_NUMBER.get(number, TEST_CARDS[0])


def decline_texts(reason: str) -> tuple[str, str]:
    """Return the error code and message for a decline reason."""
    return _DECLINES[reason]


@dataclass(frozen=True)
class CardInput:
    """Card details as entered by a customer."""

    number: str
    exp_month: int = 12
    exp_year: int = 2040
    cvc: str = "123"

    def cleaned(self, now: int) -> "CardInput":
        """Return the card in normalized form. Raises Stripe's card error if a field is invalid."""
        number = re.sub(r"[\s-]", "", self.number)
        if not re.fullmatch(r"[0-9]{12,19}", number) or not _passes_luhn(number):
            raise _malformed("Your card number is incorrect.", "incorrect_number", "number")
        if not 1 <= self.exp_month <= 12:
            raise _malformed(
                "Your card's expiration month is invalid.", "invalid_expiry_month", "exp_month"
            )
        year = self.exp_year + 2000 if self.exp_year < 100 else self.exp_year
        today = datetime.fromtimestamp(now, UTC)
        if (year, self.exp_month) < (today.year, today.month) or year > today.year + 50:
            raise _malformed(
                "Your card's expiration year is invalid.", "invalid_expiry_year", "exp_year"
            )
        if not re.fullmatch(r"[0-9]{3,4}", self.cvc.strip()):
            raise _malformed("Your card's security code is invalid.", "invalid_cvc", "cvc")
        return CardInput(number, self.exp_month, year, self.cvc.strip())

    @property
    def brand(self) -> str:
        if self.number.startswith("4"):
            return "visa"
        if self.number.startswith(("34", "37")):
            return "amex"
        return "mastercard" if self.number.startswith(("5", "2")) else "discover"

    def describe(self) -> dict[str, Any]:
        """Return the ``card`` hash of a payment method."""
        return {
            "brand": self.brand,
            "checks": {
                "address_line1_check": None,
                "address_postal_code_check": None,
                "cvc_check": "pass",
            },
            "country": "US",
            "display_brand": self.brand,
            "exp_month": self.exp_month,
            "exp_year": self.exp_year,
            "fingerprint": hashlib.sha256(self.number.encode()).hexdigest()[:16],
            "funding": "credit",
            "generated_from": None,
            "last4": self.number[-4:],
            "networks": {"available": [self.brand], "preferred": None},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        }


def _malformed(message: str, code: str, param: str) -> StripeError:
    return card_error(message, code, param=param)


def _passes_luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
